// HelpCommands: what the window says of itself: the panel that has the keyboard, all keys, the tour, about;
// and the preferences of the program.
#pragma once

#include "app/window/actions.h"
#include "app/window/window_views.h"

#include <QPointer>

class QMainWindow;
class QSettings;

namespace stagecraft {

class Docks;
class Document;
class Tour;

class HelpCommands : public QObject
{
    Q_OBJECT

public:
    // All outlive it. Puts its own actions into the menus.
    HelpCommands(QMainWindow* window, const Menus& menus, const Actions& actions, const WindowViews& views,
                 Docks* docks, Document& document, QSettings* settings);

    // The tour, with the first model that is opened, unless this person has seen it.
    void offerTour();

private:
    void addActions(const Menus& menus);
    void showPanelHelp();
    void startTour();

    QMainWindow* m_window;
    Actions m_actions;
    WindowViews m_views;
    Docks* m_docks;
    Document& m_document;
    QSettings* m_settings;
    QPointer<Tour> m_tour;
    bool m_waitsForModel = false;
};

} // namespace stagecraft
