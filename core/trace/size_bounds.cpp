#include "core/trace/size_bounds.h"

#include "core/graph/given_sizes.h"

namespace stagecraft {

namespace {

std::string listOf(const std::map<std::string, SymbolRange>& ranges)
{
    std::string text;
    for (const auto& [name, range] : ranges)
        text += (text.empty() ? "" : ", ") + name;
    return text.empty() ? "none" : text;
}

Result<void> checkBound(const Graph& graph, const std::string& name, std::int64_t bound)
{
    const auto found = graph.symbolRanges().find(name);
    if (found == graph.symbolRanges().end())
        return Error{ErrorCode::BadUsage,
                     "there is no size '" + name + "' to bound; there are " + listOf(graph.symbolRanges())};
    const SymbolRange& range = found->second;
    if (bound < range.min.value_or(bound) || bound > range.max.value_or(bound))
        return Error{ErrorCode::BadUsage, "the bound " + name + "=" + std::to_string(bound) +
                                              " is outside what the file allows, " + rangeText(range)};
    return {};
}

} // namespace

Result<SizeBounds> boundSizes(const Graph& graph, Bindings bindings, const Bindings& bounds)
{
    SizeBounds result{.bindings = std::move(bindings), .used = {}};
    for (const auto& [name, bound] : bounds) {
        STAGECRAFT_TRY(checkBound(graph, name, bound));
        if (result.bindings.emplace(name, bound).second)
            result.used.insert(name);
    }
    for (const auto& [name, range] : graph.symbolRanges())
        if (!range.hint && range.max && result.bindings.emplace(name, *range.max).second)
            result.used.insert(name);
    return result;
}

std::string boundedSizes(const Graph& graph, NodeId node, const SizeBounds& bounds)
{
    std::set<std::string> names;
    for (const ValueId id : graph[node].results) {
        const Value& value = graph[id];
        if (value.scalar)
            value.scalar->collectSymbols(names);
        if (value.meta)
            for (const SymInt& size : value.meta->sizes)
                size.collectSymbols(names);
    }
    std::string text;
    for (const std::string& name : names)
        if (bounds.used.contains(name))
            text += (text.empty() ? "" : ", ") + name + " = " + std::to_string(bounds.bindings.at(name));
    return text;
}

} // namespace stagecraft
