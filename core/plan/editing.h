// Editing a plan by hand: pure functions from a legal plan to a legal plan, or a line that says why not.
//
// Within a stage nodes keep program order, so the nodes sorted by (stage, program order) are the *stage
// order*, and the boundaries are positions in it:
//
//     stage order   n0 n1 n2 │ n3 n4 n5 n6 │ n7 n8
//     position of boundary   3             7
//
// Moving a boundary moves a prefix or a suffix of a stage, which no edge of a model can forbid. While the
// mouse drags a boundary, every edit starts from the plan in which the drag began: then going back undoes it.
#pragma once

#include "core/plan/problem.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

struct StageOrder
{
    std::vector<NodeId> nodes;
    std::vector<std::size_t> boundaries; // stageCount - 1 positions, ascending: nodes before it
};

StageOrder stageOrder(const Partition& partition);

// What an edit does: the new plan and the nodes that change their stage, ascending.
struct Edit
{
    Partition partition;
    std::vector<NodeId> moved;
};

// Positions (in the stage order of `partition`) to which `boundary` can be dragged while the others stay:
// ascending, the present one among them. Groups, pins and empty stages are seen to.
std::vector<std::size_t> legalPositions(const PartitionProblem& problem, const Partition& partition,
                                        BoundaryId boundary);
// Drags `boundary` to the legal position nearest to `position`.
Result<Edit> moveBoundary(const PartitionProblem& problem, const Partition& partition, BoundaryId boundary,
                          std::size_t position);

// Where a person asks a boundary to go.
enum class StageDirection { Previous, Next }; // towards stage 0, or away from it
enum class BoundaryStep {
    OnePlace,   // the next legal place that way
    OneModule,  // the next one that way at which another module begins
    BestNearby, // of all legal places, that with the least load of the slower of the two stages beside it
};
struct BoundaryMove
{
    std::size_t from; // positions in the stage order
    std::size_t to;
    Partition partition; // with the boundary there
};
// Fails where it cannot go, or cannot go further, that way.
Result<BoundaryMove> stepBoundary(const PartitionProblem& problem, const Partition& partition,
                                  BoundaryId boundary, StageDirection direction, BoundaryStep step);

// The middle, by time, of a stage: where to split it in two. None if it has fewer than two nodes.
std::optional<std::size_t> middleOfStage(const PartitionProblem& problem, const Partition& partition,
                                         StageId stage);

// Puts `nodes` into `stage`, with all that must go along: what shares a group with a moved node, what comes
// before one that moves up, what comes after one that moves down. Fails where a pin forbids it or a stage
// would be left empty.
Result<Edit> sendNodes(const PartitionProblem& problem, const Partition& partition,
                       std::span<const NodeId> nodes, StageId stage);
// To the neighbour of the stage that each is in.
Result<Edit> sendToNeighbour(const PartitionProblem& problem, const Partition& partition,
                             std::span<const NodeId> nodes, StageDirection direction);

// A boundary in front of the node at `position` of the stage order (or the nearest legal one in that stage);
// later stages, and pins to them, count one up. The number of stages changes, so the answer comes with its
// problem.
struct Restaging
{
    PartitionProblem problem;
    Partition partition;
};
Result<Restaging> addBoundary(const PartitionProblem& problem, const Partition& partition,
                              std::size_t position);
// Joins the stages on both sides of `boundary`.
Result<Restaging> removeBoundary(const PartitionProblem& problem, const Partition& partition,
                                 BoundaryId boundary);

} // namespace stagecraft
