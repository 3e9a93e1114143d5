#include "core/recompute_caps.h"

#include "core/base/sort_unique.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace stagecraft {

namespace {

constexpr std::size_t mostSizes = 8;
constexpr double nextCap = 1.05;        // times the one before
constexpr std::size_t capsTogether = 4; // are looked at first
constexpr double coarseBelow = 64;      // part of the largest storage: of less, no caps between sizes

// More than that no stage has alive at once.
double mostAtOnce(const RecomputeGround& ground)
{
    double bytes = 0, moment = 0;
    for (const NodeNeeds& needs : ground.needs)
        for (const NodeNeeds::Made& made : needs.made)
            bytes += made.bytes.asDouble();
    for (const NodeMoments& of : ground.moments)
        moment = std::max({moment, of.forwardPeak.asDouble(), of.backwardTop.asDouble()});
    return std::min(bytes + moment, std::ranges::max(ground.none.options.memoryLimits).asDouble());
}

} // namespace

RecomputeCaps::RecomputeCaps(const RecomputeGround& ground, Again again)
{
    findSizes(ground);
    if (again == Again::Nothing)
        m_sizes.resize(1); // of storages of no bytes
    const double all = mostAtOnce(ground);
    for (std::size_t size = 0; size < m_sizes.size(); ++size) {
        m_caps.push_back(capsOf(size, all));
        for (std::size_t first = 0; first < m_caps[size].size(); first += capsTogether)
            m_together.push_back({size, first, std::min(first + capsTogether, m_caps[size].size())});
    }
}

void RecomputeCaps::findSizes(const RecomputeGround& ground)
{
    std::vector<Bytes> sizes{Bytes{}};
    for (const NodeNeeds& needs : ground.needs)
        for (const NodeNeeds::Made& made : needs.made)
            if (made.isNeeded && std::isfinite(needs.again.value()))
                sizes.push_back(made.atOnce);
    sortUnique(sizes);
    for (const Bytes size : sizes)
        m_sizes.push_back({size, size});
    while (m_sizes.size() > mostSizes) { // those that are nearest to the next
        std::size_t nearest = 1;
        for (std::size_t i = 1; i + 1 < m_sizes.size(); ++i)
            if (m_sizes[i + 1].most - m_sizes[i].least < m_sizes[nearest + 1].most - m_sizes[nearest].least)
                nearest = i;
        m_sizes[nearest + 1].least = m_sizes[nearest].least;
        m_sizes.erase(m_sizes.begin() + static_cast<std::ptrdiff_t>(nearest));
    }
}

std::vector<Bytes> RecomputeCaps::capsOf(std::size_t size, double all) const
{
    const double largest = m_sizes[size].most.asDouble();
    const bool isLast = size + 1 == m_sizes.size() && largest > 0;
    const double end = isLast ? std::max(largest, all) : largest;
    const double fine = m_sizes.back().most.asDouble() / coarseBelow;
    double cap = size > 0 ? m_sizes[size - 1].most.asDouble() : 0;
    std::vector<Bytes> caps;
    do {
        cap = cap >= fine ? cap * nextCap : end < fine ? end : std::max(fine, m_sizes[size].least.asDouble());
        caps.push_back(Bytes(static_cast<std::int64_t>(std::ceil(std::min(cap, end)))));
    } while (cap < end);
    return caps;
}

Bytes RecomputeCaps::before(const Together& caps) const
{
    if (caps.first > 0)
        return m_caps[caps.size][caps.first - 1];
    return caps.size > 0 ? m_sizes[caps.size - 1].most : Bytes{};
}

} // namespace stagecraft
