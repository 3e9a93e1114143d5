#include "views/graph/graph_paint_data.h"

#include "core/base/contains.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_navigation.h"

#include <algorithm>

namespace stagecraft {

namespace {

char marksOf(const PlanView& plan, NodeId node)
{
    const PlanConstraints* held = plan.constraints.get();
    const int pinned = held && held->isPinned[node] != 0 ? node_mark::pinned : 0;
    const int grouped = held && held->isGrouped[node] != 0 ? node_mark::grouped : 0;
    const int again = plan.again && plan.again->runs(node) ? node_mark::again : 0;
    return static_cast<char>(pinned | grouped | again);
}

} // namespace

void GraphPaint::setLayout(std::shared_ptr<const Layout> newLayout)
{
    layout = std::move(newLayout);
    forgetCosts();
    hovered.reset();
    hoveredWithIt.clear();
    current.reset();
    currentEdge.reset();
    clickedValues.clear();
    copies.clear();
    markCompared();
    if (!layout)
        return;
    for (const NodeId node : layout->tree->order)
        if (layout->tree->standIn[node] != node)
            copies[layout->tree->standIn[node]].push_back(node);
}

void GraphPaint::setColors(GraphColors newColors)
{
    colors = std::move(newColors);
    forgetCosts();
    longestTime = Seconds();
    if (plan.profile)
        for (const NodeCost& cost : plan.profile->nodes)
            longestTime = std::max(longestTime, cost.time());
}

void GraphPaint::markPlan(Lines lines)
{
    const auto& partition = plan.partition;
    if (!partition || !layout)
        boundaryPositions =
            partition ? stagecraft::boundaryPositions(*partition) : std::vector<std::size_t>();
    else if (lines == Lines::Move)
        boundaryPositions = stagecraft::boundaryPositions(*partition, *layout->tree);
    markMoved();
    markNodes();
}

void GraphPaint::setCompared(std::shared_ptr<const Partition> other)
{
    compared = std::move(other);
    markCompared();
}

// B is of the same model, unless that is about to change.
void GraphPaint::markCompared()
{
    comparedBoundaries = {};
    if (compared && layout && compared->stageOf.size() == layout->tree->order.size())
        comparedBoundaries = placedBoundaries(*compared, layout->tree->order);
}

void GraphPaint::markMoved()
{
    moved = noMarks();
    if (!plan.partition || !layout)
        return;
    const Partition& drawn = layout->tree->partition;
    if (drawn.stageCount != plan.partition->stageCount)
        return;
    for (const NodeId node : drawn.stageOf.ids())
        if (drawn.stageOf[node] != plan.partition->stageOf[node] && layout->itemOf[node])
            moved[*layout->itemOf[node]] = 1;
}

void GraphPaint::markNodes()
{
    marks = noMarks();
    if (!layout || (!plan.constraints && !plan.again))
        return;
    for (const NodeId node : layout->itemOf.ids())
        if (const std::optional<ItemId> item = layout->itemOf[node])
            marks[*item] = static_cast<char>(marks[*item] | marksOf(plan, node));
}

void GraphPaint::markMatches(const std::optional<std::vector<NodeId>>& matches)
{
    faded = {};
    if (!matches || !layout)
        return;
    faded = noMarks();
    for (const std::optional<ItemId>& item : layout->itemOf)
        if (item)
            faded[*item] = 1;
    for (const NodeId node : *matches)
        if (layout->itemOf.contains(node) && layout->itemOf[node])
            faded[*layout->itemOf[node]] = 0;
}

void GraphPaint::markSelected(const std::vector<NodeId>& nodes)
{
    selected = noMarks();
    currentEdge.reset();
    if (!layout)
        return;
    const std::vector<ItemId> items = itemsShowing(*layout, nodes);
    for (const ItemId item : items)
        selected[item] = 1;
    const bool keepsCurrent =
        current && layout->items.contains(*current) &&
        (layout->items[*current].kind == ItemKind::OpenBox || std::ranges::binary_search(items, *current));
    if (!keepsCurrent)
        current = items.empty() ? std::nullopt : std::optional(items.front());
}

void GraphPaint::markHovered(std::optional<NodeId> node, const std::vector<NodeId>& withIt)
{
    hovered.reset();
    hoveredWithIt.clear();
    if (!layout)
        return;
    const auto itemOf = [this](NodeId shown) {
        return layout->itemOf.contains(shown) ? layout->itemOf[shown] : std::nullopt;
    };
    if (node)
        hovered = itemOf(*node);
    for (const NodeId other : withIt)
        if (const std::optional<ItemId> item = itemOf(other))
            hoveredWithIt.push_back(*item);
}

bool GraphPaint::isHovered(ItemId id) const
{
    return hovered == id || contains(hoveredWithIt, id);
}

void GraphPaint::lightEdges(std::optional<std::size_t> position)
{
    litEdges.clear();
    if (!layout)
        return;
    std::vector<ValueId> values = clickedValues;
    const double lineY = position ? positionY(*layout, *position) : 0;
    if (position) {
        const std::vector<ValueId> across = valuesAcross(*layout, *position);
        values.insert(values.end(), across.begin(), across.end());
    }
    // Inside a folded box edges are those of the first copy.
    for (std::size_t i = 0, count = values.size(); i < count; ++i)
        if (const std::optional<ValueId> drawn = drawnValue(*layout, values[i]))
            values.push_back(*drawn);
    std::ranges::sort(values);
    for (const LayoutEdge& edge : layout->edges) {
        const bool isOfHovered = hovered && (edge.tail == hovered || edge.head == hovered);
        const bool isOfValue = std::ranges::any_of(
            edge.values, [&](ValueId value) { return std::ranges::binary_search(values, value); });
        const bool crosses = edge.path.front().y <= lineY && edge.path.back().y >= lineY;
        const bool isClicked = std::ranges::any_of(edge.values, [&](ValueId value) {
            return std::ranges::find(clickedValues, value) != clickedValues.end();
        });
        litEdges.push_back(isOfHovered || isClicked || (isOfValue && crosses) ? 1 : 0);
    }
}

const NodeCost& GraphPaint::costOf(const LayoutItem& item) const
{
    const std::size_t index = item.box ? item.box->index() : item.node ? item.node->index() : SIZE_MAX;
    const std::pair key(index, item.box.has_value());
    const auto [entry, isNew] = m_costs.try_emplace(key);
    if (isNew && plan.profile)
        for (const NodeId node : nodesShownBy(*layout, item))
            if (plan.profile->nodes.contains(node))
                entry->second += plan.profile->nodes[node];
    return entry->second;
}

Seconds GraphPaint::longestOnPage() const
{
    if (!m_longestOnPage) {
        m_longestOnPage = Seconds();
        for (const LayoutItem& item : layout->items)
            if (item.depth == 1 && (item.box || item.node))
                m_longestOnPage = std::max(*m_longestOnPage, costOf(item).time());
    }
    return *m_longestOnPage;
}

void GraphPaint::forgetCosts()
{
    m_costs.clear();
    m_longestOnPage.reset();
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
        for (const NodeId node : nodesShownBy(*layout, item))
            stages.push_back(stageOf(node));
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

} // namespace stagecraft
