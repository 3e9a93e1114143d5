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

// Fails where 64 bits could not tell the bytes of its weights and of what an optimizer keeps of them.
Result<void> checkCountable(const Model& model)
{
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max() / 64;
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

Result<WrittenModel> writeForm(const Form& form)
{
    STAGECRAFT_ASSIGN(values, checkedForm(form));
    const FormFamily& family = *findFormFamily(form.family);
    const std::size_t dtype = static_cast<std::size_t>(values["dtype"]);
    Network net(formName(form), family.rootClass, dtypes[dtype]);
    family.write(net, values);
    STAGECRAFT_ASSIGN(written, std::move(net).finish());
    STAGECRAFT_TRY(checkCountable(written.model));
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
