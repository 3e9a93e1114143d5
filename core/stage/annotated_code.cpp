#include "core/stage/annotated_code.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace stagecraft {

namespace {

constexpr std::size_t noteColumn = 100;

std::string spread(const TensorStatistics& statistics)
{
    if (statistics.nans > 0)
        return "NaN";
    if (statistics.infinities > 0)
        return "inf";
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", statistics.standardDeviation);
    return text.data();
}

std::string note(const ValueStatistics& value)
{
    if (!value.forward)
        return {};
    return "(-> " + spread(*value.forward) +
           (value.backward ? ", <- " + spread(*value.backward) : std::string()) + ")";
}

std::string nodeNote(const Node& node, const Statistics& statistics)
{
    std::string text;
    for (const ValueId result : node.results)
        if (const std::string one = note(statistics.values[result]); !one.empty())
            text += (text.empty() ? "" : "; ") + one;
    return text;
}

} // namespace

std::vector<std::string> statisticsNotes(const StageCode& code, const Graph& graph,
                                         const Statistics& statistics)
{
    std::vector<std::string> notes;
    notes.reserve(code.nodeOfLine.size());
    std::optional<NodeId> previous;
    for (const std::optional<NodeId>& node : code.nodeOfLine) {
        const bool isFirstLine = node != previous; // a call over several lines is noted once
        notes.push_back(node && isFirstLine ? nodeNote(graph[*node], statistics) : std::string());
        previous = node;
    }
    for (const auto& [line, value] : code.declarations)
        notes[line] = note(statistics.values[value]);
    return notes;
}

std::string annotatedCode(const StageCode& code, const std::vector<std::string>& notes)
{
    std::string text;
    std::size_t start = 0;
    for (std::size_t line = 0; start < code.text.size(); ++line) {
        const std::size_t end = std::min(code.text.find('\n', start), code.text.size());
        std::string shown = code.text.substr(start, end - start);
        if (line < notes.size() && !notes[line].empty()) {
            shown.resize(std::max(shown.size() + 2, noteColumn), ' ');
            shown += notes[line];
        }
        text += shown + '\n';
        start = end + 1;
    }
    return text;
}

} // namespace stagecraft
