// WindowViews: the views of one window, and how they hang together with its document.
#pragma once

#include "views/charts/charts.h"
#include "views/charts/curve_panel.h"
#include "views/charts/memory_panel.h"
#include "views/charts/module_map.h"
#include "views/charts/schedule_view.h"
#include "views/charts/step_memory_panel.h"
#include "views/charts/trade_offs_panel.h"
#include "views/code/code_view.h"
#include "views/graph/graph_view.h"
#include "views/model/details_panel.h"
#include "views/model/module_tree_view.h"
#include "views/model/operators_panel.h"
#include "views/plan/advice_panel.h"
#include "views/plan/constraints_panel.h"
#include "views/plan/history_panel.h"
#include "views/plan/places_table.h"
#include "views/plan/plan_options_panel.h"
#include "views/plan/stages_table.h"
#include "views/plan/trade_slider.h"

namespace stagecraft {

class Document;

// Owned by the window, as its children.
struct WindowViews
{
    Selection* selection;
    GraphView* graph;
    ModuleTreeView* modules;
    StagesTable* stages;
    PlanOptionsPanel* options;
    TradeSlider* trade; // memory against time
    PlacesTable* places;
    ConstraintsPanel* constraints;
    AdvicePanel* advice;
    CodeView* code;
    DetailsPanel* details;
    ExecutionCharts* charts;
    ScheduleView* schedule;
    MemoryPanel* memory;
    ModuleMap* map;
    StepMemoryPanel* stepMemory;
    CurvePanel* curve;
    TradeOffsPanel* tradeOffs;
    OperatorsPanel* operators;
    HistoryPanel* history;
};

WindowViews makeViews(QWidget* parent);

// Brings what changes in the document to the views, and what a person does in a view to the document. Views
// hear of each other through the document and the selection alone.
void linkViews(const WindowViews& views, Document& document);

} // namespace stagecraft
