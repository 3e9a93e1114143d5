#include "core/stage/type_notes.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Is all that a gradient can flow through of that type?
bool isAllOf(DType type, const Graph& graph)
{
    return std::ranges::all_of(graph.values(), [&](ValueId value) {
        const std::optional<TensorMeta>& meta = graph[value].meta;
        return !meta || !isDifferentiable(meta->dtype) || meta->dtype == type;
    });
}

} // namespace

std::vector<std::string> notesOnTypes(const Graph& graph, const ProfileRequest& plannedFor)
{
    std::vector<std::string> notes;
    if (const std::optional<DType> lower = autocastType(plannedFor.precision))
        notes.push_back("the plan is of autocast to " + std::string(shortName(*lower)) +
                        ": build_pipeline(autocast=" + std::string(torchName(*lower)) + ")" +
                        (*lower == DType::BF16 ? ", or train.py --bf16," : "") +
                        " has the stages run so; else they compute in the types of the model");
    if (const std::optional<DType> pure = pureType(plannedFor.precision); pure && !isAllOf(*pure, graph))
        notes.push_back("the plan is of a model that is all " + std::string(shortName(*pure)) +
                        ", and the stages are of the types that the model was exported with: export it in "
                        "that type to have them so");
    if (plannedFor.masterWeights != MasterWeights::None)
        notes.push_back("the plan counts float32 copies of the parameters: the optimizer that you bring has "
                        "to keep them");
    return notes;
}

} // namespace stagecraft
