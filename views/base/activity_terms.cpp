#include "views/base/activity_terms.h"

#include "views/base/plain_text.h"

#include <QCoreApplication>
#include <QRegularExpression>

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

// tst_terms holds them against the engine's.
constexpr std::array activities{
    QT_TRANSLATE_NOOP("Terms", "Calibrating"),
    QT_TRANSLATE_NOOP("Terms", "Comparing plans"),
    QT_TRANSLATE_NOOP("Terms", "Cutting"),
    QT_TRANSLATE_NOOP("Terms", "Following the script"),
    QT_TRANSLATE_NOOP("Terms", "Gradients"),
    QT_TRANSLATE_NOOP("Terms", "Improving"),
    QT_TRANSLATE_NOOP("Terms", "Looking for changes"),
    QT_TRANSLATE_NOOP("Terms", "Matching operators"),
    QT_TRANSLATE_NOOP("Terms", "Measuring"),
    QT_TRANSLATE_NOOP("Terms", "Measuring steps"),
    QT_TRANSLATE_NOOP("Terms", "Proving"),
    QT_TRANSLATE_NOOP("Terms", "Reading operators"),
    QT_TRANSLATE_NOOP("Terms", "Reading stages"),
    QT_TRANSLATE_NOOP("Terms", "Reading the model"),
    QT_TRANSLATE_NOOP("Terms", "Reading weights"),
    QT_TRANSLATE_NOOP("Terms", "Running"),
    QT_TRANSLATE_NOOP("Terms", "Running stages"),
    QT_TRANSLATE_NOOP("Terms", "Running the model"),
    QT_TRANSLATE_NOOP("Terms", "Running the stages in Python"),
    QT_TRANSLATE_NOOP("Terms", "Sketching plans"),
    QT_TRANSLATE_NOOP("Terms", "Slicing orders"),
    QT_TRANSLATE_NOOP("Terms", "Tracing"),
    QT_TRANSLATE_NOOP("Terms", "Tracing what is kept"),
    QT_TRANSLATE_NOOP("Terms", "Weighing what runs again"),
    QT_TRANSLATE_NOOP("Terms", "Writing code"),
    QT_TRANSLATE_NOOP("Terms", "Writing stages"),
    QT_TRANSLATE_NOOP("Terms", "Writing weights"),
};

} // namespace

QString activityText(std::string_view activity)
{
    const auto known =
        std::ranges::find(activities, activity, [](const char* text) { return std::string_view(text); });
    if (known != activities.end())
        return QCoreApplication::translate("Terms", *known);
    static const QRegularExpression searching(QStringLiteral("^Searching (\\d+) stages$"));
    const QString shown = shownText(activity);
    if (const auto match = searching.match(shown); match.hasMatch())
        return QCoreApplication::translate("Terms", "Searching %1 stages").arg(match.captured(1));
    return shown;
}

} // namespace stagecraft
