// Sums of gradients that went past nodes: of a value that several read, two of whom handed on what they got.
//
//     y = x + f(x), read late again:   grad of y ──┬─► + ─► ... grad of x
//                                grad from there ──┘   └ neither is of the node that runs
//
// A stage that was sent x, and hands it on, adds these up when its backward pass has ended; autograd would at
// once. Who makes x adds them up like autograd.
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <utility>

namespace stagecraft {

// By operator and the storage that it makes or writes to: for which node, the one that reads it next, or a
// sum of it.
using PassedSums = std::map<std::pair<std::uint32_t, StorageId>, NodeId>;

PassedSums passedSums(const Trace& trace);

} // namespace stagecraft
