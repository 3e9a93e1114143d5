#include "core/chain_places.h"

#include "core/base/sort_unique.h"
#include "core/chain_floats.h"
#include "core/plan/stage_cost.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace stagecraft {

namespace {

// Where a link has more places within, about so many spans of its time; where it has far more, these alone.
constexpr std::size_t mostWithin = 400;
constexpr std::size_t mostMembers = 4000;
constexpr std::size_t spans = 48;
// Up to which it is known what crosses each.
constexpr std::size_t mostIdeals = 12000;

using UnitSet = std::uint64_t; // nodes of a link that must be together, by bits
constexpr std::size_t mostUnits = 64;

// Finds the places of a chain, and what crosses each.
class PlaceMaker
{
public:
    PlaceMaker(const PartitionProblem& problem, const ModelChain& chain, Members members)
        : m_problem(problem),
          m_chain(chain),
          m_members(members),
          m_floats(problem, chain.links),
          m_linkOf(problem.nodes.size(), none),
          m_at(problem.nodes.size(), 0),
          m_before(problem.nodes.size())
    {
        for (std::size_t link = 0; link < chain.links.size(); ++link)
            for (std::size_t i = 0; i < chain.links[link].size(); ++i) {
                m_linkOf[chain.links[link][i]] = link;
                m_at[chain.links[link][i]] = i;
            }
        for (const Precedence& edge : problem.precedences)
            if (m_linkOf[edge.before] == m_linkOf[edge.after])
                m_before[edge.after].push_back(edge.before);
        findPassing();
        findGroups();
    }

    std::vector<ChainPlace> make()
    {
        for (std::size_t link = 0; link < m_chain.links.size(); ++link) {
            addBetween(link);
            if (m_chain.links[link].size() > 1)
                addWithin(link);
        }
        addBetween(m_chain.links.size());
        for (ChainPlace& place : m_places)
            place.mostIdle = mostIdle(place);
        return std::move(m_places);
    }
    // That have been made.
    bool hasMembers() const { return m_hasMembers; }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    // A value that has to do with a link.
    struct Touching
    {
        const ProblemValue* value;
        std::size_t first; // the producer's link
        std::size_t last;  // that of the last reader
    };

    // Of each link what crosses all places in it, and what may cross some.
    void findPassing()
    {
        const std::size_t count = m_chain.links.size();
        m_passing.resize(count + 1);
        m_touching.resize(count + 1);
        if (m_problem.options.send != SendKind::Relay || m_problem.stageCount() < 2)
            return; // what is sent to each reader does not add up by places: nothing is counted
        std::vector<TransferSize> begins(count + 2), ends(count + 2);
        for (const ProblemValue& value : m_problem.values) {
            const std::size_t first = m_linkOf[value.producer];
            if (first == none)
                continue;
            std::size_t last = first;
            for (const NodeId reader : value.readers)
                if (m_linkOf[reader] != none)
                    last = std::max(last, m_linkOf[reader]);
            if (value.returned)
                last = count;
            m_touching[first].push_back({&value, first, last});
            if (last == first)
                continue;
            m_touching[last].push_back({&value, first, last});
            begins[first + 1] += sizeOf(value);
            ends[last] += sizeOf(value);
        }
        TransferSize passing;
        for (std::size_t link = 0; link <= count; ++link) {
            passing += begins[link];
            passing -= ends[link];
            m_passing[link] = passing;
        }
    }

    static TransferSize sizeOf(const ProblemValue& value)
    {
        TransferSize size = forwardSize(value);
        size += backwardSize(value);
        return size;
    }

    // Places that would part what must be together: before those links, and within.
    void findGroups()
    {
        m_isParted.assign(m_chain.links.size() + 1, 0);
        m_groups.resize(m_chain.links.size());
        for (const Colocation& group : m_problem.groups) {
            std::size_t first = none, last = 0;
            for (const NodeId node : group.nodes)
                if (m_linkOf[node] != none) {
                    first = std::min(first, m_linkOf[node]);
                    last = std::max(last, m_linkOf[node]);
                }
            if (first == none)
                continue;
            for (std::size_t link = first + 1; link <= last; ++link)
                m_isParted[link] = 1;
            for (std::size_t link = first; link <= last; ++link)
                m_groups[link].push_back({&group, first < link, link < last});
        }
    }

    bool isInside(const ChainPlace& place, NodeId node) const
    {
        const std::size_t link = m_linkOf[node];
        return link < place.link || (link == place.link && !place.inside.empty() && place.inside[m_at[node]]);
    }

    bool partsGroup(const ChainPlace& place) const
    {
        if (place.isBetween())
            return m_isParted[place.link] != 0;
        return std::ranges::any_of(m_groups[place.link], [&](const GroupAt& at) {
            bool isIn = at.isBefore, isOut = at.isBehind;
            for (const NodeId node : at.group->nodes)
                if (m_linkOf[node] == place.link)
                    (isInside(place, node) ? isIn : isOut) = true;
            return isIn && isOut;
        });
    }

    void addBetween(std::size_t link)
    {
        ChainPlace place{.link = link};
        if (partsGroup(place))
            return;
        place.crosses = crossing(place);
        m_places.push_back(std::move(place));
    }

    static ChainFloats::At atOf(const ChainPlace& place)
    {
        return place.isBetween() ? ChainFloats::At::Before : ChainFloats::At::Within;
    }

    // Of whole spans nobody knows what is between two of their places; else what floats must be there.
    std::size_t mostIdle(const ChainPlace& place) const
    {
        if (place.isSpan || m_problem.options.emptyStages == EmptyStages::Allow)
            return m_problem.stageCount();
        return m_floats.countAt(place.link, atOf(place));
    }

    TransferSize crossing(const ChainPlace& place) const
    {
        TransferSize crosses = m_passing[place.link];
        crosses += m_floats.crossing(place.link, atOf(place));
        for (const Touching& touching : m_touching[place.link]) {
            const ProblemValue& value = *touching.value;
            const bool isOutside =
                touching.last > place.link || std::ranges::any_of(value.readers, [&](NodeId reader) {
                    return m_linkOf[reader] == place.link && !isInside(place, reader);
                });
            if (isOutside && isInside(place, value.producer))
                crosses += sizeOf(value);
        }
        return crosses;
    }

    // The nodes of a link that must be together, each with what must be before it, as positions of these.
    struct Unit
    {
        std::vector<std::size_t> nodes;
        std::vector<std::size_t> before; // nodes
    };

    std::vector<Unit> unitsOf(std::size_t link) const
    {
        const std::vector<NodeId>& nodes = m_chain.links[link];
        std::vector<std::size_t> unitOf(nodes.size());
        std::iota(unitOf.begin(), unitOf.end(), 0);
        for (const GroupAt& at : m_groups[link]) {
            std::optional<std::size_t> joined;
            for (const NodeId node : at.group->nodes)
                if (m_linkOf[node] == link) {
                    const std::size_t other = unitOf[m_at[node]];
                    joined = joined.value_or(other);
                    std::ranges::replace(unitOf, other, *joined);
                }
        }
        std::vector<Unit> units(nodes.size());
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            units[unitOf[i]].nodes.push_back(i);
            for (const NodeId other : m_before[nodes[i]])
                if (unitOf[m_at[other]] != unitOf[i])
                    units[unitOf[i]].before.push_back(m_at[other]);
        }
        std::erase_if(units, [](const Unit& unit) { return unit.nodes.empty(); });
        return units;
    }

    // All ideals of the link's units but the empty one and the whole; none: there are too many, or units hold
    // each other.
    std::optional<std::vector<std::vector<char>>> idealsOf(std::size_t link) const
    {
        const std::vector<Unit> units = unitsOf(link);
        const std::size_t count = m_chain.links[link].size();
        if (units.size() > mostUnits)
            return std::nullopt;
        std::vector<std::size_t> unitOf(count);
        for (std::size_t unit = 0; unit < units.size(); ++unit)
            for (const std::size_t node : units[unit].nodes)
                unitOf[node] = unit;
        std::vector<UnitSet> before(units.size());
        for (std::size_t unit = 0; unit < units.size(); ++unit)
            for (const std::size_t node : units[unit].before)
                before[unit] |= UnitSet{1} << unitOf[node];
        std::vector<UnitSet> found, last{0};
        for (std::size_t size = 1; size < units.size(); ++size) {
            std::vector<UnitSet> next;
            for (const UnitSet ideal : last)
                for (std::size_t unit = 0; unit < units.size(); ++unit)
                    if ((ideal >> unit & 1) == 0 && (before[unit] & ~ideal) == 0)
                        next.push_back(ideal | UnitSet{1} << unit);
            sortUnique(next);
            if (next.empty() || found.size() + next.size() > mostIdeals)
                return std::nullopt;
            found.insert(found.end(), next.begin(), next.end());
            last = std::move(next);
        }
        std::vector<std::vector<char>> all;
        for (const UnitSet ideal : found) {
            std::vector<char>& inside = all.emplace_back(count, char{0});
            for (std::size_t node = 0; node < count; ++node)
                inside[node] = (ideal >> unitOf[node] & 1) != 0;
        }
        return all;
    }

    void addWithin(std::size_t link)
    {
        const auto ideals = idealsOf(link);
        const std::vector<NodeId>& nodes = m_chain.links[link];
        std::vector<ChainPlace> places;
        for (std::size_t ideal = 0; ideals && ideal < ideals->size(); ++ideal) {
            double seconds = 0;
            for (std::size_t i = 0; i < nodes.size(); ++i)
                seconds += (*ideals)[ideal][i] ? m_chain.nodes[nodes[i]].seconds : 0;
            ChainPlace place{.link = link, .inside = (*ideals)[ideal], .least = seconds, .most = seconds};
            if (partsGroup(place))
                continue;
            place.crosses = crossing(place);
            places.push_back(std::move(place));
        }
        if (!ideals)
            addSpans(link);
        else if (places.size() > mostWithin)
            addSpansOf(std::move(places));
        else
            std::ranges::move(places, std::back_inserter(m_places));
    }

    // Nothing is known of where it can be parted but how long all of it takes.
    void addSpans(std::size_t link)
    {
        double seconds = 0;
        for (const NodeId node : m_chain.links[link])
            seconds += m_chain.nodes[node].seconds;
        for (std::size_t i = 0; i < spans; ++i) {
            ChainPlace place{.link = link,
                             .isSpan = true,
                             .least = seconds * static_cast<double>(i) / static_cast<double>(spans),
                             .most = seconds * static_cast<double>(i + 1) / static_cast<double>(spans)};
            place.crosses = m_passing[link];
            place.crosses += m_floats.crossing(link, ChainFloats::At::Within);
            m_places.push_back(std::move(place));
        }
    }

    // Places of a link that take nearly the same are one, which nothing more crosses than any of them; it has
    // them for members, where these are not too many.
    void addSpansOf(std::vector<ChainPlace> places)
    {
        std::ranges::stable_sort(places, {}, &ChainPlace::least); // what is in another stays before it
        m_hasMembers = m_hasMembers || places.size() <= mostMembers;
        const bool areMembers = places.size() <= mostMembers && m_members == Members::Listed;
        const double width = (places.back().least - places.front().least) / static_cast<double>(spans);
        for (auto first = places.begin(), end = first; first != places.end(); first = end) {
            ChainPlace span{.link = first->link, .isSpan = true, .least = first->least};
            span.crosses = first->crosses;
            for (; end != places.end() && end->least <= span.least + width; ++end) {
                span.most = end->most;
                span.crosses = leastOf(span.crosses, end->crosses);
            }
            span.members = areMembers ? static_cast<std::size_t>(end - first) : 0;
            m_places.push_back(std::move(span));
            std::move(first, areMembers ? end : first, std::back_inserter(m_places));
        }
    }

    static TransferSize leastOf(const TransferSize& a, const TransferSize& b)
    {
        TransferSize least{std::min(a.messages, b.messages), 0, std::min(a.fixed, b.fixed),
                           std::min(a.gradientBytes, b.gradientBytes)};
        least.bytes = least.gradientBytes + std::min(a.bytes - a.gradientBytes, b.bytes - b.gradientBytes);
        return least;
    }

    // A group that has to do with a link: are parts of it before it, and behind it?
    struct GroupAt
    {
        const Colocation* group;
        bool isBefore;
        bool isBehind;
    };

    const PartitionProblem& m_problem;
    const ModelChain& m_chain;
    Members m_members;
    ChainFloats m_floats;
    Table<NodeId, std::size_t> m_linkOf; // none: left out
    Table<NodeId, std::size_t> m_at;     // in its link
    Table<NodeId, std::vector<NodeId>> m_before;
    std::vector<TransferSize> m_passing;
    std::vector<std::vector<Touching>> m_touching;
    std::vector<char> m_isParted;
    std::vector<std::vector<GroupAt>> m_groups;
    std::vector<ChainPlace> m_places;
    bool m_hasMembers = false;
};

} // namespace

void addPlaces(const PartitionProblem& problem, Members members, ModelChain& chain)
{
    PlaceMaker maker(problem, chain, members);
    chain.places = maker.make();
    chain.hasMembers = maker.hasMembers();
}

} // namespace stagecraft
