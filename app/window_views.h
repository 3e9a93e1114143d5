// WindowViews: the views of one window, and how they hang together with its document.
#pragma once

#include "views/advice_panel.h"
#include "views/charts.h"
#include "views/code_view.h"
#include "views/curve_panel.h"
#include "views/details_panel.h"
#include "views/graph_view.h"
#include "views/memory_panel.h"
#include "views/module_tree_view.h"
#include "views/plan_options_panel.h"
#include "views/schedule_view.h"
#include "views/stages_table.h"
#include "views/trade_offs_panel.h"

namespace stagecraft {

class Document;
class TradeOffSearch;

// Owned by the window, as its children.
struct WindowViews
{
    Selection* selection;
    GraphView* graph;
    ModuleTreeView* modules;
    StagesTable* stages;
    PlanOptionsPanel* options;
    AdvicePanel* advice;
    CodeView* code;
    DetailsPanel* details;
    ExecutionCharts* charts;
    ScheduleView* schedule;
    MemoryPanel* memory;
    CurvePanel* curve;
    TradeOffsPanel* tradeOffs;
};

WindowViews makeViews(QWidget* parent);

// Brings what changes in the document to the views, and what a person does in a view to the document. Views
// hear of each other through the document and the selection alone.
void linkViews(const WindowViews& views, Document& document);
// The same for the plans that trade time for memory or bytes sent.
void linkTradeOffs(const WindowViews& views, const Document& document, TradeOffSearch& search);

} // namespace stagecraft
