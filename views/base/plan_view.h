// PlanView: what the views of a plan show, handed to each of them in one piece.
//
// The window fills it from what the document holds; a view keeps what it needs. Any part may be missing:
// a model without a profile still has a tree, a graph and code. `graph` is there if anything is.
#pragma once

#include "core/graph/graph.h"
#include "core/plan/editing.h" // BoundaryStep, StageDirection
#include "core/plan/partition.h"
#include "core/profile/profile.h"

#include <memory>
#include <optional>

namespace stagecraft {

struct Statistics; // core/measure/statistics.h
// The constraints that a person puts on a plan: no search and no drag changes it.
struct PlanConstraints
{
    Table<NodeId, char> isPinned;  // to its stage
    Table<NodeId, char> isGrouped; // kept in one stage with others
    Table<BoundaryId, char> isLocked;

    bool locks(BoundaryId boundary) const { return isLocked.contains(boundary) && isLocked[boundary] != 0; }
};

// What backward runs again instead of having it kept, by the plan or by the model's own checkpoints.
struct RunAgain
{
    Table<NodeId, char> isInRegion;         // of those that run again together
    Table<NodeId, char> isAgain;            // of these the nodes that do: the others' results are kept
    std::shared_ptr<const Profile> without; // of the same model where nothing runs again; null: not known

    bool runs(NodeId node) const { return isAgain.contains(node) && isAgain[node] != 0; }
};

struct PlanView
{
    std::shared_ptr<const Graph> graph;
    std::shared_ptr<const Profile> profile;
    std::shared_ptr<const Partition> partition;
    std::shared_ptr<const PlanCost> cost;
    std::optional<Bound> bound;                         // on the slowest device
    Seconds stepBound;                                  // on the step; 0: not known
    std::shared_ptr<const Statistics> statistics;       // of a real run, once one was asked for
    std::shared_ptr<const PlanConstraints> constraints; // null: nothing
    std::shared_ptr<const RunAgain> again;              // null: nothing
    // The stages that were asked for, where the partition is not yet one of so many; 0: it is.
    std::size_t sought = 0;
    bool isSeeking = false; // then: are they looked for?
};

enum class SplitSide { Before, After };

} // namespace stagecraft
