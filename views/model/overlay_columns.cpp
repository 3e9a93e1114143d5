#include "views/model/overlay_columns.h"

#include "core/exchange/overlay_text.h"
#include "views/base/cell_delegate.h"
#include "views/base/plain_text.h"
#include "views/tables/table_roles.h"

#include <QObject>

namespace stagecraft {

QVariant overlayCell(const Overlay& overlay, std::size_t figure, std::optional<double> value,
                     std::optional<OverlayColour> colour, int role)
{
    switch (role) {
    case Qt::DisplayRole:
        return value ? shownText(figureText(overlay.figures[figure], *value)) : QString();
    case Qt::TextAlignmentRole:
        return overlayHeader(overlay, figure, role);
    case cellRole: {
        CellContent content;
        if (colour && overlay.colourBy == figure)
            content.swatch = QColor(colour->red, colour->green, colour->blue);
        return QVariant::fromValue(content);
    }
    case valueRole:
        return value ? QVariant(*value) : QVariant();
    default:
        return {};
    }
}

QVariant overlayHeader(const Overlay& overlay, std::size_t figure, int role)
{
    const OverlayFigure& own = overlay.figures[figure];
    switch (role) {
    case Qt::DisplayRole:
        return shownText(own.name);
    case Qt::ToolTipRole:
        return toolTipText(
            QObject::tr("%1, of %2: a figure of your own").arg(shownText(own.name), shownText(overlay.name)));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | Qt::AlignRight);
    case unitRole:
        return static_cast<int>(own.combine == Combine::Sum ? ColumnUnit::Number : ColumnUnit::None);
    default:
        return {};
    }
}

} // namespace stagecraft
