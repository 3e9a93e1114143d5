// What is said about a thing of the graph when the mouse rests on it.
#pragma once

#include "core/exchange/overlay.h"
#include "core/layout/layout.h"
#include "views/base/plan_view.h"

#include <QString>

#include <vector>

namespace stagecraft {

// Rich text, escaped: name, operator, shape, module, time and share, bytes, stage.
// With a person's own figures, unless that is null.
QString itemTooltip(const Layout& layout, const PlanView& plan, ItemId item,
                    const Overlay* overlay = nullptr);
// Of values that run along an edge: name, shape, bytes, what makes them, what reads them.
QString edgeTooltip(const Layout& layout, const PlanView& plan, const std::vector<ValueId>& values);
// The same of the first of them in one plain line, for screen readers.
QString edgeDescription(const Layout& layout, const PlanView& plan, const std::vector<ValueId>& values);
// Its largest tensors, bytes and the time of the link.
QString boundaryTooltip(const PlanView& plan, BoundaryId boundary);

} // namespace stagecraft
