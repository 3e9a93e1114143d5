// A layout as an SVG picture, without a window: for `stagecraft-cli render` and reports.
#pragma once

#include "core/layout/layout.h"

#include <string>

namespace stagecraft {

struct SvgOptions
{
    enum class Look { Light, Dark };
    Look look = Look::Light;
};

// A complete SVG document. Text is escaped; colours are those of the stages.
std::string layoutSvg(const Layout& layout, const SvgOptions& options = {});

} // namespace stagecraft
