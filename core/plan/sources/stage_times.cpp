#include "core/plan/sources/stage_times.h"

#include "core/profile/cost/operator_time.h"
#include "core/profile/device/dispatch_clock.h"
#include "core/recompute/node_pace.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace stagecraft {

namespace {

// By sample behind which it is there: what adding a gradient of a parameter to that which is there takes on
// the device. It reads both and writes one.
std::vector<Seconds> additions(const Profile& profile)
{
    const MemoryTimeline& memory = profile.memory;
    std::vector<Seconds> taken(memory.samples.size());
    if (profile.options.gradients == GradientStart::Present)
        return taken; // they are samples of the step
    for (const LiveInterval& life : memory.lives)
        if (life.category == MemoryCategory::Gradients && life.first < taken.size() &&
            memory.samples[life.first].phase == Phase::Backward)
            taken[life.first] += plainTime(Flops(0), life.bytes * 3, DType::F32, profile.options.device);
    return taken;
}

class BlockClock
{
public:
    BlockClock(const Graph& graph, const Profile& profile)
        : m_profile(profile), m_blocks(repeatedBlockOf(graph)), m_additions(additions(profile))
    {
    }

    struct Taken
    {
        StageTime time; // but for additions
        Seconds added;
    };
    // Adds what each node takes, times `weight`.
    void run(bool isFirst, double weight, Table<NodeId, Taken>& taken) const
    {
        DispatchClock clock(m_profile.options.device, m_profile.options.mode);
        std::optional<std::size_t> block;
        std::optional<NodeId> last, lastAgain;
        const std::vector<MemorySample>& samples = m_profile.memory.samples;
        for (std::size_t i = 0; i < samples.size(); ++i) {
            const MemorySample& sample = samples[i];
            if (sample.phase == Phase::Optimizer)
                break;
            const Phase phase = sample.isRecomputed ? Phase::Forward : sample.phase;
            if (sample.node && m_blocks[*sample.node] != block) {
                block = m_blocks[*sample.node];
                clock.holdBack(phase);
            }
            const Seconds time =
                clock.run(sample.alone, phase,
                          sample.isRecomputed ? DispatchClock::Turn::Again : DispatchClock::Turn::First,
                          sample.handovers);
            if (sample.isRecomputed)
                lastAgain = sample.node;
            const Seconds again = lastAgain ? clock.takenByAgain() : Seconds{};
            Seconds added;
            if (!isFirst && m_additions[i] > Seconds{})
                added = clock.run(m_additions[i], Phase::Backward);
            if (again > Seconds{})
                addAgain(again * weight, taken[*lastAgain].time);
            if (sample.node)
                add(sample, (time - again) * weight, taken[*sample.node].time);
            else if (phase == Phase::Backward) // autograd adds up what the node before made
                added += time - again;
            if (sample.node)
                last = sample.node;
            if (last)
                taken[*last].added += added * weight;
        }
    }

private:
    static void addAgain(Seconds taken, StageTime& time)
    {
        time.backwardInput += taken;
        time.recomputed += taken;
    }

    static void add(const MemorySample& sample, Seconds taken, StageTime& time)
    {
        if (sample.phase == Phase::Forward)
            time.forward += taken;
        else
            time.backwardInput += taken; // all of it, until it is shared
    }

    const Profile& m_profile;
    Table<NodeId, std::size_t> m_blocks;
    std::vector<Seconds> m_additions;
};

StageTime timeOf(const NodeCost& cost)
{
    return {cost.forward.time, cost.backwardInput.time, cost.backwardWeight.time, cost.recomputed.time};
}

// As the two halves of the backward pass shared their time before.
void shareBackward(const NodeCost& cost, StageTime& time)
{
    const Seconds before = cost.backward().time - cost.recomputed.time;
    const double share = before > Seconds{} ? cost.backwardWeight.time / before : 0;
    const Seconds weight = (time.backwardInput - time.recomputed) * std::clamp(share, 0.0, 1.0);
    time.backwardInput -= weight;
    time.backwardWeight += weight;
}

} // namespace

Table<NodeId, StageTime> stageTimes(const Graph& graph, const Profile& profile, std::size_t microbatches)
{
    Table<NodeId, BlockClock::Taken> taken(graph.nodeCount());
    const BlockClock clock(graph, profile);
    const double first = 1.0 / static_cast<double>(std::max<std::size_t>(1, microbatches));
    clock.run(true, first, taken);
    if (microbatches > 1)
        clock.run(false, 1 - first, taken);
    Table<NodeId, char> isTraced(graph.nodeCount(), 0);
    for (const MemorySample& sample : profile.memory.samples)
        if (sample.node)
            isTraced[*sample.node] = 1;
    Table<NodeId, StageTime> times(graph.nodeCount());
    for (const NodeId node : graph.nodes()) {
        const NodeCost& cost = profile.nodes[node];
        const bool isOwn = cost.origin == CostOrigin::Estimated && isTraced[node];
        times[node] = isOwn ? taken[node].time : timeOf(cost);
        if (isOwn)
            shareBackward(cost, times[node]);
        if (isOwn || cost.origin == CostOrigin::Inexact)
            times[node].backwardWeight += taken[node].added;
    }
    return times;
}

} // namespace stagecraft
