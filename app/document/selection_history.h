// SelectionHistory: what was selected before, to go back to and forth, as a browser does with pages.
#pragma once

#include "views/base/selection.h"

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
    // Selects and reveals. No effect where there is nowhere to go.
    void goBack();
    void goForward();
    // For another model.
    void clear();

signals:
    void changed();

private:
    void remember();
    void show(std::size_t visit);

    Selection* m_selection;
    std::vector<std::vector<NodeId>> m_visited{{}}; // none is empty but the first
    std::size_t m_current = 0;
    bool m_isShowing = false;
};

} // namespace stagecraft
