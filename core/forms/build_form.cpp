#include "core/forms/build_form.h"

#include "core/forms/network.h"
#include "core/forms/random_weights.h"

#include <algorithm>
#include <iterator>

namespace stagecraft {

namespace {

constexpr DType dtypes[] = {DType::F32, DType::BF16, DType::F16};

Result<WrittenModel> writeForm(const Form& form)
{
    STAGECRAFT_ASSIGN(values, checkedForm(form));
    const FormFamily& family = *findFormFamily(form.family);
    const std::size_t dtype = static_cast<std::size_t>(values["dtype"]);
    Network net(formName(form), family.rootClass, dtypes[dtype]);
    family.write(net, values);
    return std::move(net).finish();
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
