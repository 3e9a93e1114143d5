// What the things of a graph are drawn from: stages, shapes, places.
#include "views/graph/graph_paint.h"

#include <algorithm>

namespace stagecraft {

void GraphPaint::setLayout(std::shared_ptr<const Layout> newLayout)
{
    layout = std::move(newLayout);
    copies.clear();
    if (!layout)
        return;
    for (const NodeId node : layout->tree->order)
        if (layout->tree->standIn[node] != node)
            copies[layout->tree->standIn[node]].push_back(node);
}

StageId GraphPaint::stageOf(NodeId node) const
{
    return (plan.partition ? *plan.partition : layout->tree->partition).stageOf[node];
}

std::vector<StageId> GraphPaint::stagesOf(const LayoutItem& item) const
{
    std::vector<StageId> stages;
    if (item.node) {
        stages.push_back(stageOf(*item.node));
        if (const auto found = copies.find(*item.node); found != copies.end())
            for (const NodeId copy : found->second)
                stages.push_back(stageOf(copy));
    } else {
        for (std::size_t i = item.first; i < item.end; ++i)
            stages.push_back(stageOf(layout->tree->order[i]));
    }
    if (stages.empty())
        stages.push_back(item.stage);
    return stages;
}

StageId GraphPaint::stageOf(const LayoutItem& item) const
{
    const std::vector<StageId> stages = stagesOf(item);
    const auto elsewhere = std::ranges::find_if(stages, [&](StageId stage) { return stage != item.stage; });
    return elsewhere == stages.end() ? stages.front() : *elsewhere;
}

QRectF toRect(const Rect& rect)
{
    return {rect.x, rect.y, rect.width, rect.height};
}

QPainterPath edgeCurve(const LayoutEdge& edge)
{
    const auto at = [&](std::size_t i) { return QPointF(edge.path[i].x, edge.path[i].y); };
    QPainterPath path(at(0));
    for (std::size_t i = 1; i + 2 < edge.path.size(); i += 3)
        path.cubicTo(at(i), at(i + 1), at(i + 2));
    return path;
}

QPainterPath edgeLine(const LayoutEdge& edge)
{
    QPainterPath path(QPointF(edge.path.front().x, edge.path.front().y));
    for (std::size_t i = 3; i < edge.path.size(); i += 3)
        path.lineTo(edge.path[i].x, edge.path[i].y);
    return path;
}

QRectF chevronRect(const LayoutItem& item)
{
    const double top = item.kind == ItemKind::OpenBox ? item.rect.y + 3 : item.rect.y + 7;
    return {item.rect.x + 8, top, 18, 20};
}

double titleLeft(const GraphPaint& paint, const LayoutItem& item)
{
    constexpr double shortest = 160; // that a title may get, where the box has so much
    return std::clamp(paint.visible.left(), item.rect.x,
                      item.rect.x + std::max(0.0, item.rect.width - shortest));
}

} // namespace stagecraft
