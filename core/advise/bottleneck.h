// Why a plan is no faster: what its slowest stage is made of, and what keeps every plan from doing better.
//
//     stage 2, 47.0 ms   compute 46.7 ms: 'linear_12' 9.1 ms, ...   sends 'add_7' to stage 3: 145 us
//     any faster plan has 61 nodes (39.8 ms) in that stage, receives for 120 us, sends for 122 us
//
// What would help is in suggestions.h.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/problem.h"

#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct NodeShare
{
    NodeId node;
    Seconds time; // on the stage's device
};

// A value that comes into the stage or leaves it.
struct ValueShare
{
    ValueId value;
    NodeId producer;
    BoundaryId boundary; // that it crosses
    Seconds time;        // with its gradient
    Bytes bytes;
};

// What all plans with a shorter bottleneck have in common at one stage.
struct ForcedShare
{
    std::vector<NodeId> nodes; // that are in the stage in all of them
    Seconds compute;           // of these
    Seconds receive;           // the least that can cross the boundary before it
    Seconds send;              // and behind it
};

struct BottleneckReport
{
    StageId stage{0};
    StageCost cost;
    std::vector<NodeShare> nodes;   // of the stage, the longest first
    std::vector<ValueShare> values; // over its boundaries, the longest first
    Bound bound;
    double gap = 0;                    // of the plan above the bound, 0 .. 1
    std::optional<ForcedShare> forced; // none: there is no faster plan
    // Sentences that say the same to a person, one line each.
    std::vector<std::string> reasons;
};

struct BottleneckOptions
{
    std::size_t mostNodes = 5;
    std::size_t mostValues = 5;
    IsOver isOver; // then less of what is forced is found
};

// `solution` is a legal plan with its cost and bound (solve, or planBound). Fails as reduceProblem does.
Result<BottleneckReport> reportBottleneck(const PartitionProblem& problem, const Solution& solution,
                                          const BottleneckOptions& options = {});

} // namespace stagecraft
