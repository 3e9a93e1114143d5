// MakespanClock: what a step takes under one schedule, for costs that change again and again.
//
// simulate() says when each action runs; a search that compares thousands of plans only asks for the end.
#pragma once

#include "core/schedule/simulate.h"

#include <vector>

namespace stagecraft {

struct TransferLanes;

class MakespanClock
{
public:
    // Fails where the devices cannot run their rows when each stage waits for the one before it.
    static Result<MakespanClock> make(Schedule schedule);

    const Schedule& schedule() const { return m_schedule; }

    // As simulate() finds them; `costs` are of as many stages. The time never falls where a cost grows or a
    // link is added, nor does the memory.
    Seconds makespan(const ScheduleCosts& costs);
    // The most that the stages of the device hold at once.
    Bytes peakMemory(std::size_t device, const std::vector<StageTimes>& stages) const;

private:
    struct Ends
    {
        Seconds made;
        Seconds sendEnd;
    };
    struct Step
    {
        Action action;
        std::size_t device = 0;
    };

    explicit MakespanClock(Schedule schedule);

    Schedule m_schedule;
    std::vector<Step> m_order;   // what an action waits for is before it
    std::vector<Ends> m_forward; // by stage and microbatch
    std::vector<Ends> m_backward;
    std::vector<std::vector<std::size_t>> m_before; // stages that each waits for in forward
    std::vector<std::vector<std::size_t>> m_after;
};

} // namespace stagecraft
