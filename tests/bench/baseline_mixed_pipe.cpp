// Coarsen, assign, refine: the way of FTPipe's mixed pipe (Eliad et al., ATC 2021), in our own words and for
// stages that follow each other.
#include "partition_baselines.h"

#include "core/search/reduce/loads.h"
#include "core/search/reduce/reduction.h"

#include <algorithm>
#include <optional>
#include <queue>
#include <set>

namespace stagecraft::bench {

namespace {

// Clusters of groups, joined two by two without ever making a ring.
class Coarsener
{
public:
    explicit Coarsener(const ReducedProblem& reduced)
        : m_members(reduced.size()),
          m_time(reduced.size()),
          m_sent(reduced.size(), 0),
          m_before(reduced.size()),
          m_after(reduced.size()),
          m_count(reduced.size())
    {
        for (const ReducedGroupId group : reduced.groups.ids()) {
            m_members[group] = {group};
            m_time[group] = reduced.groups[group].seconds;
            m_before[group].insert(reduced.groups[group].before.begin(), reduced.groups[group].before.end());
            m_after[group].insert(reduced.groups[group].after.begin(), reduced.groups[group].after.end());
        }
        for (const ReducedValue& value : reduced.values)
            m_sent[value.producer] += reduced.transfer(value.size, 0);
    }

    std::size_t count() const { return m_count; }

    // Clusters that send for longer than they compute join their successor.
    void joinTalkative(std::size_t enough)
    {
        for (const ReducedGroupId cluster : m_members.ids()) {
            if (m_count > enough && !m_members[cluster].empty() && m_sent[cluster] >= m_time[cluster])
                joinWithSuccessor(cluster);
        }
    }

    // The lightest join their lightest successor.
    void joinLight(std::size_t enough)
    {
        using Entry = std::pair<double, ReducedGroupId>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> light;
        for (const ReducedGroupId cluster : m_members.ids()) {
            if (!m_members[cluster].empty())
                light.emplace(m_time[cluster], cluster);
        }
        while (m_count > enough && !light.empty()) {
            const auto [time, cluster] = light.top();
            light.pop();
            if (m_members[cluster].empty() || time != m_time[cluster])
                continue;
            if (const auto joined = joinWithSuccessor(cluster))
                light.emplace(m_time[*joined], *joined);
        }
    }

    // The members of each cluster, the clusters in a topological order.
    std::vector<std::vector<ReducedGroupId>> ordered() const
    {
        Table<ReducedGroupId, std::size_t> open(m_members.size(), 0);
        std::priority_queue<ReducedGroupId, std::vector<ReducedGroupId>, std::greater<>> ready;
        for (const ReducedGroupId cluster : m_members.ids()) {
            open[cluster] = m_before[cluster].size();
            if (!m_members[cluster].empty() && open[cluster] == 0)
                ready.push(cluster);
        }
        std::vector<std::vector<ReducedGroupId>> clusters;
        while (!ready.empty()) {
            const ReducedGroupId cluster = ready.top();
            ready.pop();
            clusters.push_back(m_members[cluster]);
            for (const ReducedGroupId next : m_after[cluster]) {
                if (--open[next] == 0)
                    ready.push(next);
            }
        }
        return clusters;
    }

private:
    std::optional<ReducedGroupId> joinWithSuccessor(ReducedGroupId cluster)
    {
        std::vector<ReducedGroupId> candidates(m_after[cluster].begin(), m_after[cluster].end());
        std::ranges::stable_sort(candidates, {}, [&](ReducedGroupId next) { return m_time[next]; });
        for (const ReducedGroupId next : candidates) {
            if (hasDetour(cluster, next))
                continue;
            join(cluster, next);
            return next;
        }
        return std::nullopt;
    }

    // Is there another way from the one to the other?
    bool hasDetour(ReducedGroupId from, ReducedGroupId to) const
    {
        std::set<ReducedGroupId> seen;
        std::vector<ReducedGroupId> stack;
        for (const ReducedGroupId next : m_after[from]) {
            if (next != to && seen.insert(next).second)
                stack.push_back(next);
        }
        while (!stack.empty()) {
            const ReducedGroupId cluster = stack.back();
            stack.pop_back();
            if (cluster == to)
                return true;
            for (const ReducedGroupId next : m_after[cluster]) {
                if (seen.insert(next).second)
                    stack.push_back(next);
            }
        }
        return false;
    }

    void join(ReducedGroupId from, ReducedGroupId into)
    {
        m_members[into].insert(m_members[into].end(), m_members[from].begin(), m_members[from].end());
        m_members[from].clear();
        m_time[into] += m_time[from];
        m_sent[into] += m_sent[from];
        for (const ReducedGroupId before : m_before[from]) {
            m_after[before].erase(from);
            m_after[before].insert(into);
            m_before[into].insert(before);
        }
        for (const ReducedGroupId after : m_after[from]) {
            m_before[after].erase(from);
            if (after != into) {
                m_before[after].insert(into);
                m_after[into].insert(after);
            }
        }
        m_before[into].erase(from);
        m_before[from].clear();
        m_after[from].clear();
        --m_count;
    }

    // Cluster by cluster, each named by one of its groups; empty: it was joined with another.
    Table<ReducedGroupId, std::vector<ReducedGroupId>> m_members;
    Table<ReducedGroupId, double> m_time;
    Table<ReducedGroupId, double> m_sent;
    Table<ReducedGroupId, std::set<ReducedGroupId>> m_before;
    Table<ReducedGroupId, std::set<ReducedGroupId>> m_after;
    std::size_t m_count;
};

double slowest(const Loads& loads, std::size_t stages)
{
    double most = 0;
    for (std::size_t stage = 0; stage < stages; ++stage)
        most = std::max(most, loads.load(stage));
    return most;
}

// Groups go to the next stage, and then back, as long as the slowest stage gets faster.
void refine(Loads& loads, std::size_t stages, std::size_t groups)
{
    for (bool better = true; better;) {
        better = false;
        for (const int step : {1, -1}) {
            for (std::size_t i = 0; i < groups; ++i) {
                const ReducedGroupId group(step > 0 ? groups - 1 - i : i);
                const std::uint32_t here = loads.stages()[group];
                const std::int64_t there = static_cast<std::int64_t>(here) + step;
                if (there < 0 || there >= static_cast<std::int64_t>(stages) || loads.groupCount(here) < 2 ||
                    !loads.mayMove(group, static_cast<std::uint32_t>(there)))
                    continue;
                const double before = slowest(loads, stages);
                loads.move(group, static_cast<std::uint32_t>(there));
                if (slowest(loads, stages) < before * (1 - 1e-9))
                    better = true;
                else
                    loads.move(group, here);
            }
        }
    }
}

} // namespace

Partition mixedPipe(const PartitionProblem& problem)
{
    const ReducedProblem reduced = reduceProblem(problem).value();
    const std::size_t stages = reduced.stageCount();
    Coarsener coarsener(reduced);
    coarsener.joinTalkative(2 * stages);
    coarsener.joinLight(2 * stages);
    const auto clusters = coarsener.ordered();
    GroupStages plan(reduced.size(), 0);
    double sum = 0;
    std::uint32_t stage = 0;
    for (std::size_t c = 0; c < clusters.size(); ++c) {
        const bool full = sum >= reduced.totalSeconds * (stage + 1) / static_cast<double>(stages);
        if (c > 0 && stage + 1 < stages && (full || clusters.size() - c < stages - stage))
            ++stage;
        for (const ReducedGroupId group : clusters[c]) {
            plan[group] = stage;
            sum += reduced.groups[group].seconds;
        }
    }
    Loads loads(reduced, plan);
    refine(loads, stages, reduced.size());
    return expand(reduced, loads.stages());
}

} // namespace stagecraft::bench
