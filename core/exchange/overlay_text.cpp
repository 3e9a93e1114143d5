#include "core/exchange/overlay_text.h"

#include "core/base/text.h"

namespace stagecraft {

std::string figureText(const OverlayFigure& figure, double value)
{
    return formatted("%.6g", value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

std::string figureTexts(const Overlay& overlay, const Graph& graph, std::span<const NodeId> nodes)
{
    std::string text;
    for (std::size_t i = 0; i < overlay.figures.size(); ++i)
        if (const std::optional<double> value = overlayFigure(overlay, graph, i, nodes))
            text += (text.empty() ? "" : ", ") + overlay.figures[i].name + ' ' +
                    figureText(overlay.figures[i], *value);
    return text;
}

} // namespace stagecraft
