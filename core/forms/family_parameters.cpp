#include "core/forms/family_parameters.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace stagecraft {

FormParameter countParameter(const std::string& name, const std::string& title, std::int64_t usual,
                             std::int64_t minimum, std::int64_t maximum)
{
    return {name, title, {}, minimum, maximum, usual, {}};
}

FormParameter choiceParameter(const std::string& name, const std::string& title,
                              std::vector<std::string> choices, std::int64_t usual)
{
    const auto last = static_cast<std::int64_t>(choices.size()) - 1;
    return {name, title, {}, 0, last, usual, std::move(choices)};
}

FormParameter yesNoParameter(const std::string& name, const std::string& title, bool usual)
{
    return choiceParameter(name, title, {"no", "yes"}, usual ? 1 : 0);
}

FormParameter dropoutParameter(std::int64_t usualPercent)
{
    return {"dropout", "Dropout", "%", 0, 99, usualPercent, {}};
}

FormParameter dtypeParameter(UsualType usual)
{
    return choiceParameter("dtype", "Element type", {"float32", "bfloat16", "float16"},
                           usual == UsualType::BF16 ? 1 : 0);
}

FormParameter vocabularyParameter(std::int64_t usual)
{
    return {"vocabulary", "Vocabulary", "tokens", 1, 1 << 24, usual, {}};
}

FormParameter epsilonParameter(std::int64_t usual)
{
    return {"epsilon", "Epsilon of norms is 10 to the minus", {}, 1, 20, usual, {}};
}

FormParameter batchParameter(std::int64_t usual)
{
    return {"batch", "Batch", "samples", 1, 1 << 20, usual, {}};
}

std::vector<FormParameter> sequenceParameters(std::int64_t batch, std::int64_t sequence)
{
    // Not 1: torch.export.load() takes a size whose usual value is 1 for one that is always 1.
    return {batchParameter(batch), {"sequence", "Sequence", "tokens", 2, 1 << 24, sequence, {}}};
}

std::vector<FormParameter> decoderParameters(const UsualDecoder& usual)
{
    return {countParameter("layers", "Layers", usual.layers, 1, 10000),
            countParameter("width", "Width", usual.width),
            countParameter("heads", "Heads", usual.heads, 1, 10000),
            countParameter("key-heads", "Heads of keys and values", usual.keyHeads, 1, 10000),
            countParameter("head-width", "Width of a head", usual.headWidth, 2, 1 << 16),
            countParameter("inner", "Width of feed-forward", usual.inner),
            vocabularyParameter(usual.vocabulary)};
}

FormParameter rotaryBaseParameter(std::int64_t usual)
{
    return countParameter("rope-base", "Base of rotary positions", usual, 1, 1 << 30);
}

FormParameter rotaryFactorParameter()
{
    return countParameter("rope-factor", "Positions are stretched by", 1, 1, 1024);
}

FormParameter tiedParameter(bool usual)
{
    return yesNoParameter("tied", "Embeddings tied to the head", usual);
}

std::vector<FormParameter> expertsParameters(std::int64_t experts, std::int64_t chosen)
{
    return {countParameter("experts", "Experts", experts, 1, 4096),
            countParameter("experts-chosen", "Experts of a token", chosen, 1, 4096)};
}

std::vector<FormParameter> joined(std::vector<std::vector<FormParameter>> lists)
{
    std::vector<FormParameter> all;
    for (std::vector<FormParameter>& list : lists)
        std::move(list.begin(), list.end(), std::back_inserter(all));
    return all;
}

FormPreset weightsPreset(const std::string& name, const std::string& title,
                         std::vector<std::pair<std::string, std::int64_t>> values, std::int64_t parameters)
{
    return {name, title, std::move(values), parameters, "tensors of the published weights"};
}

double epsilonOf(const FormValues& values)
{
    return std::pow(10.0, -static_cast<double>(values["epsilon"]));
}

Result<void> divides(const FormValues& values, const char* divisor, const char* whole)
{
    if (values[whole] % values[divisor] == 0)
        return {};
    return Error{ErrorCode::BadUsage, "--" + std::string(whole) + " " + std::to_string(values[whole]) +
                                          " does not divide by --" + divisor + " " +
                                          std::to_string(values[divisor])};
}

Result<void> dividesBy(const FormValues& values, const char* name, std::int64_t number,
                       const std::string& why)
{
    if (values[name] % number == 0)
        return {};
    return Error{ErrorCode::BadUsage, "--" + std::string(name) + " " + std::to_string(values[name]) +
                                          " does not divide by " + std::to_string(number) + ": " + why};
}

Result<void> even(const FormValues& values, const char* name)
{
    if (values[name] % 2 == 0)
        return {};
    return Error{ErrorCode::BadUsage, "--" + std::string(name) + " " + std::to_string(values[name]) +
                                          " is odd; rotary positions turn halves of a head"};
}

Result<void> atMost(const FormValues& values, const char* name, const char* limit)
{
    if (values[name] <= values[limit])
        return {};
    return Error{ErrorCode::BadUsage, "--" + std::string(name) + " " + std::to_string(values[name]) +
                                          " is more than the --" + limit + " " +
                                          std::to_string(values[limit])};
}

Result<void> withinPositions(const FormValues& values)
{
    return atMost(values, "sequence", "positions");
}

Result<void> enoughExperts(const FormValues& values)
{
    return atMost(values, "experts-chosen", "experts");
}

Result<void> wholeRows(const FormValues& values, const char* name)
{
    const std::int64_t rowBytes = 16;
    const std::int64_t elementBytes = values["dtype"] == 0 ? 4 : 2;
    const std::int64_t step = rowBytes / elementBytes;
    return dividesBy(values, name, step, "rows of experts' weights begin every 16 bytes");
}

} // namespace stagecraft
