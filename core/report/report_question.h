// What a report answers: what was asked, what is to be known beside the figures, how to ask it again.
#pragma once

#include "core/report/report_subject.h"

#include <string>

namespace stagecraft {

// "4 × NVIDIA A100 SXM 80GB"
std::string devicesText(const ReportSubject& subject);
// What was asked of profile and plan, as HTML.
std::string questionList(const ReportSubject& subject);
std::string noteList(const ReportSubject& subject);
// The command that makes the report again from the model and the plan in it, for a POSIX shell; plain text.
std::string commandAgain(const ReportSubject& subject);

} // namespace stagecraft
