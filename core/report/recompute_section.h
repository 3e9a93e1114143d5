// What a plan's stages run again in backward, in a report.
#pragma once

#include "core/plan/stage_recomputation.h"
#include "core/report/report_subject.h"

#include <string>
#include <vector>

namespace stagecraft {

// By stage; empty where nothing runs again.
std::vector<StageRecomputation> recomputedStages(const ReportSubject& subject);
// A table of that; empty where nothing runs again.
std::string recomputeTable(const ReportSubject& subject);

} // namespace stagecraft
