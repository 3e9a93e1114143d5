#include "views/graph/graph_keys.h"

#include "views/base/boundary_keys.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_view.h"

#include <QKeyEvent>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

struct WalkKey
{
    int key;
    std::optional<ItemId> (*next)(const Layout&, ItemId, WalkDirection);
    WalkDirection direction;
};
constexpr std::array walkKeys{
    WalkKey{Qt::Key_Up, walk, WalkDirection::Up},
    WalkKey{Qt::Key_Down, walk, WalkDirection::Down},
    WalkKey{Qt::Key_Left, walk, WalkDirection::Left},
    WalkKey{Qt::Key_Right, walk, WalkDirection::Right},
    WalkKey{Qt::Key_Comma, nextInOrder, WalkDirection::Left},
    WalkKey{Qt::Key_Period, nextInOrder, WalkDirection::Right},
};

bool pressBoundaryKey(GraphView& view, const Selection& selection, const QKeyEvent& event)
{
    if (event.key() != Qt::Key_Up && event.key() != Qt::Key_Down)
        return false;
    const auto sending = Qt::ControlModifier | Qt::ShiftModifier;
    if ((event.modifiers() & sending) == sending)
        return true; // an action, which has nothing to send now
    if (!selection.boundary())
        return false;
    emit view.boundaryMoveRequested(
        *selection.boundary(), event.key() == Qt::Key_Up ? StageDirection::Previous : StageDirection::Next,
        boundaryStepOf(event.modifiers()));
    return true;
}

bool pressScrollKey(GraphView& view, const GraphPaint& paint, int key)
{
    if (key == Qt::Key_Home)
        view.goTo(0);
    else if (key == Qt::Key_End)
        view.goTo(paint.layout->tree->order.size() - 1);
    return key == Qt::Key_Home || key == Qt::Key_End;
}

// From edge to edge of what has the keyboard, and from there to what is at its ends.
bool pressEdgeKey(GraphView& view, const GraphPaint& paint, const QKeyEvent& event)
{
    if (event.key() == Qt::Key_N && !(event.modifiers() & ~Qt::ShiftModifier)) {
        view.chooseEdge(event.modifiers() & Qt::ShiftModifier ? -1 : 1);
        return true;
    }
    const bool isAlong = event.key() == Qt::Key_Up || event.key() == Qt::Key_Down;
    if (!isAlong || !paint.currentEdge || !paint.current)
        return false;
    const auto direction = event.key() == Qt::Key_Up ? WalkDirection::Up : WalkDirection::Down;
    if (const auto end = edgeEnd(*paint.layout, *paint.currentEdge, *paint.current, direction))
        view.makeCurrent(*end);
    return true;
}

bool pressBoxKey(GraphView& view, const GraphPaint& paint, const QKeyEvent& event)
{
    const bool isEnter = event.key() == Qt::Key_Return || event.key() == Qt::Key_Enter;
    if (isEnter && !(event.modifiers() & Qt::ControlModifier) && view.hasBoxSelected()) {
        view.toggleSelected(event.modifiers() & Qt::AltModifier ? GraphView::Depth::All
                                                                : GraphView::Depth::One);
        return true;
    }
    if (event.key() != Qt::Key_Backspace || !paint.current)
        return false;
    const std::optional<ItemId> parent = paint.layout->items[*paint.current].parent;
    if (parent && paint.layout->items[*parent].kind == ItemKind::OpenBox)
        view.makeCurrent(*parent);
    return true;
}

// Along edges from what is selected, or in the order of running; without a selection arrows scroll.
bool pressWalkKey(GraphView& view, const GraphPaint& paint, int key)
{
    const auto found = std::ranges::find(walkKeys, key, &WalkKey::key);
    if (!paint.current || found == walkKeys.end())
        return false;
    if (const auto next = found->next(*paint.layout, *paint.current, found->direction))
        view.makeCurrent(*next);
    return true;
}

} // namespace

bool pressGraphKey(GraphView& view, const GraphPaint& paint, const Selection& selection,
                   const QKeyEvent& event)
{
    return pressBoundaryKey(view, selection, event) || pressScrollKey(view, paint, event.key()) ||
           pressBoxKey(view, paint, event) || pressEdgeKey(view, paint, event) ||
           pressWalkKey(view, paint, event.key());
}

} // namespace stagecraft
