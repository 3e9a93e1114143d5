#include "core/search/reduce/node_sets.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Strongly connected components (Tarjan), without recursion: joins what lies on a cycle.
class CycleJoiner
{
public:
    CycleJoiner(const Adjacency& after, NodeSets& sets)
        : m_after(after),
          m_sets(sets),
          m_number(after.size(), 0),
          m_low(after.size(), 0),
          m_onStack(after.size(), 0)
    {
    }

    void run()
    {
        for (std::uint32_t node = 0; node < m_after.size(); ++node) {
            if (m_number[node] == 0)
                visit(node);
        }
    }

private:
    struct Frame
    {
        std::uint32_t node;
        std::size_t next;
    };

    void enter(std::uint32_t node)
    {
        m_number[node] = m_low[node] = ++m_count;
        m_stack.push_back(node);
        m_onStack[node] = 1;
        m_frames.push_back({node, 0});
    }

    void visit(std::uint32_t start)
    {
        enter(start);
        while (!m_frames.empty()) {
            Frame& frame = m_frames.back();
            const std::uint32_t node = frame.node;
            if (frame.next < m_after[node].size()) {
                const std::uint32_t next = m_after[node][frame.next++];
                if (m_number[next] == 0)
                    enter(next);
                else if (m_onStack[next])
                    m_low[node] = std::min(m_low[node], m_number[next]);
                continue;
            }
            m_frames.pop_back();
            if (!m_frames.empty())
                m_low[m_frames.back().node] = std::min(m_low[m_frames.back().node], m_low[node]);
            if (m_low[node] == m_number[node])
                close(node);
        }
    }

    void close(std::uint32_t root)
    {
        std::uint32_t node = root;
        do {
            node = m_stack.back();
            m_stack.pop_back();
            m_onStack[node] = 0;
            m_sets.join(node, root);
        } while (node != root);
    }

    const Adjacency& m_after;
    NodeSets& m_sets;
    std::vector<std::uint32_t> m_number;
    std::vector<std::uint32_t> m_low;
    std::vector<char> m_onStack;
    std::vector<std::uint32_t> m_stack;
    std::vector<Frame> m_frames;
    std::uint32_t m_count = 0;
};

} // namespace

void joinCycles(const Adjacency& after, NodeSets& sets)
{
    CycleJoiner(after, sets).run();
}

} // namespace stagecraft
