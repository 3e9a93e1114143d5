// SelectionHistory: what was selected before, and what was seen of the graph then, to go back to and forth,
// as a browser does with pages.
#pragma once

#include "views/base/selection.h"
#include "views/graph/graph_place.h"

#include <vector>

namespace stagecraft {

class SelectionHistory : public QObject
{
    Q_OBJECT

public:
    // Neither owns `selection`, nor may it go first.
    explicit SelectionHistory(Selection* selection);

    bool canGoBack() const { return m_current > 0; }
    bool canGoForward() const { return m_current + 1 < m_visited.size(); }
    // Selects and reveals; returned() follows if it is known what was seen. No effect where there is nowhere
    // to go.
    void goBack();
    void goForward();
    // What is seen before the selection moves it; to be told before that says that it changed. None: not
    // known.
    void leave(const std::optional<GraphPlace>& place);
    // For another model.
    void clear();

signals:
    void changed();
    void returned(const stagecraft::GraphPlace& place);

private:
    struct Visit
    {
        std::vector<NodeId> nodes; // of none but the first empty
        std::optional<GraphPlace> place;
    };
    void remember();
    void show(std::size_t visit);

    Selection* m_selection;
    std::vector<Visit> m_visited = std::vector<Visit>(1);
    std::size_t m_current = 0;
    bool m_isShowing = false;
    bool m_hasLeft = false; // what was there, while another is shown
};

} // namespace stagecraft
