#include "core/stage/block_comparison.h"

#include "core/stage/checkpoint_regions.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace stagecraft {

namespace {

// Pairs that must stay pairs: one here is always the same one there, and the other way round.
template <class T>
class Pairing
{
public:
    bool isPair(const T& a, const T& b)
    {
        if (!m_there.empty())
            return m_there.try_emplace(a, b).first->second == b &&
                   m_here.try_emplace(b, a).first->second == a;
        for (const auto& [there, here] : m_few)
            if (there == a || here == b)
                return there == a && here == b;
        m_few.emplace_back(a, b);
        if (m_few.size() > mostSought)
            for (const auto& [there, here] : m_few) {
                m_there.emplace(there, here);
                m_here.emplace(here, there);
            }
        return true;
    }

private:
    static constexpr std::size_t mostSought = 24; // one by one; of more there are tables

    std::vector<std::pair<T, T>> m_few;
    std::unordered_map<T, T> m_there;
    std::unordered_map<T, T> m_here;
};

class RunComparison
{
public:
    RunComparison(const BlockPlaces& places, const NodeRun& a, const NodeRun& b)
        : m_places(places),
          m_graph(places.graph),
          m_a(a),
          m_b(b),
          m_aroundA(regionsAround(m_graph, places.nodes, a.begin, a.end).size()),
          m_aroundB(regionsAround(m_graph, places.nodes, b.begin, b.end).size())
    {
    }

    bool areAlike()
    {
        for (std::size_t i = 0; i < m_a.length(); ++i)
            if (!areAlike(m_places.nodes[m_a.begin + i], m_places.nodes[m_b.begin + i]))
                return false;
        return true;
    }

private:
    bool areAlike(NodeId a, NodeId b);
    bool areAlike(ValueId a, ValueId b);
    bool areReadAlike(ValueId a, ValueId b) const; // by others, too
    bool areAlikeContexts(ContextId a, ContextId b);
    bool areAlike(const Context& a, const Context& b);
    bool areAlikeModules(ModuleId a, ModuleId b);

    const BlockPlaces& m_places;
    const Graph& m_graph;
    const NodeRun& m_a;
    const NodeRun& m_b;
    const std::size_t m_aroundA;
    const std::size_t m_aroundB;
    Pairing<ValueId> m_outside;
    Pairing<ModuleId> m_modulesKnown;
    std::optional<std::pair<ModuleId, ModuleId>> m_lastModules;
    std::optional<std::pair<ContextId, ContextId>> m_lastContexts;
    Pairing<int> m_regions;
};

bool RunComparison::areAlike(NodeId a, NodeId b)
{
    if (m_places.kinds[a] != m_places.kinds[b])
        return false;
    const Node& nodeA = m_graph[a];
    const Node& nodeB = m_graph[b];
    return areAlikeModules(nodeA.module, nodeB.module) && areAlikeContexts(nodeA.context, nodeB.context) &&
           std::ranges::equal(nodeA.inputs, nodeB.inputs,
                              [this](ValueId x, ValueId y) { return areAlike(x, y); }) &&
           std::ranges::equal(nodeA.results, nodeB.results,
                              [this](ValueId x, ValueId y) { return areReadAlike(x, y); });
}

bool RunComparison::areAlike(ValueId a, ValueId b)
{
    const ValueId readA = m_places.resolve(a);
    const ValueId readB = m_places.resolve(b);
    const std::uint32_t madeA = m_places.producer[readA];
    const std::uint32_t madeB = m_places.producer[readB];
    const bool isInsideA = madeA != BlockPlaces::none && madeA >= m_a.begin && madeA < m_a.end;
    const bool isInsideB = madeB != BlockPlaces::none && madeB >= m_b.begin && madeB < m_b.end;
    if (isInsideA != isInsideB)
        return false;
    if (!isInsideA)
        return m_outside.isPair(readA, readB);
    const std::vector<ValueId>& resultsA = m_places.node(madeA).results;
    const std::vector<ValueId>& resultsB = m_places.node(madeB).results;
    return madeA - m_a.begin == madeB - m_b.begin &&
           std::ranges::find(resultsA, readA) - resultsA.begin() ==
               std::ranges::find(resultsB, readB) - resultsB.begin();
}

bool RunComparison::areReadAlike(ValueId a, ValueId b) const
{
    return m_places.isRead(a) == m_places.isRead(b) &&
           m_places.isReadFrom(a, m_a.end) == m_places.isReadFrom(b, m_b.end);
}

bool RunComparison::areAlikeContexts(ContextId a, ContextId b)
{
    if (m_lastContexts == std::pair(a, b))
        return true;
    m_lastContexts = {a, b};
    return areAlike(m_graph.context(a), m_graph.context(b));
}

bool RunComparison::areAlike(const Context& a, const Context& b)
{
    const std::span<const int> regionsA = std::span(a.recomputeRegions).subspan(m_aroundA);
    const std::span<const int> regionsB = std::span(b.recomputeRegions).subspan(m_aroundB);
    return a.gradEnabled == b.gradEnabled && a.autocast == b.autocast && a.keepsResults == b.keepsResults &&
           std::ranges::equal(regionsA, regionsB, [this](int x, int y) { return m_regions.isPair(x, y); });
}

// Under one name below the module of the run.
bool RunComparison::areAlikeModules(ModuleId a, ModuleId b)
{
    if (m_lastModules == std::pair(a, b))
        return true;
    m_lastModules = {a, b};
    const ModuleTree& modules = m_graph.modules();
    const std::string_view pathA = std::string_view(modules[a].path).substr(modules[m_a.module].path.size());
    const std::string_view pathB = std::string_view(modules[b].path).substr(modules[m_b.module].path.size());
    return pathA == pathB && m_modulesKnown.isPair(a, b);
}

} // namespace

BlockPlaces::BlockPlaces(const Graph& read, const NodeKinds& kindsOfRead, std::span<const NodeId> stage,
                         const std::function<ValueId(ValueId)>& how, std::span<const ValueId> kept)
    : graph(read),
      kinds(kindsOfRead),
      nodes(stage),
      resolve(how),
      producer(read.valueCount(), none),
      lastReader(read.valueCount(), none)
{
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        for (const ValueId input : node(i).inputs)
            lastReader[resolve(input)] = static_cast<std::uint32_t>(i);
        for (const ValueId result : node(i).results)
            producer[result] = static_cast<std::uint32_t>(i);
    }
    for (const ValueId value : kept)
        lastReader[resolve(value)] = static_cast<std::uint32_t>(nodes.size());
}

bool areAlike(const BlockPlaces& places, const NodeRun& a, const NodeRun& b)
{
    return RunComparison(places, a, b).areAlike();
}

} // namespace stagecraft
