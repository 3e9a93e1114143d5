// Figures of an overlay as text for people.
#pragma once

#include "core/exchange/overlay.h"

#include <string>

namespace stagecraft {

// "41.5 %", "1.2e+09"; to six digits.
std::string figureText(const OverlayFigure& figure, double value);
// All figures of a node, or of nodes together, "utilisation 41.5 %, waiting 0.2 ms"; empty: there is none.
std::string figureTexts(const Overlay& overlay, const Graph& graph, NodeId node);
std::string figureTexts(const Overlay& overlay, const Graph& graph, std::span<const NodeId> nodes);

} // namespace stagecraft
