#include "core/plan/sources/model_problem.h"

#include "core/base/contains.h"
#include "core/graph/received_layout.h"
#include "core/plan/saved_bytes.h"
#include "core/plan/sources/model_groups.h"
#include "core/plan/sources/stage_times.h"
#include "core/plan/sources/written_values.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace stagecraft {

namespace {

class ProblemBuilder
{
public:
    ProblemBuilder(const Model& model, const Profile& profile, const PartitionOptions& options)
        : m_graph(model.graph), m_profile(profile), m_signature(model.signature)
    {
        m_problem.options = options;
        m_problem.stepLimit = StepLimit::EvenSplit;
        m_problem.times = timesText(profile);
        m_problem.link = {profile.options.device.linkBandwidth, profile.options.device.linkLatency};
        completeOptions(m_problem.options, m_problem.link);
    }

    Result<PartitionProblem> build(const Progress& progress)
    {
        if (m_profile.nodes.size() != m_graph.nodeCount())
            return Error{ErrorCode::BadUsage, "the profile was made for another model: it has " +
                                                  std::to_string(m_profile.nodes.size()) + " nodes, not " +
                                                  std::to_string(m_graph.nodeCount())};
        using Part = void (ProblemBuilder::*)();
        for (const Part add :
             {&ProblemBuilder::findWrittenTensors, &ProblemBuilder::addNodes, &ProblemBuilder::addValues,
              &ProblemBuilder::addState, &ProblemBuilder::addSaved, &ProblemBuilder::dropPinsOfLookers,
              &ProblemBuilder::addGroups}) {
            if (progress.stopRequested())
                return cancelled();
            (this->*add)();
        }
        STAGECRAFT_TRY(checkProblem(m_problem));
        return std::move(m_problem);
    }

private:
    bool training() const { return m_profile.options.mode == TrainingMode::Train; }

    void findWrittenTensors()
    {
        m_storage = findStorageUse(m_graph);
        m_separable = separableStorage(m_graph, m_storage);
        std::erase_if(m_separable, [&](const auto& entry) {
            return !hasPlainGradients(m_graph, m_profile, entry.second);
        });
    }

    void addNodes()
    {
        const Table<NodeId, StageTime> times = stageTimes(m_graph, m_profile, m_problem.options.microbatches);
        for (NodeId id : m_graph.nodes()) {
            const NodeCost& cost = m_profile.nodes[id];
            ProblemNode node{.name = m_graph[id].name,
                             .module = m_graph.modules()[m_graph[id].module].path,
                             .forward = times[id].forward,
                             .transient = std::max(cost.temporaryPeak, cost.regionPeak)};
            node.onlyLooks = onlyLooks(m_graph, id);
            if (training()) {
                node.split = spanOf(id);
                node.backwardInput = times[id].backwardInput;
                node.backwardWeight = times[id].backwardWeight;
                node.recomputed = times[id].recomputed;
                node.waiting = cost.waitingBytes;
                node.recomputes = !m_graph.context(m_graph[id].context).recomputeRegions.empty();
            }
            m_problem.nodes.add(std::move(node));
            for (NodeId after : m_graph.successors(id))
                m_problem.precedences.push_back({id, after});
        }
    }

    void addValues()
    {
        for (const KeptTogether& kept : m_profile.keptTogether)
            if (!kept.parts.empty())
                m_keptInParts.insert(kept.nodes);
        Table<ValueId, char> isWritten(m_graph.valueCount(), 0);
        for (const auto& [set, written] : m_separable)
            for (const ValueId member : written.members)
                isWritten[member] = 1;
        const auto readers = readersOfSent(m_graph, m_storage, returnedValues(), isWritten);
        for (const auto& [set, written] : m_separable)
            std::ranges::move(writtenValues(m_graph, m_profile, m_storage, written, readers),
                              std::back_inserter(m_problem.values));
        for (ValueId id : m_graph.values()) {
            const Value& value = m_graph[id];
            if (!value.producer || !value.isTensor() || isWritten[id])
                continue;
            const Bytes bytes = m_profile.valueBytes[id];
            const bool gradient = training() && m_profile.needsGradient[id];
            ProblemValue sent{.value = id,
                              .producer = *value.producer,
                              .readers = readers[id].nodes,
                              .forwardBytes = bytes,
                              .backwardBytes = gradient ? bytes : Bytes{},
                              .returned = readers[id].returned,
                              .keepers = keepersOf(id, readers[id].nodes),
                              .inFront = inFrontOf(id)};
            if (!sent.readers.empty() || sent.returned)
                m_problem.values.push_back(std::move(sent));
        }
        std::ranges::stable_sort(m_problem.values, {}, &ProblemValue::producer);
    }

    // Itself, or a view of it; of what is kept in parts, itself. What is sent is row-major: of what is not, a
    // copy, and what the next stage keeps is a copy of that.
    std::vector<NodeId> keepersOf(ValueId value, const std::vector<NodeId>& readers) const
    {
        const std::optional<TensorMeta>& meta = m_graph[value].meta;
        if (!training() || value.index() >= m_profile.keptBy.size() || (meta && !isRowMajor(*meta)))
            return {};
        std::vector<NodeId> keepers = m_profile.keptBy[value];
        if (m_keptInParts.contains(keepers))
            std::erase_if(keepers, [&](NodeId node) {
                return m_graph[value].producer != node && !contains(readers, node);
            });
        return keepers;
    }

    Bytes inFrontOf(ValueId value) const
    {
        return training() && value.index() < m_profile.inFront.size() ? m_profile.inFront[value] : Bytes{};
    }

    // What the user gets; a buffer's new content stays where it is.
    Table<ValueId, char> returnedValues() const
    {
        Table<ValueId, char> returned(m_graph.valueCount(), 0);
        const auto outputs = m_graph.outputs();
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const bool mine = m_signature.isReturned(i);
            std::vector<ValueId> values;
            collectValues(outputs[i], values);
            for (ValueId value : values)
                returned[value] = static_cast<char>(returned[value] | static_cast<char>(mine));
        }
        return returned;
    }

    // Gradients and optimizer state that go with so many bytes of a parameter.
    Bytes trainingState(Bytes parameter) const
    {
        const ProfileTotals& totals = m_profile.totals;
        if (!training() || totals.gradientBytes <= Bytes{})
            return {};
        const double perByte = totals.optimizerBytes.asDouble() / totals.gradientBytes.asDouble();
        return parameter + Bytes(static_cast<std::int64_t>(parameter.asDouble() * perByte));
    }

    void addState()
    {
        for (ValueId id : m_graph.inputs()) {
            const Value& value = m_graph[id];
            const bool parameter = value.kind == ValueKind::Parameter;
            const bool held =
                parameter || value.kind == ValueKind::Buffer || value.kind == ValueKind::Constant;
            if (!held || value.users.empty())
                continue;
            const Bytes bytes = m_profile.valueBytes[id];
            SharedState state{.name = value.target.empty() ? value.name : value.target,
                              .parameterBytes = parameter ? bytes : Bytes{},
                              .stateBytes = bytes,
                              .users = value.users};
            if (parameter && m_profile.needsGradient[id])
                state.stateBytes += trainingState(bytes);
            m_problem.shared.push_back(std::move(state));
        }
    }

    // A gradient that comes from another stage lies in a buffer of the run-time, where that has one for each
    // microbatch, or counts with what the run-time holds (runtime_memory.h).
    SplitSpan spanOf(NodeId node) const
    {
        if (node.index() >= m_profile.splitMemory.size())
            return {};
        const SplitMemory& memory = m_profile.splitMemory[node];
        const PipelineRuntime runtime = m_problem.options.runtime;
        const bool hasBuffers = runtime == PipelineRuntime::Torch214 || runtime == PipelineRuntime::Exported;
        return {memory.input, memory.weight, memory.read, hasBuffers ? memory.madeBehind : memory.readBehind};
    }

    void addSaved()
    {
        if (!training())
            return;
        m_problem.turns = m_profile.turns;
        takeSaved(m_profile, m_problem);
        markReleased(m_graph, m_problem);
    }

    // A module is pinned with all its nodes; those that only look are not what is meant.
    void dropPinsOfLookers()
    {
        std::vector<Pin>& pins = m_problem.options.pins;
        const auto counts = [&](const Pin& pin) {
            return pin.node.index() < m_problem.nodes.size() && !m_problem.nodes[pin.node].onlyLooks;
        };
        std::set<StageId> pinned;
        for (const Pin& pin : pins) {
            if (counts(pin))
                pinned.insert(pin.stage);
        }
        std::erase_if(pins, [&](const Pin& pin) {
            return pin.node.index() < m_problem.nodes.size() && !counts(pin) && pinned.contains(pin.stage);
        });
    }

    void addGroups()
    {
        const auto append = [&](std::vector<Colocation> groups) {
            std::ranges::move(groups, std::back_inserter(m_problem.groups));
        };
        append(storageGroups(m_graph, m_storage.sets, m_separable));
        append(opaqueGroups(m_graph));
        append(looseNodeGroups(m_graph));
        for (const auto& nodes : m_problem.options.keepTogether)
            m_problem.groups.push_back({withoutLookers(m_problem, nodes), "kept together"});
        for (ValueId value : m_problem.options.neverCut) {
            if (value.index() >= m_graph.valueCount() || !m_graph[value].producer)
                continue;
            std::vector<NodeId> nodes = m_graph[value].users;
            nodes.push_back(*m_graph[value].producer);
            m_problem.groups.push_back({std::move(nodes), "'" + m_graph[value].name + "' is never cut"});
        }
    }

    const Graph& m_graph;
    const Profile& m_profile;
    const Signature& m_signature;
    StorageUse m_storage;
    std::map<ValueId, WrittenStorage> m_separable;
    std::set<std::vector<NodeId>> m_keptInParts; // by whom
    PartitionProblem m_problem;
};

} // namespace

Result<PartitionProblem> makeProblem(const Model& model, const Profile& profile,
                                     const PartitionOptions& options, const Progress& progress)
{
    STAGECRAFT_TRY(checkOptions(options));
    return ProblemBuilder(model, profile, options).build(progress);
}

} // namespace stagecraft
