#include "core/run/model_values.h"

#include "core/graph/alias_sets.h"
#include "core/load/operator_aliasing.h"
#include "core/load/operator_schema.h"
#include "core/run/index_bounds.h"
#include "core/run/torch_types.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/core/ivalue.h>
#include <ATen/ops/empty_strided.h>
#include <ATen/ops/from_blob.h>
#include <torch/csrc/autograd/variable.h>

#include <algorithm>
#include <tuple>

namespace stagecraft {

namespace {

struct Shape
{
    std::vector<std::int64_t> sizes;
    std::vector<std::int64_t> strides;
    std::int64_t offset = 0;
};

Result<Shape> evaluateShape(const TensorMeta& meta, const Bindings& bindings)
{
    Shape shape;
    for (const SymInt& size : meta.sizes) {
        STAGECRAFT_ASSIGN(number, size.evaluate(bindings));
        shape.sizes.push_back(number);
    }
    for (const SymInt& stride : meta.strides) {
        STAGECRAFT_ASSIGN(number, stride.evaluate(bindings));
        shape.strides.push_back(number);
    }
    STAGECRAFT_ASSIGN(offset, meta.storageOffset.evaluate(bindings));
    shape.offset = offset;
    return shape;
}

Error atInput(const Value& value, const std::string& what)
{
    return {ErrorCode::BadFormat,
            "input '" + (value.target.empty() ? value.name : value.target) + "': " + what};
}

// All memory that the tensor reaches, once: its elements may share some, or leave gaps.
at::Tensor memoryOf(const at::Tensor& tensor)
{
    std::int64_t reached = tensor.numel() > 0 ? 1 : 0;
    for (std::int64_t i = 0; i < tensor.dim() && reached > 0; ++i)
        reached += (tensor.size(i) - 1) * tensor.stride(i);
    return tensor.as_strided({reached}, {1});
}

// Copies to a tensor of which expanded dimensions hold one element many times.
void copyTo(const at::Tensor& tensor, const at::Tensor& source)
{
    at::Tensor once = tensor;
    at::Tensor given = source;
    for (std::int64_t i = 0; i < tensor.dim(); ++i)
        if (tensor.stride(i) == 0 && tensor.size(i) > 1) {
            once = once.narrow(i, 0, 1);
            given = given.narrow(i, 0, 1);
        }
    once.copy_(given);
}

// Types that PyTorch has no random numbers of take those of another.
std::optional<at::ScalarType> typeOfRandomNumbers(at::ScalarType type)
{
    if (type == at::kComplexHalf)
        return at::kComplexFloat;
    if (at::isFloat8Type(type))
        return at::kFloat;
    if (type == at::kUInt16 || type == at::kUInt32 || type == at::kUInt64)
        return at::kLong;
    return std::nullopt;
}

template <class Fill>
void fillWith(const at::Tensor& tensor, const Fill& fill)
{
    const at::Tensor memory = memoryOf(tensor);
    const std::optional<at::ScalarType> type = typeOfRandomNumbers(tensor.scalar_type());
    if (!type)
        fill(memory);
    else
        memory.copy_(fill(at::empty(memory.sizes(), memory.options().dtype(type))));
}

// Makes the values of a model's inputs, one after the other.
class InputMaker
{
public:
    InputMaker(const Model& model, const ModelValueOptions& options)
        : m_model(model),
          m_options(options),
          m_generator(at::detail::createCPUGenerator(options.seed)),
          m_isWritten(model.graph.valueCount(), 0)
    {
        for (const ValueId id : writtenInputs(model.graph))
            m_isWritten[id] = 1;
        for (const ParameterGroup& group : parameterGroups(model))
            for (const ValueId parameter : group.values)
                m_firstOfTied.emplace(parameter, group.values.front());
    }

    Result<c10::IValue> make(ValueId id)
    {
        const Value& value = m_model.graph[id];
        if (value.kind == ValueKind::SizeScalar)
            return makeNumber(value);
        if (value.kind == ValueKind::Opaque)
            return c10::IValue();
        if (!value.meta)
            return atInput(value, "its size is not known");
        if (value.kind == ValueKind::UserInput)
            return makeUserInput(id);
        return makeWeight(id);
    }

private:
    Result<c10::IValue> makeNumber(const Value& value) const
    {
        if (!value.scalar)
            return c10::IValue(std::int64_t{1});
        STAGECRAFT_ASSIGN(number, value.scalar->evaluate(m_options.bindings));
        return c10::IValue(number);
    }

    Result<c10::IValue> makeUserInput(ValueId id)
    {
        const Value& value = m_model.graph[id];
        Result<at::Tensor> made = emptyTensor(*value.meta, m_options.bindings, m_options.device);
        if (!made.has_value())
            return atInput(value, made.error().message);
        at::Tensor tensor = *std::move(made);
        const auto given = m_options.inputs.tensors.find(id);
        if (given != m_options.inputs.tensors.end())
            copyTo(tensor, tensorInPlace(given->second));
        else if (m_options.device == RunDevice::Cpu)
            fillInput(id, tensor);
        if ((m_options.inputGradients || std::ranges::count(m_options.gradientsOf, id) > 0) &&
            isDifferentiable(value.meta->dtype))
            tensor.set_requires_grad(true);
        return c10::IValue(tensor);
    }

    void fillInput(ValueId id, at::Tensor& tensor)
    {
        if (tensor.is_floating_point() || tensor.is_complex()) {
            fillWith(tensor, [&](const at::Tensor& memory) { return memory.normal_(0, 1, m_generator); });
        } else if (const auto bound = tensor.scalar_type() == at::kBool
                                          ? std::nullopt
                                          : indexBound(m_model.graph, id, m_options.bindings)) {
            const std::int64_t end = std::max<std::int64_t>(*bound, 1);
            fillWith(tensor, [&](const at::Tensor& memory) { return memory.random_(0, end, m_generator); });
        } else {
            memoryOf(tensor).fill_(1);
        }
    }

    Result<c10::IValue> makeWeight(ValueId id)
    {
        const Value& value = m_model.graph[id];
        const std::optional<StoredTensor> stored = m_model.weights.find(value.target);
        const TensorMeta& meta = stored ? stored->meta : *value.meta;
        const bool hasData = stored && !stored->bytes.empty();
        STAGECRAFT_ASSIGN(shape, evaluateShape(meta, m_options.bindings));
        const TiedKey key{stored ? std::optional(stored->storage) : std::nullopt, meta.dtype, shape.offset,
                          shape.sizes, shape.strides};
        if (hasData)
            if (const auto tied = m_tied.find(key); tied != m_tied.end())
                return c10::IValue(tied->second);
        const auto first = m_firstOfTied.find(id);
        if (!hasData && first != m_firstOfTied.end())
            if (const auto made = m_madeUp.find(first->second); made != m_madeUp.end())
                return c10::IValue(made->second);
        Result<at::Tensor> made = hasData && m_options.device == RunDevice::Cpu
                                      ? Result<at::Tensor>(weightWithData(*stored, m_isWritten[id] != 0))
                                      : emptyTensor(meta, m_options.bindings, m_options.device);
        if (!made.has_value())
            return atInput(value, made.error().message);
        at::Tensor tensor = *std::move(made);
        if (!hasData && m_options.device == RunDevice::Cpu)
            fillWeight(value, tensor);
        const bool wantsGradient = value.kind == ValueKind::Parameter && m_options.trainable &&
                                   value.meta->requiresGrad && isDifferentiable(meta.dtype);
        tensor.set_requires_grad(wantsGradient);
        if (hasData)
            m_tied.emplace(key, tensor);
        else if (first != m_firstOfTied.end())
            m_madeUp.emplace(first->second, tensor);
        return c10::IValue(tensor);
    }

    static at::Tensor weightWithData(const StoredTensor& stored, bool isWritten)
    {
        const at::Tensor tensor = tensorInPlace(stored);
        const bool isAligned = reinterpret_cast<std::uintptr_t>(tensor.const_data_ptr()) %
                                   static_cast<std::uintptr_t>(tensor.element_size()) ==
                               0;
        return isWritten || !isAligned ? tensor.clone() : tensor;
    }

    // Small random numbers; scales and variances about 1, so that a deep model stays finite.
    void fillWeight(const Value& value, at::Tensor& tensor)
    {
        if (!tensor.is_floating_point() && !tensor.is_complex()) {
            memoryOf(tensor).zero_();
            return;
        }
        const bool isScale = tensor.dim() <= 1 && !value.target.ends_with("bias");
        const bool isNearOne =
            value.target.ends_with("running_var") || (value.kind == ValueKind::Parameter && isScale);
        fillWith(tensor, [&](const at::Tensor& memory) {
            memory.normal_(0, 0.02, m_generator);
            return isNearOne ? memory.add_(1) : memory;
        });
    }

    using TiedKey = std::tuple<std::optional<StorageKey>, DType, std::int64_t, std::vector<std::int64_t>,
                               std::vector<std::int64_t>>;

    const Model& m_model;
    const ModelValueOptions& m_options;
    at::Generator m_generator;
    Table<ValueId, char> m_isWritten;
    std::map<TiedKey, at::Tensor> m_tied;
    std::map<ValueId, ValueId> m_firstOfTied; // of parameters
    std::map<ValueId, at::Tensor> m_madeUp;   // by the first of tied parameters
};

Result<Bindings> joined(Bindings asked, const Bindings& given)
{
    for (const auto& [symbol, size] : given)
        if (const std::int64_t known = asked.emplace(symbol, size).first->second; known != size)
            return Error{ErrorCode::BadUsage, "the size " + symbol + " is " + std::to_string(size) +
                                                  " in the inputs given, but is to be " +
                                                  std::to_string(known)};
    return asked;
}

} // namespace

std::vector<ValueId> writtenInputs(const Graph& graph)
{
    OperatorSchemas schemas;
    const AliasSets sets = AliasSets::find(graph, operatorAliasing(schemas));
    std::vector<ValueId> written;
    for (const ValueId input : graph.inputs())
        if (!sets.writers(input).empty())
            written.push_back(input);
    return written;
}

at::Tensor tensorInPlace(const StoredTensor& stored)
{
    Shape shape = *evaluateShape(stored.meta, {});
    const auto type = c10::ScalarType(scalarTypeNumber(stored.meta.dtype));
    // from_blob takes no const pointer; nobody writes through it (writtenInputs).
    auto* bytes = const_cast<std::byte*>(stored.bytes.data()) + shape.offset * itemSize(stored.meta.dtype);
    return at::from_blob(bytes, shape.sizes, shape.strides, at::TensorOptions().dtype(type));
}

Result<at::Tensor> emptyTensor(const TensorMeta& meta, const Bindings& bindings, RunDevice device)
{
    STAGECRAFT_ASSIGN(shape, evaluateShape(meta, bindings));
    const auto options = at::TensorOptions()
                             .dtype(c10::ScalarType(scalarTypeNumber(meta.dtype)))
                             .device(device == RunDevice::Cpu ? at::kCPU : at::kMeta);
    try {
        return at::empty_strided(shape.sizes, shape.strides, options);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Failed, exceptionReason(exception)};
    }
}

Result<ValueTable> modelValues(const Model& model, const ModelValueOptions& asked)
{
    ValueTable values(model.graph);
    ModelValueOptions options = asked;
    STAGECRAFT_ASSIGN(bindings, joined(asked.bindings, asked.inputs.bindings));
    options.bindings = std::move(bindings);
    InputMaker maker(model, options);
    try {
        for (const ValueId id : model.graph.inputs()) {
            STAGECRAFT_ASSIGN(value, maker.make(id));
            values.set(id, std::move(value));
        }
        STAGECRAFT_TRY(options.inputs.unchanged());
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Failed, "making the model's inputs: " + exceptionReason(exception)};
    }
    return values;
}

} // namespace stagecraft
