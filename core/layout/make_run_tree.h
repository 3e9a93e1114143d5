// Groups a model's operators into the boxes of a drawing.
#pragma once

#include "core/layout/run_tree.h"

#include <set>

namespace stagecraft {

struct RunTreeOptions
{
    enum class Folding { FoldRepeats, ShowEach };
    enum class Hidden { Hide, Show };
    Folding folding = Folding::FoldRepeats;
    Hidden hidden = Hidden::Hide;
    // Groups that get no box: what is inside stands in what is around them.
    std::set<GroupId> dissolved;
};

// `groups` must be of `graph`, `partition` monotone over it.
RunTree makeRunTree(const Graph& graph, const GroupTree& groups, const Partition& partition,
                    const RunTreeOptions& options = {});

} // namespace stagecraft
