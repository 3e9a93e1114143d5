// How long a search may take, counted in work, so that it ends at the same point on every machine.
#pragma once

#include "core/base/progress.h"
#include "core/base/quantities.h"
#include "core/base/work_clock.h"

#include <cstdint>
#include <functional>

namespace stagecraft {

// Asked now and then by what takes long, with the work done since it was last asked: about a nanosecond a
// unit on a machine of today. True: stop. May be empty.
using ShouldStop = std::function<bool(std::uint64_t work)>;

// Asked every few milliseconds by what cannot be told how long it will take. True: end with what there is.
// May be empty.
using IsOver = std::function<bool()>;

// Does the person want to stop, or is the time over that `progress` was given? Not before `moment` from now
// has passed, too: so long takes, in any case, what comes after a search. `progress` must live as long.
IsOver overOf(const Progress& progress, Seconds moment = {});

// Work for `limit` seconds, with room to spare: it is spent before the time has passed (as WorkClock has it),
// unless the machine is slow or very busy. Then the clock ends the search, and the answer may differ from run
// to run (wasCutShort). To be spent by the thread that makes it.
class WorkBudget
{
public:
    WorkBudget(Seconds limit, const Progress& progress);

    // A budget of its own with this share of what is left. What it has spent in the end is to be spent here.
    WorkBudget part(double share) const;

    // True: stop.
    bool spend(std::uint64_t work);
    bool isSpent() { return spend(0); }
    // Whatever work is left: has the time passed, or does the person want to stop? For what is under way.
    bool isOver();
    // Asks it, but for a moment at the beginning, which every search has: a problem of ordinary size is made
    // ready the same way whatever the limit. To be asked for as long as the budget lives.
    IsOver patience();
    // The clock or the person ended the search, not the work.
    bool wasCutShort() const { return m_cutShort; }
    Seconds passed() const { return m_clock.passed(); } // on the wall
    std::uint64_t spent() const { return static_cast<std::uint64_t>(m_all - m_left); }
    // Of the budget or the time, 0 .. 1.
    double fractionSpent() const;

private:
    const Progress& m_progress;
    WorkClock m_clock;
    Seconds m_limit;
    double m_all; // work
    double m_left;
    bool m_cutShort = false;
};

} // namespace stagecraft
