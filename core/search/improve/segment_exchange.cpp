#include "core/search/improve/segment_exchange.h"

#include "core/base/contains.h"

#include <algorithm>

namespace stagecraft {

void SegmentExchange::Crossing::add(const ReducedValue& value, int sign)
{
    const auto bytes = [sign](double size) { return Bytes(static_cast<std::int64_t>(size) * sign); };
    forward += bytes(value.forward.bytes);
    backward += bytes(value.backward.bytes);
    letGo += bytes(value.isReleased ? value.forward.bytes : 0);
    inFront += value.inFront * sign;
}

SegmentExchange::SegmentExchange(const ReducedProblem& reduced, const std::vector<ReducedGroupId>& order)
    : m_reduced(reduced),
      m_order(order),
      m_places(reduced.values.size()),
      m_cuts(order.size() + 1),
      m_inside(reduced.values.size())
{
    placeValues();
    sumCuts();
}

void SegmentExchange::placeValues()
{
    std::vector<std::size_t> positions(m_reduced.size());
    for (std::size_t i = 0; i < m_order.size(); ++i)
        positions[m_order[i].index()] = i;
    for (std::size_t v = 0; v < m_places.size(); ++v) {
        const ReducedValue& value = m_reduced.values[v];
        Place& place = m_places[v];
        place = {m_order.size(), 0};
        for (const ReducedGroupId pin : value.pins) {
            place.first = std::min(place.first, positions[pin.index()]);
            place.last = std::max(place.last, positions[pin.index()]);
        }
        if (value.returned)
            place.last = m_order.size() - 1;
    }
}

void SegmentExchange::sumCuts()
{
    for (std::size_t v = 0; v < m_places.size(); ++v) {
        if (m_places[v].first == m_places[v].last)
            continue;
        m_cuts[m_places[v].first + 1].add(m_reduced.values[v], 1);
        m_cuts[m_places[v].last + 1].add(m_reduced.values[v], -1);
    }
    for (std::size_t i = 1; i < m_cuts.size(); ++i) {
        m_cuts[i].forward += m_cuts[i - 1].forward;
        m_cuts[i].backward += m_cuts[i - 1].backward;
    }
}

void SegmentExchange::start(std::size_t end)
{
    m_begin = m_end = end;
    m_keptIn = m_sentKept = m_sentOther = m_sentRead = {};
}

void SegmentExchange::extend(std::size_t k)
{
    m_begin = k;
    const ReducedGroup& group = m_reduced.groups[m_order[k]];
    for (const std::uint32_t value : group.values)
        enter(value, m_order[k], k);
    for (const std::uint32_t value : group.keeps)
        enter(value, m_order[k], k);
}

void SegmentExchange::enter(std::uint32_t index, ReducedGroupId group, std::size_t k)
{
    const ReducedValue& value = m_reduced.values[index];
    const Place& place = m_places[index];
    Inside& inside = m_inside[index];
    if (inside.end != m_end)
        inside = {m_end};
    const Inside before = inside;
    inside.isMade |= value.producer == group;
    inside.isRead |= value.producer == group ? value.readByProducer : contains(value.pins, group);
    inside.isKept |= contains(value.keepers, group);
    inside.isReceived = inside.isKept && place.first < k && k <= place.last;
    if (before.isReceived)
        m_keptIn.add(value, -1);
    if (inside.isReceived)
        m_keptIn.add(value, 1);
    if (place.last < m_end)
        return;
    if (before.isMade && before.isRead)
        m_sentRead.add(value, -1);
    if (before.isMade)
        (before.isKept ? m_sentKept : m_sentOther).add(value, -1);
    if (inside.isMade && inside.isRead)
        m_sentRead.add(value, 1);
    if (inside.isMade)
        (inside.isKept ? m_sentKept : m_sentOther).add(value, 1);
}

HeldBytes SegmentExchange::heldBy(std::size_t stage) const
{
    HeldBytes held;
    const auto bytesOf = [](const Crossing& crossing, bool isKept) {
        return CrossingBytes{.forward = crossing.forward,
                             .backward = crossing.backward,
                             .kept = isKept,
                             .letGo = isKept ? crossing.letGo : Bytes{},
                             .inFront = crossing.inFront};
    };
    const auto received = [&](const Crossing& crossing, bool isKept) {
        if (crossing.forward > Bytes{} || crossing.backward > Bytes{})
            held += m_reduced.runtime.received(stage, bytesOf(crossing, isKept));
    };
    const auto sent = [&](const Crossing& crossing, bool isKept) {
        if (crossing.forward > Bytes{} || crossing.backward > Bytes{})
            held += m_reduced.runtime.sent(stage, bytesOf(crossing, isKept));
    };
    received(m_keptIn, true);
    received(m_cuts[m_begin].without(m_keptIn), false);
    sent(m_sentKept, true);
    sent(m_sentOther, false);
    held += m_reduced.runtime.gradientSum({.forward = m_sentRead.forward, .backward = m_sentRead.backward});
    const Crossing passed = m_cuts[m_end].without(m_sentKept).without(m_sentOther);
    held += m_reduced.runtime.passedOn({.forward = passed.forward, .backward = passed.backward});
    return held;
}

} // namespace stagecraft
