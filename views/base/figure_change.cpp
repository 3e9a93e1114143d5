#include "views/base/figure_change.h"

#include "views/base/format.h"

namespace stagecraft {

namespace {

using Change = CellContent::Change;

void put(CellContent& content, const QString& change, bool isLess)
{
    content.change = change;
    content.changeKind = change.isEmpty() ? Change::Neutral : isLess ? Change::Better : Change::Worse;
}

} // namespace

void setChange(CellContent& content, Seconds from, Seconds to)
{
    put(content, changeText(from, to), to < from);
}

void setChange(CellContent& content, Bytes from, Bytes to)
{
    put(content, changeText(from, to), to < from);
}

// In percent, as times are.
void setChange(CellContent& content, Flops from, Flops to)
{
    setChange(content, Seconds(from.value()), Seconds(to.value()));
}

void setShareChange(CellContent& content, double from, double to)
{
    put(content, pointsText(from, to), to < from);
}

QString withChange(const QString& text, const CellContent& content)
{
    if (content.change.isEmpty())
        return text;
    return text.isEmpty() ? content.change : text + QStringLiteral(", ") + content.change;
}

} // namespace stagecraft
