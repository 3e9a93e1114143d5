// What the actions of the View menu do.
#pragma once

#include "app/window/actions.h"
#include "app/window/main_bar.h"

class QSettings;

namespace stagecraft {

class Document;
class GraphView;

// Zoom, boxes; the keys of the graph's own actions.
void linkGraphActions(const Actions& actions, GraphView* graph);
// How much of the model is drawn.
void linkDetailActions(const Actions& actions, const MainBar& bar, Document& document);
// Fills the menu with an entry for each way to colour ops; the choice in the bar says the same.
void linkColorActions(QMenu* menu, ColorBySelector* choice, GraphView* graph);
// The theme is one of the program, and kept in the settings.
void linkThemeActions(const Actions& actions, QSettings* settings);

} // namespace stagecraft
