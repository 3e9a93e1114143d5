#include "views/plan/difference_text.h"

#include "views/base/format.h"

#include <QObject>

#include <cmath>

namespace stagecraft {

namespace {

Bytes wholeBytes(double value)
{
    return Bytes(static_cast<std::int64_t>(std::llround(value)));
}

} // namespace

QString figureTitle(PlanFigure figure)
{
    switch (figure) {
    case PlanFigure::Step:
        return QObject::tr("Step");
    case PlanFigure::Slowest:
        return QObject::tr("Slowest device");
    case PlanFigure::Peak:
        return QObject::tr("Peak memory");
    case PlanFigure::Bubble:
        return QObject::tr("Bubble");
    case PlanFigure::Sent:
        return QObject::tr("Sent");
    }
    return {};
}

QString figureText(PlanFigure figure, double value)
{
    switch (figure) {
    case PlanFigure::Step:
    case PlanFigure::Slowest:
        return toText(Seconds(value));
    case PlanFigure::Peak:
    case PlanFigure::Sent:
        return toText(wholeBytes(value));
    case PlanFigure::Bubble:
        return percentText(value);
    }
    return {};
}

QString differenceText(const FigureDifference& difference)
{
    switch (difference.figure) {
    case PlanFigure::Step:
    case PlanFigure::Slowest:
        return changeText(Seconds(difference.from), Seconds(difference.to));
    case PlanFigure::Peak:
    case PlanFigure::Sent:
        return changeText(wholeBytes(difference.from), wholeBytes(difference.to));
    case PlanFigure::Bubble:
        return pointsText(difference.from, difference.to);
    }
    return {};
}

void addDifference(CellContent& content, const PlanCost& from, const PlanCost& to, PlanFigure figure)
{
    const FigureDifference difference = figureDifferences(from, to)[static_cast<std::size_t>(figure)];
    content.change = differenceText(difference);
    content.changeKind =
        content.change.isEmpty() ? CellContent::Change::Neutral : changeKind(difference.verdict);
}

CellContent::Change changeKind(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Same:
        return CellContent::Change::Neutral;
    case Verdict::Better:
        return CellContent::Change::Better;
    case Verdict::Worse:
        break;
    }
    return CellContent::Change::Worse;
}

} // namespace stagecraft
