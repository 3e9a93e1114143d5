// Which operators of a trace one kernel runs that torch.compile makes, and what such kernels move. Rough: a
// guide to what compiling may bring, by Inductor's rules, held against two steps alone (docs/accuracy.md).
//
//     mm ──► add ──► gelu ──► mul ──► mm     eager: three kernels; add and gelu write what the next reads
//            └──── one kernel ───┘
//
// Pointwise operators, reductions, casts and copies run in one kernel where one reads what another makes,
// over equally many elements, and no other kernel stands between them on any way; at most 64 of them. What is
// made and read inside of a kernel stays in registers, unless something else needs it: another kernel, the
// backward pass, the caller. Matrix products, convolutions, attention and lookups are called as they are;
// batch norm's statistics are sums of their own. Forward and backward pass are compiled apart: nothing is
// fused across. Left out: siblings that only read the same (horizontal fusion), and the choice of what the
// backward pass computes again (min_cut_rematerialization_partition): memory is that of the trace.
//
// Source: torch/_inductor/scheduler.py (can_fuse, can_fuse_vertical, get_possible_fusions), ir.py
// (ExternKernel) and config.py (max_fusion_size, shape_padding), PyTorch 2.13.
#pragma once

#include "core/profile/cost/traffic.h"
#include "core/profile/device/device.h"

namespace stagecraft {

struct FusedOp
{
    bool fused = false; // with others or alone in a kernel that is made; else the operator runs as it is
    OpId kernel{0};     // that it is in: its first operator
    OpTraffic traffic;  // its part of what the kernel moves
    Seconds alone;      // its part of the kernel's time, by bytes
};

Table<OpId, FusedOp> fusedKernels(const Trace& trace, const DeviceSpec& device);

// The device as a compiled step finds it: CUDA graphs hand over all at once, and a CPU's kernels are called
// from one function. Rows of products are filled up (fx_passes/pad_mm.py), the copies uncounted. Nothing that
// the device file was held against was compiled.
DeviceSpec compiledOn(DeviceSpec device);

} // namespace stagecraft
