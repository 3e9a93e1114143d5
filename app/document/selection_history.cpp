#include "app/document/selection_history.h"

#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t mostVisits = 200;

} // namespace

SelectionHistory::SelectionHistory(Selection* selection) : QObject(selection), m_selection(selection)
{
    connect(selection, &Selection::nodesChanged, this, &SelectionHistory::remember);
}

void SelectionHistory::remember()
{
    if (m_isShowing || m_selection->nodes().empty())
        return;
    m_visited.resize(m_current + 1);
    m_visited.push_back({m_selection->nodes(), std::nullopt});
    if (m_visited.size() > mostVisits)
        m_visited.erase(m_visited.begin());
    m_current = m_visited.size() - 1;
    emit changed();
}

void SelectionHistory::show(std::size_t visit)
{
    const Visit shown = m_visited[visit];
    m_isShowing = true;
    m_hasLeft = false;
    m_selection->setNodes(shown.nodes);
    m_selection->reveal(shown.nodes);
    m_isShowing = false;
    m_current = visit;
    if (shown.place)
        emit returned(*shown.place);
    emit changed();
}

// Of several moves on the way to another visit, the first began where the person was.
void SelectionHistory::leave(const std::optional<GraphPlace>& place)
{
    if (m_isShowing && std::exchange(m_hasLeft, true))
        return;
    m_visited[m_current].place = place;
}

void SelectionHistory::goBack()
{
    if (canGoBack())
        show(m_current - 1);
}

void SelectionHistory::goForward()
{
    if (canGoForward())
        show(m_current + 1);
}

void SelectionHistory::clear()
{
    m_visited = std::vector<Visit>(1);
    m_current = 0;
    emit changed();
}

} // namespace stagecraft
