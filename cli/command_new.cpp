// `new llama --layers 32 -o model.pt2`: a model from a form. Each family is a command of `new`, with the
// numbers of its form as options; so is each published model, `new llama-3-8b`, with its family's.
#include "cli/command.h"
#include "cli/option_checks.h"
#include "core/forms/build_form.h"
#include "core/forms/form_json.h"
#include "core/forms/saved_form.h"
#include "core/stage/model_writer.h"

#include <iostream>
#include <map>
#include <set>

namespace stagecraft::cli {
namespace {

constexpr std::int64_t mostWeightBytes = std::int64_t{4} << 30;

struct NewOptions
{
    std::string family;
    std::string preset;
    std::string named;                         // the published model that stands in the place of a family
    std::map<std::string, std::string> values; // that were given, by parameter
    std::string output;
    std::optional<std::uint64_t> randomWeights;
    bool listsPresets = false;
    bool json = false;
};

Result<Form> chosenForm(const NewOptions& options)
{
    const FormFamily* family = findFormFamily(options.family);
    const std::string& published = options.named.empty() ? options.preset : options.named;
    if (!family && published.empty())
        return Error{ErrorCode::BadUsage,
                     "new: no family or preset is given; `new llama`, or `new llama-3-8b`"};
    if (!options.preset.empty() && options.preset != published)
        return Error{ErrorCode::BadUsage, "--preset " + options.preset + " is not " + published};
    Form form;
    if (!published.empty()) {
        STAGECRAFT_ASSIGN(preset, presetForm(published));
        form = std::move(preset);
    } else {
        form = usualForm(*family);
    }
    if (family && form.family != family->name)
        return Error{ErrorCode::BadUsage,
                     "--preset " + options.preset + " is a " + form.family + ", not a " + family->name};
    for (const auto& [parameter, text] : options.values)
        STAGECRAFT_TRY(setFormValue(form, parameter, text));
    return form;
}

void listPresets(bool json)
{
    nlohmann::ordered_json families = nlohmann::ordered_json::array();
    for (const FormFamily& family : formFamilies()) {
        nlohmann::ordered_json presets = nlohmann::ordered_json::array();
        for (const FormPreset& preset : family.presets)
            presets.push_back({{"name", preset.name},
                               {"title", preset.title},
                               {"parameters", preset.parameters},
                               {"source", preset.source}});
        families.push_back({{"family", family.name}, {"summary", family.summary}, {"presets", presets}});
    }
    if (json) {
        printJson({{"families", families}});
        return;
    }
    for (const FormFamily& family : formFamilies()) {
        std::cout << family.name << "  " << family.summary << '\n';
        for (const FormPreset& preset : family.presets)
            std::cout << "    " << preset.name << "  " << preset.title << ", "
                      << formatCount(static_cast<double>(preset.parameters)) << " parameters\n";
    }
}

Result<void> makeNew(const NewOptions& options, const Progress& progress)
{
    if (options.listsPresets) {
        listPresets(options.json);
        return {};
    }
    STAGECRAFT_ASSIGN(form, chosenForm(options));
    STAGECRAFT_ASSIGN(model, options.randomWeights
                                 ? buildFormWithWeights(form, *options.randomWeights, mostWeightBytes)
                                 : buildForm(form));
    Bytes size;
    if (!options.output.empty()) {
        STAGECRAFT_ASSIGN(written,
                          writeModelPt2(options.output, model, progress, {{formFileName, formText(form)}}));
        size = written;
    }
    if (options.json) {
        printJson({{"model", model.name},
                   {"family", form.family},
                   {"form", formValuesJson(form)},
                   {"parameters", parameterCount(model)},
                   {"operators", model.graph.nodeCount()},
                   {"file", options.output},
                   {"bytes", size.count()}});
        return {};
    }
    std::cout << model.name << ": " << formatCount(static_cast<double>(parameterCount(model)))
              << " parameters, " << model.graph.nodeCount() << " operators";
    if (!options.output.empty())
        std::cout << " in " << options.output << ", " << formatBytes(size);
    std::cout << '\n';
    return {};
}

std::string helpOf(const FormParameter& parameter)
{
    std::string help = parameter.title;
    if (!parameter.unit.empty())
        help += ", " + parameter.unit;
    if (!parameter.isChoice())
        return help + " (" + std::to_string(parameter.minimum) + " to " + std::to_string(parameter.maximum) +
               ")";
    help += ":";
    for (const std::string& choice : parameter.choices)
        help += " " + choice;
    return help;
}

void addFamily(CLI::App& command, NewOptions& options, const FormFamily& family)
{
    CLI::App* own = command.add_subcommand(family.name, family.summary);
    own->parse_complete_callback([&options, name = family.name] { options.family = name; });
    for (const FormParameter& parameter : family.parameters)
        own->add_option_function<std::string>(
               "--" + parameter.name,
               [&options, name = parameter.name](const std::string& text) { options.values[name] = text; },
               helpOf(parameter))
            ->type_name(parameter.isChoice() ? "NAME" : "N")
            ->default_str(formValueText(parameter, parameter.usual));
}

// `new llama-3-8b`: as people type it. Help does not list them, --list does.
void addPreset(CLI::App& command, NewOptions& options, const FormPreset& preset)
{
    command.add_subcommand(preset.name, preset.title)
        ->group("")
        ->parse_complete_callback([&options, name = preset.name] { options.named = name; });
}

// The numbers of all families, for behind a preset, which says the family; help has them by family.
void addSizes(CLI::App& command, NewOptions& options)
{
    std::set<std::string> names;
    for (const FormFamily& family : formFamilies())
        for (const FormParameter& parameter : family.parameters)
            names.insert(parameter.name);
    for (const std::string& name : names)
        command
            .add_option_function<std::string>(
                "--" + name, [&options, name](const std::string& text) { options.values[name] = text; })
            ->group("");
}

} // namespace

void addNewCommand(CLI::App& app, Command& chosen)
{
    const auto [command, options] =
        addCommand(app, chosen, "new",
                   "Make a model from a form: a family and its sizes, or a published model", makeNew);
    command->fallthrough();
    command->require_subcommand(0, 1);
    command->add_option("--preset", options->preset, "A published model: --list names them")
        ->type_name("NAME");
    command->add_flag("--list", options->listsPresets, "List families and published models");
    command
        ->add_option("--random-weights", options->randomWeights,
                     "Fill it with random weights from this seed; without it the file has none, and "
                     "torch.export.load() cannot run it")
        ->check(numberFrom(0, 9007199254740992))
        ->type_name("SEED");
    addOutput(*command, "-o,--output", options->output, ".pt2",
              "The .pt2 file to write; without it only figures are printed");
    addJson(*command, options->json);
    for (const FormFamily& family : formFamilies()) {
        addFamily(*command, *options, family);
        for (const FormPreset& preset : family.presets)
            addPreset(*command, *options, preset);
    }
    addSizes(*command, *options);
}

} // namespace stagecraft::cli
