// BarOverflow: a tool bar that always shows all there is: what does not fit goes, the least needed first, and
// stands in a menu at the bar's end instead.
#pragma once

#include <QObject>

#include <functional>
#include <vector>

class QAction;
class QMenu;
class QToolBar;
class QToolButton;

namespace stagecraft {

class BarOverflow : public QObject
{
    Q_OBJECT

public:
    explicit BarOverflow(QToolBar* bar);

    // A part of the bar: its widgets, and what its menu shows while they are not there. Those that are added
    // first go first.
    void add(const QList<QAction*>& parts, std::function<void(QMenu*)> fillMenu);
    // When all is in the bar. The menu's button is put before that part.
    void watch(QAction* before);

    // How many parts are in the menu; for tests.
    std::size_t hiddenCount() const { return m_hidden; }
    QToolButton* button() const { return m_button; } // for tests

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    struct Part
    {
        QList<QAction*> actions;
        std::function<void(QMenu*)> fillMenu;
        int width() const;
        QToolBar* bar;
    };
    void arrange();
    void fillMenu();
    int widthOfAll() const;

    QToolBar* m_bar;
    QToolButton* m_button;
    QAction* m_buttonAction = nullptr;
    QMenu* m_menu;
    std::vector<Part> m_parts;
    std::size_t m_hidden = 0;
};

} // namespace stagecraft
