#include "cli/profile_options.h"

#include "cli/option_checks.h"
#include "core/base/resources.h"
#include "core/graph/called_operator.h"
#include "core/measure/imported_times.h"
#include "core/workflow.h"

#include <charconv>
#include <set>
#include <utility>

namespace stagecraft::cli {

Result<DeviceSpec> namedDevice(const std::string& name)
{
    if (name.ends_with(".json"))
        return readDevice(name);
    STAGECRAFT_ASSIGN(known, knownDevices());
    for (const Error& error : known.unreadable())
        if (error.message.find('/' + name + ".json:") != std::string::npos)
            return error; // it is there, but no device
    return findDevice(known.all(), name);
}

Result<OwnDevices> knownDevices()
{
    STAGECRAFT_ASSIGN(devices, readDevices(resourceFolder() / "devices"));
    const std::filesystem::path own = userDataFolder();
    return OwnDevices(std::move(devices), own.empty() ? own : own / "devices");
}

Result<Bindings> parseBindings(const std::vector<std::string>& texts, const std::string& option)
{
    Bindings bindings;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        std::int64_t value = 0;
        const char* end = text.data() + text.size();
        const char* start = equals == std::string::npos ? end : text.data() + equals + 1;
        const auto [stop, status] = std::from_chars(start, end, value);
        if (equals == 0 || start == end || status != std::errc() || stop != end || value < 0)
            return Error{ErrorCode::BadUsage, option + " '" + text + "' is not SYMBOL=NUMBER, as in s0=8"};
        const auto [known, isNew] = bindings.emplace(text.substr(0, equals), value);
        if (!isNew)
            return Error{ErrorCode::BadUsage, option + ": " + known->first + " is given twice, as " +
                                                  std::to_string(known->second) + " and as " +
                                                  std::to_string(value)};
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
    addField(command, "mode", flags.fields);
    command
        .add_option("--device", flags.device,
                    "What to run on: a name of `stagecraft-cli devices`, or a device file (*.json)")
        ->capture_default_str();
    for (const char* field : {"lowering", "optimizer", "optimizer-variant"})
        addField(command, field, flags.fields);
    command.add_flag("--master-weights", flags.masterWeights,
                     "The optimizer works on float32 copies of lower-precision parameters");
    for (const char* field : {"precision", "gradients", "segments"})
        addField(command, field, flags.fields);
    addFile(command, "--substitutes", flags.substitutes,
            "A JSON file: shapes and costs of operators that are not known here (docs/substitutes.md)");
    addFile(command, "--times", flags.times,
            "How long nodes take: CSV, JSON or a trace of torch.profiler; estimates fill the gaps");
    addLossOutput(command, flags.lossOutput);
    addBindings(command, flags.bindings);
    addEach(command, "--bound", flags.bounds, "SYMBOL=SIZE",
            "The most that a size can be which data decide, as in u0=9");
    command.option_defaults()->group("Options");
}

Result<ProfileOptions> profileOptions(const ProfileFlags& flags)
{
    PlanRequest request;
    STAGECRAFT_TRY(readFields(flags.fields, request));
    STAGECRAFT_ASSIGN(device, namedDevice(flags.device));
    STAGECRAFT_ASSIGN(bindings, parseBindings(flags.bindings));
    STAGECRAFT_ASSIGN(bounds, parseBindings(flags.bounds, "--bound"));
    ProfileOptions options{std::move(request.profile), std::move(device), nullptr};
    options.masterWeights = flags.masterWeights ? MasterWeights::Float32 : MasterWeights::None;
    options.bindings = std::move(bindings);
    options.bounds = std::move(bounds);
    options.lossOutput = flags.lossOutput;
    if (!flags.substitutes.empty()) {
        STAGECRAFT_ASSIGN(substitutes, Substitutes::read(flags.substitutes));
        options.substitutes = std::make_shared<const Substitutes>(std::move(substitutes));
    }
    return options;
}

namespace {

// Those of the file that are for no operator of the model: a name may be misspelled.
void noteUnused(const Substitutes& substitutes, const std::string& file, const Graph& graph,
                std::vector<std::string>& notes)
{
    std::set<const Substitute*> used;
    for (const NodeId node : graph.nodes())
        used.insert(substitutes.find(calledOperator(graph[node])));
    for (const auto& [name, substitute] : substitutes.operators())
        if (!used.contains(&substitute))
            notes.push_back(file + ": the model has no operator " + name +
                            ", and its substitute is for nothing");
}

} // namespace

Result<Profile> makeProfile(const Model& model, const ProfileOptions& options, const ProfileFlags& flags,
                            const Progress& progress)
{
    std::vector<std::string> notes;
    STAGECRAFT_TRY(checkBindings(model.graph, options.bindings, notes));
    if (options.substitutes)
        noteUnused(*options.substitutes, flags.substitutes, model.graph, notes);
    STAGECRAFT_ASSIGN(profile, traceAndProfile(model, options, progress));
    profile.notes.insert(profile.notes.begin(), notes.begin(), notes.end());
    if (!flags.times.empty()) {
        STAGECRAFT_ASSIGN(times, readTimes(flags.times, model.graph, progress));
        STAGECRAFT_TRY(checkMeasuredInputs(times.inputs, flags.times, model.graph, options.bindings));
        applyImportedTimes(times, profile);
    }
    return profile;
}

} // namespace stagecraft::cli
