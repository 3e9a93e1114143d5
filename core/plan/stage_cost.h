// What a stage is charged: who pays for a value, a stage's load, a stage's memory.
//
//     stage 0     │0│     stage 1     │1│     stage 2         │0│, │1│: boundaries, each with its link
//     producer ─────────────────────────────► reader
//
//     relay       send 0    receive 0, send 1   receive 1     each stage that it passes
//     direct      send 0           -            receive 1     its maker once, each stage that reads it once
//
//     load    seconds of one microbatch, by the objective:
//                 compute + receive + send, or compute, or the largest of these three
//     memory  bytes: state + inFlight * saved + transient, what waits for the second part of a split backward
//             pass, and what the run-time holds (runtime_memory.h)
//
// An empty stage is charged nothing. Here alone is written what counts: evaluate() adds it up over nodes, the
// search and its proofs over groups of nodes. One more term of memory that adds up is a field of HeldBytes,
// one of time is added by computeOf(); what else a stage is charged goes into stageLoad() or stageMemory().
#pragma once

#include "core/plan/problem.h"
#include "core/schedule/held_counts.h"
#include "core/schedule/simulate.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

// Of one microbatch, on a device of speed 1; what two sets of nodes take adds up.
struct ComputeTimes
{
    Seconds forward;
    Seconds backwardInput;
    Seconds backwardWeight;

    Seconds total() const { return forward + backwardInput + backwardWeight; }
    ComputeTimes& operator+=(const ComputeTimes& other)
    {
        forward += other.forward;
        backwardInput += other.backwardInput;
        backwardWeight += other.backwardWeight;
        return *this;
    }
};

// What stays in memory while others run; what two sets of nodes hold adds up.
struct HeldBytes
{
    Bytes state; // always
    Bytes saved; // of one microbatch, from its forward to its backward
    // Of one microbatch, between the parts of a split backward pass: gradients that its weights' are made of,
    // and what of `saved` is let go by then.
    Bytes waiting = {};
    Bytes released = {};
    // By the run-time, of one microbatch to the end of the step: from its forward, from its backward.
    Bytes sentForward = {};
    Bytes sentBackward = {};
    Bytes flowing = {}; // by the run-time, while it goes backward, but for the part of weights
    Bytes staying = {}; // of `saved`, by the run-time: through both parts, whatever nodes let go
    Bytes inFront = {}; // no less than `transient`, while a microbatch goes backward (ProblemValue)
    Bytes sums = {};    // of `state`: gradients that are alive in the stage's turns, too

    Bytes always() const { return state; }
    Bytes perMicrobatch() const { return saved; }
    Bytes of(std::size_t inFlight) const
    {
        return always() + perMicrobatch() * static_cast<std::int64_t>(inFlight);
    }
    Bytes of(const HeldCounts& counts) const
    {
        return of(counts.inFlight) + waiting * static_cast<std::int64_t>(counts.others()) -
               released * static_cast<std::int64_t>(counts.released()) +
               sentForward * static_cast<std::int64_t>(counts.forwards) +
               sentBackward * static_cast<std::int64_t>(counts.backwards);
    }
    HeldBytes& operator+=(const HeldBytes& other)
    {
        state += other.state;
        saved += other.saved;
        waiting += other.waiting;
        released += other.released;
        sentForward += other.sentForward;
        sentBackward += other.sentBackward;
        flowing += other.flowing;
        staying += other.staying;
        inFront += other.inFront;
        sums += other.sums;
        return *this;
    }
    HeldBytes& operator-=(const HeldBytes& other)
    {
        state -= other.state;
        saved -= other.saved;
        waiting -= other.waiting;
        released -= other.released;
        sentForward -= other.sentForward;
        sentBackward -= other.sentBackward;
        flowing -= other.flowing;
        staying -= other.staying;
        inFront -= other.inFront;
        sums -= other.sums;
        return *this;
    }
    friend HeldBytes operator-(HeldBytes left, const HeldBytes& right) { return left -= right; }
    // What the stage holds of these. Gradients wait where those of some of its inputs are asked for: what
    // leads to none, as all of the first stage, is left to the second part as a whole. A stage that runs
    // regions again does both parts at once, and has let go of all when the first has ended.
    HeldBytes inStage(std::size_t stage, bool joinsBackward) const
    {
        HeldBytes held = *this;
        if (stage == 0)
            held.waiting = held.released = {};
        else if (joinsBackward)
            held.waiting = {}, held.released = held.saved - held.staying;
        return held;
    }
    // No more than it is at any time, as a sum.
    HeldBytes atLeast() const
    {
        HeldBytes held = *this;
        held.saved -= std::exchange(held.released, {});
        return held;
    }
    // The rest, where `others` may be of more than these: no term is below 0.
    HeldBytes without(const HeldBytes& others) const
    {
        return {std::max(Bytes{}, state - others.state), std::max(Bytes{}, saved - others.saved),
                std::max(Bytes{}, waiting - others.waiting)};
    }
    friend bool operator==(const HeldBytes&, const HeldBytes&) = default;
};

inline ComputeTimes computeOf(const ProblemNode& node)
{
    return {node.forward, node.backwardInput, node.backwardWeight};
}
inline HeldBytes heldBy(const ProblemNode& node)
{
    return {.state = node.state, .saved = node.saved, .waiting = node.waiting, .released = node.released};
}
// In each stage that has a user of it, once.
inline HeldBytes heldBy(const SharedState& shared)
{
    return {.state = shared.stateBytes,
            .saved = shared.savedBytes,
            .released = shared.isReleased ? shared.savedBytes : Bytes{}};
}

// Of a storage with parts, in a stage that has those nodes or groups.
template <class Id, class IsInStage>
HeldBytes heldBeside(Bytes whole, const std::vector<KeptPart<Id>>& parts, bool isReleased,
                     IsInStage&& isInStage)
{
    const Bytes rest = besideParts(whole, parts, isInStage);
    return {.state = {}, .saved = rest, .released = isReleased ? rest : Bytes{}};
}

// `transient`: the most that is alive besides while any one node runs.
inline Bytes stageMemory(const HeldBytes& held, Bytes transient, std::size_t inFlight)
{
    return held.of(inFlight) + transient;
}

// The most that is alive besides while a stage runs; of several nodes the most of any.
struct Transients
{
    Bytes whole; // forward, or all of a backward pass
    SplitSpan split = SplitSpan::none();

    void add(const Transients& other)
    {
        whole = std::max(whole, other.whole);
        split.add(other.split);
    }
};

inline Transients transientsOf(const ProblemNode& node)
{
    return {node.transient, node.split};
}

// What a stage holds, and besides while it runs.
struct StageHold
{
    HeldBytes held;
    Bytes whole, input, weight; // besides: see Transients, and while it runs a part of a backward pass
    StageTurns turns = {};      // no less than this
    Bytes turnsInput = {};      // likewise in the first part, be it all or not
    Bytes turnsWeight = {};     // or in the second
    Bytes turnsWhole = {};      // or in a whole one

    Bytes besides(ActionKind kind) const
    {
        if (kind == ActionKind::Forward)
            return std::max(whole, turns.forward);
        if (kind == ActionKind::BackwardWeight)
            return std::max(weight, turnsWeight - held.sums);
        if (kind == ActionKind::BackwardInput)
            return std::max(input, turnsInput - held.sums) + held.flowing;
        // No less than forward (largestCounts).
        return std::max(std::max({whole, held.inFront, turnsWhole - held.sums}) + held.flowing,
                        turns.forward);
    }
    // What is said of it, whatever it runs.
    Bytes transient() const { return std::max({whole, turns.forward, turns.backward}); }
    Bytes of(const HeldCounts& counts) const { return held.of(counts) + besides(counts.kind); }
    void addRuntime(const HeldBytes& runtime, std::size_t stage, bool joinsBackward)
    {
        held += runtime;
        held = held.inStage(stage, joinsBackward);
        Bytes& part = stage == 0 ? weight : input; // in which it goes back
        part = std::max(part, held.inFront);
    }
    // Are there others at work than those in flight?
    bool dependsOnMoment() const
    {
        return std::max({held.waiting, held.released, held.flowing, held.sentForward, held.sentBackward}) >
                   Bytes{} ||
               std::max({input, weight, turnsInput, turnsWhole, turns.forward}) > whole;
    }
};

// Does a stage go back in one pass? `recomputes`: has it a checkpoint region?
inline bool goesBackAtOnce(const PartitionOptions& options, std::size_t stage, bool recomputes)
{
    return stage == 0 || recomputes || !splitsBackward(options.schedule);
}

// Of nodes that are all of a stage, without what its run-time holds. The first stage goes back at once, in
// what would be its second part; a stage that runs regions again does so in its first. What is alive in turns
// going back counts where it does so at once, else that of the first part. No turns: less is said.
inline StageHold stageHold(const HeldBytes& held, const Transients& transients, std::size_t stage,
                           bool joinsBackward, const StageTurns& turns = {}, bool isAtOnce = true)
{
    const Bytes whole = transients.whole;
    StageHold hold{held.inStage(stage, joinsBackward), whole, {}, {}, turns};
    hold.turnsWhole = turns.backward; // DualPipeV does so now and then
    if (stage == 0) {
        hold.weight = whole;
        hold.turnsWeight = turns.backward;
    } else if (joinsBackward) {
        hold.input = whole;
        hold.turnsInput = turns.backward;
    } else {
        const SplitSpan& split = transients.split;
        hold.held.waiting = std::min(held.waiting, split.of(split.waiting));
        hold.input = std::min(hold.held.waiting + whole, split.of(split.input));
        hold.weight = std::min(hold.held.waiting + whole, split.of(split.weight));
        if (!isAtOnce) {
            hold.turns.backward = {};
            // Where nothing waits, no second part wants what was saved.
            hold.turnsInput = held.waiting > Bytes{} ? turns.firstPart : turns.backward;
        }
    }
    return hold;
}

// The same with what depends on the moment; `largest` are the stage's, not empty (largestCounts).
inline Bytes stageMemory(const StageHold& hold, const std::vector<HeldCounts>& largest)
{
    if (!hold.dependsOnMoment())
        return stageMemory(hold.held, hold.whole, largest.front().inFlight); // the most of all
    Bytes most;
    for (const HeldCounts& counts : largest)
        most = std::max(most, hold.of(counts));
    return most;
}

// As the simulator wants it.
inline void setMemory(StageTimes& times, const StageHold& hold)
{
    times.state = hold.held.always();
    times.saved = hold.held.perMicrobatch();
    times.waiting = hold.held.waiting;
    times.released = hold.held.released;
    times.sentForward = hold.held.sentForward;
    times.sentBackward = hold.held.sentBackward;
    times.transient = hold.besides(ActionKind::Forward);
    times.flowing = hold.besides(ActionKind::Backward) - times.transient;
    times.transientInput = hold.besides(ActionKind::BackwardInput);
    times.transientWeight = hold.besides(ActionKind::BackwardWeight);
}

// What the objective counts of a stage; a bottleneck or a bound is of that.
inline Seconds stageLoad(Objective objective, Seconds compute, Seconds receive, Seconds send)
{
    switch (objective) {
    case Objective::Sum:
    case Objective::Iteration:
        return compute + receive + send;
    case Objective::Compute:
        return compute;
    case Objective::Overlap:
        return std::max({compute, receive, send});
    }
    return compute + receive + send;
}
inline Seconds stageLoad(Objective objective, const StageTimes& stage)
{
    return stageLoad(objective, stage.forward + stage.backwardInput + stage.backwardWeight,
                     stage.receiveActivations + stage.sendGradients,
                     stage.sendActivations + stage.receiveGradients);
}

// What goes over a link takes messages * latency + bytes / bandwidth + fixed.
struct TransferSize
{
    double messages = 0;
    double bytes = 0;
    double fixed = 0;         // seconds
    double gradientBytes = 0; // of `bytes`

    TransferSize& operator+=(const TransferSize& other)
    {
        messages += other.messages;
        bytes += other.bytes;
        fixed += other.fixed;
        gradientBytes += other.gradientBytes;
        return *this;
    }
    TransferSize& operator-=(const TransferSize& other)
    {
        messages -= other.messages;
        bytes -= other.bytes;
        fixed -= other.fixed;
        gradientBytes -= other.gradientBytes;
        return *this;
    }
};

inline TransferSize forwardSize(const ProblemValue& value)
{
    return {.messages = value.forwardBytes > Bytes{} ? 1.0 : 0.0,
            .bytes = value.forwardBytes.asDouble(),
            .fixed = value.fixedTime.value()};
}
inline TransferSize backwardSize(const ProblemValue& value) // of its gradient
{
    return {.messages = value.backwardBytes > Bytes{} ? 1.0 : 0.0,
            .bytes = value.backwardBytes.asDouble(),
            .gradientBytes = value.backwardBytes.asDouble()};
}

// Once over the link from stage `boundary` to the next.
inline Seconds linkTime(const PartitionOptions& options, const TransferSize& size, std::size_t boundary)
{
    if (!options.crossesDevices(boundary))
        return {};
    const Link& link = options.links[boundary];
    return Seconds(size.messages * link.latency.value() +
                   (link.bandwidth > 0 ? size.bytes / link.bandwidth : 0) + size.fixed);
}
inline Seconds forwardTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return linkTime(problem.options, forwardSize(value), boundary);
}
inline Seconds backwardTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return linkTime(problem.options, backwardSize(value), boundary);
}
inline Seconds transferTime(const PartitionProblem& problem, const ProblemValue& value, std::size_t boundary)
{
    return forwardTime(problem, value, boundary) + backwardTime(problem, value, boundary);
}

// The links that a stage receives and sends over. In instances the first may receive, and the last send:
// their backward nodes lead back.
constexpr std::size_t receivingLink(std::size_t stage)
{
    return stage == 0 ? 0 : stage - 1;
}
constexpr std::size_t sendingLink(std::size_t stage, std::size_t stageCount)
{
    return std::min(stage, stageCount - 2);
}

// The first and the last stage that hold a part of a value, its producer or a reader, and its producer's.
struct ValueStages
{
    std::size_t first = 0;
    std::size_t last = 0;
    std::size_t home = 0;
};

enum class Payment : std::uint8_t { Send, Receive };

// pay(stage, Payment, boundary) for each payment for a value with stages so placed; `holds(stage)`: has that
// stage a part of it? What the model returns, the last stage holds.
template <class Holds, class Pay>
void forEachPayment(const PartitionOptions& options, const ValueStages& value, Holds&& holds, Pay&& pay)
{
    if (value.first >= value.last)
        return;
    if (options.send == SendKind::Relay) {
        for (std::size_t boundary = value.first; boundary < value.last; ++boundary) {
            pay(boundary, Payment::Send, boundary);
            pay(boundary + 1, Payment::Receive, boundary);
        }
        return;
    }
    for (std::size_t stage = value.first; stage <= value.last; ++stage) {
        if (stage == value.home)
            pay(stage, Payment::Send, sendingLink(stage, options.stageCount));
        else if (holds(stage))
            pay(stage, Payment::Receive, receivingLink(stage));
    }
}

} // namespace stagecraft
