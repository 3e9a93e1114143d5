#include "core/forms/build_form.h"

#include "core/forms/network.h"
#include "core/forms/random_weights.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>

namespace stagecraft {

namespace {

constexpr DType dtypes[] = {DType::F32, DType::BF16, DType::F16};

// What 64 bits tell, with room for what an optimizer and a profile make of it.
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;

Result<void> checkParametersCountable(const Model& model)
{
    std::int64_t count = 0;
    for (const InputSpec& spec : model.signature.inputs) {
        if (!spec.isStored())
            continue;
        const Result<std::int64_t> own = elementCount(*model.graph[*spec.value].meta, {});
        if (!own.has_value() || *own > most - count)
            return Error{ErrorCode::BadUsage,
                         "a form of these sizes has more parameters than can be counted; make it smaller"};
        count += *own;
    }
    return {};
}

// "--batch 8 and --sequence 1024", the sizes that vary.
std::string usualSizes(const Graph& graph, const FormValues& values)
{
    std::string text;
    for (const auto& [name, range] : graph.symbolRanges())
        text += (text.empty() ? "--" : " and --") + name + " " + std::to_string(values[name]);
    return text;
}

Result<void> checkTensorsCountable(const Graph& graph, const FormValues& values)
{
    std::int64_t bytes = 0;
    for (const ValueId value : graph.values()) {
        if (!graph[value].isTensor())
            continue;
        const Result<Bytes> own = byteSize(*graph[value].meta, {});
        if (!own.has_value() || own->count() > most - bytes)
            return Error{ErrorCode::BadUsage, "with " + usualSizes(graph, values) +
                                                  " a step has more bytes than can be counted; take less"};
        bytes += own->count();
    }
    return {};
}

Result<WrittenModel> writeForm(const Form& form)
{
    STAGECRAFT_ASSIGN(values, checkedForm(form));
    const FormFamily& family = *findFormFamily(form.family);
    const std::size_t dtype = static_cast<std::size_t>(values["dtype"]);
    Network net(formName(form), family.rootClass, dtypes[dtype]);
    family.write(net, values);
    STAGECRAFT_ASSIGN(written, std::move(net).finish());
    STAGECRAFT_TRY(checkParametersCountable(written.model));
    STAGECRAFT_TRY(checkTensorsCountable(written.model.graph, values));
    return written;
}

} // namespace

std::string formName(const Form& form)
{
    const Result<Form> preset = presetForm(form.preset);
    const bool isPreset =
        preset.has_value() && preset->family == form.family && preset->values == form.values;
    return isPreset ? form.preset : form.family;
}

Result<Model> buildForm(const Form& form)
{
    STAGECRAFT_ASSIGN(written, writeForm(form));
    STAGECRAFT_TRY(fillWhatNoFileHas(written));
    return std::move(written.model);
}

Result<Model> buildFormWithWeights(const Form& form, std::uint64_t seed, std::int64_t most)
{
    STAGECRAFT_ASSIGN(written, writeForm(form));
    STAGECRAFT_TRY(fillWithRandomWeights(written, seed, most));
    return std::move(written.model);
}

std::int64_t parameterCount(const Model& model)
{
    std::int64_t count = 0;
    for (const ParameterGroup& group : parameterGroups(model))
        count += elementCount(*model.graph[group.values.front()].meta, {}).value();
    return count;
}

} // namespace stagecraft
