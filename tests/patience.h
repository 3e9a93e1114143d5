// How long a test waits for what has to come. No measure of how fast it is: so long waits only one that
// hangs, on a machine that runs other tests and a build as well. Qt's own five seconds pass there now and
// then.
#pragma once

#include <QTest>

namespace stagecraft {

inline constexpr int patience = 300'000; // milliseconds

} // namespace stagecraft

#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(condition) QTRY_VERIFY_WITH_TIMEOUT(condition, stagecraft::patience)
#define QTRY_VERIFY2(condition, message) QTRY_VERIFY2_WITH_TIMEOUT(condition, message, stagecraft::patience)
#define QTRY_COMPARE(actual, expected) QTRY_COMPARE_WITH_TIMEOUT(actual, expected, stagecraft::patience)
