#include "core/stage/updated_buffers.h"

#include "core/load/target_name.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace stagecraft {

namespace {

// Of which backward needs nothing that was in their first operand: sorted.
constexpr std::array<std::string_view, 8> keepNothing{
    "aten::add",           "aten::index_copy", "aten::index_put", "aten::scatter", "aten::select_scatter",
    "aten::slice_scatter", "aten::sub",        "aten::sym_size"};

} // namespace

std::vector<ValueId> readAsCopies(const Graph& graph, const StageProgram& program)
{
    if (program.updates.empty())
        return {};
    std::set<ValueId> mayBeKept;
    for (const auto* nodes : {&program.repeated, &program.nodes})
        for (const NodeId node : *nodes)
            if (!std::ranges::binary_search(keepNothing, operatorNameOf(graph[node].target).name))
                for (const ValueId input : graph[node].inputs)
                    mayBeKept.insert(program.resolve(input));
    std::vector<ValueId> copies;
    for (const StateUpdate& update : program.updates) {
        const ValueId target = program.resolve(update.target);
        const Value& value = graph[target];
        if (value.kind == ValueKind::Buffer && value.meta && isDifferentiable(value.meta->dtype) &&
            mayBeKept.contains(target))
            copies.push_back(target);
    }
    return copies;
}

} // namespace stagecraft
