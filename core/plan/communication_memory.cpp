#include "core/plan/communication_memory.h"

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

namespace stagecraft {

namespace {

constexpr Bytes perChannel(std::int64_t{12} << 20);

// What one link carries in one direction (NCCL 2.30, graph/topo.h).
double linkRate(int computeCapability)
{
    if (computeCapability >= 100)
        return 40.1e9;
    if (computeCapability >= 90)
        return 20.6e9;
    return computeCapability == 86 ? 12e9 : 20e9;
}

std::vector<std::set<std::size_t>> neighboursOf(const PartitionProblem& problem, const Partition& partition,
                                                const Schedule& schedule)
{
    std::vector<std::set<std::size_t>> neighbours(schedule.deviceCount());
    const auto meet = [&](std::size_t stage, std::size_t other) {
        const std::size_t one = schedule.deviceOfStage[stage], two = schedule.deviceOfStage[other];
        if (one == two)
            return;
        neighbours[one].insert(two);
        neighbours[two].insert(one);
    };
    if (problem.options.send == SendKind::Direct) {
        for (const ProblemValue& value : problem.values)
            for (const NodeId reader : value.readers)
                meet(partition.stageOf[value.producer].index(), partition.stageOf[reader].index());
        return neighbours;
    }
    for (std::size_t stage = 1; stage < schedule.stageCount; ++stage)
        meet(stage - 1, stage);
    return neighbours;
}

} // namespace

int communicationChannels(const DeviceSpec& device)
{
    constexpr double fastestPcie = 64e9; // one direction of 16 lanes of generation 5
    constexpr unsigned most = 32;
    if (device.kind != "cuda")
        return 0;
    if (device.linkBandwidth <= fastestPcie)
        return 2;
    const auto links = static_cast<unsigned>(
        std::clamp(device.linkBandwidth / linkRate(device.computeCapability), 1.0, double{most}));
    return static_cast<int>(std::min(std::bit_ceil(2 * links), most));
}

std::size_t mostNeighbours(const PartitionProblem& problem, const Partition& partition)
{
    const Result<Schedule> schedule = scheduleOf(problem.options);
    if (!schedule.has_value() || schedule->stageCount != partition.stageCount)
        return 0;
    std::size_t most = 0;
    for (const std::set<std::size_t>& others : neighboursOf(problem, partition, *schedule))
        most = std::max(most, others.size());
    return most;
}

std::string communicationNote(const DeviceSpec& device, const PartitionProblem& problem,
                              const Partition& partition)
{
    const int channels = communicationChannels(device);
    const std::size_t neighbours = channels > 0 ? mostNeighbours(problem, partition) : 0;
    if (neighbours == 0)
        return {};
    const Bytes each = perChannel * channels;
    return "beside PyTorch's allocator NCCL takes up to " +
           formatBytes(each * static_cast<std::int64_t>(neighbours)) + " of a device, " +
           (neighbours == 1
                ? "for its one neighbour"
                : formatBytes(each) + " for each of " + std::to_string(neighbours) + " neighbours") +
           ": no figure counts it";
}

} // namespace stagecraft
