// The engine's own words in the language of the window: what memory holds, the fields of a request and their
// choices, the words of forms, stages and boundaries by their numbers. Its sentences (errors, reasons, notes)
// are English in every language.
#pragma once

#include "core/plan/partition.h"

#include <QString>

#include <string_view>
#include <vector>

namespace stagecraft {

// A word that is not one of the engine's is shown as it is spelt: no name of a model is ever translated.
QString termText(std::string_view term);

// As core/plan/stage_labels.h says it: "stages 3 and 8", "boundary 1|2", "device 2 (stages 3 and 8)".
QString stagesTerm(const std::vector<StageId>& stages);
QString boundaryTerm(BoundaryId boundary);
QString slowestTerm(const PlanCost& cost);

} // namespace stagecraft
