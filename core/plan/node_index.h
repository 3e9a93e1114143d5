// Which values each node makes or reads, for whoever moves single nodes.
#pragma once

#include "core/plan/problem.h"

#include <span>
#include <vector>

namespace stagecraft {

struct NodeIndex
{
    explicit NodeIndex(const PartitionProblem& problem) : starts(problem.nodes.size() + 1, 0)
    {
        const auto forEachPin = [&](auto&& visit) {
            for (std::size_t v = 0; v < problem.values.size(); ++v) {
                visit(problem.values[v].producer, v);
                for (NodeId reader : problem.values[v].readers)
                    visit(reader, v);
            }
        };
        forEachPin([&](NodeId node, std::size_t) { ++starts[node.index() + 1]; });
        for (std::size_t i = 1; i < starts.size(); ++i)
            starts[i] += starts[i - 1];
        values.resize(starts.back());
        std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
        forEachPin([&](NodeId node, std::size_t v) { values[next[node.index()]++] = v; });
    }

    std::span<const std::size_t> of(NodeId node) const
    {
        return std::span(values).subspan(starts[node.index()],
                                         starts[node.index() + 1] - starts[node.index()]);
    }

    std::vector<std::size_t> starts;
    std::vector<std::size_t> values;
};

} // namespace stagecraft
