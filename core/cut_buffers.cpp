#include "core/cut_buffers.h"

#include "core/plan/runtime_memory.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Sums over places, from what begins and what ends at each.
class Steps
{
public:
    explicit Steps(std::size_t places) : m_steps(places + 1, 0) {}

    // At all places from `first` to before `end`.
    void add(std::size_t first, std::size_t end, double bytes)
    {
        if (first >= end)
            return;
        m_steps[first] += bytes;
        m_steps[end] -= bytes;
    }
    std::vector<double> at(const std::vector<std::size_t>& places) const
    {
        std::vector<double> sums;
        double sum = 0;
        std::size_t next = 0;
        for (const std::size_t place : places) {
            for (; next <= place; ++next)
                sum += m_steps[next];
            sums.push_back(std::max(0.0, sum));
        }
        return sums;
    }

private:
    std::vector<double> m_steps;
};

// Where a value crosses, and where the side before and behind a place keeps it for backward.
struct Crossing
{
    std::size_t first; // place
    std::size_t end;
    std::size_t keptBeforeFrom;
    std::size_t keptBehindTo;
    std::size_t readBeforeFrom = 0; // where the side before a place reads it
};

Crossing crossingOf(const PartitionProblem& problem, const CutOrder& order, const ProblemValue& value)
{
    const std::size_t producer = order.placeOf(value.producer);
    std::size_t last = producer;
    std::size_t first = problem.nodes.size();
    for (const NodeId reader : value.readers)
        if (!problem.nodes[reader].onlyLooks) { // where it is made
            first = std::min(first, order.placeOf(reader));
            last = std::max(last, order.placeOf(reader));
        }
    Crossing crossing{producer + 1, value.returned ? problem.nodes.size() : last + 1, 0, 0, 0};
    crossing.readBeforeFrom = first == problem.nodes.size() ? crossing.end : first + 1;
    if (value.keepers.empty()) {
        crossing.keptBeforeFrom = crossing.end;
        crossing.keptBehindTo = crossing.first;
        return crossing;
    }
    const auto place = [&](NodeId keeper) { return order.placeOf(keeper); };
    const auto [firstKeeper, lastKeeper] = std::ranges::minmax(value.keepers, {}, place);
    crossing.keptBeforeFrom = std::clamp(place(firstKeeper) + 1, crossing.first, crossing.end);
    crossing.keptBehindTo = std::clamp(place(lastKeeper) + 1, crossing.first, crossing.end);
    return crossing;
}

} // namespace

CutBuffers buffersAt(const PartitionProblem& problem, const CutOrder& order,
                     const std::vector<std::size_t>& cuts)
{
    const RuntimeMemory runtime(problem.options, stepKindOf(problem));
    const auto largest = largestCounts(scheduleOf(problem.options).value());
    CutBuffers buffers;
    for (std::size_t stage = 0; stage < problem.stageCount(); ++stage) {
        const HeldCounts& counts = largest[stage].front();
        Steps received(problem.nodes.size()), sent(problem.nodes.size());
        for (const ProblemValue& value : problem.values) {
            if (runtime.holdsNothing())
                break;
            const Crossing at = crossingOf(problem, order, value);
            const CrossingBytes kept{
                .forward = value.forwardBytes, .backward = value.backwardBytes, .kept = true};
            CrossingBytes notKept = kept;
            notKept.kept = false;
            if (stage > 0) {
                received.add(at.first, at.keptBehindTo, runtime.received(stage, kept).of(counts).asDouble());
                received.add(at.keptBehindTo, at.end, runtime.received(stage, notKept).of(counts).asDouble());
            }
            if (stage + 1 < problem.stageCount()) {
                sent.add(at.first, at.keptBeforeFrom, runtime.sent(stage, notKept).of(counts).asDouble());
                sent.add(at.keptBeforeFrom, at.end, runtime.sent(stage, kept).of(counts).asDouble());
                sent.add(at.readBeforeFrom, at.end, runtime.gradientSum(kept).of(counts).asDouble());
            }
        }
        buffers.received.push_back(received.at(cuts));
        buffers.sent.push_back(sent.at(cuts));
    }
    return buffers;
}

} // namespace stagecraft
