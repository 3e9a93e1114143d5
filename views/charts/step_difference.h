// What makes a measured step longer or shorter than the planned one, for people (schedule/step_comparison.h).
#pragma once

#include "core/schedule/step_comparison.h"

#include <QString>
#include <QStringList>

namespace stagecraft {

// "2.10 s, 0.30 s longer than planned: stage 2 is slower than others +0.20 s, waiting +0.10 s": the causes
// that weigh most, at most three.
QString differenceText(const StepComparison& comparison);
// All of them, the weightiest first; they add up to the difference.
QStringList differenceCauses(const StepComparison& comparison);
// Of one action: "measured 1.20 ms, from 3.00 ms: 0.20 ms longer, 1.00 ms later"; empty where it was not.
QString actionDifference(const StepComparison& comparison, const Action& action);

} // namespace stagecraft
