// Figures of the person's own in a report.
#pragma once

#include "core/report/report_subject.h"

#include <string>

namespace stagecraft {

// A section of the page with a table of stages, modules and operators that have such a figure, a colour or a
// note; empty without an overlay.
std::string overlaySection(const ReportSubject& subject);

} // namespace stagecraft
