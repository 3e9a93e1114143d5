#include "views/base/cost_origin.h"

#include "views/base/format.h"

#include <QObject>

#include <algorithm>

namespace stagecraft {

QString originText(CostOrigin origin)
{
    switch (origin) {
    case CostOrigin::Estimated:
        return QObject::tr("estimated");
    case CostOrigin::Inexact:
        return QObject::tr("not exact");
    case CostOrigin::Measured:
        return QObject::tr("measured");
    case CostOrigin::Imported:
        return QObject::tr("imported");
    }
    return {};
}

QString originText(const Profile& profile, std::span<const NodeId> nodes)
{
    const auto has = [&](CostOrigin origin) {
        return std::ranges::any_of(nodes, [&](NodeId node) { return profile.nodes[node].origin == origin; });
    };
    if (nodes.empty() || has(CostOrigin::Inexact))
        return originText(nodes.empty() ? CostOrigin::Estimated : CostOrigin::Inexact);
    const CostOrigin first = profile.nodes[nodes.front()].origin;
    const bool isMixed =
        std::ranges::any_of(nodes, [&](NodeId node) { return profile.nodes[node].origin != first; });
    return isMixed ? QObject::tr("mixed") : originText(first);
}

QString originNote(const Profile& profile)
{
    const auto count = [&](CostOrigin origin) {
        return static_cast<std::size_t>(std::ranges::count(profile.nodes, origin, &NodeCost::origin));
    };
    QStringList notes;
    if (count(CostOrigin::Measured) > 0)
        notes << QObject::tr("times measured");
    if (count(CostOrigin::Imported) > 0)
        notes << QObject::tr("times imported");
    if (const std::size_t inexact = count(CostOrigin::Inexact); inexact > 0)
        notes << QObject::tr("not exact: %1 costed by size").arg(opCountText(inexact));
    return notes.join(QStringLiteral(" · "));
}

} // namespace stagecraft
