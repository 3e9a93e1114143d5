#include "core/measure/measured_inputs.h"

#include "core/base/digits.h"
#include "core/profile/profile_names.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
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

Result<std::optional<Bytes>> bytesOf(const nlohmann::json& stage, const char* field, const std::string& where)
{
    if (!stage.contains(field))
        return std::optional<Bytes>();
    const nlohmann::json& bytes = stage[field];
    if (!bytes.is_number_integer() || bytes.get<std::int64_t>() < 0)
        return Error{ErrorCode::BadFormat, where + " \"" + field + "\" must be a number of bytes"};
    return std::optional<Bytes>(bytes.get<std::int64_t>());
}

Result<std::string> textOf(const nlohmann::json& document, const char* field, const std::string& file)
{
    if (!document.contains(field))
        return std::string();
    constexpr std::size_t longest = 200;
    const std::string* text = document[field].get_ptr<const std::string*>();
    if (!text || text->size() > longest)
        return Error{ErrorCode::BadFormat, file + ": \"" + field + "\" must be a text of at most " +
                                               std::to_string(longest) + " bytes"};
    return *text;
}

} // namespace

Result<TimingRun> timingRun(const nlohmann::json& document, const std::string& file)
{
    STAGECRAFT_ASSIGN(device, textOf(document, "device", file));
    STAGECRAFT_ASSIGN(precision, textOf(document, "precision", file));
    return TimingRun{std::move(device), std::move(precision)};
}

std::vector<std::string> otherThanPlanned(const TimingRun& run, const ProfileOptions& planned)
{
    std::vector<std::string> lines;
    if (run.device.empty())
        return lines;
    if (run.device != planned.device.name && run.device != planned.device.id)
        lines.push_back("the imported times are of '" + run.device + "'; the plan is for " +
                        planned.device.name);
    const std::string precision(nameOf(precisions, planned.precision));
    const std::string measured =
        run.precision.empty() ? std::string(nameOf(precisions, Precision::AsExported)) : run.precision;
    if (measured != precision)
        lines.push_back("the imported times are of precision '" + measured + "'; the plan is for '" +
                        precision + "'");
    return lines;
}

Result<std::vector<std::string>> measuredMemory(const nlohmann::json& stages, const std::string& file)
{
    if (!stages.is_object())
        return Error{ErrorCode::BadFormat, file + ": \"stages\" must be an object, by number"};
    std::vector<std::string> lines;
    for (const auto& [number, stage] : stages.items()) {
        const std::string where = file + ": \"stages\": '" + number + "':";
        if (!stage.is_object())
            return Error{ErrorCode::BadFormat, where + " must be an object"};
        STAGECRAFT_ASSIGN(allocated, bytesOf(stage, "peak_allocated_bytes", where));
        STAGECRAFT_ASSIGN(reserved, bytesOf(stage, "peak_reserved_bytes", where));
        if (!allocated)
            continue;
        constexpr std::size_t longest = 9; // in digits
        if (!isDigits(number) || number.size() > longest)
            return Error{ErrorCode::BadFormat, where + " is no number of a stage"};
        // People count from 1.
        lines.push_back("measured: stage " + std::to_string(std::stoi(number) + 1) + " held at most " +
                        formatBytes(*allocated) + " in a step of one microbatch, without an optimizer" +
                        (reserved ? "; " + formatBytes(*reserved) + " reserved" : ""));
    }
    return lines;
}

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
