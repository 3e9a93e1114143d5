#include "core/graph/given_sizes.h"

namespace stagecraft {

namespace {

std::string symbolsOf(const Graph& graph)
{
    std::string text;
    for (const auto& [name, range] : graph.symbolRanges())
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "it has none" : "there are " + text;
}

// torch.export writes it where nothing is said of a size, which it then took to be neither 0 nor 1.
constexpr std::int64_t usualLeast = 2;

} // namespace

std::string rangeText(const SymbolRange& range)
{
    if (range.min && range.max)
        return "from " + std::to_string(*range.min) + " to " + std::to_string(*range.max);
    if (range.min)
        return "at least " + std::to_string(*range.min);
    return range.max ? "at most " + std::to_string(*range.max) : "any";
}

Result<std::vector<std::string>> checkRanges(const Graph& graph, const Bindings& sizes)
{
    std::vector<std::string> notes;
    for (const auto& [symbol, size] : sizes) {
        const auto found = graph.symbolRanges().find(symbol);
        if (found == graph.symbolRanges().end())
            continue;
        const SymbolRange& range = found->second;
        const bool isTooSmall = range.min && size < *range.min;
        if (!isTooSmall && (!range.max || size <= *range.max))
            continue;
        const std::string outside = symbol + '=' + std::to_string(size) +
                                    " is outside of what the file was exported for: " + rangeText(range);
        if (!isTooSmall || *range.min > usualLeast || size < 0)
            return Error{ErrorCode::BadUsage, outside};
        notes.push_back(outside);
    }
    return notes;
}

std::int64_t leastSize(const SymbolRange& range)
{
    const std::int64_t least = range.min.value_or(0);
    return least == usualLeast ? 1 : least;
}

Result<std::vector<std::string>> checkSizes(const Graph& graph, const Bindings& sizes)
{
    for (const auto& [symbol, size] : sizes)
        if (!graph.symbolRanges().contains(symbol))
            return Error{ErrorCode::BadUsage,
                         "the model has no symbolic size '" + symbol + "'; " + symbolsOf(graph)};
    return checkRanges(graph, sizes);
}

} // namespace stagecraft
