#include "core/stage/block_runs.h"

#include "core/base/hashing.h"
#include "core/stage/checkpoint_regions.h"

#include <algorithm>
#include <map>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t shortestRun = 3;    // nodes
constexpr std::size_t mostKindsTried = 8; // of those with one hash

// The smallest number of elements after which the sequence repeats itself, to its end; its length if none.
std::size_t periodOf(std::span<const std::uint64_t> sequence)
{
    std::vector<std::size_t> border(sequence.size(), 0); // of each beginning: its longest end that begins it
    for (std::size_t i = 1, matched = 0; i < sequence.size(); ++i) {
        while (matched > 0 && sequence[i] != sequence[matched])
            matched = border[matched - 1];
        matched += sequence[i] == sequence[matched] ? 1 : 0;
        border[i] = matched;
    }
    return sequence.size() - (sequence.empty() ? 0 : border.back());
}

// Hashes of any part of a sequence, each in the same time.
class PartHashes
{
public:
    explicit PartHashes(std::span<const std::uint64_t> sequence)
        : m_before(sequence.size() + 1, 0), m_power(sequence.size() + 1, 1)
    {
        for (std::size_t i = 0; i < sequence.size(); ++i) {
            m_before[i + 1] = m_before[i] * base + sequence[i];
            m_power[i + 1] = m_power[i] * base;
        }
    }
    std::uint64_t of(std::size_t begin, std::size_t end) const
    {
        return m_before[end] - m_before[begin] * m_power[end - begin];
    }

private:
    static constexpr std::uint64_t base = 0x9e3779b97f4a7c15ULL;
    std::vector<std::uint64_t> m_before;
    std::vector<std::uint64_t> m_power;
};

class RunFinder
{
public:
    explicit RunFinder(const BlockPlaces& places)
        : m_places(places), m_modules(places.graph.modules()), m_depthOf(m_modules.size(), 0)
    {
        for (const ModuleId id : m_modules.ids())
            if (m_modules[id].parent)
                m_depthOf[id] = m_depthOf[*m_modules[id].parent] + 1;
        for (std::size_t i = 0; i < places.nodes.size(); ++i) {
            m_hashes.push_back(combineHash(0, places.kinds[places.nodes[i]]));
            m_inModule.push_back(combineHash(m_hashes.back(), places.node(i).module.index()));
        }
    }

    std::vector<BlockRun> find() &&
    {
        m_runs.push_back({{0, m_hashes.size(), ModuleTree::root()}});
        addInner(0);
        findKinds();
        return std::move(m_runs);
    }

private:
    void addInner(std::size_t outer);
    void addRounds(std::size_t outer, ModuleId module, std::size_t begin, std::size_t end);
    void addRun(std::size_t outer, ModuleId module, std::size_t begin, std::size_t end);
    std::optional<ModuleId> childAt(std::size_t place, ModuleId module) const;
    void findKinds();
    std::optional<std::size_t> likeInParent(std::size_t run) const;
    bool mayBeCalled(const BlockRun& run) const;

    const BlockPlaces& m_places;
    const ModuleTree& m_modules;
    Table<ModuleId, std::size_t> m_depthOf;
    std::vector<std::uint64_t> m_hashes;
    std::vector<std::uint64_t> m_inModule;
    std::vector<BlockRun> m_runs;
};

// The module right below `module` that the node at a place is in; none where it is the module's own.
std::optional<ModuleId> RunFinder::childAt(std::size_t place, ModuleId module) const
{
    ModuleId child = m_places.node(place).module;
    if (child == module)
        return {};
    while (m_depthOf[child] > m_depthOf[module] + 1)
        child = *m_modules[child].parent;
    return child;
}

void RunFinder::addInner(std::size_t outer)
{
    const auto [begin, end, module] =
        std::tuple(m_runs[outer].begin, m_runs[outer].end, m_runs[outer].module);
    for (std::size_t i = begin; i < end;) {
        const std::optional<ModuleId> child = childAt(i, module);
        std::size_t next = i + 1;
        while (next < end && childAt(next, module) == child)
            ++next;
        if (child)
            addRounds(outer, *child, i, next);
        else
            addRounds(outer, module, i, next);
        i = next;
    }
}

// A module that is called again and again has a run for each round.
void RunFinder::addRounds(std::size_t outer, ModuleId module, std::size_t begin, std::size_t end)
{
    const std::size_t period = periodOf(std::span(m_inModule).subspan(begin, end - begin));
    const bool isRepeated = period >= shortestRun && 2 * period <= end - begin;
    if (!isRepeated && module == m_runs[outer].module)
        return; // its own nodes, in no round
    while (isRepeated && end - begin >= period) {
        addRun(outer, module, begin, begin + period);
        begin += period;
    }
    if (begin < end && module != m_runs[outer].module)
        addRun(outer, module, begin, end);
}

void RunFinder::addRun(std::size_t outer, ModuleId module, std::size_t begin, std::size_t end)
{
    const std::size_t depth = m_runs[outer].depth + 1;
    m_runs[outer].children.push_back(m_runs.size());
    m_runs.push_back({{begin, end, module}, depth, outer});
    if (module != m_runs[outer].module)
        addInner(m_runs.size() - 1);
}

// The child at the same place in the run that its parent is like.
std::optional<std::size_t> RunFinder::likeInParent(std::size_t run) const
{
    const BlockRun& parent = m_runs[*m_runs[run].parent];
    if (!parent.like)
        return {};
    const BlockRun& model = m_runs[*parent.like];
    const auto which =
        static_cast<std::size_t>(std::ranges::find(parent.children, run) - parent.children.begin());
    if (which >= model.children.size())
        return {};
    const std::size_t like = model.children[which];
    const bool isAtSamePlace = m_runs[like].begin - model.begin == m_runs[run].begin - parent.begin &&
                               m_runs[like].length() == m_runs[run].length();
    return isAtSamePlace ? std::optional(like) : std::nullopt;
}

// Functions of subgraphs are written where they are called, and a checkpoint region stays whole.
bool RunFinder::mayBeCalled(const BlockRun& run) const
{
    const Graph& graph = m_places.graph;
    for (std::size_t i = run.begin; i < run.end; ++i)
        if (!m_places.node(i).subgraphs.empty())
            return false;
    const std::size_t around = regionsAround(graph, m_places.nodes, run.begin, run.end).size();
    const auto regionsAt = [&](std::size_t place) -> const std::vector<int>& {
        return graph.context(m_places.node(place).context).recomputeRegions;
    };
    const auto isCutAt = [&](std::size_t place) {
        if (place == 0 || place == m_hashes.size())
            return false;
        const std::vector<int>& before = regionsAt(place - 1);
        const auto differs = std::ranges::mismatch(before, regionsAt(place)).in1;
        return differs - before.begin() > static_cast<std::ptrdiff_t>(around);
    };
    return !isCutAt(run.begin) && !isCutAt(run.end);
}

void RunFinder::findKinds()
{
    const PartHashes hashes(m_hashes);
    std::vector<std::size_t> order;
    for (std::size_t i = 1; i < m_runs.size(); ++i)
        if (m_runs[i].length() >= shortestRun)
            order.push_back(i);
    std::ranges::sort(order, {}, [this](std::size_t i) {
        return std::tuple(m_hashes.size() - m_runs[i].length(), m_runs[i].begin, m_runs[i].depth);
    });
    std::map<std::pair<std::size_t, std::uint64_t>, std::vector<std::size_t>> firsts; // of each kind
    std::size_t kindCount = 0;
    for (const std::size_t id : order) {
        BlockRun& run = m_runs[id];
        if (const std::optional<std::size_t> like = likeInParent(id)) {
            run.kind = m_runs[*like].kind;
            run.like = *like;
            continue;
        }
        if (!mayBeCalled(run))
            continue;
        std::vector<std::size_t>& alike = firsts[{run.length(), hashes.of(run.begin, run.end)}];
        const auto found = std::ranges::find_if(
            alike, [&](std::size_t first) { return areAlike(m_places, m_runs[first], run); });
        if (found != alike.end()) {
            run.kind = m_runs[*found].kind;
            run.like = *found;
        } else if (alike.size() < mostKindsTried) {
            run.kind = kindCount++;
            alike.push_back(id);
        }
    }
}

} // namespace

std::vector<BlockRun> blockRuns(const BlockPlaces& places)
{
    return RunFinder(places).find();
}

} // namespace stagecraft
