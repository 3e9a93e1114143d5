#include "cli/model_option.h"

#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/profile_options.h"
#include "core/graph/graph_builder.h"
#include "core/load/attached_weights.h"
#include "core/load/error_context.h"
#include "core/script/open_model_file.h"

#include <utility>

namespace stagecraft::cli {

void addProgram(CLI::App& command, ModelOption& option)
{
    command.add_option("--program", option.program, "Which of several programs that the file holds")
        ->type_name("NAME");
    addEach(
        command, "--input", option.inputs, "TYPE",
        "Of TorchScript: an input, in order or by name, as in \"f32[8,3,224,224]\" or \"ids=i64[2,128]\"; a "
        "traced file may have its own");
    command.get_option("--input")->allow_extra_args(false); // CLI11 takes "[a, b]" apart otherwise
}

void addModel(CLI::App& command, ModelOption& option)
{
    command.add_option("model", option.file, "A .pt2 file, or a scripted or traced .pt")->required();
    addProgram(command, option);
}

void addSizedModel(CLI::App& command, ModelOption& option)
{
    addModel(command, option);
    addBindings(command, option.sizes);
}

Result<Model> openedModel(const ModelOption& option, const Progress& progress)
{
    STAGECRAFT_ASSIGN(sizes, parseBindings(option.sizes));
    STAGECRAFT_ASSIGN(model, openModelFile(option.file, {option.program, option.inputs}, progress));
    if (!option.weights.empty()) {
        const Result<void> attached = attachWeights(model, {option.weights.begin(), option.weights.end()});
        if (!attached.has_value())
            return inside(option.file + " --weights", attached.error());
    }
    STAGECRAFT_TRY(checkBindings(model.graph, sizes, model.provenance.notes));
    if (sizes.empty())
        return model;
    Result<Graph> sized = GraphBuilder::atSizes(std::move(model.graph), sizes);
    if (!sized.has_value())
        return Error{sized.error().code, "--bind: " + sized.error().message};
    model.graph = *std::move(sized);
    return model;
}

} // namespace stagecraft::cli
