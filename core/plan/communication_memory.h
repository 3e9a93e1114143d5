// What NCCL takes of a device beside PyTorch's allocator, to exchange what crosses boundaries.
//
//     a device ──┬─ neighbour ──┬─ channel: 10 MiB to receive, 2 MiB to send
//                │              └─ ...        up to 32 over NVLink, 2 over PCIe
//                └─ neighbour ...
//
// By its sources (NCCL 2.30): a receiver has buffers of all three protocols, 512 KiB (LL), 4800 KiB (LL128)
// and 4 MiB (simple), a sender none, each in pieces of 2 MiB; where a receiver reads from the sender the
// simple one is the sender's, and both take 6 (init.cc, computeBuffSizes; transport/p2p.cc, p2pSendSetup and
// p2pRecvSetup). Channels to a neighbour over NVLink: two for each link between them, as a power of 2, and no
// more than rings have, at most 32 (graph/paths.cc). They are made with the first message to a neighbour, and
// stay. One communicator is reckoned with: that of PyTorch's pipelines; sent straight, each pair has its own.
#pragma once

#include "core/plan/problem.h"
#include "core/profile/device/device.h"

#include <cstddef>
#include <string>

namespace stagecraft {

// At most so many to each neighbour. 0 elsewhere than on CUDA.
int communicationChannels(const DeviceSpec& device);

// Of the device that exchanges values with most others.
std::size_t mostNeighbours(const PartitionProblem& problem, const Partition& partition);

// "beside PyTorch's allocator NCCL takes up to 768 MiB of a device ..."; empty: nothing is sent, or not by
// it.
std::string communicationNote(const DeviceSpec& device, const PartitionProblem& problem,
                              const Partition& partition);

} // namespace stagecraft
