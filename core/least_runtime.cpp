#include "core/least_runtime.h"

#include "core/plan/saved_bytes.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cstdint>

namespace stagecraft {

namespace {

constexpr double roundedOff = 1e-9; // must never be too much

Bytes wholeBytes(double bytes)
{
    return Bytes(static_cast<std::int64_t>(bytes * (1 - roundedOff)));
}

} // namespace

LeastRuntime::LeastRuntime(const PartitionProblem& problem, const ModelChain& chain,
                           const ChainCrossings& crossings)
    : m_chain(chain),
      m_crossings(crossings),
      m_runtime(problem.options, stepKindOf(problem)),
      m_inFlight(wholeInFlight(problem.options))
{
}

double LeastRuntime::held(std::size_t stage, std::size_t from, std::size_t to) const
{
    HeldBytes held;
    if (stage > 0)
        held += m_runtime.received(stage, crossingAt(from));
    if (stage + 1 < m_inFlight.size()) {
        held += m_runtime.gradientBuffers(crossingAt(to));
        held.state += sent(stage, from, to) + sums(stage, from, to);
    }
    return held.of(m_inFlight[stage]).asDouble() + flowing(stage, from, to);
}

double LeastRuntime::alsoInTurns(std::size_t stage, std::size_t from, std::size_t to) const
{
    return stage + 1 < m_inFlight.size() ? sums(stage, from, to).asDouble() : 0;
}

double LeastRuntime::heldOfReceived(std::size_t stage) const
{
    constexpr CrossingBytes oneGiB{.forward = Bytes(std::int64_t{1} << 30), .backward = {}};
    return stage > 0 ? m_runtime.received(stage, oneGiB).of(m_inFlight[stage]).asDouble() /
                           oneGiB.forward.asDouble()
                     : infinite;
}

double LeastRuntime::copied(std::size_t from, std::size_t to) const
{
    double bytes = 0;
    for (const ChainCrossing& crossing : m_crossings.at(from))
        if (crossing.copied > 0 && crossing.nextSaver < m_chain.places[to].link)
            bytes += crossing.bytes;
    return bytes;
}

// What it holds always of what it sends and makes itself, for certain.
Bytes LeastRuntime::sent(std::size_t stage, std::size_t from, std::size_t to) const
{
    const ChainPlace& begin = m_chain.places[from];
    double sent = 0;
    for (const ChainCrossing& crossing : m_crossings.at(to)) {
        if (crossing.link < begin.link)
            break; // and all that follow
        if (begin.isBefore(crossing.link, crossing.position))
            sent += crossing.held + crossing.copied;
    }
    const CrossingBytes made{.forward = wholeBytes(sent), .backward = {}, .kept = true};
    return std::max(Bytes{}, m_runtime.sent(stage, made).state - m_runtime.gradientBuffers(made).state);
}

// Of gradients that arrive, for certain: the sum with those of what it does itself with what it makes and
// sends, or the copy of what it passes on.
Bytes LeastRuntime::sums(std::size_t stage, std::size_t from, std::size_t to) const
{
    const ChainPlace& begin = m_chain.places[from];
    Bytes sums;
    for (const CrossingGradient& gradient : m_crossings.gradientsAt(to)) {
        const CrossingBytes value{.forward = {}, .backward = gradient.bytes};
        if (begin.isBefore(gradient.link, gradient.position) && gradient.isReadBefore)
            sums += m_runtime.gradientSum(value).state;
        else if (stage > 0 && begin.isBehind(gradient.link, gradient.position))
            sums += m_runtime.passedOn(value).state - m_runtime.gradientBuffers(value).state;
    }
    return sums;
}

// While it goes back: the gradient of what it receives and reads, and an earlier stage reads, too.
double LeastRuntime::flowing(std::size_t stage, std::size_t from, std::size_t to) const
{
    double bytes = 0;
    for (const CrossingGradient& gradient : m_crossings.gradientsAt(from))
        if (stage > 0 && gradient.isReadBefore && gradient.nextReader < m_chain.places[to].link)
            bytes += gradient.bytes.asDouble();
    return m_runtime.holdsNothing() ? 0 : bytes;
}

CrossingBytes LeastRuntime::crossingAt(std::size_t place) const
{
    const TransferSize& crosses = m_chain.places[place].crosses;
    return {.forward = wholeBytes(crosses.bytes - crosses.gradientBytes),
            .backward = wholeBytes(crosses.gradientBytes)};
}

} // namespace stagecraft
