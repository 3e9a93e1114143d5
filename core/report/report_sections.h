// Summary and tables of a report, which are there without a script, as HTML.
#pragma once

#include "core/report/report_subject.h"

#include <string>

namespace stagecraft {

// One sentence: "Split into 4 stages for 4 x NVIDIA A100: it fits, and a step takes 1.24 s."
std::string headline(const ReportSubject& subject); // plain text
// The figures that one looks for first.
std::string summaryCards(const ReportSubject& subject);
std::string stagesTable(const ReportSubject& subject);
// Of devices that run several stages; empty where each runs one.
std::string devicesTable(const ReportSubject& subject);
std::string boundariesTable(const ReportSubject& subject);
// The operators that take the most time, a few: a script shows all.
std::string operatorsTable(const ReportSubject& subject);

} // namespace stagecraft
