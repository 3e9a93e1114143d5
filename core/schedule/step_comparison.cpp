#include "core/schedule/step_comparison.h"

#include "core/schedule/makespan_clock.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

Result<std::vector<SlotComparison>> slotsOf(const Timeline& planned, const Timeline& measured)
{
    const Error stranger{ErrorCode::BadUsage, "the measured step is not of the planned schedule"};
    if (planned.spans.size() != measured.spans.size() || planned.devices.size() != measured.devices.size())
        return stranger;
    std::vector<SlotComparison> slots;
    for (std::size_t i = 0; i < planned.spans.size(); ++i) {
        const ActionSpan& before = planned.spans[i];
        const ActionSpan& after = measured.spans[i];
        if (before.action != after.action || before.device != after.device)
            return stranger;
        slots.push_back({before.action, before.device, before.start, before.end, after.start, after.end});
    }
    return slots;
}

// What the slots of a stage take for one microbatch, in the mean.
struct MeanTimes
{
    Seconds forward;
    Seconds whole; // backward passes that are not in two parts
    Seconds input;
    Seconds weight;

    Seconds backward() const { return whole + input + weight; }
    Seconds all() const { return forward + backward(); }
};

std::vector<MeanTimes> meanTimes(const Timeline& timeline, std::size_t microbatches)
{
    std::vector<MeanTimes> means(timeline.stageCount);
    for (const ActionSpan& span : timeline.spans) {
        MeanTimes& mean = means[span.action.stage];
        Seconds& time = span.action.kind == ActionKind::Forward         ? mean.forward
                        : span.action.kind == ActionKind::Backward      ? mean.whole
                        : span.action.kind == ActionKind::BackwardInput ? mean.input
                                                                        : mean.weight;
        time += (span.end - span.start) / static_cast<double>(microbatches);
    }
    return means;
}

// The planned costs of a stage, but computing as it was measured. What is measured of whole backward passes
// is parted as those in two parts are, or as the plan has it.
StageTimes measuredCompute(StageTimes times, const MeanTimes& measured)
{
    const Seconds parts = measured.input + measured.weight;
    const Seconds planned = times.backwardInput + times.backwardWeight;
    const double weight = parts > Seconds{}     ? measured.weight / parts
                          : planned > Seconds{} ? times.backwardWeight / planned
                                                : 0;
    times.forward = measured.forward;
    times.backwardWeight = measured.backward() * weight;
    times.backwardInput = measured.backward() - times.backwardWeight;
    return times;
}

StageTimes slower(StageTimes times, double factor)
{
    times.forward = times.forward * factor;
    times.backwardInput = times.backwardInput * factor;
    times.backwardWeight = times.backwardWeight * factor;
    return times;
}

// Of the stages' factors the middle one; of two in the middle that which is nearer to 1.
double paceOf(const std::vector<StageComparison>& stages)
{
    std::vector<double> factors;
    for (const StageComparison& stage : stages) {
        if (stage.planned > Seconds{})
            factors.push_back(stage.measured / stage.planned);
    }
    if (factors.empty())
        return 1;
    std::ranges::sort(factors);
    const double below = factors[(factors.size() - 1) / 2], above = factors[factors.size() / 2];
    const auto far = [](double factor) { return std::abs(std::log(std::max(factor, 1e-12))); };
    return far(below) < far(above) ? below : above;
}

// What each stage does to the step by being as it was measured, after others and before others.
void addEffects(MakespanClock& clock, ScheduleCosts paced, const std::vector<StageTimes>& measured,
                std::vector<StageComparison>& stages)
{
    constexpr std::size_t mostActions = 20'000'000; // simulated: about two seconds
    const std::size_t count = stages.size();
    std::size_t actions = 0;
    for (const auto& row : clock.schedule().devices)
        actions += row.size();
    const std::size_t beginnings = std::clamp<std::size_t>(mostActions / (2 * count * actions), 1, count);
    const double orders = 2 * static_cast<double>(beginnings);
    const Seconds before = clock.makespan(paced);
    for (std::size_t i = 0; i < beginnings; ++i) {
        for (const bool downwards : {true, false}) {
            ScheduleCosts costs = paced;
            Seconds step = before;
            for (std::size_t k = 0; k < count; ++k) {
                const std::size_t place = (i * count / beginnings + k) % count;
                const std::size_t stage = downwards ? place : count - 1 - place;
                costs.stages[stage] = measured[stage];
                const Seconds after = clock.makespan(costs);
                stages[stage].effect += (after - step) / orders;
                step = after;
            }
        }
    }
}

// Each send is on the lanes of both of its stages, or holds both of their devices up.
std::vector<StageTimes> withSends(std::vector<StageTimes> stages, const Schedule& schedule,
                                  const std::vector<MeasuredSend>& sends)
{
    for (StageTimes& stage : stages)
        stage.sendActivations = stage.receiveActivations = stage.sendGradients = stage.receiveGradients = {};
    for (const MeasuredSend& send : sends) {
        if (schedule.deviceOfStage[send.from] == schedule.deviceOfStage[send.to])
            continue;
        stages[send.from].sendActivations += send.forward;
        stages[send.to].receiveActivations += send.forward;
        stages[send.to].sendGradients += send.backward;
        stages[send.from].receiveGradients += send.backward;
    }
    return stages;
}

} // namespace

Result<StepComparison> compareSteps(const Schedule& schedule, const ScheduleCosts& costs,
                                    const Timeline& planned, const MeasuredStep& measured)
{
    StepComparison comparison;
    STAGECRAFT_ASSIGN(slots, slotsOf(planned, measured.timeline));
    STAGECRAFT_ASSIGN(clock, MakespanClock::make(schedule));
    comparison.actions = std::move(slots);
    const auto microbatches = static_cast<double>(schedule.microbatches);
    const std::vector<MeanTimes> before = meanTimes(planned, schedule.microbatches);
    const std::vector<MeanTimes> after = meanTimes(measured.timeline, schedule.microbatches);
    for (std::size_t stage = 0; stage < schedule.stageCount; ++stage)
        comparison.stages.push_back(
            {before[stage].all() * microbatches, after[stage].all() * microbatches, {}});
    for (std::size_t device = 0; device < schedule.deviceCount(); ++device)
        comparison.devices.push_back({planned.devices[device].busy, measured.timeline.devices[device].busy,
                                      planned.idleShare(device), measured.timeline.idleShare(device)});

    StepDifference& difference = comparison.difference;
    difference.planned = planned.makespan;
    difference.measured = measured.step();
    difference.paceFactor = paceOf(comparison.stages);
    ScheduleCosts paced = costs, real = costs;
    for (std::size_t stage = 0; stage < schedule.stageCount; ++stage) {
        paced.stages[stage] = slower(costs.stages[stage], difference.paceFactor);
        real.stages[stage] = measuredCompute(costs.stages[stage], after[stage]);
    }
    addEffects(clock, paced, real.stages, comparison.stages);
    const Seconds computed = clock.makespan(real);
    difference.pace = clock.makespan(paced) - planned.makespan;
    Seconds explained = computed;
    if (measured.sends) {
        real.stages = withSends(std::move(real.stages), schedule, *measured.sends);
        explained = clock.makespan(real);
        difference.sends = explained - computed;
    }
    difference.waiting = measured.timeline.makespan - explained;
    difference.outside = measured.step() - measured.timeline.makespan;
    return comparison;
}

} // namespace stagecraft
