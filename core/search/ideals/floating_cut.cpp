#include "core/search/ideals/floating_cut.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// What rounding may add to a sum of flows.
constexpr double roundingSlack = 1e-12;

} // namespace

FloatingCut::FloatingCut(std::vector<Item> items, std::vector<double> times, double speed,
                         std::optional<double> speedBehind)
    : m_items(std::move(items)),
      m_times(std::move(times)),
      m_speed(speed),
      m_speedBehind(speedBehind),
      m_itemsOf(m_times.size()),
      m_ends(m_items.size()),
      m_left(m_items.size(), 0),
      m_seen(m_items.size(), 0),
      m_spent(m_times.size(), 0)
{
    for (std::uint32_t i = 0; i < m_items.size(); ++i) {
        for (const std::uint32_t group : m_items[i].floats)
            m_itemsOf[group].push_back(i);
    }
    if (m_speedBehind)
        chooseShares();
}

// At such a share it makes no difference whether a group is inside or outside, so each is exact for some
// groups; they are spread evenly over all.
void FloatingCut::chooseShares()
{
    std::vector<double> all;
    for (std::uint32_t group = 0; group < m_times.size(); ++group) {
        double price = 0;
        for (const std::uint32_t item : m_itemsOf[group])
            price += m_items[item].floats.size() == 1 ? m_items[item].price : 0;
        const double share = price * *m_speedBehind / std::max(m_times[group], 1e-300);
        if (share > 0)
            all.push_back(std::min(share, 1.0));
    }
    std::ranges::sort(all);
    for (std::size_t i = 0; i < shareCount && !all.empty(); ++i)
        m_shares[i] = all[(2 * i + 1) * all.size() / (2 * shareCount)];
}

// What crosses for sure is counted elsewhere and has nothing left.
void FloatingCut::attach(BitSpan inside, BitSpan outside, std::span<const Side> sides)
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const Item& item = m_items[i];
        Ends ends{item.inside || meets(item.bits, inside), item.outside || meets(item.bits, outside)};
        for (const std::uint32_t group : item.floats) {
            ends.inside |= sides[group] == Side::Inside;
            ends.outside |= sides[group] == Side::Outside;
        }
        m_ends[i] = ends;
        m_left[i] = ends.inside && ends.outside ? 0 : item.price;
    }
}

// Sends up to `amount` from an open group through what it reads or makes to the outside. Where that is less,
// there is nothing left for who comes to it again.
double FloatingCut::pushFrom(std::uint32_t group, double amount, std::span<const Side> sides)
{
    double sent = 0;
    if (m_spent[group] == m_search)
        return sent;
    for (const std::uint32_t next : m_itemsOf[group]) {
        if (sent >= amount)
            break;
        ++m_steps;
        if (m_seen[next] == m_search || m_left[next] <= 0 || m_ends[next].inside)
            continue;
        const double most = std::min(amount - sent, m_left[next]);
        if (m_ends[next].outside) {
            m_left[next] -= most;
            sent += most;
        } else {
            sent += push(next, most, sides);
        }
    }
    if (sent < amount)
        m_spent[group] = m_search;
    return sent;
}

// Likewise from a value.
double FloatingCut::push(std::uint32_t item, double amount, std::span<const Side> sides)
{
    m_seen[item] = m_search;
    double sent = 0;
    for (const std::uint32_t group : m_items[item].floats) {
        if (sent >= amount)
            break;
        ++m_steps;
        if (sides[group] == Side::Open)
            sent += pushFrom(group, amount - sent, sides);
    }
    m_left[item] -= sent;
    return sent;
}

// Open groups that are inside take time: what is left of the values inside flows into that.
double FloatingCut::addInside(std::span<const Side> sides) const
{
    double sum = 0;
    for (std::uint32_t group = 0; group < m_times.size(); ++group) {
        if (sides[group] != Side::Open)
            continue;
        // Each value serves the first of its open groups alone; a simple way to count none twice.
        double flow = 0;
        for (const std::uint32_t item : m_itemsOf[group]) {
            const auto first = std::ranges::find_if(
                m_items[item].floats, [&](std::uint32_t other) { return sides[other] == Side::Open; });
            if (m_ends[item].inside && *first == group)
                flow += m_left[item];
        }
        sum += std::min(flow, m_times[group] / m_speed);
    }
    return sum;
}

// Open groups that are outside take time that is not done yet.
double FloatingCut::addOutside(double share, std::span<const Side> sides)
{
    double sum = 0;
    for (std::uint32_t group = 0; group < m_times.size(); ++group) {
        if (sides[group] != Side::Open)
            continue;
        ++m_search;
        sum += pushFrom(group, m_times[group] * share / *m_speedBehind, sides);
    }
    return sum;
}

FloatingCut::Least FloatingCut::least(BitSpan inside, BitSpan outside, std::span<const Side> sides)
{
    if (std::ranges::find(sides, Side::Open) == sides.end())
        return {};
    attach(inside, outside, sides);
    Least least;
    for (std::uint32_t item = 0; item < m_items.size(); ++item) {
        if (!m_ends[item].inside || m_left[item] <= 0)
            continue;
        ++m_search;
        least.transfer += push(item, m_left[item], sides);
    }
    least.transfer *= 1 - roundingSlack;
    least.withInside = least.transfer + addInside(sides) * (1 - roundingSlack);
    if (!m_speedBehind)
        return least;
    m_kept = m_left;
    for (std::size_t i = 0; i < shareCount; ++i) {
        m_left = m_kept;
        least.withOutside[i] = least.transfer + addOutside(m_shares[i], sides) * (1 - roundingSlack);
    }
    return least;
}

} // namespace stagecraft
