#include "core/script/script_recorder.h"

#include "core/load/operator_aliasing.h"
#include "core/run/call_check.h"
#include "core/run/model_values.h"
#include "core/run/torch_types.h"
#include "core/script/literal_argument.h"
#include "core/script/operator_choice.h"

#include <ATen/ATen.h>
#include <ATen/ScalarOps.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace stagecraft {

namespace {

constexpr std::size_t maxNodes = 200'000;

std::string withUnderscores(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
    return text;
}

TensorMeta metaOfTensor(const at::Tensor& tensor, const Device& device)
{
    const std::optional<DType> dtype = dtypeOfNumber(static_cast<std::int8_t>(tensor.scalar_type()));
    TORCH_CHECK(dtype, "it gives a tensor of ", tensor.scalar_type(), ", which is not read");
    TORCH_CHECK(tensor.layout() == at::kStrided, "it gives a tensor that is not strided");
    TensorMeta meta{.dtype = *dtype, .storageOffset = tensor.storage_offset(), .device = device};
    meta.sizes.assign(tensor.sizes().begin(), tensor.sizes().end());
    meta.strides.assign(tensor.strides().begin(), tensor.strides().end());
    return meta;
}

bool isKnown(const at::Tensor& tensor)
{
    return tensor.defined() && !tensor.is_meta();
}

// May the tensor be written as a number? One whose type is what a Python number becomes.
bool mayBeLiteral(const at::Tensor& tensor)
{
    const at::ScalarType type = tensor.scalar_type();
    return tensor.dim() == 0 && (type == at::kLong || type == at::kDouble || type == at::kBool);
}

bool isUsual(const c10::Argument& asked, const c10::IValue& value)
{
    const auto& usual = asked.default_value();
    if (!usual || value.isTensor() || usual->isTensor())
        return false;
    if (value.isNone() || usual->isNone())
        return value.isNone() && usual->isNone();
    return value.tagKind() == usual->tagKind() && value == *usual;
}

bool areOneType(const std::vector<c10::IValue>& a, const std::vector<c10::IValue>& b)
{
    return std::ranges::equal(a, b, [](const c10::IValue& x, const c10::IValue& y) {
        return !x.isTensor() || !y.isTensor() || x.toTensor().scalar_type() == y.toTensor().scalar_type();
    });
}

void forEachTensor(const std::vector<c10::IValue>& values,
                   const std::function<void(const at::Tensor&)>& visit)
{
    for (const c10::IValue& value : values) {
        if (value.isTensor() && value.toTensor().defined())
            visit(value.toTensor());
        if (value.isList())
            for (const c10::IValue& element : value.toListRef())
                if (element.isTensor() && element.toTensor().defined())
                    visit(element.toTensor());
    }
}

} // namespace

// Tensors by which values are known: kept, for a new one could come to lie where one was.
struct ScriptRecorder::Kept
{
    std::vector<at::Tensor> tensors;
    std::unordered_map<const c10::TensorImpl*, ValueId> values;
    struct Lifted
    {
        std::int64_t version; // of the known one: it may be written later
        at::Tensor tensor;
    };
    std::unordered_map<const c10::TensorImpl*, Lifted> lifted;
    std::unordered_set<const c10::StorageImpl*> constants;              // which lie in the model's weights
    std::unordered_map<const c10::TensorImpl*, ScriptAttribute> others; // attributes that are no inputs yet

    void set(const at::Tensor& tensor, ValueId value)
    {
        tensors.push_back(tensor);
        values.insert_or_assign(tensor.unsafeGetTensorImpl(), value);
    }
};

// What an operator runs with.
struct ScriptRecorder::CallArguments
{
    std::vector<c10::IValue> values;
    std::vector<std::size_t> literals; // positions of tensors that are written as numbers
};

ScriptRecorder::ScriptRecorder(const std::string& name, const ScriptArchive& archive, ScriptObjects& objects)
    : m_archive(archive), m_objects(objects), m_kept(std::make_unique<Kept>()), m_name(name), m_builder(name)
{
}

ScriptRecorder::~ScriptRecorder() = default;

ModuleId ScriptRecorder::moduleAt(const std::string& path, const std::string& className)
{
    return m_builder.addModule(path, className);
}

// ---------------------------------------------------------------- inputs
void ScriptRecorder::addSpec(InputSpec::Kind kind, ValueId value)
{
    const Value& added = m_builder.value(value);
    m_signature.inputs.push_back({.kind = kind, .name = added.name, .value = value, .target = added.target});
}

void ScriptRecorder::addParametersAndBuffers()
{
    using Kind = ScriptAttribute::Kind;
    for (const Kind kind : {Kind::Parameter, Kind::Buffer, Kind::Other})
        for (const ScriptAttribute& attribute : m_objects.attributes()) {
            if (attribute.kind != kind)
                continue;
            const at::Tensor tensor = m_objects.tensorOf(attribute.stored);
            if (kind != Kind::Other)
                addStored(attribute, tensor);
            else
                m_kept->others.emplace(tensor.unsafeGetTensorImpl(), attribute);
        }
}

ValueId ScriptRecorder::addStored(const ScriptAttribute& attribute, const at::Tensor& tensor)
{
    const bool isParameter = attribute.kind == ScriptAttribute::Kind::Parameter;
    const bool isBuffer = attribute.kind == ScriptAttribute::Kind::Buffer;
    const char* prefix = isParameter ? "p_" : isBuffer ? "b_" : "c_";
    Value value{.name = m_names.make(prefix + withUnderscores(attribute.path)),
                .kind = isParameter ? ValueKind::Parameter
                        : isBuffer  ? ValueKind::Buffer
                                    : ValueKind::Constant,
                .meta = attribute.stored.meta,
                .target = attribute.path};
    value.meta->requiresGrad = isParameter && value.meta->requiresGrad;
    const TensorMeta meta = *value.meta;
    const ValueId id = m_builder.addInput(std::move(value));
    addSpec(isParameter ? InputSpec::Kind::Parameter
            : isBuffer  ? InputSpec::Kind::Buffer
                        : InputSpec::Kind::Constant,
            id);
    const std::optional<std::size_t> storage = attribute.stored.storage;
    const std::size_t key = storage.value_or(m_archive.storages.size());
    if (!m_storages.contains(key))
        m_storages.emplace(key, m_stored.addStorage(storage ? m_archive.storages[*storage] : OwnedBytes{}));
    const Result<void> added = m_stored.add(attribute.path, meta, m_storages.at(key));
    TORCH_CHECK(added.has_value(), added.has_value() ? "" : added.error().message);
    if (!m_kept->values.contains(tensor.unsafeGetTensorImpl())) // else a tied one, known by its first name
        m_kept->set(tensor, id);
    return id;
}

at::Tensor ScriptRecorder::addInput(const std::string& name, const TensorMeta& meta)
{
    const Result<at::Tensor> made = emptyTensor(meta, {}, RunDevice::Meta);
    TORCH_CHECK(made.has_value(), made.has_value() ? "" : made.error().message);
    const at::Tensor& tensor = *made;
    Value value{.name = m_names.make(withUnderscores(name)), .kind = ValueKind::UserInput, .meta = meta};
    value.meta->requiresGrad = false;
    value.meta->storageOffset = 0;
    const ValueId id = m_builder.addInput(std::move(value));
    addSpec(InputSpec::Kind::User, id);
    m_kept->set(tensor, id);
    return tensor;
}

void ScriptRecorder::addLiteralInput(const std::string& name, const Argument& literal)
{
    m_signature.inputs.push_back(
        {.kind = InputSpec::Kind::Literal, .name = m_names.make(withUnderscores(name)), .literal = literal});
}

// ---------------------------------------------------------------- values
ValueId ScriptRecorder::valueOf(const at::Tensor& tensor)
{
    const at::Tensor known = isKnown(tensor) ? lifted(tensor) : tensor;
    const auto* const key = known.unsafeGetTensorImpl();
    if (const auto found = m_kept->values.find(key); found != m_kept->values.end())
        return found->second;
    const auto other = m_kept->others.find(key);
    TORCH_CHECK(other != m_kept->others.end(), "a tensor comes from where it cannot be followed");
    return addStored(other->second, known);
}

// A constant that the graph is given: its numbers lie in the model's weights from now on.
at::Tensor ScriptRecorder::lifted(const at::Tensor& known)
{
    const auto found = m_kept->lifted.find(known.unsafeGetTensorImpl());
    if (found != m_kept->lifted.end() && found->second.version == known._version())
        return found->second.tensor;
    const auto data = std::make_shared<const at::Tensor>(known.detach().contiguous().clone());
    const std::string name = "lifted_tensor_" + std::to_string(m_constants++);
    Value value{.name = m_names.make("c_" + name),
                .kind = ValueKind::Constant,
                .meta = metaOfTensor(*data, Device{}),
                .target = name};
    const TensorMeta meta = *value.meta;
    const ValueId id = m_builder.addInput(std::move(value));
    addSpec(InputSpec::Kind::Constant, id);
    const auto* const bytes = static_cast<const std::byte*>(data->const_data_ptr());
    const Result<void> added = m_stored.add(name, meta, m_stored.addStorage({{bytes, data->nbytes()}, data}));
    TORCH_CHECK(added.has_value(), added.has_value() ? "" : added.error().message);
    const at::Tensor tensor = data->to(at::kMeta);
    m_kept->set(tensor, id);
    m_kept->tensors.push_back(known);
    m_kept->lifted.insert_or_assign(known.unsafeGetTensorImpl(), Kept::Lifted{known._version(), tensor});
    return tensor;
}

const TensorMeta* ScriptRecorder::metaOf(const at::Tensor& tensor)
{
    return isKnown(tensor) ? nullptr : &*m_builder.value(valueOf(tensor)).meta;
}

bool ScriptRecorder::isParameter(const at::Tensor& tensor)
{
    return !isKnown(tensor) && m_builder.value(valueOf(tensor)).kind == ValueKind::Parameter;
}

// ---------------------------------------------------------------- operators
// What LibTorch is called with: the meta device for any other, tensors of known numbers without them.
ScriptRecorder::CallArguments ScriptRecorder::argumentsFor(const c10::OperatorHandle& op,
                                                           const std::vector<c10::IValue>& stack)
{
    CallArguments made{.values = stack};
    const std::vector<c10::Argument>& schema = op.schema().arguments();
    for (std::size_t i = 0; i < schema.size(); ++i) {
        c10::IValue& value = made.values[i];
        const std::string type = schema[i].type()->str();
        const bool isWritten = schema[i].alias_info() && schema[i].alias_info()->isWrite();
        if (type.starts_with("Device"))
            value = c10::Device(c10::kMeta);
        else if (schema[i].name() == "pin_memory")
            value = c10::IValue();
        else if (value.isScalar() && type.starts_with("Tensor"))
            value = at::native::wrapped_scalar_tensor(value.toScalar());
        else if (value.isTensor() && isKnown(value.toTensor())) {
            TORCH_CHECK(!isWritten, "it writes to a constant of the code");
            if (takesNumberAsTensor(op.schema()) && mayBeLiteral(value.toTensor()))
                made.literals.push_back(i);
            value = value.toTensor().to(at::kMeta);
            m_kept->tensors.push_back(value.toTensor()); // as long as what is known by its storage
            m_kept->constants.insert(value.toTensor().storage().unsafeGetStorageImpl());
        } else if (value.isList() && type.find("Tensor") != type.npos) {
            c10::impl::GenericList list = value.toList().copy();
            for (std::size_t k = 0; k < list.size(); ++k)
                if (const c10::IValue element = list.get(k);
                    element.isTensor() && isKnown(element.toTensor()))
                    list.set(k, element.toTensor().to(at::kMeta));
            value = list;
        }
        TORCH_CHECK(!isWritten || !value.isTensor() || !value.toTensor().defined() ||
                        !m_kept->constants.contains(value.toTensor().storage().unsafeGetStorageImpl()),
                    "it writes to a part of a constant of the code");
    }
    return made;
}

void ScriptRecorder::call(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack)
{
    TORCH_CHECK(nodeCount() < maxNodes, "it makes more than ", maxNodes, " operators");
    forEachTensor(stack, [this](const at::Tensor& tensor) {
        if (!isKnown(tensor))
            valueOf(tensor);
    });
    CallArguments arguments = argumentsFor(op, stack);
    const CallCheck check(op.schema());
    const auto run = [&](std::vector<c10::IValue> values) {
        check(values);
        op.callBoxed(values);
        return values;
    };
    std::vector<c10::IValue> results = run(arguments.values);
    if (!arguments.literals.empty()) {
        std::vector<c10::IValue> numbers = arguments.values;
        for (const std::size_t i : arguments.literals)
            numbers[i] = at::native::wrapped_scalar_tensor(stack[i].toTensor().item());
        if (std::vector<c10::IValue> others = run(std::move(numbers)); areOneType(results, others))
            results = std::move(others);
        else
            arguments.literals.clear();
    }
    addNode(op, stack, arguments, results);
    stack = std::move(results);
}

TensorListArgument ScriptRecorder::tensorsOf(const c10::IValue& list)
{
    TensorListArgument made;
    for (const c10::IValue& element : list.toListRef())
        made.elements.push_back(element.isTensor() && element.toTensor().defined()
                                    ? std::optional(valueOf(element.toTensor()))
                                    : std::nullopt);
    return made;
}

Argument ScriptRecorder::argumentOf(const c10::IValue& value, const std::string& type)
{
    if (value.isTensor() && value.toTensor().defined())
        return valueOf(value.toTensor());
    if (value.isList() && type.find("Tensor") != type.npos)
        return tensorsOf(value);
    return literalArgument(value, type);
}

// As PyTorch hands them on: without what stands behind the last one that is not as usual.
std::vector<NamedArgument> ScriptRecorder::namedArguments(const c10::OperatorHandle& op,
                                                          const std::vector<c10::IValue>& given,
                                                          const CallArguments& arguments)
{
    const std::vector<c10::Argument>& schema = op.schema().arguments();
    std::size_t positional = 0;
    for (std::size_t i = 0; i < schema.size(); ++i)
        if (!schema[i].kwarg_only() && !isUsual(schema[i], given[i]))
            positional = i + 1;
    std::vector<NamedArgument> named;
    for (std::size_t i = 0; i < schema.size(); ++i) {
        const bool isKeyword = schema[i].kwarg_only();
        if (isKeyword ? isUsual(schema[i], given[i]) : i >= positional)
            continue;
        c10::IValue value = given[i];
        if (std::ranges::find(arguments.literals, i) != arguments.literals.end())
            value = given[i].toTensor().item();
        named.push_back({schema[i].name(), argumentOf(value, schema[i].real_type()->str()),
                         isKeyword ? ArgumentPassing::Keyword : ArgumentPassing::Positional});
    }
    return named;
}

void ScriptRecorder::addNode(const c10::OperatorHandle& op, const std::vector<c10::IValue>& given,
                             const CallArguments& arguments, std::vector<c10::IValue>& results)
{
    const c10::FunctionSchema& schema = op.schema();
    const std::string overload = schema.overload_name().empty() ? "default" : schema.overload_name();
    Node node{.target = schema.name() + "." + overload};
    node.arguments = namedArguments(op, given, arguments);
    node.name = m_names.make(schema.name().substr(schema.name().find("::") + 2));
    node.module = m_place.module;
    node.source = m_builder.addSource(m_place.frames);
    if (!m_place.gradEnabled)
        node.context = m_builder.addContext({.gradEnabled = false});
    node.metadata.emplace_back("nn_module_stack", m_place.moduleStack);
    Device device;
    bool isFirst = true;
    forEachTensor(given, [&](const at::Tensor& tensor) {
        if (const TensorMeta* meta = isFirst ? metaOf(tensor) : nullptr) {
            device = meta->device;
            isFirst = false;
        }
    });
    for (const c10::IValue& value : given)
        if (value.isDevice())
            device = deviceArgument(value.toDevice());
    TORCH_CHECK(results.size() == schema.returns().size(), "it does not return what its schema says");
    for (std::size_t i = 0; i < results.size(); ++i) {
        const c10::AliasInfo* alias = schema.returns()[i].alias_info();
        node.outputs.push_back(outputOf(results.size() == 1 ? node.name : "", results[i], device, given,
                                        alias && alias->isWrite()));
    }
    m_builder.addNode(std::move(node));
}

NodeOutput ScriptRecorder::outputOf(const std::string& name, c10::IValue& result, const Device& device,
                                    const std::vector<c10::IValue>& given, bool isWrite)
{
    if (result.isTensor() && result.toTensor().defined()) {
        at::Tensor tensor = result.toTensor();
        const ValueId id = newVersion(name, tensor, device, given, isWrite);
        result = tensor;
        return {NodeOutput::Kind::Value, {id}};
    }
    if (result.isNone() || result.isTensor())
        return {NodeOutput::Kind::None, {}};
    TORCH_CHECK(result.isTensorList(), "it returns a ", result.tagKind(),
                " beside tensors, which is not read");
    NodeOutput list{NodeOutput::Kind::List, {}};
    c10::List<at::Tensor> tensors = result.toTensorList();
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        at::Tensor tensor = tensors.get(i);
        list.values.push_back(newVersion("", tensor, device, given, isWrite));
        tensors.set(i, tensor);
    }
    return list;
}

// What an operator returns is a value of its own: where it is what the operator was given, unless that was
// written, as another tensor on the same storage, so that who reads the operand still does.
ValueId ScriptRecorder::newVersion(const std::string& name, at::Tensor& tensor, const Device& device,
                                   const std::vector<c10::IValue>& given, bool isWrite)
{
    bool isGiven = false;
    forEachTensor(given, [&](const at::Tensor& other) { isGiven = isGiven || other.is_same(tensor); });
    if (isGiven && !isWrite)
        tensor = at::alias(tensor);
    Value value{.name = name.empty() ? m_names.make("getitem") : name, .meta = metaOfTensor(tensor, device)};
    const ValueId id = m_builder.addValue(std::move(value));
    m_kept->set(tensor, id);
    return id;
}

// ---------------------------------------------------------------- outputs
Pytree ScriptRecorder::addOutputs(const c10::IValue& result)
{
    std::vector<Pytree> children;
    if (result.isTuple()) {
        for (const c10::IValue& element : result.toTupleRef().elements())
            children.push_back(addOutputs(element));
        return tuplePytree(std::move(children));
    }
    if (result.isList()) {
        for (const c10::IValue& element : result.toListRef())
            children.push_back(addOutputs(element));
        return {"builtins.list", "null", std::move(children)};
    }
    if (result.isGenericDict()) {
        std::vector<std::string> keys;
        for (const auto& entry : result.toGenericDict()) {
            TORCH_CHECK(entry.key().isString(), "forward() returns a dict whose keys are no texts");
            keys.push_back(entry.key().toStringRef());
            children.push_back(addOutputs(entry.value()));
        }
        return dictPytree(keys, std::move(children));
    }
    TORCH_CHECK(!result.isObject(),
                "forward() returns an object of its own class; return its tensors in a tuple");
    TORCH_CHECK(!result.isString(), "forward() returns a text, which no .pt2 can hold; return tensors");
    m_builder.addOutput(argumentOf(result, ""));
    m_signature.outputs.emplace_back();
    return leafPytree();
}

Result<Model> ScriptRecorder::finish() &&
{
    OperatorSchemas schemas;
    STAGECRAFT_ASSIGN(graph, std::move(m_builder).finish(operatorAliasing(schemas)));
    const auto rank = [](const InputSpec& spec) {
        return spec.isArgument() ? InputSpec::Kind::User : spec.kind;
    };
    std::ranges::stable_sort(m_signature.inputs, {},
                             rank); // lifted ones come first, as torch.export has them
    Model model{m_name, std::move(graph), std::move(m_signature), std::move(m_stored).takeWeights(), {}};
    model.provenance.fileNodeCount = model.graph.nodeCount();
    return model;
}

} // namespace stagecraft
