// What a device does beside computing, in the places where torch.distributed.pipelining puts it
// (schedules.py: _add_unshard_reshard, _add_reduce_grad, _add_send_recv, _add_wait_send).
#pragma once

#include "core/schedule/schedule.h"

#include <cstdint>
#include <string>
#include <vector>

namespace stagecraft {

// Since PyTorch 2.15 tables with transfers say where a device waits for what it sends and for sums of
// gradients, and are refused without; earlier versions do not know these words, and read them as others.
enum class CsvWaits : std::uint8_t {
    Implied, // 2.6 to 2.14
    Written, // "0WAIT_SEND_F1", "0WAIT_REDUCE_GRAD"
};

// Cells such as "0F1", "0SEND_F1", "2UNSHARD", by device. The schedule is one that checkSchedule() accepts.
// Where several stages are given up at once the order of torch up to 2.14 is that of a Python set; here the
// lowest is first.
std::vector<std::vector<std::string>> cellsWithTransfers(const Schedule& schedule, CsvWaits waits);

} // namespace stagecraft
