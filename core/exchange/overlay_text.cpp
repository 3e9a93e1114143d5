#include "core/exchange/overlay_text.h"

#include "core/base/text.h"

namespace stagecraft {

std::string figureText(const OverlayFigure& figure, double value)
{
    return formatted("%.6g", value) + (figure.unit.empty() ? "" : " " + figure.unit);
}

namespace {

std::string textsOfFigures(const Overlay& overlay, const Graph& graph, const auto& whose)
{
    std::string text;
    for (std::size_t i = 0; i < overlay.figures.size(); ++i)
        if (const std::optional<double> value = overlayFigure(overlay, graph, i, whose))
            text += (text.empty() ? "" : ", ") + overlay.figures[i].name + ' ' +
                    figureText(overlay.figures[i], *value);
    return text;
}

} // namespace

std::string figureTexts(const Overlay& overlay, const Graph& graph, NodeId node)
{
    return textsOfFigures(overlay, graph, node);
}

std::string figureTexts(const Overlay& overlay, const Graph& graph, std::span<const NodeId> nodes)
{
    return textsOfFigures(overlay, graph, nodes);
}

} // namespace stagecraft
