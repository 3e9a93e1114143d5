// A storage that nodes keep for backward, and what stages hold of it that are sent but parts of it.
//
//     linear ─► chunk ─┬ q ─┬─► matmul               keeps q and k: all three are one storage
//                      ├ k ─┘
//                 ─────┼──────────────── boundary
//                      └ v ─────► matmul             this stage is sent v alone, and keeps a third
//
// Who makes a part is sent all that it is a part of, or has made it: such a stage holds all as soon as it
// keeps the part.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/argument.h"

#include <algorithm>
#include <vector>

namespace stagecraft {

// Parts of a storage are together no more than it. One of no bytes says that its keepers keep all.
template <class Id>
struct KeptPart
{
    Bytes bytes;
    Id maker;
    std::vector<Id> keepers; // distinct

    template <class IsInStage>
    bool isKeptIn(IsInStage&& isInStage) const
    {
        return std::ranges::any_of(keepers, isInStage);
    }
    friend bool operator==(const KeptPart&, const KeptPart&) = default;
};

// Of a storage of so many bytes, what a stage holds beside those of its parts that its nodes keep.
template <class Id, class IsInStage>
Bytes besideParts(Bytes whole, const std::vector<KeptPart<Id>>& parts, IsInStage&& isInStage)
{
    Bytes rest = whole;
    bool hasAll = false;
    for (const KeptPart<Id>& part : parts) {
        if (!part.isKeptIn(isInStage))
            continue;
        rest -= part.bytes;
        hasAll = hasAll || isInStage(part.maker);
    }
    return hasAll ? rest : Bytes{};
}

// A storage that several nodes keep until backward, or that has parts: each stage that has one of the nodes
// holds it, or the parts of it that it is sent.
struct KeptTogether
{
    Bytes bytes;
    std::vector<NodeId> nodes;                // distinct; savedBytes of the first have all of it
    std::vector<KeptPart<NodeId>> parts = {}; // empty: who keeps it holds all

    template <class IsInStage>
    Bytes heldIn(IsInStage&& isInStage) const
    {
        if (parts.empty())
            return std::ranges::any_of(nodes, isInStage) ? bytes : Bytes{};
        Bytes held = besideParts(bytes, parts, isInStage);
        for (const KeptPart<NodeId>& part : parts)
            held += part.isKeptIn(isInStage) ? part.bytes : Bytes{};
        return held;
    }
};

} // namespace stagecraft
