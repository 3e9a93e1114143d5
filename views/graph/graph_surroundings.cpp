#include "views/graph/graph_surroundings.h"

#include "views/base/color_by.h"
#include "views/base/icons.h"
#include "views/graph/boundary_lines.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_paint.h"

#include <QAbstractScrollArea>
#include <QToolButton>

#include <algorithm>

namespace stagecraft {

GraphSurroundings::GraphSurroundings(QAbstractScrollArea* view, const GraphPaint& paint, GraphCamera& camera)
    : m_view(view),
      m_paint(paint),
      m_camera(camera),
      m_strip(new GraphStrip(paint, view)),
      m_crumbs(new GraphCrumbs(view->viewport())),
      m_lock(new QToolButton(view)),
      m_legend(new Legend(view->viewport()))
{
    m_lock->setCheckable(true);
    m_lock->setAutoRaise(true);
    m_lock->setIcon(themedIcon("lock"));
    m_lock->setAccessibleName(tr("Keep the graph where it is"));
    m_lock->setToolTip(tr("The graph goes to what is selected elsewhere; pressed, it stays where it is"));
    connect(m_strip, &GraphStrip::wanted, this, &GraphSurroundings::goTo);
}

void GraphSurroundings::place()
{
    constexpr int inset = 10;
    const int lockHeight = m_lock->sizeHint().height();
    m_strip->setGeometry(0, 0, GraphStrip::stripWidth, m_view->height() - lockHeight);
    m_lock->setGeometry(0, m_view->height() - lockHeight, GraphStrip::stripWidth, lockHeight);
    placeLegend(*m_legend, m_view->viewport()->size());
    const int room = m_view->viewport()->width() - graph_metrics::gutterWidth - 2 * inset;
    m_crumbs->resize(std::min(m_crumbs->sizeHint().width(), room), m_crumbs->sizeHint().height());
    m_crumbs->move(graph_metrics::gutterWidth + inset,
                   m_view->viewport()->height() - m_crumbs->height() - inset / 2);
}

bool GraphSurroundings::isLocked() const
{
    return m_lock->isChecked();
}

void GraphSurroundings::refresh()
{
    showLegend(*m_legend, m_paint.colors, m_paint.boundaryCount() + 1);
    // The gutter has the stages' colours already.
    m_legend->setVisible(m_paint.plan.graph != nullptr && !m_paint.colors.isByStage());
    m_strip->refresh();
    place();
}

void GraphSurroundings::showCrumbs()
{
    m_crumbs->show(m_paint, m_paint.current);
    place();
}

void GraphSurroundings::showVisible()
{
    if (!m_paint.layout)
        return m_strip->setShown(0, 0);
    std::size_t first = SIZE_MAX;
    std::size_t end = 0;
    for (const LayoutItem& item : m_paint.layout->items) {
        const bool isLeaf = item.kind == ItemKind::Op || item.kind == ItemKind::ClosedBox;
        if (!isLeaf || !m_paint.visible.intersects(toRect(item.rect)))
            continue;
        first = std::min(first, item.first);
        end = std::max(end, item.end);
    }
    m_strip->setShown(first == SIZE_MAX ? 0 : first, end);
}

void GraphSurroundings::goTo(std::size_t position)
{
    if (!m_paint.layout || m_paint.layout->tree->order.empty())
        return;
    const auto& order = m_paint.layout->tree->order;
    const std::size_t at = std::min(position, order.size() - 1);
    const std::optional<ItemId> item = m_paint.layout->itemOf[order[at]];
    const double x = item ? m_paint.layout->items[*item].rect.centerX() : m_paint.layout->size.width / 2;
    m_camera.touch();
    m_camera.centerAt(QPointF(x, positionY(*m_paint.layout, at)));
}

} // namespace stagecraft
