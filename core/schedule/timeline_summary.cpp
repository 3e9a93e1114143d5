#include "core/schedule/timeline_summary.h"

#include "core/base/text.h"

#include <algorithm>

namespace stagecraft {

namespace {

std::string criticalText(const Timeline& timeline)
{
    const std::vector<Seconds> shares = criticalShares(timeline);
    std::vector<std::size_t> stages(shares.size());
    for (std::size_t i = 0; i < stages.size(); ++i)
        stages[i] = i;
    std::ranges::stable_sort(stages, std::ranges::greater{},
                             [&](std::size_t stage) { return shares[stage]; });
    std::string text;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, stages.size()); ++i) {
        if (shares[stages[i]] > timeline.makespan * 0.005)
            text += (i == 0 ? "" : ", ") + formatted("stage %zu %.0f%%", stages[i] + 1,
                                                     100 * (shares[stages[i]] / timeline.makespan));
    }
    return text;
}

} // namespace

std::vector<Seconds> criticalShares(const Timeline& timeline)
{
    std::vector<Seconds> shares(timeline.stageCount);
    Seconds done;
    for (const std::size_t index : timeline.criticalPath) {
        const ActionSpan& span = timeline.spans[index];
        // What lies before the span on the path overlaps with it where a receive waits for a send.
        const Seconds begin = std::max(done, span.receiveStart);
        if (span.sendEnd > begin)
            shares[span.action.stage] += span.sendEnd - begin;
        done = std::max(done, span.sendEnd);
    }
    return shares;
}

std::string timelineSummary(const Timeline& timeline, const BubbleParts& bubble)
{
    std::string text = "device     compute   transfers     warm-up     waiting       drain  most memory\n";
    for (std::size_t i = 0; i < timeline.devices.size(); ++i) {
        const DeviceUse& use = timeline.devices[i];
        text += formatted("%6zu  %10s  %10s  %10s  %10s  %10s  %11s\n", i + 1,
                          formatSeconds(use.busy).c_str(), formatSeconds(use.communication).c_str(),
                          formatSeconds(use.warmUp).c_str(), formatSeconds(use.waiting).c_str(),
                          formatSeconds(use.drain).c_str(), formatBytes(use.peakMemory).c_str());
    }
    text += "step " + formatSeconds(timeline.makespan) +
            formatted(", bubble %.1f%%: schedule %.1f%%, imbalance %.1f%%, transfers %.1f%%\n",
                      100 * timeline.bubble(), 100 * bubble.schedule, 100 * bubble.imbalance,
                      100 * bubble.communication);
    return text + "critical path: " + criticalText(timeline) + "\n";
}

} // namespace stagecraft
