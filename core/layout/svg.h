// A layout as an SVG picture, without a window: for `stagecraft-cli render` and reports.
#pragma once

#include "core/exchange/overlay.h"
#include "core/layout/layout.h"

#include <string>

namespace stagecraft {

struct SvgOptions
{
    enum class Look { Light, Dark };
    Look look = Look::Light;
    const Overlay* overlay = nullptr; // of the layout's graph: colours of cards, and figures on them
};

// A complete SVG document. Text is escaped; colours are those of the stages.
std::string layoutSvg(const Layout& layout, const SvgOptions& options = {});

} // namespace stagecraft
