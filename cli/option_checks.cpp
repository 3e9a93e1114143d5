#include "cli/option_checks.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace stagecraft::cli {
namespace {

constexpr double noEnd = std::numeric_limits<double>::max();

std::string plain(double value)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", value);
    return text;
}

std::string rangeText(double least, double most)
{
    return most < noEnd ? "from " + plain(least) + " to " + plain(most) : "of " + plain(least) + " or more";
}

std::string symbolsOf(const Graph& graph)
{
    std::string text;
    for (const auto& [name, range] : graph.symbolRanges())
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "it has none" : "there are " + text;
}

} // namespace

CLI::Validator numberFrom(double least, double most)
{
    return CLI::Validator(
        [least, most](const std::string& text) -> std::string {
            double value = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, status] = std::from_chars(text.data(), end, value);
            const bool isNumber = status == std::errc() && stop == end && std::isfinite(value);
            if (isNumber && value >= least && value <= most)
                return "";
            return "'" + text + "' is not a number " + rangeText(least, most);
        },
        "");
}

Result<void> checkBindings(const Graph& graph, const Bindings& bindings, std::vector<std::string>& notes)
{
    for (const auto& [symbol, size] : bindings) {
        const auto found = graph.symbolRanges().find(symbol);
        if (found == graph.symbolRanges().end())
            return Error{ErrorCode::BadUsage,
                         "--bind: the model has no symbolic size '" + symbol + "'; " + symbolsOf(graph)};
        const SymbolRange& range = found->second;
        if ((range.min && size < *range.min) || (range.max && size > *range.max))
            notes.push_back(symbol + '=' + std::to_string(size) +
                            " is outside of what the file was exported for: " +
                            (range.min ? "from " + std::to_string(*range.min) : "") +
                            (range.max ? " to " + std::to_string(*range.max) : " on"));
    }
    return {};
}

} // namespace stagecraft::cli
