#include "core/profile/memory/node_turns.h"

#include "core/base/sort_unique.h"
#include "core/profile/memory/first_part.h"
#include "core/profile/memory/passed_sums.h"
#include "core/profile/memory/region_peaks.h"
#include "core/trace/trace_storages.h"

#include <limits>
#include <map>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::uint32_t notPassed = std::numeric_limits<std::uint32_t>::max();

// The turns of the operators from one to another.
class TurnsOfWay
{
public:
    // What belongs to no node, as sums of gradients do, goes with the node before; the first with `before`.
    TurnsOfWay(const Trace& trace, std::size_t first, std::size_t end, NodeId before)
        : m_trace(trace),
          m_first(first),
          m_end(end),
          m_turns(end - first, 0),
          m_born(end - first),
          m_dies(end - first),
          m_letGo(end - first),
          m_passed(trace.storages.size(), notPassed),
          m_madeIn(trace.storages.size(), notPassed)
    {
        for (std::size_t i = 0; i < end - first; ++i) {
            m_nodes.push_back(op(i).node.value_or(i == 0 ? before : m_nodes[i - 1]));
            m_turns[i] = i == 0 ? 0 : m_turns[i - 1] + (m_nodes[i] == m_nodes[i - 1] ? 0 : 1);
        }
    }

    // Was it born on the way, and does it outlive its turn?
    bool addLife(StorageId id)
    {
        const TraceStorage& storage = m_trace.storages[id];
        if (!storage.birth || storage.birth->index() < m_first || storage.birth->index() >= m_end)
            return false;
        const std::size_t birth = storage.birth->index() - m_first;
        m_born[birth].push_back(id);
        if (storage.storageClass == StorageClass::ParameterGradient)
            return false; // added to that of microbatches before when its turn has ended
        const bool dies = storage.death && *storage.death > storage.birth->index() && *storage.death <= m_end;
        const std::size_t death = dies ? *storage.death - m_first - 1 : 0;
        if (dies)
            m_dies[death].push_back(id);
        return !dies || m_turns[birth] != m_turns[death];
    }
    void setPassed(StorageId id, std::size_t index) { m_passed[id] = static_cast<std::uint32_t>(index); }
    // After so many operators of the step.
    void addLetGo(std::uint32_t ran, TurnMemory::LetGo letGo)
    {
        if (ran > m_first && ran <= m_end)
            m_letGo[ran - m_first - 1].push_back(letGo);
    }

    void find(TurnMemory::Way& way, std::vector<TurnMemory::LetGo>& letGo, const PassedSums& sums = {})
    {
        m_sums = &sums;
        const std::vector<Bytes> dead = letGoBehind(m_trace);
        for (std::size_t i = 0; i < m_turns.size(); ++i) {
            if (i == 0 || m_turns[i] != m_turns[i - 1]) {
                begin(i, way, letGo);
                m_hasKept = false;
            }
            run(i, dead[m_first + i], way, letGo);
            end(i, way, letGo);
        }
    }

private:
    const TraceOp& op(std::size_t i) const { return m_trace.ops[OpId(m_first + i)]; }

    // A part of a turn, with this operator the first.
    void begin(std::size_t i, TurnMemory::Way& way, const std::vector<TurnMemory::LetGo>& letGo)
    {
        const auto behind = [](const auto& items) {
            return TurnMemory::Range{static_cast<std::uint32_t>(items.size()),
                                     static_cast<std::uint32_t>(items.size())};
        };
        way.turns.push_back({.node = m_nodes[i],
                             .peak = {},
                             .reading = {},
                             .left = {},
                             .makes = behind(way.made),
                             .drops = behind(way.dropped),
                             .letsGo = behind(letGo)});
        m_isBegun = true;
    }

    // What it makes or writes to that outlives the turn, and no earlier part of the turn did.
    std::vector<std::uint32_t> passedBy(std::size_t i)
    {
        std::vector<std::uint32_t> made;
        const auto add = [&](StorageId id) {
            if (m_passed[id] != notPassed && m_madeIn[id] != m_turns[i]) {
                m_madeIn[id] = m_turns[i];
                made.push_back(m_passed[id]);
            }
        };
        for (const StorageId id : m_born[i])
            add(id);
        const std::uint64_t written = m_trace.opNames[op(i).name].written;
        const auto arguments = m_trace.arguments(op(i));
        for (std::size_t k = 0; written != 0 && k < std::min<std::size_t>(arguments.size(), 64); ++k)
            if ((written >> k & 1) != 0)
                forEachStorage(m_trace, arguments.subspan(k, 1), add);
        return made;
    }

    // What was made on the way before?
    bool readsKept(std::size_t i) const
    {
        bool reads = false;
        forEachStorage(m_trace, m_trace.arguments(op(i)), [&](StorageId id) {
            const auto& birth = m_trace.storages[id].birth;
            reads = reads || (birth && birth->index() < m_first);
        });
        return reads;
    }

    // Does the engine of autograd run it when a function has returned, as it makes gradients fit?
    bool isOfEngine(std::size_t i) const
    {
        const std::string& name = m_trace.opNames[op(i).name].name;
        return name == "aten::sum" || name == "aten::_to_copy";
    }

    // For whom what the operator makes is added up, where there are sums at all.
    void addSums(std::size_t i, const std::vector<std::uint32_t>& made, TurnMemory::Way& way) const
    {
        if (m_sums->empty())
            return;
        way.addedFor.resize(way.made.size());
        const auto now = static_cast<std::uint32_t>(i + m_first);
        for (auto sum = m_sums->lower_bound({now, StorageId(0)});
             sum != m_sums->end() && sum->first.first == now; ++sum)
            for (std::size_t k = 0; k < made.size(); ++k)
                if (made[k] == m_passed[sum->first.second])
                    way.addedFor[way.made.size() - made.size() + k] = sum->second;
    }

    void run(std::size_t i, Bytes dead, TurnMemory::Way& way, const std::vector<TurnMemory::LetGo>& letGo)
    {
        if (const std::vector<std::uint32_t> made = passedBy(i); !made.empty()) {
            if (!m_isBegun)
                begin(i, way, letGo);
            way.made.insert(way.made.end(), made.begin(), made.end());
            addSums(i, made, way);
            way.turns.back().makes.end = static_cast<std::uint32_t>(way.made.size());
        }
        m_isBegun = false;
        TurnMemory::Turn& turn = way.turns.back();
        const Bytes before = (i + m_first == 0 ? Bytes{} : m_trace.ops[OpId(m_first + i - 1)].live) - dead;
        Bytes own = std::max(Bytes{}, op(i).live - before) + op(i).scratch;
        for (const StorageId id : m_born[i])
            own -= m_passed[id] != notPassed ? m_trace.storages[id].bytes : Bytes{};
        turn.peak = std::max(turn.peak, turn.left + own);
        m_hasKept = readsKept(i) || (m_hasKept && !isOfEngine(i));
        if (m_hasKept)
            turn.reading = std::max(turn.reading, turn.left + own);
        for (const StorageId id : m_born[i]) {
            const TraceStorage& storage = m_trace.storages[id];
            turn.left += m_passed[id] == notPassed ? storage.bytes : Bytes{};
            if (storage.storageClass == StorageClass::ParameterGradient)
                m_ofWeights += storage.bytes;
        }
    }

    // Behind the operator: what dies with it.
    void end(std::size_t i, TurnMemory::Way& way, std::vector<TurnMemory::LetGo>& letGo)
    {
        TurnMemory::Turn& turn = way.turns.back();
        const bool isLast = i + 1 == m_turns.size() || m_turns[i + 1] != m_turns[i];
        if (isLast)
            turn.left -= std::exchange(m_ofWeights, {});
        const std::size_t before = way.dropped.size() + letGo.size();
        for (const StorageId id : m_dies[i]) {
            if (m_passed[id] == notPassed)
                turn.left -= m_trace.storages[id].bytes;
            else
                way.dropped.push_back(m_passed[id]);
        }
        letGo.insert(letGo.end(), m_letGo[i].begin(), m_letGo[i].end());
        m_hasKept = m_hasKept && m_letGo[i].empty();
        turn.drops.end = static_cast<std::uint32_t>(way.dropped.size());
        turn.letsGo.end = static_cast<std::uint32_t>(letGo.size());
        if (way.dropped.size() + letGo.size() > before && !isLast)
            begin(i + 1, way, letGo);
    }

    const Trace& m_trace;
    std::size_t m_first; // operator
    std::size_t m_end;
    std::vector<NodeId> m_nodes; // of the operators
    std::vector<std::uint32_t> m_turns;
    std::vector<std::vector<StorageId>> m_born, m_dies;
    std::vector<std::vector<TurnMemory::LetGo>> m_letGo;
    Table<StorageId, std::uint32_t> m_passed; // its index; notPassed: it is not
    Table<StorageId, std::uint32_t> m_madeIn; // the turn that did so last
    Bytes m_ofWeights;                        // of gradients that the turn made
    const PassedSums* m_sums = nullptr;
    bool m_isBegun = false; // with the operator at hand
    bool m_hasKept = false; // the function that runs has read what was kept
};

// After how many operators each node lets go of what it keeps, by the storage.
using Releases = std::map<NodeId, std::uint32_t>;

std::map<StorageId, Releases> releasesOf(const Trace& trace)
{
    std::map<StorageId, Releases> releases;
    for (const SavedTensor& saved : trace.saved)
        if (saved.node && isSavedForBackward(trace, saved)) {
            std::uint32_t& release = releases[saved.storage][*saved.node];
            release = std::max(release, saved.release.value_or(notPassed));
        }
    return releases;
}

Table<StorageId, std::vector<NodeId>> readersOf(const Trace& trace)
{
    Table<StorageId, std::vector<NodeId>> readers(trace.storages.size());
    for (std::size_t i = 0; i < trace.forwardEnd; ++i)
        if (const TraceOp& op = trace.ops[OpId(i)]; op.node)
            forEachStorage(trace, trace.arguments(op),
                           [&](StorageId id) { readers[id].push_back(*op.node); });
    for (std::vector<NodeId>& nodes : readers)
        sortUnique(nodes);
    return readers;
}

} // namespace

TurnMemory turnMemory(const Graph& graph, const Trace& trace)
{
    TurnMemory memory;
    if (trace.mode != TrainingMode::Train || graph.nodeCount() == 0)
        return memory;
    TurnsOfWay forward(trace, 0, trace.forwardEnd, NodeId(0));
    TurnsOfWay backward(trace, trace.forwardEnd, trace.ops.size(), NodeId(graph.nodeCount() - 1));
    const std::map<StorageId, Releases> releases = releasesOf(trace);
    const Table<StorageId, std::vector<NodeId>> readers = readersOf(trace);
    for (const StorageId id : trace.storages.ids()) {
        const TraceStorage& storage = trace.storages[id];
        if (backward.addLife(id)) {
            backward.setPassed(id, memory.gradients.size());
            memory.gradients.push_back(storage.bytes);
        }
        if (!forward.addLife(id) || !storage.producer || storage.storageClass != StorageClass::Activation)
            continue;
        const auto activation = static_cast<std::uint32_t>(memory.activations.size());
        TurnMemory::Passed passed{
            .storage = id, .bytes = storage.bytes, .maker = *storage.producer, .readers = readers[id]};
        std::vector<std::pair<std::uint32_t, NodeId>> keepers;
        if (const auto found = releases.find(id); found != releases.end())
            for (const auto& [node, release] : found->second)
                keepers.emplace_back(release, node);
        // What the second run of a region takes is there as long as that needs it.
        for (auto& [release, node] : keepers)
            if (graph.context(graph[node].context).keepsResults)
                release = std::max(release, storage.death.value_or(0));
        std::ranges::sort(keepers);
        for (const auto& [release, node] : keepers) {
            backward.addLetGo(release, {activation, static_cast<std::uint32_t>(passed.keepers.size())});
            passed.keepers.push_back(node);
        }
        forward.setPassed(id, activation);
        memory.activations.push_back(std::move(passed));
    }
    std::vector<TurnMemory::LetGo> none;
    forward.find(memory.forward, none);
    const PassedSums sums = passedSums(trace);
    backward.find(memory.backward, memory.letGo, sums);
    addFirstPart(trace, sums, memory);
    return memory;
}

} // namespace stagecraft
