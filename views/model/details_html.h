// The text of the details panel, as the simple HTML that QTextBrowser shows.
#pragma once

#include "views/base/plan_view.h"
#include "views/base/theme.h"

#include <QString>

#include <vector>

namespace stagecraft {

// Links are "node:12" for an operator of the graph, "source:LINE:FILE" for a line of the model's own code.
QString nodeDetails(const PlanView& plan, const Theme& theme, NodeId node);
// Sums of several operators, and which kinds they are of.
QString groupDetails(const PlanView& plan, const Theme& theme, const std::vector<NodeId>& nodes);

} // namespace stagecraft
