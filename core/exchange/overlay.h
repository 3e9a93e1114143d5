// Overlay: figures and colours that a person brings along for a model, by node or module: what another
// program measured, counted or found. The file is described in core/exchange/README.md.
//
// It belongs to the graph that it was read for. What a module, a box or a stage has of a figure is
// overlayFigure() of its nodes.
#pragma once

#include "core/base/named.h"
#include "core/graph/graph.h"

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace stagecraft {

// What several figures are together.
enum class Combine : std::uint8_t { Nothing, Sum, Mean, Max, Min };

struct OverlayFigure
{
    std::string name;
    std::string unit; // may be empty
    Combine combine = Combine::Nothing;
};

struct OverlayColour
{
    std::uint8_t red = 0, green = 0, blue = 0;

    friend bool operator==(const OverlayColour&, const OverlayColour&) = default;
};
// "#d55e00".
std::string colourText(OverlayColour colour);

// What is said of one node or module.
struct OverlayEntry
{
    std::vector<std::optional<double>> figures; // as many as the overlay's, or none
    std::optional<OverlayColour> colour;
    std::string note;

    bool isEmpty() const { return figures.empty() && !colour && note.empty(); }
    std::optional<double> figure(std::size_t index) const
    {
        return figures.empty() ? std::nullopt : figures[index];
    }
};

struct Overlay
{
    std::string name; // of the file, if it says none
    std::vector<OverlayFigure> figures;
    Table<NodeId, OverlayEntry> nodes;
    Table<ModuleId, OverlayEntry> modules;
    std::optional<std::size_t> colourBy; // a figure
    std::pair<double, double> range;     // of that figure: where its colours begin and end
    std::vector<std::string> notes;      // of what the file names and the model lacks

    Table<ModuleId, std::size_t> nodesWithin; // of the graph: below each module
};

// Fails, naming the file and the place in it, where it is none, is too large or says nothing of the model.
Result<Overlay> readOverlay(const std::filesystem::path& path, const Graph& graph);
// The same of a text; `name` is for messages.
Result<Overlay> parseOverlay(std::string_view text, const std::string& name, const Graph& graph);

// What a node has of a figure: its own, else what the module has that it is alone in.
std::optional<double> overlayFigure(const Overlay& overlay, const Graph& graph, std::size_t figure,
                                    NodeId node);
// What distinct nodes have of a figure together; none: nothing is known of them, or only of more than them.
std::optional<double> overlayFigure(const Overlay& overlay, const Graph& graph, std::size_t figure,
                                    std::span<const NodeId> nodes);
// All nodes of a module, in execution order.
std::vector<NodeId> nodesOfModule(const Graph& graph, ModuleId module);

// On the scale of colourBy, which there is.
OverlayColour overlayScale(const Overlay& overlay, double value);
// The node's own colour, else that of its value, else those of the modules around it, innermost first.
std::optional<OverlayColour> overlayColour(const Overlay& overlay, const Graph& graph, NodeId node);
// Of distinct nodes together: that of the module that they are, else that of their value, else the one that
// all of them have.
std::optional<OverlayColour> overlayColour(const Overlay& overlay, const Graph& graph,
                                           std::span<const NodeId> nodes);

} // namespace stagecraft
