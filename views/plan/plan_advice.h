// Why a plan is no faster and what would help, as the text of a panel: plain functions.
#pragma once

#include "core/advise/suggestions.h"
#include "views/base/plan_view.h"
#include "views/base/theme.h"

#include <QString>

#include <optional>
#include <vector>

namespace stagecraft {

// What a line of the text is about, for showing it in the graph.
struct AdviceSubject
{
    std::vector<NodeId> nodes;
    std::optional<BoundaryId> boundary;
};

struct AdviceText
{
    QString html; // of simple paragraphs; links are "subject:2"
    std::vector<AdviceSubject> subjects;
};

// The reasons, then the longest ops of the slowest stage and what crosses its boundaries. `plan` is what the
// report is about, with its partition.
AdviceText reasonsText(const PlanAdvice& advice, const PlanView& plan, const Theme& theme);

// "Move boundary 1|2 to stand before 'add_3'"; "slowest 47.0 ms to 44.1 ms (-6.2 %), step -1.1 %".
QString suggestionTitle(const Suggestion& suggestion);
QString suggestionGain(const Suggestion& suggestion);
// How far the plan that it makes can be from the best of its kind: "proven within 2.1 % of optimal".
QString suggestionQuality(const Suggestion& suggestion);

} // namespace stagecraft
