// The CSV form of torch.distributed.pipelining: a line a device, a cell a step.
//
//     compute_only    0F0,0F1,0B0,0B1                                    stage, F B I or W, microbatch
//     compute_comms   0UNSHARD,0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,...
//
// Two actions that run as one are a cell "(0F4;7B0)OVERLAP_F_B". What stands beside the actions in the second
// form follows from their order, as torch derives it.
#pragma once

#include "core/schedule/schedule_transfers.h"

namespace stagecraft {

// Named as torch's _load_csv and _dump_csv name them.
enum class CsvForm : std::uint8_t {
    ComputeOnly,
    ComputeComms, // with sends, receives, and the gathering of sharded parameters
};

// Of a version such as "2.15" or "2.14.1+cpu"; fails where that is none.
Result<CsvWaits> csvWaitsOf(std::string_view torchVersion);

// "compute_only", "compute_comms".
std::string_view csvFormName(CsvForm form);
// Reads a name as above; fails with the list of those there are.
Result<CsvForm> parseCsvForm(std::string_view name);

// Lines end as torch ends them, in CR LF. Idle steps are no cells: they say when, not in which order.
std::string printScheduleCsv(const Schedule& schedule, CsvForm form = CsvForm::ComputeOnly,
                             CsvWaits waits = CsvWaits::Implied);

// Any of these forms; empty cells are idle steps. Fails naming row and column, counted from 1, and what the
// cell holds.
Result<Schedule> parseScheduleCsv(std::string_view text);

} // namespace stagecraft
