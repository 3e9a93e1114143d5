// What is wrong with an action table, and where.
#pragma once

#include "core/schedule/schedule.h"

#include <optional>

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

} // namespace stagecraft
