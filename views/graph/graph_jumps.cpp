#include "views/graph/graph_jumps.h"

#include "views/graph/graph_navigation.h"
#include "views/graph/graph_paint.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

void GraphJumps::forget()
{
    m_toReveal.clear();
    m_toShow.reset();
}

// What is on its way counts as seen, unless nobody knows yet what it looks like.
void GraphJumps::leave()
{
    if (m_paint.layout && m_toReveal.empty())
        emit leaving(m_toShow ? *m_toShow : m_camera.place());
    else
        emit leaving(std::nullopt);
    m_toShow.reset();
}

void GraphJumps::reveal(const std::vector<NodeId>& nodes)
{
    leave();
    if (!m_paint.layout || nodes.empty())
        return;
    Expansion expansion = m_paint.layout->expansion;
    constexpr std::size_t mostOpened = 8; // boxes opened for one request; the rest is shown closed
    for (std::size_t i = 0; i < std::min(nodes.size(), mostOpened); ++i)
        expansion.reveal(*m_paint.layout->tree, nodes[i]);
    if (expansion != m_paint.layout->expansion && nodes.size() <= mostOpened) {
        m_toReveal = nodes;
        emit expansionRequested(expansion);
        return;
    }
    QRectF area;
    for (const ItemId item : itemsShowing(*m_paint.layout, nodes))
        area |= toRect(m_paint.layout->items[item].rect);
    m_camera.showReadably(area);
}

void GraphJumps::show(const GraphPlace& place)
{
    if (!m_paint.layout)
        return;
    const bool isRevealing = !std::exchange(m_toReveal, {}).empty();
    m_foldsBefore = m_paint.layout->expansion;
    if (place.expansion == m_foldsBefore)
        m_camera.show(place);
    else
        m_toShow = place;
    if (m_toShow || isRevealing)
        emit expansionRequested(place.expansion);
}

void GraphJumps::takeLayout()
{
    if (!m_paint.layout)
        return;
    if (m_toShow && m_paint.layout->expansion != m_foldsBefore) // else one that was under way before
        m_camera.show(*std::exchange(m_toShow, std::nullopt));
    const std::vector<NodeId> nodes = std::exchange(m_toReveal, {});
    if (!nodes.empty())
        reveal(nodes);
}

} // namespace stagecraft
