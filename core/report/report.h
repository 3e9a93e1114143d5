// A report: a plan, its model and its figures as one HTML file that is read anywhere, without Stagecraft and
// without a network.
//
//     problem, plan, profile ──► figures as JSON ──┐
//                      └──────► tables as HTML ────┼──► page: one file, with its own style and script
//     resources/report ─────────(built in)─────────┘
//
// Tables are there without a script; charts are drawn by it, from the JSON. Names and other texts of a model
// are text wherever they stand: escaped in HTML (html_text.h), without markup in the JSON, and put into the
// page by textContent alone. The page's policy lets no other script or style run, and nothing be loaded.
#pragma once

#include "core/base/result.h"
#include "core/report/report_subject.h"

#include <string>

namespace stagecraft {

// The whole file, the same for the same subject. Fails as simulate() does.
Result<std::string> reportPage(const ReportSubject& subject);

} // namespace stagecraft
