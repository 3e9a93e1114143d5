// GraphPointer: what is under the mouse, and what it means to point there, to click there, to rest there.
#pragma once

#include "views/base/selection.h"
#include "views/graph/boundary_lines.h"

#include <QObject>

class QGraphicsView;
class QHelpEvent;

namespace stagecraft {

class GraphScene;

class GraphPointer : public QObject
{
    Q_OBJECT

public:
    // All outlive it.
    GraphPointer(QGraphicsView* view, const GraphScene* scene, GraphPaint& paint, Selection* selection,
                 BoundaryLines& lines);

    // Positions are pixels of the viewport.
    std::optional<ItemId> itemAt(QPoint pixel) const;
    // The item that a press there means: not one that is open, below its title.
    std::optional<ItemId> gripAt(QPoint pixel) const;
    // What a drag from there can send to another stage; nothing where there is only one.
    std::optional<ItemId> draggableAt(QPoint pixel) const;

    void hoverAt(QPoint pixel);
    void leave();
    void clickAt(QPoint pixel, Qt::KeyboardModifiers modifiers);
    void selectArea(const QRect& pixels, Qt::KeyboardModifiers modifiers);
    void showTooltip(const QHelpEvent& event) const;

signals:
    void changed();
    void chevronClicked(stagecraft::ItemId box);

private:
    bool isChevronAt(ItemId item, QPoint pixel) const;
    enum class Added { No, Yes }; // to the selection
    void clickItem(ItemId item, Added added);
    void clickEdge(std::size_t edge);
    double zoom() const;

    QGraphicsView* m_view;
    const GraphScene* m_scene;
    GraphPaint& m_paint;
    Selection* m_selection;
    BoundaryLines& m_lines;
};

} // namespace stagecraft
