#include "core/stage/annotated_code.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <limits>

namespace stagecraft {

namespace {

constexpr std::size_t noteColumn = 100;

// "0.578"; of several tensors that one line makes "0.5..0.61".
std::string spread(const std::vector<const TensorStatistics*>& tensors)
{
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    bool isAnyInfinite = false;
    for (const TensorStatistics* tensor : tensors) {
        if (tensor->nans > 0)
            return "NaN";
        isAnyInfinite = isAnyInfinite || tensor->infinities > 0;
        least = std::min(least, tensor->standardDeviation);
        most = std::max(most, tensor->standardDeviation);
    }
    if (isAnyInfinite)
        return "inf";
    std::array<char, 32> first{};
    std::array<char, 32> last{};
    std::snprintf(first.data(), first.size(), "%.3g", least);
    std::snprintf(last.data(), last.size(), "%.3g", most);
    const std::string text = first.data();
    return text == last.data() ? text : text + ".." + last.data();
}

std::string note(const std::vector<ValueId>& values, const Statistics& statistics)
{
    std::vector<const TensorStatistics*> forward;
    std::vector<const TensorStatistics*> backward;
    for (const ValueId value : values) {
        const ValueStatistics& known = statistics.values[value];
        if (known.forward)
            forward.push_back(&*known.forward);
        if (known.forward && known.backward)
            backward.push_back(&*known.backward);
    }
    if (forward.empty())
        return {};
    return "(-> " + spread(forward) + (backward.empty() ? std::string() : ", <- " + spread(backward)) + ")";
}

std::string joinedNotes(const std::vector<std::vector<ValueId>>& results, const Statistics& statistics)
{
    std::string text;
    for (const std::vector<ValueId>& values : results)
        if (const std::string one = note(values, statistics); !one.empty())
            text += (text.empty() ? "" : "; ") + one;
    return text;
}

// Of nodes that one line runs: each result in all of them.
std::vector<std::vector<ValueId>> resultsOf(const std::vector<NodeId>& nodes, const Graph& graph)
{
    std::vector<std::vector<ValueId>> results;
    for (const NodeId node : nodes) {
        results.resize(std::max(results.size(), graph[node].results.size()));
        for (std::size_t i = 0; i < graph[node].results.size(); ++i)
            results[i].push_back(graph[node].results[i]);
    }
    return results;
}

} // namespace

std::vector<std::string> statisticsNotes(const StageCode& code, const Graph& graph,
                                         const Statistics& statistics)
{
    std::vector<std::string> notes;
    notes.reserve(code.nodesOfLine.size());
    for (std::size_t line = 0; line < code.nodesOfLine.size(); ++line) {
        const auto values = code.valuesOfLine.find(line);
        if (values == code.valuesOfLine.end()) {
            notes.push_back(joinedNotes(resultsOf(code.nodesOfLine[line], graph), statistics));
            continue;
        }
        std::vector<std::vector<ValueId>> each;
        for (const ValueId value : values->second)
            each.push_back({value});
        notes.push_back(joinedNotes(each, statistics));
    }
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
