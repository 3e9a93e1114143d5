// What a device does beside computing, in the places where torch.distributed.pipelining puts it
// (schedules.py: _add_unshard_reshard, _add_reduce_grad, _add_send_recv).
#pragma once

#include "core/schedule/schedule.h"

namespace stagecraft {

// Cells such as "0F1", "0SEND_F1", "2UNSHARD", by device. The schedule is one that checkSchedule() accepts.
// Where several stages are given up at once torch's order is that of a Python set; here the lowest is first.
std::vector<std::vector<std::string>> cellsWithTransfers(const Schedule& schedule);

} // namespace stagecraft
