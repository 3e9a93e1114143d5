// PartitionProblem: all that a plan's cost and legality depend on, as plain data.
//
// Made from a model and its profile (plan/sources/model_problem.h) or read from an instance file
// (plan/sources/instance.h); evaluate, the search and the editor see nothing else.
//
//     node ──value──► readers       a value costs where a stage holds some of {producer, readers}, not all
//     before ──precedence──► after  stage(before) <= stage(after)
//     group                         its nodes share a stage
#pragma once

#include "core/plan/options.h"
#include "core/plan/split_span.h"
#include "core/profile/kept_parts.h"

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace stagecraft {

struct TurnMemory; // profile/turn_memory.h

// A time that no plan takes, or a capacity that nothing reaches.
inline constexpr double infinite = std::numeric_limits<double>::infinity();

struct ProblemNode
{
    std::string name;
    std::string module = {}; // its path in the model; empty: the model itself, or an instance
    Seconds forward;
    Seconds backwardInput;
    Seconds backwardWeight;
    Bytes state;         // belongs to this node alone
    Bytes saved;         // of one microbatch, from forward to backward; belongs to this node alone
    Bytes transient;     // while it runs
    Bytes waiting = {};  // of one microbatch, between the parts of a split backward pass
    Bytes released = {}; // of `saved`: let go after the first part, as no weight is behind it
    SplitSpan split = {};
    bool recomputes = false; // lies in a checkpoint region, which is run again in backward
    // Makes nothing that others need, and goes with what it looks at: what a person asks of a module does not
    // hold the checks that stand in it.
    bool onlyLooks = false;
    Seconds recomputed; // of backwardInput: its forward pass, run again

    Seconds time() const { return forward + backwardInput + backwardWeight; }
};

// Something that is sent when its producer and its readers are in different stages.
struct ProblemValue
{
    ValueId value{0}; // of the model's graph; its own index in an instance
    NodeId producer{0};
    std::vector<NodeId> readers; // distinct, without the producer
    Bytes forwardBytes;
    Bytes backwardBytes;              // its gradient; 0: none flows
    Seconds fixedTime;                // besides what the link takes: instance files give times, not bytes
    bool returned = false;            // the model returns it: the last stage must have it
    std::vector<NodeId> keepers = {}; // whose `saved` has it; none: autograd does not keep it
    bool isReleased = false;          // by them, after the first part of a split backward pass
    // Where its maker keeps it: what nodes in front take going backward, above all that their stage saves.
    Bytes inFront = {};
};

// Memory that every stage holds that has at least one of the users, once: a parameter, or what several nodes
// keep from forward to backward.
struct SharedState
{
    std::string name;
    Bytes parameterBytes;
    Bytes stateBytes;          // with gradients and optimizer state
    std::vector<NodeId> users; // distinct
    Bytes savedBytes = {};     // of one microbatch, from forward to backward
    bool isReleased = false;   // `savedBytes`, after the first part of a split backward pass
};

// Of a storage that is kept for backward and has parts, what a stage holds beside those that its nodes keep,
// which are shared states (besideParts()).
struct PartedState
{
    std::string name;
    Bytes bytes; // of all
    std::vector<KeptPart<NodeId>> parts;
    bool isReleased = false; // after the first part of a split backward pass
};

struct Precedence
{
    NodeId before;
    NodeId after;

    friend auto operator<=>(const Precedence&, const Precedence&) = default;
};

// Nodes that share a stage, and why, for the message to the person who tries to part them.
struct Colocation
{
    std::vector<NodeId> nodes;
    std::string reason; // "written in place", "kept together", ...
};

// Where stages share devices and the slowest device is the goal, the step may come out much longer than need
// be: nearly empty stages are as good for the device as even ones. Where each stage has a device of its own
// the goal stands as it is, for its proof.
enum class StepLimit : std::uint8_t {
    None,
    EvenSplit, // no longer than with even stages in the order of the program (even_split.h)
};

struct PartitionProblem
{
    Table<NodeId, ProblemNode> nodes; // in program order
    std::vector<ProblemValue> values;
    std::vector<SharedState> shared;
    std::vector<PartedState> parted;
    std::shared_ptr<const TurnMemory> turns; // of a model in training; null: not known
    std::vector<Precedence> precedences;
    std::vector<Colocation> groups;
    PartitionOptions options; // speeds, links and limits filled in: one for each stage or boundary
    Link link;                // of boundaries to come, where there is none yet
    StepLimit stepLimit = StepLimit::None;
    std::string times = {}; // where they are from (timesText() of the profile); empty: it is not known

    std::size_t stageCount() const { return options.stageCount; }
    bool limitsStep() const { return stepLimit == StepLimit::EvenSplit && options.sharesDevices(); }
};

// The node's name for a message: 'conv2d_3'.
inline std::string quoted(const PartitionProblem& problem, NodeId node)
{
    return "'" + problem.nodes[node].name + "'";
}

// What a person knows a node by: "'addmm_3' in model.transformer.h.0.mlp.c_fc".
std::string placeText(const PartitionProblem& problem, NodeId node);

// Of what a person names, the nodes that count: those that only look go with others, unless all do.
std::vector<NodeId> withoutLookers(const PartitionProblem& problem, std::span<const NodeId> nodes);
// Each of these to the stage of what it looks at.
void takeLookersAlong(const PartitionProblem& problem, Partition& partition);

// Is the backward pass split in two, and are there stages that do all of it in its first part, those with a
// checkpoint region?
bool mayJoinBackward(const PartitionProblem& problem);

// Fails in one line: no nodes, more stages than nodes (also where some may stay empty), a time below 0, an id
// out of range, a pin that names no stage or contradicts another. Every function below and in evaluate,
// search and editing relies on it.
Result<void> checkProblem(const PartitionProblem& problem);

// Why `partition` is not a legal plan of `problem`: stages out of range, against a precedence, a group or a
// pin, an empty stage. Says nothing of memory (PlanCost::fits).
Result<void> checkPartition(const PartitionProblem& problem, const Partition& partition);

// The same problem for another number of stages: speeds, links and limits of stages to come are those of the
// last, or problem.link.
PartitionProblem withStageCount(PartitionProblem problem, std::size_t stageCount);
// The same without limits of memory.
PartitionProblem withoutMemoryLimits(PartitionProblem problem);
// Fills in speeds, links and limits that the options leave out or give once for all. `link` is the default.
void completeOptions(PartitionOptions& options, Link link);

} // namespace stagecraft
