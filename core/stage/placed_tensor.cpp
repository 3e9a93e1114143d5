#include "core/stage/placed_tensor.h"

#include <algorithm>

namespace stagecraft {

namespace {

PythonText sizesText(const std::vector<SymInt>& sizes, std::vector<std::string>& refusals)
{
    std::vector<PythonText> numbers;
    for (const SymInt& size : sizes) {
        if (!size.isConstant())
            refusals.push_back("the size " + pythonComment(size.text()).text() +
                               " of a tensor that comes with the model is no number");
        numbers.push_back(size.isConstant() ? pythonInt(size.constant()) : PythonText("NotImplemented"));
    }
    return tupleText(numbers);
}

bool isPersistent(const Model& model, ValueId tensor)
{
    if (model.graph[tensor].kind != ValueKind::Buffer)
        return false;
    const auto spec = std::ranges::find(model.signature.inputs, tensor, &InputSpec::value);
    return spec == model.signature.inputs.end() || spec->persistent;
}

} // namespace

PlacedTensor placedTensor(const Model& model, ValueId tensor)
{
    const Value& value = model.graph[tensor];
    const TensorMeta& meta = *value.meta;
    PlacedTensor placed{pythonAttribute(value.target), {}, {}};
    placed.call = "self.place(" + pythonString(value.target) + ", " + sizesText(meta.sizes, placed.refusals) +
                  ", " + pythonName(meta.dtype) + ", device";
    if (value.kind == ValueKind::Parameter)
        placed.call += ", trainable=" + pythonBool(meta.requiresGrad);
    else if (!isPersistent(model, tensor))
        placed.call += ", persistent=False";
    if (contiguousMeta(meta.dtype, meta.sizes).strides != meta.strides)
        placed.call += ", strides=" + sizesText(meta.strides, placed.refusals);
    return placed;
}

PythonText tupleText(const std::vector<PythonText>& parts)
{
    return "(" + joined(parts) + (parts.size() == 1 ? PythonText(",)") : PythonText(")"));
}

} // namespace stagecraft
