// FlowNetwork: maximum flow and minimum cut (Dinic's algorithm).
#pragma once

#include "core/base/work_budget.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace stagecraft {

// Capacities are numbers with a sign: floating-point ones, or whole ones where the answer must be exact.
template <class Capacity>
class FlowNetwork
{
public:
    explicit FlowNetwork(std::size_t nodeCount) : m_arcsOf(nodeCount), m_level(nodeCount), m_next(nodeCount)
    {
    }

    // What may flow from one node to another.
    void add(std::uint32_t from, std::uint32_t to, Capacity capacity)
    {
        m_arcsOf[from].push_back(static_cast<std::uint32_t>(m_arcs.size()));
        m_arcs.push_back({to, capacity});
        m_arcsOf[to].push_back(static_cast<std::uint32_t>(m_arcs.size()));
        m_arcs.push_back({from, 0});
    }

    // What is left of a capacity counts as nothing up to `tolerance`. Until it is over: what flows by then is
    // no more than the maximum.
    Capacity maximumFlow(std::uint32_t source, std::uint32_t sink, Capacity tolerance, const IsOver& isOver)
    {
        Capacity flow = 0;
        const auto over = [&] { return isOver && isOver(); };
        while (!over() && findLevels(source, sink, tolerance)) {
            std::ranges::fill(m_next, 0u);
            for (std::size_t paths = 1; augment(source, sink, tolerance, flow); ++paths)
                if (paths % 16 == 0 && over())
                    break;
        }
        return flow;
    }

    // After maximumFlow() that was not over before the end: on which side of the minimum cut is a node? Of
    // all such cuts it is the one with the fewest nodes on the source's side.
    bool isOnSourceSide(std::uint32_t node) const { return m_level[node] >= 0; }

private:
    struct Arc
    {
        std::uint32_t to;
        Capacity capacity;
    };

    bool findLevels(std::uint32_t source, std::uint32_t sink, Capacity tolerance)
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
    bool augment(std::uint32_t source, std::uint32_t sink, Capacity tolerance, Capacity& flow)
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
        Capacity amount = m_arcs[m_path.front()].capacity;
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

} // namespace stagecraft
