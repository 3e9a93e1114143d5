#include "app/document/selection_history.h"

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
    m_visited.push_back(m_selection->nodes());
    if (m_visited.size() > mostVisits)
        m_visited.erase(m_visited.begin());
    m_current = m_visited.size() - 1;
    emit changed();
}

void SelectionHistory::show(std::size_t visit)
{
    m_current = visit;
    m_isShowing = true;
    m_selection->setNodes(m_visited[visit]);
    m_selection->reveal(m_visited[visit]);
    m_isShowing = false;
    emit changed();
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
    m_visited = {{}};
    m_current = 0;
    emit changed();
}

} // namespace stagecraft
