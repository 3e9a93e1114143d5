// What tells a plan apart from another, for people (plan/plan_difference.h).
#pragma once

#include "core/plan/plan_difference.h"
#include "views/base/cell_delegate.h"

#include <QString>

namespace stagecraft {

// "Step", "Slowest device", ...
QString figureTitle(PlanFigure figure);
// "912 ms", "24.0 GiB", "12 %"
QString figureText(PlanFigure figure, double value);
// "+3.1 %", "−1.20 GiB", "−2.1 pts" from one plan to the other; empty where it would round to nothing.
QString differenceText(const FigureDifference& difference);

// Puts the difference between the plans beside the figure in a cell, and whether it is for the better.
void addDifference(CellContent& content, const PlanCost& from, const PlanCost& to, PlanFigure figure);
// How a table marks it.
CellContent::Change changeKind(Verdict verdict);

} // namespace stagecraft
