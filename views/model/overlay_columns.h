// The columns that tables of the model have for a person's own figures, one a figure.
#pragma once

#include "core/exchange/overlay.h"

#include <QVariant>

#include <optional>

namespace stagecraft {

// What a cell has for `role`, whose figure is `value`; `colour` is that of what the row stands for.
QVariant overlayCell(const Overlay& overlay, std::size_t figure, std::optional<double> value,
                     std::optional<OverlayColour> colour, int role);
QVariant overlayHeader(const Overlay& overlay, std::size_t figure, int role);

} // namespace stagecraft
