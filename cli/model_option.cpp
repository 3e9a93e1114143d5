#include "cli/model_option.h"

#include "cli/option_checks.h"
#include "cli/plan_source.h"
#include "cli/profile_options.h"
#include "cli/weights_option.h"
#include "core/graph/graph_builder.h"

#include <utility>

namespace stagecraft::cli {

void addSizedModel(CLI::App& command, ModelOption& option)
{
    addModel(command, option.file);
    addBindings(command, option.sizes);
}

Result<Model> openedModel(const ModelOption& option, const Progress& progress)
{
    STAGECRAFT_ASSIGN(sizes, parseBindings(option.sizes));
    STAGECRAFT_ASSIGN(model, openWithWeights(option.file, option.weights, progress));
    std::vector<std::string> notes;
    STAGECRAFT_TRY(checkBindings(model.graph, sizes, notes));
    Result<Graph> sized = GraphBuilder::atSizes(std::move(model.graph), sizes);
    if (!sized.has_value())
        return Error{sized.error().code, "--bind: " + sized.error().message};
    model.graph = *std::move(sized);
    printNotes(notes);
    return model;
}

} // namespace stagecraft::cli
