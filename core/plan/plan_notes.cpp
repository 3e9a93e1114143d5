#include "core/plan/plan_notes.h"

#include "core/plan/communication_memory.h"
#include "core/plan/evaluate.h"

#include <algorithm>
#include <map>
#include <set>

namespace stagecraft {

namespace {

bool runsAgain(const NodeCost& cost)
{
    return cost.recomputed.time > Seconds{};
}

// "slowest 12 ms, a step 95 ms"
std::string timesText(const PlanCost& cost)
{
    return "slowest " + formatSeconds(cost.bottleneckTime) + ", a step " + formatSeconds(cost.iteration);
}

std::string cutNote(std::size_t count)
{
    return (count == 1 ? "a checkpoint region is cut by a boundary"
                       : std::to_string(count) + " checkpoint regions are cut by boundaries") +
           ": each stage keeps the inputs of its part and runs it again alone";
}

} // namespace

std::optional<PlanCost> relayedCost(const PartitionProblem& problem, const Partition& partition)
{
    if (problem.options.send == SendKind::Relay)
        return std::nullopt;
    PartitionProblem relayed = problem;
    relayed.options.send = SendKind::Relay;
    return evaluate(relayed, partition);
}

std::string exportRelaysNote(const PartitionOptions& options)
{
    return options.send == SendKind::Direct ? "direct sends are pipeline.py's: stages that others run relay"
                                            : "";
}

std::string relayNote(const PartitionProblem& problem, const Partition& partition)
{
    const std::optional<PlanCost> cost = relayedCost(problem, partition);
    return cost ? "direct sends are pipeline.py's; relayed: " + timesText(*cost) : "";
}

std::size_t countCutRegions(const Graph& graph, const Profile& profile, const Partition& partition)
{
    std::map<int, std::set<StageId>> stages;
    std::set<int> again;
    for (const NodeId node : graph.nodes()) {
        const std::vector<int>& regions = graph.context(graph[node].context).recomputeRegions;
        if (regions.empty())
            continue;
        stages[regions.front()].insert(partition.stageOf[node]);
        if (runsAgain(profile.nodes[node]))
            again.insert(regions.front());
    }
    return static_cast<std::size_t>(std::ranges::count_if(
        stages, [&](const auto& entry) { return entry.second.size() > 1 && again.contains(entry.first); }));
}

std::vector<std::string> planNotes(const Graph& graph, const Profile& profile,
                                   const PartitionProblem& problem, const Partition& partition)
{
    std::vector<std::string> notes;
    if (std::string note = relayNote(problem, partition); !note.empty())
        notes.push_back(std::move(note));
    if (const std::size_t cut = countCutRegions(graph, profile, partition); cut > 0)
        notes.push_back(cutNote(cut));
    if (splitsBackward(problem.options.schedule) && std::ranges::any_of(profile.nodes, runsAgain))
        notes.emplace_back("where the backward pass is split in two, a stage with a checkpoint region does "
                           "all of it in the first part: a second would run the region again");
    std::string communication = communicationNote(profile.options.device, problem, partition);
    if (!communication.empty())
        notes.push_back(std::move(communication));
    return notes;
}

} // namespace stagecraft
