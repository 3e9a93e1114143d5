// What the run-time of the pipeline holds at the least of what crosses the two ends of a stage, wherever the
// nodes are that are not known.
//
//     from                 to
//      │ received: always   │ sent: until its backward; a copy, where it is not row-major
//      │ its gradient:      │ gradients that arrive: always, and the sum with those of what the stage
//      │ while it goes back │ itself does with what it sends
#pragma once

#include "core/chain_crossings.h"
#include "core/plan/runtime_memory.h"

#include <cstddef>
#include <vector>

namespace stagecraft {

// Stages are from one place of the chain to a later one.
class LeastRuntime
{
public:
    // All must outlive it.
    LeastRuntime(const PartitionProblem& problem, const ModelChain& chain, const ChainCrossings& crossings);

    // Bytes, beside what backward needs of what the stage makes. What a stage receives it holds in any case,
    // kept for backward or not: that is not among what its nodes make.
    double held(std::size_t stage, std::size_t from, std::size_t to) const;
    // Of that, sums of gradients, which count among what is alive in turns, too.
    double alsoInTurns(std::size_t stage, std::size_t from, std::size_t to) const;
    // Of each byte of a microbatch that it receives; infinite: it receives nothing.
    double heldOfReceived(std::size_t stage) const;
    // Bytes of a microbatch of what it receives and saves that are its own: what is sent is row-major, and of
    // what is not it makes a copy.
    double copied(std::size_t from, std::size_t to) const;

private:
    Bytes sent(std::size_t stage, std::size_t from, std::size_t to) const;
    Bytes sums(std::size_t stage, std::size_t from, std::size_t to) const;
    double flowing(std::size_t stage, std::size_t from, std::size_t to) const;
    CrossingBytes crossingAt(std::size_t place) const;

    const ModelChain& m_chain;
    const ChainCrossings& m_crossings;
    RuntimeMemory m_runtime;
    std::vector<std::size_t> m_inFlight; // of each stage
};

} // namespace stagecraft
