#include "views/graph/graph_colors.h"

#include "core/exchange/overlay_text.h"
#include "core/layout/hidden_nodes.h"
#include "core/layout/operator_kinds.h"
#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"

#include <QCoreApplication>
#include <QPainter>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace stagecraft {

namespace {

using Figure = std::function<double(const NodeCost&)>;

// Bytes kept for the backward pass; where nothing is kept, bytes made.
Figure memoryFigure(const Profile& profile)
{
    if (profile.totals.savedBytes > Bytes(0))
        return [](const NodeCost& cost) { return cost.savedBytes.asDouble(); };
    return [](const NodeCost& cost) { return cost.outputBytes.asDouble(); };
}

void colorByFigure(GraphColors& colors, const Profile& profile, const Figure& figure, const Theme& theme)
{
    double largest = 0;
    for (const NodeCost& cost : profile.nodes)
        largest = std::max(largest, figure(cost));
    // Three decades tell all that an eye can: what is below is as good as nothing.
    const double smallest = largest / 1000;
    for (const NodeCost& cost : profile.nodes) {
        const double value = figure(cost);
        colors.fill.add(value > 0 ? viridis(logFraction(value, smallest, largest)) : theme.raised);
        colors.weight.add(value);
    }
    const bool isTime = colors.by == ColorBy::Time;
    const auto text = [&](double value) {
        return shownText(isTime ? formatSeconds(Seconds(value))
                                : formatBytes(Bytes(static_cast<std::int64_t>(value))));
    };
    colors.smallest = text(smallest);
    colors.largest = text(largest);
}

std::string dtypeOf(const Graph& graph, NodeId node)
{
    for (const ValueId result : graph[node].results)
        if (graph[result].meta)
            return std::string(shortName(graph[result].meta->dtype));
    return QObject::tr("no tensor").toStdString();
}

std::string kindOf(const PlanView& plan, ColorBy by, NodeId node)
{
    if (by == ColorBy::DType)
        return dtypeOf(*plan.graph, node);
    if (by == ColorBy::Origin)
        return originText(plan.profile->nodes[node].origin).toStdString();
    return operatorTitle((*plan.graph)[node]);
}

// The kinds that most nodes are get a colour each, the rest share one.
void colorByKind(GraphColors& colors, const PlanView& plan, const Theme& theme)
{
    constexpr std::size_t shownKinds = 9;
    std::map<std::string, std::size_t> counts;
    const Table<NodeId, char> hidden = hiddenNodes(*plan.graph);
    for (const NodeId node : plan.graph->nodes())
        if (hidden[node] == 0)
            ++counts[kindOf(plan, colors.by, node)];
    std::vector<std::pair<std::string, std::size_t>> kinds(counts.begin(), counts.end());
    std::ranges::stable_sort(kinds, std::ranges::greater(), [](const auto& kind) { return kind.second; });
    std::map<std::string, QColor> colorOf;
    for (std::size_t i = 0; i < std::min(kinds.size(), shownKinds); ++i) {
        colorOf[kinds[i].first] = categoryColor(theme, i);
        colors.categories.emplace_back(shownText(kinds[i].first), categoryColor(theme, i));
    }
    const QColor rest = theme.raised;
    if (kinds.size() > shownKinds)
        colors.categories.emplace_back(QObject::tr("%1 others").arg(kinds.size() - shownKinds), rest);
    for (const NodeId node : plan.graph->nodes()) {
        const auto found = colorOf.find(kindOf(plan, colors.by, node));
        colors.fill.add(found == colorOf.end() ? rest : found->second);
    }
}

QColor colorOf(OverlayColour color)
{
    return {color.red, color.green, color.blue};
}

// What nothing is said of has no colour.
void colorByOverlay(GraphColors& colors, const Graph& graph, const Overlay& overlay, const Theme& theme)
{
    for (const NodeId node : graph.nodes()) {
        const std::optional<OverlayColour> color = overlayColour(overlay, graph, node);
        colors.fill.add(color ? colorOf(*color) : theme.raised);
    }
    if (!overlay.colourBy)
        return;
    const OverlayFigure& figure = overlay.figures[*overlay.colourBy];
    colors.title = shownText(figure.name);
    const auto [least, most] = overlay.range;
    for (const double value : {least, (least + most) / 2, most})
        colors.categories.emplace_back(shownText(figureText(figure, value)),
                                       colorOf(overlayScale(overlay, value)));
}

} // namespace

GraphColors graphColors(const PlanView& plan, ColorBy by, const Theme& theme, const Overlay* overlay)
{
    GraphColors colors;
    const bool needsProfile = by == ColorBy::Time || by == ColorBy::Memory || by == ColorBy::Origin;
    if (!plan.graph || by == ColorBy::Stage || (needsProfile && !plan.profile) ||
        (by == ColorBy::Own && !overlay))
        return colors;
    colors.by = by;
    colors.title = colorByName(by);
    if (by == ColorBy::Time)
        colorByFigure(
            colors, *plan.profile, [](const NodeCost& cost) { return cost.time().value(); }, theme);
    else if (by == ColorBy::Memory)
        colorByFigure(colors, *plan.profile, memoryFigure(*plan.profile), theme);
    else if (by == ColorBy::Own)
        colorByOverlay(colors, *plan.graph, *overlay, theme);
    else
        colorByKind(colors, plan, theme);
    return colors;
}

void showLegend(Legend& legend, const GraphColors& colors, std::size_t stageCount)
{
    if (colors.isByStage())
        legend.setStages(stageCount);
    else if (colors.isHeat())
        legend.setHeat(colors.title, colors.smallest, colors.largest);
    else
        legend.setCategories(colors.title, colors.categories);
}

void placeLegend(Legend& legend, const QSize& view)
{
    constexpr int inset = 22;
    const int room = std::max(view.width() * 6 / 10, legend.minimumSizeHint().width());
    const QSize size =
        legend.sizeHint().boundedTo({std::min(room, view.width() - 2 * inset), view.height() - 2 * inset});
    legend.setGeometry({{view.width() - size.width() - inset, view.height() - size.height() - inset}, size});
}

void paintLegendGround(QPainter& painter, const QRect& legend, const Theme& theme)
{
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(QRectF(legend).adjusted(-9.5, -5.5, 9.5, 5.5), 8, 8);
}

} // namespace stagecraft
