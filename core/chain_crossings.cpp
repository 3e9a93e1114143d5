#include "core/chain_crossings.h"

#include "core/base/contains.h"
#include "core/plan/runtime_memory.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace stagecraft {

ChainCrossings::ChainCrossings(const RecomputeGround& ground, const ModelChain& chain)
    : m_ground(ground),
      m_chain(chain),
      m_linkOf(chain.nodes.size(), chain.links.size()),
      m_positionOf(chain.nodes.size(), 0),
      m_holds(ground.none.options.runtime != PipelineRuntime::Ideal &&
              ground.none.options.send == SendKind::Relay && stepKindOf(ground.none) == StepKind::Training),
      m_at(chain.places.size()),
      m_gradientsAt(chain.places.size())
{
    for (std::size_t link = 0; link < chain.links.size(); ++link)
        for (std::size_t i = 0; i < chain.links[link].size(); ++i) {
            m_linkOf[chain.links[link][i]] = link;
            m_positionOf[chain.links[link][i]] = i;
        }
    std::map<StorageId, Values> valuesOf;
    for (const ProblemValue& value : ground.none.values)
        if (value.value.index() < ground.storageOf.size())
            if (const auto storage = ground.storageOf[value.value])
                valuesOf[*storage].push_back(&value);
    for (const StorageId id : ground.storages.ids())
        if (const ActivationUse& use = ground.storages[id]; use.bytes > Bytes{}) {
            const auto values = valuesOf.find(id);
            add(id, use, values == valuesOf.end() ? Values{} : values->second);
        }
    if (m_holds)
        for (const ProblemValue& value : ground.none.values)
            addGradient(value);
    for (std::vector<ChainCrossing>& crossings : m_at)
        std::ranges::stable_sort(crossings, std::ranges::greater(), &ChainCrossing::link);
}

// For certain.
bool ChainCrossings::isBefore(NodeId node, const ChainPlace& place) const
{
    const std::size_t link = m_linkOf[node];
    return link < m_chain.links.size() && place.isBehind(link, m_positionOf[node]);
}

// Likewise.
bool ChainCrossings::isBehind(NodeId node, const ChainPlace& place) const
{
    const std::size_t link = m_linkOf[node];
    return link < m_chain.links.size() && place.isBefore(link, m_positionOf[node]);
}

void ChainCrossings::addGradient(const ProblemValue& value)
{
    if (value.backwardBytes <= Bytes{} || m_linkOf[value.producer] == m_chain.links.size())
        return;
    const std::size_t first = m_linkOf[value.producer];
    std::size_t last = value.returned ? m_chain.links.size() : first;
    for (const NodeId reader : value.readers)
        if (m_linkOf[reader] < m_chain.links.size())
            last = std::max(last, m_linkOf[reader]);
    for (auto place = std::ranges::lower_bound(m_chain.places, first, {}, &ChainPlace::link);
         place != m_chain.places.end() - 1 && place->link <= last; ++place) {
        const auto isAhead = [&](NodeId node) { return isBefore(node, *place); };
        const auto isLater = [&](NodeId node) { return isBehind(node, *place); };
        if (isAhead(value.producer) && (value.returned || std::ranges::any_of(value.readers, isLater)))
            m_gradientsAt[static_cast<std::size_t>(place - m_chain.places.begin())].push_back(
                {first, m_positionOf[value.producer], value.backwardBytes,
                 std::ranges::any_of(value.readers, isAhead), firstBehind(value.readers, *place)});
    }
}

std::size_t ChainCrossings::firstBehind(const std::vector<NodeId>& readers, const ChainPlace& place) const
{
    std::size_t link = m_chain.links.size();
    for (const NodeId reader : readers)
        link = isBehind(reader, place) ? std::min(link, m_linkOf[reader]) : link;
    return link;
}

double ChainCrossings::heldOf(const Values& values, const ChainPlace& place, Sent sent) const
{
    const auto isLater = [&](NodeId node) { return isBehind(node, place); };
    double held = 0;
    for (const ProblemValue* const value : values)
        if ((m_ground.isCopied[value->value] != 0) == (sent == Sent::Copy) &&
            isBefore(value->producer, place) &&
            (value->returned || std::ranges::any_of(value->readers, isLater)))
            held += value->forwardBytes.asDouble();
    return held;
}

// Who saves it reads all of it, as made before the place: if that is behind the place, it is sent.
bool ChainCrossings::isSavedOrHeld(const ActivationUse& use, const Values& values,
                                   const ChainPlace& place) const
{
    const auto isSaver = [&](NodeId reader) { return contains(use.savers, reader); };
    return std::ranges::any_of(values, [&](const ProblemValue* value) {
        return m_ground.isCopied[value->value] == 0 && value->forwardBytes >= use.bytes &&
               isBefore(value->producer, place) && std::ranges::any_of(value->readers, isSaver);
    });
}

void ChainCrossings::add(StorageId id, const ActivationUse& use, const Values& values)
{
    const std::size_t first = m_linkOf[use.maker];
    if (first == m_chain.links.size())
        return;
    // Behind the link of a saver, and of all that read what it holds, it is of one stage.
    std::size_t saver = use.isNeeded ? m_chain.links.size() : first, last = first;
    for (const NodeId node : use.savers)
        saver = std::min(saver, m_linkOf[node]);
    for (const ProblemValue* const value : values) {
        for (const NodeId reader : value->readers)
            if (m_linkOf[reader] < m_chain.links.size())
                last = std::max(last, m_linkOf[reader]);
        last = value->returned ? m_chain.links.size() : last;
    }
    last = std::max(saver, m_holds ? last : first);
    for (auto place = std::ranges::lower_bound(m_chain.places, first, {}, &ChainPlace::link);
         place != m_chain.places.end() - 1 && place->link <= last; ++place) {
        // Of a span it is not known whether its link's are before it: then they may be.
        const bool isMade = isBefore(use.maker, *place);
        if (!isMade && !(place->isSpan && first == place->link))
            continue;
        ChainCrossing crossing{.storage = id,
                               .maker = use.maker,
                               .link = first,
                               .position = m_positionOf[use.maker],
                               .bytes = use.bytes.asDouble(),
                               .isNeeded = use.isNeeded};
        crossing.isSaved = crossing.isSavedBefore = std::ranges::any_of(
            use.savers, [&](NodeId node) { return node == use.maker || isBefore(node, *place); });
        if (m_holds && isMade && use.isNeeded && isSavedOrHeld(use, values, *place)) {
            crossing.isSaved = true;
            if (!std::isfinite(m_ground.needs[use.maker].again.value()))
                crossing.savedOrHeld = crossing.bytes;
        }
        crossing.nextSaver = firstBehind(use.savers, *place);
        if (m_holds && isMade) {
            crossing.held = std::min(crossing.bytes, heldOf(values, *place, Sent::Itself));
            crossing.copied = heldOf(values, *place, Sent::Copy);
        }
        if (crossing.held + crossing.copied + crossing.savedOrHeld > 0 ||
            (crossing.isNeeded && !crossing.isSavedBefore))
            m_at[static_cast<std::size_t>(place - m_chain.places.begin())].push_back(crossing);
    }
}

} // namespace stagecraft
