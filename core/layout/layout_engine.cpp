#include "core/layout/layout_engine.h"

#include "core/layout/box_drawing.h"
#include "core/layout/place_positions.h"
#include "core/layout/stage_stack.h"

#include <algorithm>

namespace stagecraft {

namespace {

ItemKind itemKind(VisibleItem::Kind kind)
{
    switch (kind) {
    case VisibleItem::Kind::Op:
        return ItemKind::Op;
    case VisibleItem::Kind::ClosedBox:
        return ItemKind::ClosedBox;
    case VisibleItem::Kind::OpenBox:
        return ItemKind::OpenBox;
    case VisibleItem::Kind::Input:
        return ItemKind::Input;
    case VisibleItem::Kind::Output:
        return ItemKind::Output;
    case VisibleItem::Kind::PortalOut:
        return ItemKind::PortalOut;
    case VisibleItem::Kind::PortalIn:
        break;
    }
    return ItemKind::PortalIn;
}

// Turns drawings relative to their boxes into one layout with absolute places.
class Assembler
{
public:
    Assembler(Layout& layout, const Table<BoxId, BoxDrawing>& drawings)
        : m_layout(layout), m_tree(*layout.tree), m_drawings(drawings)
    {
        layout.itemOf = Table<NodeId, std::optional<ItemId>>(layout.graph->nodeCount());
        layout.itemOfBox = Table<BoxId, std::optional<ItemId>>(m_tree.boxes.size());
    }

    void assemble(const StageStack& stack)
    {
        m_layout.size = stack.size;
        const auto& stages = m_tree.boxes[RunTree::root()].children;
        std::vector<ItemId> itemIds;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            LayoutItem panel{.kind = ItemKind::Stage, .rect = stack.panels[i], .stage = StageId(i)};
            panel.box = std::get<BoxId>(stages[i]);
            itemIds.push_back(addBoxItem(panel));
            addInside(itemIds.back());
        }
        for (std::size_t i = 0; i < stack.portals.size(); ++i) {
            const VisibleItem& visible = stack.visible.items[stages.size() + i];
            itemIds.push_back(m_layout.items.add({.kind = itemKind(visible.kind),
                                                  .rect = stack.portals[i],
                                                  .stage = StageId(*visible.anchor),
                                                  .value = visible.value,
                                                  .anchor = itemIds[*visible.anchor]}));
        }
        for (std::size_t i = 0; i < stack.edges.size(); ++i)
            addEdge({}, stack.visible.edges[i], stack.edges[i], itemIds, {});
        for (std::size_t i = 0; i < stack.boundaries.size(); ++i)
            m_layout.boundaries.push_back(
                {BoundaryId(i), m_tree.boundaryPosition(BoundaryId(i)), stack.boundaries[i]});
        showNodes();
        m_layout.placeY = positionHeights(m_layout);
    }

private:
    ItemId addBoxItem(LayoutItem item)
    {
        const RunBox& box = m_tree.boxes[*item.box];
        item.first = box.first;
        item.end = box.end;
        const BoxId id = *item.box;
        m_layout.itemOfBox[id] = m_layout.items.add(item);
        return *m_layout.itemOfBox[id];
    }

    ItemId addItem(ItemId owner, const VisibleItem& visible, const Rect& rect)
    {
        const LayoutItem& around = m_layout.items[owner];
        LayoutItem item{.kind = itemKind(visible.kind),
                        .rect = rect,
                        .parent = owner,
                        .stage = around.stage,
                        .box = visible.box,
                        .node = visible.node,
                        .value = visible.value,
                        .valueCount = visible.valueCount,
                        .depth = around.depth + 1};
        if (item.box)
            return addBoxItem(item);
        if (item.node) {
            item.first = m_tree.positionOf[*item.node];
            item.end = item.first + 1;
        }
        const std::optional<NodeId> node = item.node;
        const ItemId id = m_layout.items.add(item);
        if (node)
            m_layout.itemOf[*node] = id;
        return id;
    }

    void addInside(ItemId owner)
    {
        const BoxDrawing& drawing = m_drawings[*m_layout.items[owner].box];
        const Point origin{m_layout.items[owner].rect.x, m_layout.items[owner].rect.y};
        std::vector<ItemId> itemIds;
        for (std::size_t i = 0; i < drawing.items.size(); ++i) {
            Rect rect = drawing.items[i];
            rect.x += origin.x;
            rect.y += origin.y;
            itemIds.push_back(addItem(owner, drawing.visible.items[i], rect));
            if (drawing.visible.items[i].kind == VisibleItem::Kind::OpenBox)
                addInside(itemIds.back());
        }
        for (std::size_t i = 0; i < drawing.items.size(); ++i)
            if (drawing.visible.items[i].anchor)
                m_layout.items[itemIds[i]].anchor = itemIds[*drawing.visible.items[i].anchor];
        for (std::size_t i = 0; i < drawing.edges.size(); ++i)
            addEdge(owner, drawing.visible.edges[i], drawing.edges[i], itemIds, origin);
    }

    void addEdge(std::optional<ItemId> owner, const VisibleEdge& visible, std::vector<Point> path,
                 const std::vector<ItemId>& itemIds, Point origin)
    {
        for (Point& point : path)
            point = point + origin;
        m_layout.edges.push_back(
            {.owner = owner,
             .tail = visible.tail.item ? std::optional(itemIds[*visible.tail.item]) : owner,
             .head = visible.head.item ? std::optional(itemIds[*visible.head.item]) : owner,
             .values = visible.values,
             .path = std::move(path)});
    }

    // Nodes inside closed boxes and folded copies are shown by what stands for them.
    void showNodes()
    {
        for (const NodeId node : m_tree.order) {
            if (m_tree.isHidden(node))
                continue;
            m_layout.itemOf[node] = m_layout.itemOf[m_tree.standIn[node]];
            for (std::optional<BoxId> box = m_tree.boxOf[node]; box && !m_layout.itemOf[node];
                 box = m_tree.boxes[*box].parent)
                m_layout.itemOf[node] = m_layout.itemOfBox[*box];
        }
    }

    Layout& m_layout;
    const RunTree& m_tree;
    const Table<BoxId, BoxDrawing>& m_drawings;
};

} // namespace

LayoutEngine::LayoutEngine(LayoutMetrics metrics, std::string dotProgram)
    : m_metrics(metrics), m_dot(std::move(dotProgram))
{
}

Result<DotDrawing> LayoutEngine::draw(const DotProblem& problem, const Progress& progress,
                                      std::vector<std::string>& notes)
{
    if (progress.stopRequested())
        return cancelled();
    std::string text = dotText(problem);
    if (const auto found = m_drawings.find(text); found != m_drawings.end()) {
        found->second.lastLayout = m_layouts;
        return found->second.drawing;
    }
    ++m_drawingsMade;
    const Result<std::string> plain = m_dot.draw(text, progress);
    if (!plain.has_value() && plain.error().code == ErrorCode::Cancelled)
        return plain.error();
    Result<DotDrawing> drawing =
        plain.has_value() ? parsePlain(*plain, problem) : Result<DotDrawing>(plain.error());
    if (!drawing.has_value()) {
        const std::string note = "a part of the graph is drawn in plain rows: " + drawing.error().message;
        if (std::ranges::find(notes, note) == notes.end())
            notes.push_back(note);
        return rowsDrawing(problem);
    }
    m_drawings.emplace(std::move(text), KeptDrawing{*drawing, m_layouts});
    return drawing;
}

void LayoutEngine::forgetOldDrawings()
{
    std::erase_if(m_drawings, [this](const auto& kept) {
        return kept.second.lastLayout + layoutsRemembered < m_layouts;
    });
}

Result<Layout> LayoutEngine::layout(std::shared_ptr<const Graph> graph, std::shared_ptr<const RunTree> tree,
                                    const Expansion& expansion, const Progress& progress,
                                    const std::optional<PageShape>& page)
{
    Layout layout;
    layout.graph = std::move(graph);
    layout.tree = std::move(tree);
    layout.expansion = expansion;
    layout.page = page;
    ++m_layouts;
    const auto drawProblem = [&](const DotProblem& problem) { return draw(problem, progress, layout.notes); };
    STAGECRAFT_ASSIGN(drawings,
                      drawBoxes({*layout.graph, *layout.tree, expansion, m_metrics, page}, drawProblem));
    const StageStack stack = stackStages(*layout.tree, drawings, m_metrics, page);
    Assembler(layout, drawings).assemble(stack);
    forgetOldDrawings();
    return layout;
}

} // namespace stagecraft
