// GraphPaint: all that the things of a graph read when they draw themselves: the drawing, the plan, and what
// is marked. The view owns and changes it; no widget.
#pragma once

#include "core/layout/layout.h"
#include "core/plan/plan_difference.h"
#include "views/base/plan_view.h"
#include "views/base/theme.h"
#include "views/graph/graph_colors.h"

#include <QFont>
#include <QRectF>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

namespace node_mark {
inline constexpr char pinned = 1;  // to its stage
inline constexpr char grouped = 2; // kept together with others
inline constexpr char again = 4;   // run again in backward
} // namespace node_mark

// Do the lines of the boundaries go where the plan has them now? While boxes are dragged they stay, to say
// where a drop would go.
enum class Lines { Move, Stay };

struct GraphPaint
{
    std::shared_ptr<const Layout> layout;
    PlanView plan;
    std::shared_ptr<const Overlay> overlay; // figures of the person's own; null: none
    Theme theme;
    GraphColors colors;
    QFont font;
    // As they are now, maybe during a drag; in the layout's stage order.
    std::vector<std::size_t> boundaryPositions;
    std::shared_ptr<const Partition> compared;            // B, which the plan is compared with; null: nothing
    Table<BoundaryId, PlacedBoundary> comparedBoundaries; // in the layout's stage order
    Table<ItemId, char> selected;
    Table<ItemId, char> moved;     // in another stage than it is drawn in
    Table<ItemId, char> marks;     // node_mark of the nodes inside
    Table<ItemId, char> faded;     // while something is looked for: what is not among the matches
    QRectF visible;                // of the drawing, beside the gutter
    std::optional<ItemId> current; // has the keyboard
    std::optional<ItemId> hovered;
    std::vector<ItemId> hoveredWithIt;      // of the same line of code
    std::vector<ValueId> clickedValues;     // of the edge or pill that was clicked
    std::vector<char> litEdges;             // as layout->edges
    std::optional<std::size_t> currentEdge; // has the keyboard, with what it belongs to
    Seconds longestTime;
    std::map<NodeId, std::vector<NodeId>> copies; // of drawn nodes that stand for others, in stage order

    // Nothing of it is marked yet.
    void setLayout(std::shared_ptr<const Layout> newLayout);
    void setColors(GraphColors newColors);
    // What the plan says of the drawing: where boundaries are, what is in another stage, constraints.
    void markPlan(Lines lines);
    // Null: none.
    void setCompared(std::shared_ptr<const Partition> other);
    // None: nothing fades.
    void markMatches(const std::optional<std::vector<NodeId>>& matches);
    // The first of what shows them gets the keyboard, unless what has it is among that or is an open box.
    void markSelected(const std::vector<NodeId>& nodes);
    void markHovered(std::optional<NodeId> node, const std::vector<NodeId>& withIt = {});
    bool isHovered(ItemId id) const;
    // Lights what crosses a boundary at that position, what was clicked, and the edges of what is pointed at.
    void lightEdges(std::optional<std::size_t> position);

    std::size_t boundaryCount() const { return boundaryPositions.size(); }
    StageId stageOf(NodeId node) const;
    // Of its operators, in stage order: one for each copy, or for each inside a box. At least one.
    std::vector<StageId> stagesOf(const LayoutItem& item) const;
    // Of several, the first that it has been moved to; if it has not been moved, the first.
    StageId stageOf(const LayoutItem& item) const;
    // Of all that it shows; nothing without a profile.
    const NodeCost& costOf(const LayoutItem& item) const;
    // What the bars of a page's cards are shares of: the most that one of them takes.
    Seconds longestOnPage() const;
    bool isFaded(ItemId item) const { return faded.contains(item) && faded[item] != 0; }
    bool isMoved(ItemId item) const { return moved.contains(item) && moved[item] != 0; }
    bool isSelected(ItemId item) const { return selected.contains(item) && selected[item] != 0; }

private:
    Table<ItemId, char> noMarks() const { return Table<ItemId, char>(layout ? layout->items.size() : 0, 0); }
    void forgetCosts();
    void markMoved();
    void markNodes();
    void markCompared();

    mutable std::map<std::pair<std::size_t, bool>, NodeCost>
        m_costs;                                    // by box, or by node; as they were asked for
    mutable std::optional<Seconds> m_longestOnPage; // likewise
};

} // namespace stagecraft
