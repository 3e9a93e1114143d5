// What is wrong with an action table, and where.
#pragma once

#include "core/schedule/schedule.h"

#include <optional>
#include <span>
#include <string>

namespace stagecraft {

struct ScheduleFault
{
    std::string what; // "0B0 is there twice"
    std::size_t device = 0;
    std::optional<std::size_t> index; // in the device's row; none: what is wrong is that it is not there
};

// The first thing that keeps the table from running to its end as checkSchedule() means it; none: it runs.
std::optional<ScheduleFault> findFault(const Schedule& schedule);

// "0F3", as in torch's tables.
std::string actionText(const Action& action);

// The actions from `index` on that run as one: what torch's tables have in one cell.
inline std::span<const Action> actionsAsOne(std::span<const Action> row, std::size_t index)
{
    const bool overlaps = row[index].overlaps && index + 1 < row.size();
    return row.subspan(index, overlaps ? 2 : 1);
}
// "0F3"; of two "(0F3;7B1)OVERLAP_F_B".
std::string cellText(std::span<const Action> actions);

} // namespace stagecraft
