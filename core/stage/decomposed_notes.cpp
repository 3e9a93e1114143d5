#include "core/stage/decomposed_notes.h"

#include <algorithm>

namespace stagecraft {

namespace {

bool trainsAny(const Graph& graph)
{
    return std::ranges::any_of(graph.inputs(), [&](ValueId input) {
        const Value& value = graph[input];
        return value.kind == ValueKind::Parameter && value.meta && value.meta->requiresGrad;
    });
}

std::string copiesText(const Graph& graph, const std::vector<ValueId>& copies)
{
    const bool isOne = copies.size() == 1;
    return "the stages read " +
           (isOne ? std::string("a copy of '")
                  : "copies of " + std::to_string(copies.size()) + " buffers ('") +
           graph[copies.front()].target + (isOne ? "'" : "' ...)") + ", as the program writes to " +
           (isOne ? "it" : "them") +
           " before backward is through: PyTorch does not train the program as it is";
}

} // namespace

std::vector<std::string> notesOnDecomposed(const Model& model, const std::vector<StageProgram>& programs,
                                           const ProfileRequest& plannedFor)
{
    std::vector<std::string> notes;
    if (plannedFor.mode == TrainingMode::Infer || !trainsAny(model.graph))
        return notes;
    std::vector<ValueId> copies;
    for (const StageProgram& program : programs)
        copies.insert(copies.end(), program.readAsCopies.begin(), program.readAsCopies.end());
    if (!copies.empty())
        notes.push_back(copiesText(model.graph, copies));
    if (model.provenance.dialect == "ATEN")
        notes.push_back("the program is decomposed, and PyTorch leaves no_grad() and detach() out of such: "
                        "where the Python model has any, gradients differ from its own; export it without "
                        "run_decompositions() to keep them");
    return notes;
}

} // namespace stagecraft
