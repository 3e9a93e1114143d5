// Points of a plan curve as cells of a table: plain functions.
#pragma once

#include "core/advise/curve.h"
#include "views/plan/plan_rows.h"

namespace stagecraft {

enum class CurveColumn { Stages, Slowest, SpeedUp, Peak, Bubble, Gap };
inline constexpr int curveColumnCount = static_cast<int>(CurveColumn::Gap) + 1;

std::vector<PlanRows::Column> curveColumns();
// Empty for a point without a plan, but for its number of stages and, in place of the gap, why.
QString curveCellText(const CurvePoint& point, CurveColumn column);
// Stages, seconds, times, bytes, a share; none of a point without a plan.
std::optional<double> curveCellValue(const CurvePoint& point, CurveColumn column);
// `curve` gives what bars are compared with.
CellContent curveCellContent(const PlanCurve& curve, const CurvePoint& point, CurveColumn column);
// All figures of a point, a line each.
QString curvePointHelp(const CurvePoint& point);

} // namespace stagecraft
