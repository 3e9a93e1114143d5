// TensorVersions: which values of a graph that is being read are one tensor, written in place.
#pragma once

#include "core/base/contains.h"
#include "core/graph/alias_sets.h"

#include <map>
#include <optional>
#include <variant>

namespace stagecraft {

class TensorVersions
{
public:
    // To be told of each node, in order.
    void note(const NodeAliasing& does)
    {
        for (const auto& [result, input] : does.shared)
            if (contains(does.written, input))
                m_first.emplace(result, first(input));
    }

    // Of a copy of a tensor to itself, which torch.export adds behind `self.count += 1`: what it copies. It
    // changes nothing, and PyTorch would take what backward needs of the tensor for overwritten.
    std::optional<ValueId> copiedToItself(const Node& node) const
    {
        if (node.target != "aten::copy_.default" || node.arguments.size() < 2)
            return std::nullopt;
        const auto* to = std::get_if<ValueId>(&node.arguments[0].value);
        const auto* from = std::get_if<ValueId>(&node.arguments[1].value);
        return to && from && first(*to) == first(*from) ? std::optional(*from) : std::nullopt;
    }

private:
    ValueId first(ValueId value) const
    {
        const auto found = m_first.find(value);
        return found == m_first.end() ? value : found->second;
    }

    std::map<ValueId, ValueId> m_first; // of versions that are not the first
};

} // namespace stagecraft
