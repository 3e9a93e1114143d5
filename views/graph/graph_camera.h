// GraphCamera: which part of the drawing is seen, how large, and what stays where it was on the screen when
// the drawing changes.
#pragma once

#include "views/graph/graph_paint_data.h"
#include "views/graph/graph_place.h"

#include <QPointF>

class QGraphicsView;

namespace stagecraft {

class GraphScene;

class GraphCamera
{
public:
    // All outlive it.
    GraphCamera(QGraphicsView* view, const GraphScene* scene, const GraphPaint& paint);

    double zoom() const;
    void zoomBy(double factor, QPoint around); // pixels of the viewport
    // Around what is selected, where that is in sight; else around the middle.
    void zoomHere(double factor);
    // At its natural size, with what is selected in sight; without a selection, with anything in the middle.
    void showActualSize();
    void fitAll();
    // All that is `selected`; everything, if nothing is.
    void fitSelection();
    void fitArea(const QRect& pixels);
    void panBy(QPoint delta);
    void centerAt(QPointF scene); // right of the gutter
    // As little as needed; what is larger than the view is shown from its top.
    void scrollTo(const QRectF& area);
    // The same; where names could not be read there, in the middle and as large as names want, if all of it
    // then has room.
    void showReadably(const QRectF& area);
    void updateSceneRect();
    // What is seen, of a drawing that is there; and back to it. Where another is there by then, the anchor is
    // where it was.
    GraphPlace place() const;
    void show(const GraphPlace& place);
    // Pixels that a page can fill.
    QSizeF pageRoom() const { return room(2.0 * pageBorder); }
    bool isTouched() const { return m_isTouched; }

    // A person has scrolled, zoomed or clicked: from now on nothing moves by itself.
    void touch() { m_isTouched = true; }
    // Begins again: the next drawing is one of another model, or the first.
    void forget();
    // What stays where it is when the next drawing comes. A box; a boundary that was dropped at a position,
    // and what is beside it; if neither was asked for, what is nearest to the middle.
    void pinBox(ItemId item);
    void pinBoundary(BoundaryId boundary, std::size_t position);
    void pinCenter();
    // The drawing is another; that of a model at first is shown from its top. A page that was fitted stays
    // so, also in a view of another size.
    void takeDrawing();
    // The view has another size than `before`.
    void takeSize(QSize before);

private:
    static constexpr int pageBorder = 14; // pixels on each side of a page
    // What is pinned: a box of a group (of several, the one that begins next to `first`), what shows a node,
    // or, up and down, a boundary.
    struct Pinned
    {
        std::optional<GroupId> group;
        std::size_t first = 0;
        std::optional<NodeId> node;
        std::optional<BoundaryId> boundary;
        QPointF viewportPosition;
    };
    QRectF middleOfView() const;         // half as wide and high as the view
    QRectF nearestThing() const;         // an op or a closed box in the middle, or next to it
    QPointF cornerOf(ItemId item) const; // in the viewport
    std::optional<ItemId> itemOf(std::optional<NodeId> node) const; // what shows it
    QSizeF room(double border) const;
    QRectF selectedArea() const; // empty if nothing is
    double fittingZoom() const;
    bool showsAll(QSize view) const;
    bool isFittedPage(QSize view) const; // as fitAll() left it, in a view of that size
    void fitAgain();
    void showOpening();
    std::optional<NodeId> nodeNearCenter() const;
    void pinNode(NodeId node);
    std::optional<ItemId> pinnedItem() const;
    void keepPinned();

    QGraphicsView* m_view;
    const GraphScene* m_scene;
    const GraphPaint& m_paint;
    std::optional<Pinned> m_pinned;
    bool m_isTouched = false;
    double m_fittedZoom = 0;  // by fitAll()
    bool m_wasFitted = false; // before the drawing that comes
};

} // namespace stagecraft
