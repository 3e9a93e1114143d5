#include "core/partition/idle_groups.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace stagecraft {

namespace {

// None, one, or several groups.
class Neighbour
{
public:
    void add(std::uint32_t group)
    {
        m_several |= m_count > 0 && m_group != group;
        m_group = group;
        ++m_count;
    }
    void addUnknown() { m_several = true; }
    bool isNone() const { return m_count == 0 && !m_several; }
    std::optional<std::uint32_t> only() const
    {
        return m_several || m_count == 0 ? std::nullopt : std::optional(m_group);
    }

private:
    std::uint32_t m_group = 0;
    std::size_t m_count = 0;
    bool m_several = false;
};

struct IdleGroup
{
    Neighbour before;
    Neighbour behind;
    bool readsAlone = true;    // nobody else reads what it reads
    std::vector<double> reads; // price at each boundary
    std::vector<double> makes;
};

class IdleFinder
{
public:
    IdleFinder(const PartitionProblem& problem, IdleMemory memory,
               const std::function<std::uint32_t(NodeId)>& groupOf)
        : m_problem(problem), m_groups(problem.nodes.size()), m_index(problem.nodes.size())
    {
        std::vector<double> time(problem.nodes.size(), 0);
        std::vector<char> mayJoin(problem.nodes.size(), 1);
        for (NodeId node : problem.nodes.ids()) {
            m_groups[node] = groupOf(node);
            time[m_groups[node]] += problem.nodes[node].time().value();
            if (memory == IdleMemory::None && hasMemory(problem.nodes[node]))
                mayJoin[m_groups[node]] = 0;
        }
        for (const SharedState& shared : problem.shared) {
            for (NodeId user : shared.users)
                mayJoin[m_groups[user]] &= memory == IdleMemory::Any ? 1 : 0;
        }
        const std::size_t boundaries = problem.stageCount() - 1;
        for (std::uint32_t group = 0; group < time.size(); ++group) {
            if (time[group] == 0 && mayJoin[group] != 0 && m_groups[NodeId(group)] == group) {
                m_index[group] = static_cast<std::uint32_t>(m_idle.size());
                m_idle.push_back({.reads = std::vector<double>(boundaries, 0),
                                  .makes = std::vector<double>(boundaries, 0)});
            }
        }
        for (const Precedence& edge : problem.precedences)
            addPrecedence(m_groups[edge.before], m_groups[edge.after]);
        for (const ProblemValue& value : problem.values)
            addValue(value);
    }

    std::vector<std::pair<std::uint32_t, std::uint32_t>> run() const
    {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
        std::vector<char> taken(m_index.size(), 0); // one join at a time: the next round sees what it changed
        for (std::uint32_t group = 0; group < m_index.size(); ++group) {
            if (!m_index[group] || taken[group])
                continue;
            const auto target = targetOf(m_idle[*m_index[group]]);
            if (!target || taken[*target])
                continue;
            taken[group] = taken[*target] = 1;
            pairs.emplace_back(group, *target);
        }
        return pairs;
    }

private:
    static bool hasMemory(const ProblemNode& node)
    {
        return node.state > Bytes{} || node.saved > Bytes{} || node.transient > Bytes{};
    }

    IdleGroup* idle(std::uint32_t group) { return m_index[group] ? &m_idle[*m_index[group]] : nullptr; }

    void addPrecedence(std::uint32_t before, std::uint32_t after)
    {
        if (before == after)
            return;
        m_ordered.emplace(before, after);
        if (IdleGroup* group = idle(before))
            group->behind.add(after);
        if (IdleGroup* group = idle(after))
            group->before.add(before);
    }

    void addValue(const ProblemValue& value)
    {
        const std::uint32_t producer = m_groups[value.producer];
        std::vector<std::uint32_t> readers;
        for (NodeId reader : value.readers) {
            if (m_groups[reader] != producer)
                readers.push_back(m_groups[reader]);
        }
        std::ranges::sort(readers);
        const auto repeated = std::ranges::unique(readers);
        readers.erase(repeated.begin(), repeated.end());
        if (readers.empty() && !value.returned)
            return;
        if (IdleGroup* group = idle(producer)) {
            addPrice(group->makes, value);
            if (value.returned)
                group->behind.addUnknown();
            for (const std::uint32_t reader : readers)
                addNeighbour(group->behind, reader, m_ordered.contains({producer, reader}));
        }
        for (const std::uint32_t reader : readers) {
            IdleGroup* group = idle(reader);
            if (group == nullptr)
                continue;
            addPrice(group->reads, value);
            addNeighbour(group->before, producer, m_ordered.contains({producer, reader}));
            group->readsAlone &= readers.size() == 1 && !value.returned;
        }
    }

    // What is only sent says nothing of who comes first.
    static void addNeighbour(Neighbour& neighbour, std::uint32_t group, bool isOrdered)
    {
        if (isOrdered)
            neighbour.add(group);
        else
            neighbour.addUnknown();
    }

    void addPrice(std::vector<double>& prices, const ProblemValue& value) const
    {
        if (m_problem.options.objective == Objective::Compute)
            return;
        for (std::size_t boundary = 0; boundary < prices.size(); ++boundary)
            prices[boundary] += transferTime(m_problem, value, boundary).value();
    }

    static bool nowhereMore(const std::vector<double>& a, const std::vector<double>& b)
    {
        return std::ranges::equal(a, b, [](double x, double y) { return x <= y; });
    }

    static std::optional<std::uint32_t> targetOf(const IdleGroup& group)
    {
        const auto before = group.before.only();
        const auto behind = group.behind.only();
        if (group.before.isNone() || (before && before == behind))
            return behind;
        if (group.behind.isNone())
            return before;
        if (behind && nowhereMore(group.reads, group.makes))
            return behind;
        if (before && group.readsAlone && nowhereMore(group.makes, group.reads))
            return before;
        return std::nullopt;
    }

    const PartitionProblem& m_problem;
    Table<NodeId, std::uint32_t> m_groups;
    std::vector<std::optional<std::uint32_t>> m_index; // of groups without time
    std::set<std::pair<std::uint32_t, std::uint32_t>> m_ordered;
    std::vector<IdleGroup> m_idle;
};

} // namespace

std::vector<std::pair<std::uint32_t, std::uint32_t>>
joinableIdleGroups(const PartitionProblem& problem, IdleMemory memory,
                   const std::function<std::uint32_t(NodeId)>& groupOf)
{
    return IdleFinder(problem, memory, groupOf).run();
}

} // namespace stagecraft
