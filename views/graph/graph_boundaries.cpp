#include "views/graph/graph_boundaries.h"

#include "core/layout/place_positions.h"
#include "views/base/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

// The stretch [from, to) of positions that a value crosses; empty if it never leaves its place.
struct Crossing
{
    std::size_t from = 0;
    std::size_t to = 0;
};

Crossing crossingOf(const Layout& layout, const Value& value)
{
    if (!value.producer || value.users.empty() || !value.isTensor())
        return {};
    const auto& positionOf = layout.tree->positionOf;
    Crossing crossing{positionOf[*value.producer] + 1, 0};
    for (const NodeId user : value.users)
        crossing.to = std::max(crossing.to, positionOf[user] + 1);
    return crossing.to > crossing.from ? crossing : Crossing{};
}

} // namespace

std::vector<std::size_t> boundaryPositions(const Partition& partition)
{
    std::vector<std::size_t> counts(partition.stageCount, 0);
    for (const StageId stage : partition.stageOf)
        ++counts[stage.index()];
    std::vector<std::size_t> positions;
    std::size_t before = 0;
    for (std::size_t i = 0; i + 1 < counts.size(); ++i)
        positions.push_back(before += counts[i]);
    return positions;
}

std::vector<std::size_t> boundaryPositions(const Partition& partition, const RunTree& drawn)
{
    const auto stageOf = [&](NodeId node) { return partition.stageOf[node]; };
    const bool isParted = std::ranges::is_sorted(drawn.order, {}, stageOf);
    const bool isOfSameCount = partition.stageCount == drawn.partition.stageCount;
    return boundaryPositions(isParted || !isOfSameCount ? partition : drawn.partition);
}

double positionY(const Layout& layout, std::size_t position)
{
    return layout.placeY.empty() ? 0 : layout.placeY[std::min(position, layout.placeY.size() - 1)];
}

std::vector<ValueId> valuesAcross(const Layout& layout, std::size_t position)
{
    std::vector<ValueId> values;
    for (const ValueId id : layout.graph->values()) {
        const Crossing crossing = crossingOf(layout, (*layout.graph)[id]);
        if (crossing.from <= position && position < crossing.to)
            values.push_back(id);
    }
    return values;
}

std::optional<ValueId> drawnValue(const Layout& layout, ValueId value)
{
    const Graph& graph = *layout.graph;
    const std::optional<NodeId> producer = graph[value].producer;
    if (!producer || layout.tree->standIn[*producer] == *producer)
        return {};
    const auto& results = graph[*producer].results;
    const auto index = static_cast<std::size_t>(std::ranges::find(results, value) - results.begin());
    const auto& drawn = graph[layout.tree->standIn[*producer]].results;
    return index < drawn.size() ? std::optional(drawn[index]) : std::nullopt;
}

std::vector<double> bytesAcross(const Layout& layout, const Profile* profile)
{
    std::vector<double> bytes(layout.graph->nodeCount() + 2, 0);
    for (const ValueId id : layout.graph->values()) {
        const Crossing crossing = crossingOf(layout, (*layout.graph)[id]);
        if (crossing.to == 0)
            continue;
        const bool isKnown = profile != nullptr && profile->valueBytes.contains(id);
        const double size = isKnown ? profile->valueBytes[id].asDouble() : 1;
        bytes[crossing.from] += size;
        bytes[crossing.to] -= size;
    }
    for (std::size_t i = 1; i < bytes.size(); ++i)
        bytes[i] += bytes[i - 1];
    bytes.pop_back();
    return bytes;
}

QString boundaryText(const BoundaryCost* cost, std::size_t valueCount)
{
    const std::size_t count = cost != nullptr ? cost->values.size() : valueCount;
    QString tensors = count == 1 ? QObject::tr("1 tensor") : QObject::tr("%1 tensors").arg(count);
    if (cost == nullptr)
        return tensors;
    // As the chart below and the table count them: values down, gradients up.
    const Bytes bytes = cost->forwardBytes + cost->backwardBytes;
    const QString sent =
        cost->backwardBytes > Bytes{} ? QObject::tr("%1 both ways").arg(toText(bytes)) : toText(bytes);
    return tensors + QStringLiteral("   ") + sent + QStringLiteral("   ") + toText(cost->time);
}

BoundaryDrag::BoundaryDrag(const Layout& layout, BoundaryId boundary, std::size_t start,
                           std::vector<std::size_t> legal, std::vector<double> bytes)
    : m_placeY(layout.placeY),
      m_boundary(boundary),
      m_start(start),
      m_position(start),
      m_legal(std::move(legal)),
      m_bytes(std::move(bytes))
{
    std::erase_if(m_legal, [&](std::size_t position) { return position >= m_placeY.size(); });
    if (m_legal.empty())
        m_legal.push_back(start);
}

bool BoundaryDrag::moveTo(double y, Magnet magnet, double reach)
{
    const std::size_t before = m_position;
    m_position = nearestPosition(m_placeY, m_legal, y);
    if (magnet == Magnet::On) {
        const auto height = [&](std::size_t position) { return m_placeY[position]; };
        const auto first = std::ranges::lower_bound(m_legal, y - reach, {}, height);
        const auto last = std::ranges::upper_bound(m_legal, y + reach, {}, height);
        for (auto at = first; at < last; ++at) {
            const double gain = m_bytes[m_position] - m_bytes[*at];
            const bool isNearer = std::abs(height(*at) - y) < std::abs(height(m_position) - y);
            if (gain > 0 || (gain == 0 && isNearer))
                m_position = *at;
        }
    }
    return m_position != before;
}

} // namespace stagecraft
