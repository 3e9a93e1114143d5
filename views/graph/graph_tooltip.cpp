#include "views/graph/graph_tooltip.h"

#include "core/exchange/overlay_text.h"
#include "core/layout/item_text.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/item_detail.h"

#include <QCoreApplication>

#include <algorithm>

namespace stagecraft {

namespace {

QString row(const QString& name, const QString& value)
{
    return value.isEmpty() ? QString()
                           : QStringLiteral("<tr><td>%1&nbsp;&nbsp;</td><td>%2</td></tr>")
                                 .arg(name, value.toHtmlEscaped());
}

QString bytesText(Bytes bytes)
{
    return bytes > Bytes(0) ? toText(bytes) : QString();
}

QString timeText(Seconds time, Seconds total)
{
    if (time <= Seconds(0))
        return {};
    QString shown = toText(time);
    if (total > Seconds(0))
        shown += QStringLiteral(", ") + percentText(time / total);
    return shown;
}

// What running some of them again takes, and what is kept where none is.
QString againRows(const PlanView& plan, const std::vector<NodeId>& nodes, const NodeCost& cost)
{
    if (!plan.again || std::ranges::none_of(nodes, [&](NodeId node) { return plan.again->runs(node); }))
        return {};
    Bytes without;
    if (plan.again->without)
        for (const NodeId node : nodes)
            without += plan.again->without->nodes[node].savedBytes;
    return row(QObject::tr("… if nothing ran again"), bytesText(without)) +
           row(QObject::tr("Run again in backward"), timeText(cost.recomputed.time, cost.time()));
}

QString costRows(const PlanView& plan, const std::vector<NodeId>& nodes)
{
    if (!plan.profile)
        return {};
    NodeCost cost;
    for (const NodeId node : nodes)
        if (plan.profile->nodes.contains(node))
            cost += plan.profile->nodes[node];
    const Seconds total = plan.profile->totals.timeForward + plan.profile->totals.timeBackward;
    QString time = timeText(cost.time(), total);
    if (!time.isEmpty())
        time += QStringLiteral(" (%1)").arg(originText(*plan.profile, nodes));
    return row(QObject::tr("Time"), time) + row(QObject::tr("Makes"), bytesText(cost.outputBytes)) +
           row(QObject::tr("Kept for backward"), bytesText(cost.savedBytes)) + againRows(plan, nodes, cost) +
           row(QObject::tr("Parameters"), bytesText(cost.parameterBytes));
}

QString nodeRows(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    return row(QObject::tr("Operator"), shownText(node.target)) +
           row(QObject::tr("Module"), shownText(graph.modules()[node.module].path)) +
           row(QObject::tr("Op"), opNumberText(id, graph.nodeCount()));
}

// What an operator is called beside others: its result's name, and where it stands.
QString nodeText(const Graph& graph, NodeId node)
{
    const QString name = shownText(graph[node].name);
    const QString module = shownText(graph.modules()[graph[node].module].path);
    return module.isEmpty() ? name : QStringLiteral("%1 (%2)").arg(name, module);
}

struct EdgeText
{
    QString name;
    QString shape;
    QString bytes;
    QString from;
    QString to;
};

EdgeText edgeText(const Layout& layout, const PlanView& plan, ValueId id)
{
    const Graph& graph = *layout.graph;
    const Value& value = graph[id];
    EdgeText text{.name = shownText(value.name)};
    text.shape = value.meta ? shownText(metaText(*value.meta)) : QString();
    if (plan.profile && plan.profile->valueBytes.contains(id))
        text.bytes = bytesText(plan.profile->valueBytes[id]);
    text.from = value.producer ? nodeText(graph, *value.producer) : QObject::tr("an input of the model");
    if (!value.users.empty())
        text.to = nodeText(graph, value.users.front());
    if (value.users.size() > 1)
        text.to += QObject::tr(" and %1 more").arg(value.users.size() - 1);
    return text;
}

QString ownRows(const Overlay* overlay, const Layout& layout, ItemId id)
{
    const std::vector<NodeId> nodes = overlay ? nodesShownBy(layout, id) : std::vector<NodeId>();
    if (nodes.empty())
        return {};
    QString rows;
    const LayoutItem& item = layout.items[id];
    for (std::size_t i = 0; i < overlay->figures.size(); ++i)
        if (const auto value = item.node ? overlayFigure(*overlay, *layout.graph, i, *item.node)
                                         : overlayFigure(*overlay, *layout.graph, i, nodes))
            rows += row(shownText(overlay->figures[i].name).toHtmlEscaped(),
                        shownText(figureText(overlay->figures[i], *value)));
    if (item.node && !overlay->nodes[*item.node].note.empty())
        rows += row(QObject::tr("Note"), shownText(overlay->nodes[*item.node].note));
    return rows;
}

} // namespace

QString edgeTooltip(const Layout& layout, const PlanView& plan, const std::vector<ValueId>& values)
{
    constexpr std::size_t shownValues = 4;
    QString shown;
    for (std::size_t i = 0; i < std::min(values.size(), shownValues); ++i) {
        const EdgeText text = edgeText(layout, plan, values[i]);
        shown += QStringLiteral("<b>%1</b><table>%2</table>")
                     .arg(text.name.toHtmlEscaped(),
                          row(QObject::tr("Tensor"), text.shape) + row(QObject::tr("Bytes"), text.bytes) +
                              row(QObject::tr("From"), text.from) + row(QObject::tr("To"), text.to));
    }
    if (values.size() > shownValues)
        shown += QObject::tr("and %1 more values").arg(values.size() - shownValues);
    return shown;
}

QString edgeDescription(const Layout& layout, const PlanView& plan, const std::vector<ValueId>& values)
{
    if (values.empty())
        return {};
    const EdgeText text = edgeText(layout, plan, values.front());
    return QObject::tr("Edge: %1, %2, %3, from %4 to %5")
        .arg(text.name, text.shape, text.bytes, text.from, text.to);
}

QString itemTooltip(const Layout& layout, const PlanView& plan, ItemId id, const Overlay* overlay)
{
    const LayoutItem& item = layout.items[id];
    const Graph& graph = *layout.graph;
    const std::string name = item.node ? graph[*item.node].name : itemTitle(layout, item);
    QString rows = row(item.node ? QObject::tr("Result") : QObject::tr("Contents"), detailText(layout, item));
    if (item.node)
        rows += nodeRows(graph, *item.node);
    if (item.box) {
        const RunBox& box = layout.tree->boxes[*item.box];
        const Group& group = layout.tree->groups.groups[box.group];
        rows += row(QObject::tr("Module"), shownText(graph.modules()[group.module].path));
        if (box.copies > 1)
            rows += row(QObject::tr("Copies"), QObject::tr("%1, equal inside").arg(box.copies));
    }
    if (item.value)
        rows += row(QObject::tr("Used by"), opCountText(graph[*item.value].users.size()));
    if (item.node || item.box)
        rows += costRows(plan, nodesShownBy(layout, id)) + row(QObject::tr("Stage"), stageName(item.stage)) +
                ownRows(overlay, layout, id);
    return QStringLiteral("<b>%1</b><table>%2</table>").arg(shownText(name).toHtmlEscaped(), rows);
}

QString boundaryTooltip(const PlanView& plan, BoundaryId boundary)
{
    constexpr std::size_t shownValues = 5;
    QString shown = QObject::tr("<b>Boundary between stage %1 and %2</b>")
                        .arg(boundary.index() + 1)
                        .arg(boundary.index() + 2);
    if (!plan.cost || !plan.cost->boundaries.contains(boundary) || !plan.graph)
        return shown;
    const BoundaryCost& cost = plan.cost->boundaries[boundary];
    QString rows = row(QObject::tr("Values, down"), toText(cost.forwardBytes)) +
                   row(QObject::tr("Gradients, up"), toText(cost.backwardBytes)) +
                   row(QObject::tr("Both ways"), toText(cost.forwardBytes + cost.backwardBytes)) +
                   row(QObject::tr("Link time"), toText(cost.time));
    for (std::size_t i = 0; i < std::min(cost.values.size(), shownValues); ++i) {
        const Value& value = (*plan.graph)[cost.values[i]];
        rows += row(shownText(value.name).toHtmlEscaped(),
                    value.meta ? shownText(metaText(*value.meta)) : QString());
    }
    if (cost.values.size() > shownValues)
        rows += row(QObject::tr("and"), QObject::tr("%1 more").arg(cost.values.size() - shownValues));
    return shown + QStringLiteral("<table>%1</table>").arg(rows);
}

} // namespace stagecraft
