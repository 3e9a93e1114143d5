#include "core/schedule/comparison_text.h"

#include "core/base/text.h"
#include "core/schedule/schedule_check.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace stagecraft {

namespace {

std::string signedSeconds(Seconds seconds)
{
    return (seconds < Seconds{} ? "-" : "+") + formatSeconds(Seconds(std::abs(seconds.value())));
}

// "1.25x"
std::string factorText(Seconds measured, Seconds planned)
{
    return planned > Seconds{} ? formatted("%.3gx", measured / planned) : "";
}

// Indices of the slots to show, ascending.
std::vector<std::size_t> slotsToShow(const std::vector<SlotComparison>& slots, std::size_t most)
{
    std::vector<std::size_t> shown(slots.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    if (shown.size() > most) {
        std::ranges::stable_sort(shown, std::ranges::greater{},
                                 [&](std::size_t slot) { return std::abs(slots[slot].longer().value()); });
        shown.resize(most);
        std::ranges::sort(shown);
    }
    return shown;
}

std::string causeLine(Seconds seconds, const std::string& what)
{
    return formatted("  %10s  ", signedSeconds(seconds).c_str()) + what + '\n';
}

std::string causes(const StepComparison& comparison)
{
    const StepDifference& difference = comparison.difference;
    std::string text = causeLine(
        difference.pace, formatted("all stages take %.3g times as long as planned", difference.paceFactor));
    for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
        const StageComparison& stage = comparison.stages[i];
        if (std::abs(stage.effect.value()) > 1e-9 * difference.measured.value())
            text += causeLine(
                stage.effect,
                formatted("stage %zu is %s than the others", i + 1,
                          stage.measured > stage.planned * difference.paceFactor ? "slower" : "faster"));
    }
    if (difference.sends)
        text += causeLine(*difference.sends, "sends");
    text +=
        causeLine(difference.waiting, difference.sends ? "waiting: microbatches differ, delays between slots"
                                                       : "waiting: sends, microbatches differ, delays");
    if (difference.outside > Seconds{})
        text += causeLine(difference.outside, "before the first slot and after the last");
    return text;
}

} // namespace

std::string slotTable(const StepComparison& comparison, std::size_t most)
{
    const std::vector<std::size_t> shown = slotsToShow(comparison.actions, most);
    std::string text = "                   starts at                   takes\n"
                       "device  slot      planned    measured     planned    measured      longer\n";
    for (const std::size_t index : shown) {
        const SlotComparison& slot = comparison.actions[index];
        text += formatted("%6zu  %-7s%10s  %10s  %10s  %10s  %10s\n", slot.device + 1,
                          actionText(slot.action).c_str(), formatSeconds(slot.plannedStart).c_str(),
                          formatSeconds(slot.measuredStart).c_str(),
                          formatSeconds(slot.plannedEnd - slot.plannedStart).c_str(),
                          formatSeconds(slot.measuredEnd - slot.measuredStart).c_str(),
                          signedSeconds(slot.longer()).c_str());
    }
    if (shown.size() < comparison.actions.size())
        text += formatted("the %zu of %zu slots whose time differs most; --json has them all\n", shown.size(),
                          comparison.actions.size());
    return text;
}

std::string comparisonSummary(const MeasuredStep& measured, const StepComparison& comparison)
{
    std::string text = "device  rank     compute: planned    measured      idle: planned  measured\n";
    for (std::size_t i = 0; i < comparison.devices.size(); ++i) {
        const DeviceComparison& device = comparison.devices[i];
        text += formatted("%6zu  %4zu           %10s  %10s            %6.1f%%   %6.1f%%\n", i + 1,
                          measured.ranks[i], formatSeconds(device.plannedBusy).c_str(),
                          formatSeconds(device.measuredBusy).c_str(), 100 * device.plannedIdleShare,
                          100 * device.measuredIdleShare);
    }
    text += "stage            compute: planned    measured      factor\n";
    for (std::size_t i = 0; i < comparison.stages.size(); ++i) {
        const StageComparison& stage = comparison.stages[i];
        text += formatted("%6zu                 %10s  %10s  %10s\n", i + 1,
                          formatSeconds(stage.planned).c_str(), formatSeconds(stage.measured).c_str(),
                          factorText(stage.measured, stage.planned).c_str());
    }
    const StepDifference& difference = comparison.difference;
    text += "step: planned " + formatSeconds(difference.planned) + ", measured " +
            formatSeconds(difference.measured) + "; the difference of " + signedSeconds(difference.total()) +
            " is\n" + causes(comparison);
    for (std::size_t i = 0; i < measured.clockShift.size(); ++i) {
        if (measured.clockShift[i] > Seconds{})
            text +=
                formatted("the clock of rank %zu was set %s forward: it had a slot before what that waits "
                          "for\n",
                          measured.ranks[i], formatSeconds(measured.clockShift[i]).c_str());
    }
    return measured.note.empty() ? text : text + "note: " + measured.note + '\n';
}

} // namespace stagecraft
