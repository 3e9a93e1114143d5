#include "core/search/reduce/light_groups.h"

#include "core/base/sort_unique.h"
#include "core/plan/stage_cost.h"
#include "core/search/reduce/node_sets.h"

#include <algorithm>
#include <limits>
#include <optional>

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
    std::optional<std::uint32_t> only() const
    {
        return m_several || m_count == 0 ? std::nullopt : std::optional(m_group);
    }

private:
    std::uint32_t m_group = 0;
    std::size_t m_count = 0;
    bool m_several = false;
};

// What changes at each boundary that the group passes.
struct LightGroup
{
    double seconds = 0;
    Neighbour before;
    Neighbour behind;
    bool isKnown = true;         // what sending costs in its stage and in its neighbours'
    std::vector<double> sinking; // to the one behind: what it reads is sent, what it makes is not
    std::vector<double> rising;
};

class LightFinder
{
public:
    LightFinder(const PartitionProblem& problem, LightMemory memory,
                const std::function<std::uint32_t(NodeId)>& groupOf)
        : m_problem(problem),
          m_groups(problem.nodes.size()),
          m_index(problem.nodes.size()),
          m_before(problem.nodes.size()),
          m_after(problem.nodes.size())
    {
        std::vector<double> time(problem.nodes.size(), 0);
        std::vector<char> mayJoin(problem.nodes.size(), 1);
        for (NodeId node : problem.nodes.ids()) {
            m_groups[node] = groupOf(node);
            time[m_groups[node]] += problem.nodes[node].time().value();
            if (memory == LightMemory::None && hasMemory(problem.nodes[node]))
                mayJoin[m_groups[node]] = 0;
        }
        for (const SharedState& shared : problem.shared) {
            for (NodeId user : shared.users)
                mayJoin[m_groups[user]] &= memory == LightMemory::Any ? 1 : 0;
        }
        for (const PartedState& parted : problem.parted)
            for (const KeptPart<NodeId>& part : parted.parts)
                mayJoin[m_groups[part.maker]] &= memory == LightMemory::Any ? 1 : 0;
        const std::size_t boundaries = problem.stageCount() - 1;
        for (std::uint32_t group = 0; group < time.size(); ++group) {
            const bool isLight = time[group] == 0 || mayTradeTime(problem.options);
            if (isLight && mayJoin[group] != 0 && m_groups[NodeId(group)] == group) {
                m_index[group] = static_cast<std::uint32_t>(m_light.size());
                m_light.push_back({.seconds = time[group],
                                   .sinking = std::vector<double>(boundaries, 0),
                                   .rising = std::vector<double>(boundaries, 0)});
            }
        }
        const auto& links = problem.options.links;
        m_linksAreAlike = std::ranges::all_of(links, [&](const Link& link) { return link == links.front(); });
        for (const Precedence& edge : problem.precedences)
            addPrecedence(m_groups[edge.before], m_groups[edge.after]);
        for (Adjacency* lists : {&m_before, &m_after})
            for (std::vector<std::uint32_t>& list : *lists)
                sortUnique(list);
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
            const auto target = targetOf(m_light[*m_index[group]]);
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
        return heldBy(node) != HeldBytes{} || node.transient > Bytes{};
    }

    LightGroup* light(std::uint32_t group) { return m_index[group] ? &m_light[*m_index[group]] : nullptr; }

    void addPrecedence(std::uint32_t before, std::uint32_t after)
    {
        if (before == after)
            return;
        m_before[after].push_back(before);
        m_after[before].push_back(after);
        if (LightGroup* group = light(before))
            group->behind.add(after);
        if (LightGroup* group = light(after))
            group->before.add(before);
    }

    void addValue(const ProblemValue& value)
    {
        const PartitionOptions& options = m_problem.options;
        if (options.objective == Objective::Compute)
            return;
        const std::uint32_t producer = m_groups[value.producer];
        std::vector<std::uint32_t> pins{producer};
        for (NodeId reader : value.readers)
            pins.push_back(m_groups[reader]);
        sortUnique(pins);
        for (const std::uint32_t pin : pins) {
            LightGroup* const group = light(pin);
            if (group == nullptr || (pins.size() == 1 && !value.returned))
                continue;
            const std::size_t behind = countCommon(pins, m_after[pin]);
            const std::size_t before = countCommon(pins, m_before[pin]);
            const std::size_t others = pins.size() - 1;
            // What the model returns is handed on to the end in any case.
            const bool passesBy = value.returned && (behind > 0 || options.send == SendKind::Relay);
            addPrice(group->sinking, value, passesBy ? 0 : behind == 0 ? 1 : behind == others ? -1 : 0);
            addPrice(group->rising, value, before == 0 ? 1 : before == others && !value.returned ? -1 : 0);
            const bool flowsOn =
                pin == producer ? behind == others : std::ranges::binary_search(m_after[producer], pin);
            group->isKnown &= flowsOn || options.send == SendKind::Relay ||
                              (m_linksAreAlike && options.objective == Objective::Sum);
        }
    }

    void addPrice(std::vector<double>& prices, const ProblemValue& value, int sign) const
    {
        for (std::size_t boundary = 0; boundary < prices.size() && sign != 0; ++boundary)
            prices[boundary] += sign * transferTime(m_problem, value, boundary).value();
    }

    // No stage that the group passes, and not the one that it comes to, has more to bear: there its time is
    // added.
    bool maySink(const LightGroup& group) const
    {
        for (std::size_t boundary = 0; boundary < group.sinking.size(); ++boundary) {
            if (group.sinking[boundary] + group.seconds / m_problem.options.speeds[boundary + 1] > 0)
                return false;
        }
        return true;
    }
    bool mayRise(const LightGroup& group) const
    {
        for (std::size_t boundary = 0; boundary < group.rising.size(); ++boundary) {
            if (group.rising[boundary] + group.seconds / m_problem.options.speeds[boundary] > 0)
                return false;
        }
        return true;
    }

    std::optional<std::uint32_t> targetOf(const LightGroup& group) const
    {
        const auto before = group.before.only();
        const auto behind = group.behind.only();
        if (!group.isKnown)
            return std::nullopt;
        if (behind && maySink(group))
            return behind;
        if (before && mayRise(group))
            return before;
        return std::nullopt;
    }

    const PartitionProblem& m_problem;
    Table<NodeId, std::uint32_t> m_groups;
    std::vector<std::optional<std::uint32_t>> m_index; // of groups that may be light
    Adjacency m_before;                                // groups directly before each, ascending
    Adjacency m_after;
    std::vector<LightGroup> m_light;
    bool m_linksAreAlike = true;
};

} // namespace

bool mayTradeTime(const PartitionOptions& options)
{
    return options.objective == Objective::Sum && !options.sharesDevices();
}

std::vector<std::pair<std::uint32_t, std::uint32_t>>
joinableLightGroups(const PartitionProblem& problem, LightMemory memory,
                    const std::function<std::uint32_t(NodeId)>& groupOf)
{
    return LightFinder(problem, memory, groupOf).run();
}

} // namespace stagecraft
