#include "core/load/pickle_calls.h"

#include "core/load/exported_types.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;
using Arguments = std::vector<PickleNode>;

constexpr std::size_t maxDimensions = 64; // PyTorch's own limit
constexpr std::size_t maxMetaText = 1 << 16;

constexpr std::array<std::pair<std::string_view, DType>, 18> storageTypes{{
    {"torch.FloatStorage", DType::F32},
    {"torch.DoubleStorage", DType::F64},
    {"torch.HalfStorage", DType::F16},
    {"torch.BFloat16Storage", DType::BF16},
    {"torch.LongStorage", DType::I64},
    {"torch.IntStorage", DType::I32},
    {"torch.ShortStorage", DType::I16},
    {"torch.CharStorage", DType::I8},
    {"torch.ByteStorage", DType::U8},
    {"torch.BoolStorage", DType::Bool},
    {"torch.ComplexFloatStorage", DType::C64},
    {"torch.ComplexDoubleStorage", DType::C128},
    {"torch.Float8_e4m3fnStorage", DType::F8E4M3FN},
    {"torch.Float8_e5m2Storage", DType::F8E5M2},
    {"torch.Float8_e4m3fnuzStorage", DType::F8E4M3FNUZ},
    {"torch.Float8_e5m2fnuzStorage", DType::F8E5M2FNUZ},
    {"torch.UntypedStorage", DType::U8},
    {"torch.storage.UntypedStorage", DType::U8},
}};

Error strange(const std::string& what)
{
    return {ErrorCode::BadFormat, "the pickle is damaged: " + what};
}

std::optional<DType> dtypeFromTorchName(std::string_view name)
{
    for (int i = 0; i <= static_cast<int>(DType::F8E8M0FNU); ++i)
        if (torchName(static_cast<DType>(i)) == name)
            return static_cast<DType>(i);
    return std::nullopt;
}

PickleNode node(PickleValue value)
{
    return std::make_shared<const PickleValue>(std::move(value));
}

Device deviceOf(const std::string& location)
{
    const std::size_t colon = location.find(':');
    Device device{location.substr(0, colon), std::nullopt};
    if (colon != std::string::npos)
        std::from_chars(&location[colon] + 1, location.data() + location.size(), device.index.emplace(0));
    return device;
}

Result<std::vector<SymInt>> sizesOf(const PickleValue& value)
{
    std::vector<SymInt> sizes;
    if (!value.isSequence() || value.elements.size() > maxDimensions)
        return strange("a shape is no short tuple");
    for (const PickleNode& element : value.elements) {
        if (element->kind != Kind::Int)
            return strange("a size is no number");
        sizes.emplace_back(element->integer);
    }
    return sizes;
}

Result<PickleNode> tensorOf(TensorMeta meta, const PickleValue& sizes, const PickleValue& strides,
                            std::optional<std::size_t> storage)
{
    STAGECRAFT_ASSIGN(sizeList, sizesOf(sizes));
    STAGECRAFT_ASSIGN(strideList, sizesOf(strides));
    if (sizeList.size() != strideList.size())
        return strange("a tensor has as many sizes as strides");
    meta.sizes = std::move(sizeList);
    meta.strides = std::move(strideList);
    return node({.kind = Kind::Tensor, .tensor = PickledTensor{std::move(meta), storage}});
}

enum class DtypeFrom { Storage, Argument };

// {"neg": True} or {"conj": True}: the numbers are others than those of the storage.
bool isLazilyChanged(const Arguments& arguments, std::size_t metadata)
{
    if (arguments.size() <= metadata || arguments[metadata]->kind != Kind::Dict)
        return false;
    return std::ranges::any_of(arguments[metadata]->elements, [](const PickleNode& element) {
        return element->text == "neg" || element->text == "conj";
    });
}

// torch._utils._rebuild_tensor_v2(storage, offset, size, stride, requires_grad, hooks, metadata)
// torch._utils._rebuild_tensor_v3(storage, offset, size, stride, requires_grad, hooks, dtype, metadata)
Result<PickleNode> rebuildTensor(const Arguments& arguments, DtypeFrom source)
{
    const bool hasDtype = source == DtypeFrom::Argument;
    if (arguments.size() < (hasDtype ? 7u : 5u))
        return strange("a tensor is described too briefly");
    const PickleValue& storage = *arguments[0];
    if (storage.kind != Kind::Storage || arguments[1]->kind != Kind::Int)
        return strange("a tensor has no storage");
    if (isLazilyChanged(arguments, hasDtype ? 7 : 6))
        return Error{ErrorCode::Unsupported, "a tensor is saved negated or conjugated; save it with "
                                             ".resolve_neg().resolve_conj()"};
    TensorMeta meta;
    meta.dtype = storage.dtype;
    if (hasDtype) {
        const std::optional<DType> dtype = dtypeFromTorchName(arguments[6]->text);
        if (!dtype)
            return Error{ErrorCode::Unsupported, "a tensor has an element type that is not known"};
        meta.dtype = *dtype;
    }
    meta.storageOffset = arguments[1]->integer;
    meta.requiresGrad = arguments[4]->truth;
    meta.device = deviceOf(storage.text);
    std::optional<std::size_t> index;
    if (storage.integer >= 0)
        index = static_cast<std::size_t>(storage.integer);
    return tensorOf(std::move(meta), *arguments[2], *arguments[3], index);
}

// torch._utils._rebuild_meta_tensor_no_storage(dtype, size, stride, requires_grad)
Result<PickleNode> rebuildMetaTensor(const Arguments& arguments)
{
    const std::optional<DType> dtype =
        arguments.size() >= 4 ? dtypeFromTorchName(arguments[0]->text) : std::nullopt;
    if (!dtype)
        return strange("a tensor is described too briefly");
    TensorMeta meta;
    meta.dtype = *dtype;
    meta.requiresGrad = arguments[3]->truth;
    meta.device = Device{"meta", std::nullopt};
    return tensorOf(std::move(meta), *arguments[1], *arguments[2], std::nullopt);
}

// torch._utils._rebuild_parameter(data, requires_grad, hooks)
Result<PickleNode> rebuildParameter(const Arguments& arguments)
{
    if (arguments.size() < 2 || arguments[0]->kind != Kind::Tensor)
        return strange("a parameter has no tensor");
    PickleValue parameter = *arguments[0];
    parameter.tensor->meta.requiresGrad = arguments[1]->truth;
    return node(std::move(parameter));
}

// torch._export.serde.serialize._reconstruct_fake_tensor(json, is_parameter)
Result<PickleNode> rebuildFakeTensor(const Arguments& arguments)
{
    if (arguments.empty() || arguments[0]->kind != Kind::Text || arguments[0]->text.size() > maxMetaText)
        return strange("a tensor is described too briefly or at length");
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(arguments[0]->text));
    SizeReader sizes;
    STAGECRAFT_ASSIGN(meta, sizes.readTensorMeta(document.root()));
    return node({.kind = Kind::Tensor, .tensor = PickledTensor{std::move(meta), std::nullopt}});
}

} // namespace

Result<PickleNode> storageOfId(const PickleValue& id, const StorageFinder& findStorage)
{
    const Arguments& parts = id.elements;
    const bool isStorage = id.kind == Kind::Tuple && parts.size() >= 5 && parts[0]->kind == Kind::Text &&
                           parts[0]->text == "storage" && parts[1]->kind == Kind::Object &&
                           parts[2]->kind == Kind::Text && parts[3]->kind == Kind::Text &&
                           parts[4]->kind == Kind::Int;
    if (!isStorage)
        return strange("it refers to something that is no storage");
    for (const auto& [name, dtype] : storageTypes) {
        if (name != parts[1]->text)
            continue;
        std::int64_t bytes = 0;
        if (parts[4]->integer < 0 || __builtin_mul_overflow(parts[4]->integer, itemSize(dtype), &bytes))
            return strange("a storage has no such size");
        PickleValue storage{.kind = Kind::Storage, .integer = -1, .text = parts[3]->text, .dtype = dtype};
        if (storage.text != "meta") {
            STAGECRAFT_ASSIGN(index, findStorage(parts[2]->text, bytes));
            storage.integer = static_cast<std::int64_t>(index);
        }
        return node(std::move(storage));
    }
    if (parts[1]->text.starts_with("torch.Q"))
        return Error{ErrorCode::Unsupported,
                     "it has quantised tensors (" + parts[1]->text +
                         "), which are not read; save the model before it is quantised"};
    return Error{ErrorCode::Unsupported, "storages of the kind " + parts[1]->text + " are not known"};
}

Result<PickleNode> resultOfCall(const std::string& function, const Arguments& arguments)
{
    if (function == "torch._utils._rebuild_tensor_v2")
        return rebuildTensor(arguments, DtypeFrom::Storage);
    if (function == "torch._utils._rebuild_tensor_v3")
        return rebuildTensor(arguments, DtypeFrom::Argument);
    if (function == "torch._utils._rebuild_meta_tensor_no_storage")
        return rebuildMetaTensor(arguments);
    if (function == "torch._utils._rebuild_parameter" ||
        function == "torch._utils._rebuild_parameter_with_state")
        return rebuildParameter(arguments);
    if (function == "torch._export.serde.serialize._reconstruct_fake_tensor")
        return rebuildFakeTensor(arguments);
    if (function == "collections.OrderedDict" || function == "builtins.dict")
        return node({.kind = Kind::Dict});
    // Conversions that change nothing here. Protocol 2 has no bytes: they are a text that is encoded again.
    const bool keepsSequence = function == "torch.Size" || function == "builtins.tuple";
    if (keepsSequence && arguments.size() == 1 && arguments[0]->isSequence())
        return arguments[0];
    if (function == "_codecs.encode" && !arguments.empty() && arguments[0]->kind == Kind::Text)
        return arguments[0];
    return PickleNode();
}

} // namespace stagecraft
