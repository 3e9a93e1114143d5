// Small random partition problems, and answers found the slow, plain way.
#pragma once

#include "core/plan/evaluate.h"
#include "core/plan/stage_cost.h"
#include "core/profile/turn_memory.h"

#include <algorithm>
#include <optional>
#include <random>
#include <set>
#include <utility>
#include <vector>

namespace stagecraft::testing {

struct RandomShape
{
    std::size_t nodes = 8;
    std::size_t stages = 3;
    SendKind send = SendKind::Relay;
    Objective objective = Objective::Sum;
    EmptyStages emptyStages = EmptyStages::Forbid;
    bool withMemory = false;
    bool withPins = false;
    bool withGroups = false;
    bool withDevices = false; // of different speeds and links, and, withMemory, limits
    bool withOrder = false;   // order edges that no value explains
    bool withShared = false;  // parameters of several nodes: copied, or their users together
    bool withLoose = false; // values that are sent but order nothing, or order their ends the other way round
    bool withCycles = false;    // nodes far apart together, with what is between them
    bool withParts = false;     // known of each node what it holds in the parts of a split backward pass
    bool withSentParts = false; // storages are kept of which stages are sent but parts
    bool withTurns = false;     // known of nodes what they have alive going back one after the other
    PipelineRuntime runtime =
        PipelineRuntime::Ideal; // with others, some values are kept by a maker or reader
};

// Of four values one by its maker, one by its first reader, one by both, one by nobody or by another node,
// which reads a view of it. Of three one is let go after the first part of a split backward pass.
inline void letNodesKeep(PartitionProblem& problem)
{
    for (std::size_t i = 0; i < problem.values.size(); ++i) {
        ProblemValue& value = problem.values[i];
        if (i % 4 == 0 || i % 4 == 2)
            value.keepers.push_back(value.producer);
        if ((i % 4 == 1 || i % 4 == 2) && !value.readers.empty())
            value.keepers.push_back(value.readers.front());
        if (i % 8 == 3 && i + 2 < problem.nodes.size())
            value.keepers.push_back(NodeId(i + 2));
        value.isReleased = !value.keepers.empty() && i % 3 == 0;
        value.inFront = i % 4 == 0 ? value.forwardBytes * 3 : Bytes{};
        if (value.keepers.size() == 1) {
            ProblemNode& keeper = problem.nodes[value.keepers.front()];
            keeper.saved += value.forwardBytes;
            keeper.released += value.isReleased ? value.forwardBytes : Bytes{};
        } else if (value.keepers.size() == 2) {
            problem.shared.push_back({"kept", {}, {}, value.keepers, value.forwardBytes, value.isReleased});
        }
    }
}

// Storages in parts, made by one node or by several: some of the parts are kept, by nodes anywhere.
inline void keepInParts(std::mt19937& random, PartitionProblem& problem)
{
    const auto upTo = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    const std::size_t last = problem.nodes.size() - 1;
    for (int i = 0; i < 3; ++i) {
        PartedState state{.name = "qkv" + std::to_string(i), .bytes = Bytes(15), .parts = {}};
        const NodeId maker(upTo(last));
        for (const std::int64_t bytes : {6, 4, 3, 0}) {
            KeptPart<NodeId> part{Bytes(bytes), upTo(3) > 0 ? maker : NodeId(upTo(last)), {}};
            for (std::size_t node = 0; node <= last; ++node)
                if (upTo(3) == 0)
                    part.keepers.push_back(NodeId(node));
            if (part.keepers.empty())
                continue;
            if (bytes > 0)
                problem.shared.push_back({"part", {}, {}, part.keepers, part.bytes});
            state.parts.push_back(std::move(part));
        }
        problem.parted.push_back(std::move(state));
    }
}

// What waits for a node is made by one of the next three. Some nodes let go of a part of what they save.
inline void letPartsBeKnown(std::mt19937& random, PartitionProblem& problem)
{
    const auto upTo = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    const auto bytesUpTo = [&](Bytes most) {
        return Bytes(static_cast<std::int64_t>(upTo(static_cast<std::size_t>(most.count()))));
    };
    const std::size_t count = problem.nodes.size();
    std::vector<Bytes> made(count), arrives(count);
    for (std::size_t node = 0; node < count; ++node) {
        const std::size_t maker = std::min(node + 1 + upTo(2), count - 1);
        bool isPast = false;
        for (std::size_t other = node + 1; other < maker; ++other)
            isPast = isPast || problem.nodes[NodeId(other)].waiting > Bytes{};
        made[maker] += problem.nodes[NodeId(node)].waiting;
        arrives[isPast ? node : maker] += problem.nodes[NodeId(node)].waiting;
    }
    Bytes allMade, allArrives, read;
    for (std::size_t i = count; i-- > 0;) {
        ProblemNode& node = problem.nodes[NodeId(i)];
        node.split.behind = allArrives;
        allMade += made[i];
        allArrives += arrives[i];
        read += node.waiting;
        node.split.waiting = read;
        node.split.input = allMade + bytesUpTo(node.transient);
        node.split.weight = read + bytesUpTo(node.transient);
        node.released = upTo(2) == 0 ? bytesUpTo(node.saved) : Bytes{};
    }
}

// Each node has two turns each way. In the second it passes on what it makes, forward a value, of which some
// is kept by some of those that make and read it, and back a gradient, some of them also what others add to.
inline void letTurnsBeKnown(std::mt19937& random, PartitionProblem& problem)
{
    const auto upTo = [&](std::size_t most) {
        return std::uniform_int_distribution<std::size_t>(0, most)(random);
    };
    const auto bytesUpTo = [&](std::size_t most) { return Bytes(static_cast<std::int64_t>(upTo(most))); };
    const auto size = [](const auto& items) { return static_cast<std::uint32_t>(items.size()); };
    const std::size_t count = problem.nodes.size();
    TurnMemory memory;
    std::vector<std::vector<std::uint32_t>> values(count), lastReads(count), drops(count);
    std::vector<std::vector<TurnMemory::LetGo>> letsGo(count);
    for (const ProblemValue& value : problem.values) {
        TurnMemory::Passed passed{.storage = StorageId(memory.activations.size()),
                                  .bytes = bytesUpTo(8),
                                  .maker = value.producer,
                                  .readers = value.readers};
        std::vector<NodeId> nodes = value.readers;
        nodes.push_back(value.producer);
        std::ranges::sort(nodes, std::ranges::greater());
        for (const NodeId node : nodes)
            if (upTo(1) == 0) {
                letsGo[node.index()].push_back({size(memory.activations), size(passed.keepers)});
                passed.keepers.push_back(node);
            }
        values[value.producer.index()].push_back(size(memory.activations));
        if (passed.keepers.empty())
            lastReads[nodes.front().index()].push_back(size(memory.activations));
        memory.activations.push_back(std::move(passed));
    }
    const auto append = [](auto& items, const auto& more) {
        items.insert(items.end(), more.begin(), more.end());
    };
    const auto addTurn = [&](TurnMemory::Way& way, std::size_t node, const auto& fill) {
        const auto behind = [&](const auto& items) { return TurnMemory::Range{size(items), size(items)}; };
        for (const bool isSecond : {false, true}) {
            TurnMemory::Turn turn{.node = NodeId(node),
                                  .peak = bytesUpTo(12),
                                  .left = isSecond ? Bytes{} - way.turns.back().left : bytesUpTo(4),
                                  .makes = behind(way.made),
                                  .drops = behind(way.dropped),
                                  .letsGo = behind(memory.letGo)};
            if (isSecond)
                fill();
            turn.makes.end = size(way.made);
            turn.drops.end = size(way.dropped);
            turn.letsGo.end = size(memory.letGo);
            way.turns.push_back(turn);
        }
    };
    for (std::size_t i = 0; i < count; ++i)
        addTurn(memory.forward, i, [&] {
            append(memory.forward.made, values[i]);
            append(memory.forward.dropped, lastReads[i]);
        });
    for (std::size_t i = count; i-- > 0;)
        addTurn(memory.backward, i, [&] {
            if (!memory.gradients.empty() && upTo(3) == 0)
                memory.backward.made.push_back(static_cast<std::uint32_t>(upTo(memory.gradients.size() - 1)));
            memory.backward.made.push_back(size(memory.gradients));
            drops[upTo(i)].push_back(size(memory.gradients));
            memory.gradients.push_back(bytesUpTo(9));
            append(memory.backward.dropped, drops[i]);
            append(memory.letGo, letsGo[i]);
        });
    problem.turns = std::make_shared<const TurnMemory>(std::move(memory));
}

inline PartitionProblem randomProblem(std::mt19937& random, const RandomShape& shape)
{
    const auto upTo = [&](int most) { return std::uniform_int_distribution<int>(0, most)(random); };
    PartitionProblem problem;
    PartitionOptions& options = problem.options;
    options.stageCount = shape.stages;
    options.microbatches = 4;
    options.send = shape.send;
    options.objective = shape.objective;
    options.emptyStages = shape.emptyStages;
    completeOptions(options, Link{10.0, Seconds(0.1)});
    for (std::size_t i = 0; i < shape.nodes; ++i) {
        ProblemNode node{.name = "n" + std::to_string(i)};
        if (upTo(4) > 0) { // some take no time
            node.forward = Seconds(upTo(9));
            node.backwardInput = Seconds(upTo(5));
            node.backwardWeight = Seconds(upTo(5));
        }
        node.state = Bytes(upTo(20));
        node.saved = Bytes(upTo(10));
        node.transient = Bytes(upTo(10));
        node.waiting = Bytes(static_cast<std::int64_t>(i % 4)); // where the backward pass is split
        problem.nodes.add(std::move(node));
    }
    for (std::size_t i = 0; i < shape.nodes; ++i) {
        ProblemValue value{.value = ValueId(i), .producer = NodeId(i)};
        for (std::size_t j = i + 1; j < shape.nodes; ++j) {
            if (upTo(static_cast<int>(shape.nodes) / 2) == 0)
                value.readers.push_back(NodeId(j));
        }
        value.forwardBytes = Bytes(upTo(30));
        value.backwardBytes = upTo(1) == 0 ? value.forwardBytes : Bytes(0);
        value.returned = upTo(5) == 0 && shape.emptyStages == EmptyStages::Forbid;
        for (NodeId reader : value.readers)
            problem.precedences.push_back({value.producer, reader});
        problem.values.push_back(std::move(value));
    }
    if (upTo(1) == 0) {
        ProblemNode& first = problem.nodes[NodeId(0)];
        const Bytes saved = std::min(first.saved, Bytes(2));
        first.saved -= saved;
        problem.shared.push_back({"tied", Bytes(8), Bytes(16), {NodeId(0), NodeId(shape.nodes - 1)}, saved});
    }
    if (shape.withOrder) {
        for (int i = 0; i < 3; ++i) {
            const auto before = static_cast<std::size_t>(upTo(static_cast<int>(shape.nodes) - 2));
            const auto after =
                before + 1 + static_cast<std::size_t>(upTo(static_cast<int>(shape.nodes - before) - 2));
            problem.precedences.push_back({NodeId(before), NodeId(after)});
        }
    }
    if (shape.withShared) {
        for (int i = 0; i < 3; ++i) {
            SharedState shared{"w" + std::to_string(i), Bytes(5), Bytes(10 + upTo(20)), {}};
            for (std::size_t node = 0; node < shape.nodes; ++node) {
                if (upTo(3) == 0)
                    shared.users.push_back(NodeId(node));
            }
            if (shared.users.size() == 2 && upTo(1) == 0)
                problem.groups.push_back({shared.users, "they share a parameter"});
            problem.shared.push_back(std::move(shared));
        }
    }
    if (shape.withGroups) {
        const auto a = static_cast<std::size_t>(upTo(static_cast<int>(shape.nodes) - 2));
        problem.groups.push_back({{NodeId(a), NodeId(a + 1)}, "kept together"});
    }
    if (shape.withCycles && shape.nodes > 3) {
        const auto first = static_cast<std::size_t>(upTo(static_cast<int>(shape.nodes) - 4));
        problem.groups.push_back({{NodeId(first), NodeId(first + 3)}, "kept together"});
        if (upTo(1) == 0)
            problem.groups.push_back(
                {{NodeId(first + 1), NodeId(0), NodeId(shape.nodes - 1)}, "of one class"});
    }
    if (shape.withLoose) {
        std::erase_if(problem.precedences, [&](const Precedence&) { return upTo(3) == 0; });
        for (Precedence& edge : problem.precedences) {
            if (upTo(5) == 0)
                std::swap(edge.before, edge.after);
        }
    }
    if (shape.withPins) {
        const auto stage = static_cast<std::size_t>(upTo(static_cast<int>(shape.stages) - 1));
        options.pins.push_back(
            {NodeId(static_cast<std::size_t>(upTo(static_cast<int>(shape.nodes) - 1))), StageId(stage)});
    }
    if (shape.withMemory)
        options.memoryLimits.assign(shape.stages, Bytes(68 + upTo(120)));
    if (shape.withDevices) {
        for (double& speed : options.speeds)
            speed = 0.5 + 0.5 * upTo(3);
        for (Link& link : options.links)
            link = {2.0 + upTo(10), Seconds(0.1 * upTo(5))};
        for (Bytes& limit : options.memoryLimits) {
            if (shape.withMemory)
                limit = Bytes(58 + upTo(140));
        }
    }
    options.runtime = shape.runtime;
    if (shape.withParts)
        letPartsBeKnown(random, problem);
    if (shape.withSentParts)
        keepInParts(random, problem);
    if (shape.runtime != PipelineRuntime::Ideal)
        letNodesKeep(problem);
    if (shape.withTurns)
        letTurnsBeKnown(random, problem);
    return problem;
}

// The load of one stage straight from the definition; none: it does not fit.
inline std::optional<double> plainLoad(const PartitionProblem& problem, const Partition& plan,
                                       std::size_t stage)
{
    const PartitionOptions& options = problem.options;
    std::size_t lastUsed = 0;
    for (const StageId used : plan.stageOf)
        lastUsed = std::max<std::size_t>(lastUsed, used.index());
    double compute = 0;
    std::int64_t memory = 0;
    std::int64_t saved = 0;
    std::int64_t transient = 0;
    bool empty = true;
    for (NodeId node : problem.nodes.ids()) {
        if (plan.stageOf[node].index() != stage)
            continue;
        empty = false;
        compute += problem.nodes[node].time().value() / options.speeds[stage];
        memory += problem.nodes[node].state.count();
        saved += problem.nodes[node].saved.count();
        transient = std::max(transient, problem.nodes[node].transient.count());
    }
    if (empty)
        return 0;
    for (const SharedState& shared : problem.shared) {
        if (std::ranges::any_of(shared.users,
                                [&](NodeId user) { return plan.stageOf[user].index() == stage; })) {
            memory += shared.stateBytes.count();
            saved += shared.savedBytes.count();
        }
    }
    for (const PartedState& state : problem.parted) {
        std::int64_t parts = 0;
        bool hasAll = false;
        for (const KeptPart<NodeId>& part : state.parts) {
            std::set<std::size_t> stages;
            for (const NodeId keeper : part.keepers)
                stages.insert(plan.stageOf[keeper].index());
            if (!stages.contains(stage))
                continue;
            parts += part.bytes.count();
            hasAll = hasAll || plan.stageOf[part.maker].index() == stage;
        }
        saved += hasAll ? state.bytes.count() - parts : 0;
    }
    const std::size_t inFlight = std::min(options.microbatches, plan.stageCount - stage);
    if (memory + saved * static_cast<std::int64_t>(inFlight) + transient >
        options.memoryLimits[stage].count())
        return std::nullopt;
    double in = 0;
    double out = 0;
    for (const ProblemValue& value : problem.values) {
        std::set<std::size_t> touched{plan.stageOf[value.producer].index()};
        for (NodeId reader : value.readers)
            touched.insert(plan.stageOf[reader].index());
        if (value.returned)
            touched.insert(lastUsed);
        if (touched.size() < 2)
            continue;
        const std::size_t links = plan.stageCount - 1;
        if (options.send == SendKind::Relay) {
            if (stage > 0 && *touched.begin() < stage && *touched.rbegin() >= stage)
                in += transferTime(problem, value, stage - 1).value();
            if (stage<links&& * touched.begin() <= stage&& * touched.rbegin()> stage)
                out += transferTime(problem, value, stage).value();
        } else if (touched.contains(stage)) {
            if (plan.stageOf[value.producer].index() == stage)
                out += transferTime(problem, value, std::min(stage, links - 1)).value();
            else
                in += transferTime(problem, value, stage == 0 ? 0 : stage - 1).value();
        }
    }
    switch (options.objective) {
    case Objective::Sum:
    case Objective::Iteration:
        return compute + in + out;
    case Objective::Compute:
        return compute;
    case Objective::Overlap:
        return std::max({compute, in, out});
    }
    return std::nullopt;
}

// Calls `visit` with every legal plan, whatever its memory. Where `mayLead(times)` says no, times being what
// the nodes placed so far take in each stage at its speed, plans that go on from there are passed over.
template <class Visit, class MayLead>
void forEachPlan(const PartitionProblem& problem, Visit&& visit, MayLead&& mayLead)
{
    Partition plan = singleStage(problem.nodes.size());
    plan.stageCount = problem.stageCount();
    std::vector<double> compute(problem.stageCount(), 0);
    const auto place = [&](auto&& self, std::size_t node) -> void {
        if (node == problem.nodes.size()) {
            if (checkPartition(problem, plan).has_value())
                visit(std::as_const(plan));
            return;
        }
        std::size_t first = 0;
        for (const Precedence& edge : problem.precedences) {
            if (edge.after.index() == node && edge.before.index() < node)
                first = std::max<std::size_t>(first, plan.stageOf[edge.before].index());
        }
        for (std::size_t stage = first; stage < plan.stageCount; ++stage) {
            plan.stageOf[NodeId(node)] = StageId(stage);
            const double before = compute[stage];
            compute[stage] += problem.nodes[NodeId(node)].time().value() / problem.options.speeds[stage];
            if (mayLead(std::as_const(compute)))
                self(self, node + 1);
            compute[stage] = before;
        }
    };
    place(place, 0);
}

template <class Visit>
void forEachPlan(const PartitionProblem& problem, Visit&& visit)
{
    forEachPlan(problem, visit, [](const std::vector<double>&) { return true; });
}

// The least bottleneck of all legal plans, by plainLoad; none: there is none.
inline std::optional<double> bruteForce(const PartitionProblem& problem)
{
    std::optional<double> best;
    const auto visit = [&](const Partition& plan) {
        double slowest = 0;
        for (std::size_t stage = 0; stage < plan.stageCount; ++stage) {
            const auto load = plainLoad(problem, plan, stage);
            if (!load)
                return;
            slowest = std::max(slowest, *load);
        }
        if (!best || slowest < *best)
            best = slowest;
    };
    // No objective counts less than the compute time.
    forEachPlan(problem, visit,
                [&](const std::vector<double>& times) { return !best || std::ranges::max(times) < *best; });
    return best;
}

} // namespace stagecraft::testing
