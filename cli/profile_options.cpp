#include "cli/profile_options.h"

#include "cli/option_checks.h"
#include "core/base/resources.h"
#include "core/measure/imported_times.h"
#include "core/workflow.h"

#include <charconv>
#include <initializer_list>
#include <utility>

namespace stagecraft::cli {

namespace {

// The entry called `name`; or an error that lists the names.
template <class T>
Result<T> byName(const char* flag, const std::string& name,
                 std::initializer_list<std::pair<const char*, T>> entries)
{
    std::string known;
    for (const auto& [entryName, value] : entries) {
        if (name == entryName)
            return value;
        known += (known.empty() ? "" : ", ") + std::string(entryName);
    }
    return Error{ErrorCode::BadUsage, std::string(flag) + " '" + name + "' is none of: " + known};
}

Result<void> setOptimizer(const ProfileFlags& flags, ProfileOptions& options)
{
    STAGECRAFT_ASSIGN(kind, (byName<OptimizerKind>("--optimizer", flags.optimizer,
                                                   {{"none", OptimizerKind::None},
                                                    {"sgd", OptimizerKind::Sgd},
                                                    {"sgd-momentum", OptimizerKind::SgdMomentum},
                                                    {"adam", OptimizerKind::Adam},
                                                    {"adamw", OptimizerKind::AdamW},
                                                    {"adafactor", OptimizerKind::Adafactor}})));
    STAGECRAFT_ASSIGN(variant, (byName<OptimizerVariant>("--optimizer-variant", flags.optimizerVariant,
                                                         {{"default", OptimizerVariant::Default},
                                                          {"single", OptimizerVariant::Single},
                                                          {"foreach", OptimizerVariant::Foreach},
                                                          {"fused", OptimizerVariant::Fused}})));
    STAGECRAFT_ASSIGN(precision, (byName<Precision>("--precision", flags.precision,
                                                    {{"exported", Precision::AsExported},
                                                     {"fp32", Precision::Float32},
                                                     {"bf16", Precision::BFloat16},
                                                     {"fp16", Precision::Float16},
                                                     {"autocast-bf16", Precision::AutocastBFloat16},
                                                     {"autocast-fp16", Precision::AutocastFloat16}})));
    STAGECRAFT_ASSIGN(gradients, (byName<GradientStart>("--gradients", flags.gradients,
                                                        {{"dropped", GradientStart::Absent},
                                                         {"kept", GradientStart::Present}})));
    options.optimizer = kind;
    options.optimizerVariant = variant;
    options.precision = precision;
    options.gradients = gradients;
    options.masterWeights = flags.masterWeights ? MasterWeights::Float32 : MasterWeights::None;
    return {};
}

} // namespace

Result<DeviceSpec> namedDevice(const std::string& name)
{
    if (name.ends_with(".json"))
        return readDevice(name);
    STAGECRAFT_ASSIGN(devices, readDevices(resourceFolder() / "devices"));
    return findDevice(devices, name);
}

Result<Bindings> parseBindings(const std::vector<std::string>& texts)
{
    Bindings bindings;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const char* start = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, status] = std::from_chars(start, end, value);
        if (equals == 0 || start == end || status != std::errc() || stop != end || value < 0)
            return Error{ErrorCode::BadUsage, "--bind '" + text + "' is not SYMBOL=NUMBER, as in s0=8"};
        bindings[text.substr(0, equals)] = value;
    }
    return bindings;
}

void addLossOutput(CLI::App& command, std::string& lossOutput)
{
    command
        .add_option(
            "--loss-output", lossOutput,
            "Which output is the loss: its name or number, or all for the sum of all. Usually the one "
            "called loss, else the only scalar that needs a gradient")
        ->type_name("NAME");
}

void addProfileFlags(CLI::App& command, ProfileFlags& flags)
{
    command.option_defaults()->group("What runs, and where");
    command.add_option("--mode", flags.mode, "train or infer")->capture_default_str();
    command
        .add_option("--device", flags.device,
                    "What to run on: a name of `stagecraft-cli devices`, or a device file (*.json)")
        ->capture_default_str();
    command
        .add_option("--lowering", flags.lowering,
                    "Which kernels an operator becomes: the device's own, or the math, efficient or cpu "
                    "attention route")
        ->capture_default_str();
    command.add_option("--optimizer", flags.optimizer, "none, sgd, sgd-momentum, adam, adamw or adafactor")
        ->capture_default_str();
    command
        .add_option("--optimizer-variant", flags.optimizerVariant,
                    "single, foreach, fused, or default: what torch.optim takes on the device")
        ->capture_default_str();
    command.add_flag("--master-weights", flags.masterWeights,
                     "The optimizer works on float32 copies of lower-precision parameters");
    command
        .add_option("--precision", flags.precision,
                    "exported, fp32, bf16, fp16 (everything), autocast-bf16 or autocast-fp16")
        ->capture_default_str();
    command
        .add_option("--gradients", flags.gradients,
                    "Those of the step before: dropped (set_to_none), or kept and added to")
        ->capture_default_str();
    command
        .add_option("--substitutes", flags.substitutes,
                    "A JSON file: shapes and costs of operators that are not known here")
        ->type_name("FILE");
    command
        .add_option("--times", flags.times,
                    "How long nodes take: CSV, JSON or a trace of torch.profiler; estimates fill the gaps")
        ->type_name("FILE");
    addLossOutput(command, flags.lossOutput);
    command.add_option("--bind", flags.bindings, bindText)->type_name("SYMBOL=SIZE")->take_all();
    command.add_option("--bound", flags.bounds, "The most that a size can be which data decide, as in u0=9")
        ->type_name("SYMBOL=SIZE")
        ->take_all();
    command.option_defaults()->group("Options");
}

Result<ProfileOptions> profileOptions(const ProfileFlags& flags)
{
    STAGECRAFT_ASSIGN(
        mode, (byName<TrainingMode>("--mode", flags.mode,
                                    {{"train", TrainingMode::Train}, {"infer", TrainingMode::Infer}})));
    STAGECRAFT_ASSIGN(lowering, (byName<LoweringKind>("--lowering", flags.lowering,
                                                      {{"device", LoweringKind::Device},
                                                       {"math", LoweringKind::Math},
                                                       {"efficient", LoweringKind::Efficient},
                                                       {"cpu", LoweringKind::Cpu}})));
    STAGECRAFT_ASSIGN(device, namedDevice(flags.device));
    STAGECRAFT_ASSIGN(bindings, parseBindings(flags.bindings));
    STAGECRAFT_ASSIGN(bounds, parseBindings(flags.bounds));
    ProfileOptions options;
    options.mode = mode;
    options.lowering = lowering;
    options.device = device;
    options.bindings = bindings;
    STAGECRAFT_TRY(setOptimizer(flags, options));
    options.bounds = bounds;
    options.lossOutput = flags.lossOutput;
    if (!flags.substitutes.empty()) {
        STAGECRAFT_ASSIGN(substitutes, Substitutes::read(flags.substitutes));
        options.substitutes = std::make_shared<const Substitutes>(std::move(substitutes));
    }
    return options;
}

Result<Profile> makeProfile(const Model& model, const ProfileOptions& options, const ProfileFlags& flags,
                            const Progress& progress)
{
    std::vector<std::string> notes;
    STAGECRAFT_TRY(checkBindings(model.graph, options.bindings, notes));
    STAGECRAFT_ASSIGN(profile, traceAndProfile(model, options, progress));
    profile.notes.insert(profile.notes.begin(), notes.begin(), notes.end());
    if (!flags.times.empty()) {
        STAGECRAFT_ASSIGN(times, readTimes(flags.times, model.graph, progress));
        applyImportedTimes(times, profile);
    }
    return profile;
}

} // namespace stagecraft::cli
