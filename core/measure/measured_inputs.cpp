#include "core/measure/measured_inputs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace stagecraft {

namespace {

std::string sizesText(const std::vector<std::int64_t>& sizes)
{
    std::string text;
    for (const std::int64_t size : sizes)
        text += (text.empty() ? "" : ", ") + std::to_string(size);
    return "[" + text + "]";
}

// " --size s0=7" for each symbol of the graph's inputs.
std::string sizeArguments(const Graph& graph, const Bindings& bindings)
{
    std::set<std::string> symbols;
    for (const ValueId input : graph.inputs())
        if (graph[input].isTensor())
            for (const SymInt& size : graph[input].meta->sizes)
                size.collectSymbols(symbols);
    std::string text;
    for (const std::string& symbol : symbols)
        if (const Result<std::int64_t> size = SymInt::symbol(symbol).evaluate(bindings); size.has_value())
            text += " --size " + symbol + "=" + std::to_string(*size);
    return text;
}

} // namespace

Result<std::vector<MeasuredInput>> measuredInputs(const nlohmann::json& inputs, const std::string& file)
{
    if (!inputs.is_object())
        return Error{ErrorCode::BadFormat,
                     file + ": \"inputs\" must be an object of lists of sizes, by names"};
    std::vector<MeasuredInput> read;
    for (const auto& [name, sizes] : inputs.items()) {
        MeasuredInput input{.name = name, .sizes = {}};
        const bool isList = sizes.is_array() && std::ranges::all_of(sizes, [](const nlohmann::json& size) {
                                return size.is_number_integer();
                            });
        if (!isList)
            return Error{ErrorCode::BadFormat,
                         file + ": \"inputs\": '" + name + "' must be a list of sizes, whole numbers"};
        for (const nlohmann::json& size : sizes)
            input.sizes.push_back(size.get<std::int64_t>());
        read.push_back(std::move(input));
    }
    return read;
}

Result<void> checkMeasuredInputs(const std::vector<MeasuredInput>& inputs, const std::string& file,
                                 const Graph& graph, const Bindings& bindings)
{
    for (const MeasuredInput& input : inputs) {
        const std::optional<ValueId> value = graph.findValue(input.name);
        if (!value || !graph[*value].isTensor())
            continue;
        std::vector<std::int64_t> planned;
        for (const SymInt& size : graph[*value].meta->sizes) {
            STAGECRAFT_ASSIGN(number, size.evaluate(bindings));
            planned.push_back(number);
        }
        if (planned != input.sizes)
            return Error{ErrorCode::BadUsage, file + ": was measured with '" + input.name + "' of " +
                                                  sizesText(input.sizes) + ", and the plan is for " +
                                                  sizesText(planned) + "; measure again with these sizes" +
                                                  sizeArguments(graph, bindings)};
    }
    return {};
}

} // namespace stagecraft
