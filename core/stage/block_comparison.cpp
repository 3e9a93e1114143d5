#include "core/stage/block_comparison.h"

#include "core/base/overloaded.h"
#include "core/stage/checkpoint_regions.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace stagecraft {

namespace {

// Pairs that must stay pairs: one here is always the same one there, and the other way round.
template <class T>
class Pairing
{
public:
    bool isPair(const T& a, const T& b)
    {
        return m_there.try_emplace(a, b).first->second == b && m_here.try_emplace(b, a).first->second == a;
    }

private:
    std::unordered_map<T, T> m_there;
    std::unordered_map<T, T> m_here;
};

bool areSame(double a, double b)
{
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); // -0.0 is not 0.0
}

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
            if (!areAlike(m_places.node(m_a.begin + i), m_places.node(m_b.begin + i)))
                return false;
        return true;
    }

private:
    bool areAlike(const Node& a, const Node& b);
    bool areAlike(const Argument& a, const Argument& b);
    bool areAlike(ValueId a, ValueId b);
    bool areAlikeMade(ValueId a, ValueId b) const;
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
    Pairing<int> m_regions;
};

bool RunComparison::areAlike(const Node& a, const Node& b)
{
    if (a.target != b.target || a.arguments.size() != b.arguments.size() ||
        a.outputs.size() != b.outputs.size() || !a.subgraphs.empty() || !b.subgraphs.empty())
        return false;
    if (!areAlikeModules(a.module, b.module))
        return false;
    if (!areAlike(m_graph.context(a.context), m_graph.context(b.context)))
        return false;
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
        if (a.arguments[i].name != b.arguments[i].name || a.arguments[i].passing != b.arguments[i].passing ||
            !areAlike(a.arguments[i].value, b.arguments[i].value))
            return false;
    const auto isSameOutput = [](const NodeOutput& x, const NodeOutput& y) {
        return x.kind == y.kind && x.values.size() == y.values.size();
    };
    return std::ranges::equal(a.outputs, b.outputs, isSameOutput) &&
           std::ranges::equal(a.results, b.results,
                              [this](ValueId x, ValueId y) { return areAlikeMade(x, y); });
}

bool RunComparison::areAlike(const Argument& a, const Argument& b)
{
    if (a.index() != b.index())
        return false;
    const auto number = [this](const IntOrValue& x, const IntOrValue& y) {
        if (x.index() != y.index())
            return false;
        const auto* value = std::get_if<ValueId>(&x);
        return value ? areAlike(*value, std::get<ValueId>(y)) : x == y;
    };
    const auto tensor = [this](const std::optional<ValueId>& x, const std::optional<ValueId>& y) {
        return x && y ? areAlike(*x, *y) : x == y;
    };
    return std::visit(
        Overloaded{
            [&](ValueId x) { return areAlike(x, std::get<ValueId>(b)); },
            [&](const TensorListArgument& x) {
                return std::ranges::equal(x.elements, std::get<TensorListArgument>(b).elements, tensor);
            },
            [&](const IntListArgument& x) {
                return std::ranges::equal(x.elements, std::get<IntListArgument>(b).elements, number);
            },
            [&](double x) { return areSame(x, std::get<double>(b)); },
            [&](const std::vector<double>& x) {
                return std::ranges::equal(x, std::get<std::vector<double>>(b), areSame);
            },
            [&](const std::complex<double>& x) {
                const auto& y = std::get<std::complex<double>>(b);
                return areSame(x.real(), y.real()) && areSame(x.imag(), y.imag());
            },
            [](SubgraphId) { return false; },
            [](const RawArgument&) { return false; }, // its values cannot be told from its text
            [&]<class T>(const T& x) { return x == std::get<T>(b); },
        },
        a);
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

// What the comment of the line says, and whether others read it.
bool RunComparison::areAlikeMade(ValueId a, ValueId b) const
{
    const std::optional<TensorMeta>& metaA = m_graph[a].meta;
    const std::optional<TensorMeta>& metaB = m_graph[b].meta;
    return metaA.has_value() == metaB.has_value() &&
           (!metaA || (metaA->dtype == metaB->dtype && metaA->sizes == metaB->sizes)) &&
           m_places.isRead(a) == m_places.isRead(b) &&
           m_places.isReadFrom(a, m_a.end) == m_places.isReadFrom(b, m_b.end);
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

BlockPlaces::BlockPlaces(const Graph& read, std::span<const NodeId> stage,
                         const std::function<ValueId(ValueId)>& how, std::span<const ValueId> kept)
    : graph(read),
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
