#include "core/search/bound/min_cut.h"

#include "core/plan/problem.h"

#include <algorithm>

namespace stagecraft {

namespace {

class FlowNetwork
{
public:
    explicit FlowNetwork(std::size_t nodeCount) : m_arcsOf(nodeCount), m_level(nodeCount), m_next(nodeCount)
    {
    }

    void add(std::uint32_t from, std::uint32_t to, double capacity)
    {
        m_arcsOf[from].push_back(static_cast<std::uint32_t>(m_arcs.size()));
        m_arcs.push_back({to, capacity});
        m_arcsOf[to].push_back(static_cast<std::uint32_t>(m_arcs.size()));
        m_arcs.push_back({from, 0});
    }

    // Until it is over: what flows by then is no more than the maximum.
    double maximumFlow(std::uint32_t source, std::uint32_t sink, double tolerance, const IsOver& isOver)
    {
        double flow = 0;
        const auto over = [&] { return isOver && isOver(); };
        while (!over() && findLevels(source, sink, tolerance)) {
            std::ranges::fill(m_next, 0u);
            for (std::size_t paths = 1; augment(source, sink, tolerance, flow); ++paths)
                if (paths % 16 == 0 && over())
                    break;
        }
        return flow;
    }

private:
    struct Arc
    {
        std::uint32_t to;
        double capacity;
    };

    bool findLevels(std::uint32_t source, std::uint32_t sink, double tolerance)
    {
        std::ranges::fill(m_level, -1);
        m_queue.assign(1, source);
        m_level[source] = 0;
        for (std::size_t i = 0; i < m_queue.size() && m_level[sink] < 0; ++i) {
            for (const std::uint32_t arc : m_arcsOf[m_queue[i]]) {
                const std::uint32_t to = m_arcs[arc].to;
                if (m_arcs[arc].capacity > tolerance && m_level[to] < 0) {
                    m_level[to] = m_level[m_queue[i]] + 1;
                    m_queue.push_back(to);
                }
            }
        }
        return m_level[sink] >= 0;
    }

    // Sends as much as fits along one path of rising levels; without recursion, paths can be long.
    bool augment(std::uint32_t source, std::uint32_t sink, double tolerance, double& flow)
    {
        m_path.clear();
        std::uint32_t node = source;
        while (node != sink) {
            bool advanced = false;
            for (std::uint32_t& i = m_next[node]; i < m_arcsOf[node].size(); ++i) {
                const std::uint32_t arc = m_arcsOf[node][i];
                if (m_arcs[arc].capacity > tolerance && m_level[m_arcs[arc].to] == m_level[node] + 1) {
                    m_path.push_back(arc);
                    node = m_arcs[arc].to;
                    advanced = true;
                    break;
                }
            }
            if (advanced)
                continue;
            if (m_path.empty())
                return false;
            node = m_arcs[m_path.back() ^ 1u].to;
            m_path.pop_back();
            ++m_next[node];
        }
        double amount = infinite;
        for (const std::uint32_t arc : m_path)
            amount = std::min(amount, m_arcs[arc].capacity);
        for (const std::uint32_t arc : m_path) {
            m_arcs[arc].capacity -= amount;
            m_arcs[arc ^ 1u].capacity += amount;
        }
        flow += amount;
        return true;
    }

    std::vector<Arc> m_arcs; // an arc and its reverse are neighbours
    std::vector<std::vector<std::uint32_t>> m_arcsOf;
    std::vector<int> m_level;
    std::vector<std::uint32_t> m_next;
    std::vector<std::uint32_t> m_queue;
    std::vector<std::uint32_t> m_path;
};

} // namespace

double minimumCut(const ClosureCut& problem, const IsOver& isOver)
{
    double certain = 0;
    double largest = 0;
    std::vector<const ClosureCut::Edge*> open;
    for (const ClosureCut::Edge& edge : problem.edges) {
        if (edge.hasLeft && edge.hasRight)
            certain += edge.price;
        else if (edge.members.size() + (edge.hasLeft || edge.hasRight ? 1 : 0) >= 2)
            open.push_back(&edge);
        largest = std::max(largest, edge.price);
    }
    const bool anyLeft = std::ranges::any_of(open, [](const auto* edge) { return edge->hasLeft; });
    const bool anyRight = std::ranges::any_of(open, [](const auto* edge) { return edge->hasRight; });
    if (!anyLeft || !anyRight)
        return certain; // everything free to one side
    constexpr std::uint32_t left = 0;
    constexpr std::uint32_t right = 1;
    FlowNetwork network(2 + problem.itemCount + 2 * open.size());
    const auto node = [](std::uint32_t item) { return item + 2; };
    for (const auto& [first, second] : problem.precedences)
        network.add(node(second), node(first), infinite);
    for (std::size_t e = 0; e < open.size(); ++e) {
        const auto in = static_cast<std::uint32_t>(2 + problem.itemCount + 2 * e);
        const std::uint32_t out = in + 1;
        network.add(in, out, open[e]->price);
        const auto join = [&](std::uint32_t member) {
            network.add(member, in, infinite);
            network.add(out, member, infinite);
        };
        for (const std::uint32_t member : open[e]->members)
            join(node(member));
        if (open[e]->hasLeft)
            join(left);
        if (open[e]->hasRight)
            join(right);
    }
    return certain + network.maximumFlow(left, right, largest * 1e-12, isOver);
}

} // namespace stagecraft
