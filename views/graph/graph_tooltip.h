// What is said about a thing of the graph when the mouse rests on it.
#pragma once

#include "core/layout/layout.h"
#include "views/base/plan_view.h"

#include <QString>

namespace stagecraft {

// Rich text, escaped: name, operator, shape, module, time and share, bytes, stage.
QString itemTooltip(const Layout& layout, const PlanView& plan, ItemId item);
// Its largest tensors, bytes and the time of the link.
QString boundaryTooltip(const PlanView& plan, BoundaryId boundary);

} // namespace stagecraft
