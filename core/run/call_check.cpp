#include "core/run/call_check.h"

#include "core/base/contains.h"
#include "core/run/index_check.h"
#include "core/run/torch_types.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace stagecraft {

namespace {

constexpr std::int64_t farthest = std::numeric_limits<std::int32_t>::max();
constexpr std::int64_t widestKernel = std::int64_t{1} << 26;
constexpr std::int64_t mostPieces = std::int64_t{1} << 17;

constexpr std::array<std::string_view, 12> windows{
    "kernel_size",      "stride",     "dilation",  "groups",   "group",      "upscale_factor",
    "downscale_factor", "num_groups", "num_heads", "num_head", "block_size", "hidden_size"};
constexpr std::array<std::string_view, 3> extents{"padding", "output_padding", "pad"};
constexpr std::array<std::string_view, 4> counts{"chunks", "sections", "num_layers", "r"};

// What a schema asks for, without "optional" and "list of".
struct Asked
{
    c10::TypePtr type;
    bool isList = false;
};

Asked withoutWrappers(c10::TypePtr type)
{
    Asked asked;
    if (const auto optional = type->cast<c10::OptionalType>())
        type = optional->getElementType();
    if (const auto list = type->cast<c10::ListType>()) {
        asked.isList = true;
        type = list->getElementType();
    }
    asked.type = std::move(type);
    return asked;
}

bool isWhole(const c10::Type& type)
{
    return type.kind() == c10::TypeKind::IntType || type.kind() == c10::TypeKind::SymIntType;
}

std::optional<std::size_t> positionOf(const c10::FunctionSchema& schema, std::string_view name)
{
    const auto position = schema.argumentIndexWithName(name);
    return position ? std::optional(static_cast<std::size_t>(*position)) : std::nullopt;
}

// One number or a list of them; nothing where the argument is left out.
std::vector<std::int64_t> numbersIn(const c10::IValue& value)
{
    if (value.isInt())
        return {value.toInt()};
    if (value.isIntList())
        return value.toIntVector();
    return {};
}

const at::Tensor* tensorAt(std::span<const c10::IValue> arguments, std::size_t position)
{
    return position < arguments.size() && arguments[position].isTensor() &&
                   arguments[position].toTensor().defined()
               ? &arguments[position].toTensor()
               : nullptr;
}

// Query heads are shared out among key and value heads.
void checkSharedHeads(std::span<const c10::IValue> arguments)
{
    if (!arguments[7].isBool() || !arguments[7].toBool())
        return;
    for (const std::size_t position : {std::size_t{1}, std::size_t{2}})
        if (const at::Tensor* tensor = tensorAt(arguments, position); tensor && tensor->dim() >= 3)
            TORCH_CHECK(tensor->size(-3) > 0, "key and value need heads to share, but have none");
}

// One length for each slice along the first or last dimension, where one kernel does it all.
void checkWeightNorm(std::span<const c10::IValue> arguments)
{
    const at::Tensor* direction = tensorAt(arguments, 0);
    const at::Tensor* lengths = tensorAt(arguments, 1);
    const std::vector<std::int64_t> dim = numbersIn(arguments[2]);
    if (!direction || !lengths || dim.size() != 1 || direction->dim() == 0)
        return;
    if (dim.front() == 0 || dim.front() == direction->dim() - 1)
        TORCH_CHECK(lengths->numel() == direction->size(dim.front()), "weight norm: ", lengths->numel(),
                    " lengths for ", direction->size(dim.front()), " slices");
}

// A state for each layer and direction. `First` is the position of the states.
template <std::size_t First>
void checkRecurrent(std::span<const c10::IValue> arguments)
{
    const std::vector<std::int64_t> layers = numbersIn(arguments[First + 3]);
    const c10::IValue& bidirectional = arguments[First + 6];
    if (layers.size() != 1 || !bidirectional.isBool())
        return;
    const std::int64_t count = layers.front() * (bidirectional.toBool() ? 2 : 1);
    const c10::IValue& given = arguments[First];
    const std::vector<at::Tensor> states = given.isTensorList() ? given.toTensorVector()
                                           : given.isTensor()   ? std::vector<at::Tensor>{given.toTensor()}
                                                                : std::vector<at::Tensor>{};
    for (const at::Tensor& state : states)
        TORCH_CHECK(state.defined() && state.dim() > 0 && state.size(0) == count,
                    "a recurrent layer needs states for ", count, " layers and directions");
}

} // namespace

CallCheck::TensorRule CallCheck::tensorRuleOf(const c10::FunctionSchema& schema)
{
    const std::string& name = schema.name();
    const bool isRecurrent =
        name == "aten::lstm" || name == "aten::gru" || name == "aten::rnn_tanh" || name == "aten::rnn_relu";
    if (isRecurrent && positionOf(schema, "hx") == 1 && schema.arguments().size() == 9)
        return checkRecurrent<1>;
    if (isRecurrent && positionOf(schema, "hx") == 2 && schema.arguments().size() == 9)
        return checkRecurrent<2>;
    if (name == "aten::scaled_dot_product_attention" && schema.arguments().size() == 8)
        return checkSharedHeads;
    if ((name == "aten::_weight_norm" || name == "aten::_weight_norm_interface") &&
        schema.arguments().size() == 3)
        return checkWeightNorm;
    return nullptr;
}

CallCheck::CallCheck(const c10::FunctionSchema& schema)
{
    for (std::size_t i = 0; i < schema.arguments().size(); ++i)
        addRules(schema, i);
    static constexpr std::array<std::string_view, 5> splitters{
        "aten::unbind", "aten::unbind_copy", "aten::split", "aten::split_copy", "aten::unsafe_split"};
    const auto tensor = positionOf(schema, "self");
    const auto dimension = positionOf(schema, "dim");
    if (contains(splitters, std::string_view(schema.name())) && tensor && dimension)
        m_pieces = {*tensor, *dimension, positionOf(schema, "split_size")};
    m_tensorRule = tensorRuleOf(schema);
    m_indexCheck = indexCheck(schema);
}

void CallCheck::addRules(const c10::FunctionSchema& schema, std::size_t position)
{
    const c10::Argument& argument = schema.arguments()[position];
    const std::string& name = argument.name();
    if (withoutWrappers(argument.real_type()).type->kind() == c10::TypeKind::ScalarTypeType) {
        m_entries.push_back({Rule::ElementType, position, name});
        return;
    }
    const Asked asked = withoutWrappers(argument.type());
    if (!isWhole(*asked.type))
        return;
    // A list of length 1 takes any number of numbers.
    if (asked.isList && argument.N().value_or(1) > 1)
        m_entries.push_back({Rule::Length, position, name, static_cast<std::size_t>(*argument.N())});
    // Beside sizes a stride is where elements lie, and may be 0.
    const bool isLayout = name == "stride" && positionOf(schema, "size");
    if (contains(windows, std::string_view(name)) && !isLayout)
        m_entries.push_back({Rule::Window, position, name});
    else if (contains(extents, std::string_view(name)))
        m_entries.push_back({Rule::Extent, position, name});
    else if (contains(counts, std::string_view(name)))
        m_entries.push_back({Rule::Count, position, name});
    else if (name == "reduction")
        m_entries.push_back({Rule::Reduction, position, name});
    else if (name == "dim" && schema.name().starts_with("aten::_fft_"))
        m_entries.push_back({Rule::Axes, position, name});
}

void CallCheck::operator()(std::span<const c10::IValue> arguments) const
{
    for (const Entry& entry : m_entries)
        if (const auto numbers = numbersIn(arguments[entry.position]); !numbers.empty())
            check(entry, numbers, arguments);
    if (m_pieces)
        checkPieces(*m_pieces, arguments);
    if (m_tensorRule)
        m_tensorRule(arguments);
    if (m_indexCheck)
        m_indexCheck(arguments);
}

void CallCheck::check(const Entry& entry, std::span<const std::int64_t> numbers,
                      std::span<const c10::IValue> arguments)
{
    const auto require = [&](std::int64_t least, std::int64_t most) {
        for (const std::int64_t number : numbers)
            TORCH_CHECK(number >= least && number <= most, "'", entry.name, "' is ", number,
                        ", but must be from ", least, " to ", most);
    };
    switch (entry.rule) {
    case Rule::Window: {
        const bool isKernel = entry.name == "kernel_size";
        require(1, isKernel ? widestKernel : farthest);
        double product = 1;
        for (const std::int64_t number : numbers)
            product *= isKernel ? static_cast<double>(number) : 1;
        TORCH_CHECK(product <= static_cast<double>(farthest), "'", entry.name, "' has too many elements");
        return;
    }
    case Rule::Extent:
        return require(-farthest, farthest);
    case Rule::Count:
        return require(0, mostPieces);
    case Rule::Reduction:
        return require(0, 2);
    case Rule::ElementType:
        require(0, std::numeric_limits<std::int8_t>::max());
        TORCH_CHECK(dtypeOfNumber(static_cast<std::int8_t>(numbers.front())).has_value(), "'", entry.name,
                    "' is ", numbers.front(), ", which is no element type");
        return;
    case Rule::Length:
        TORCH_CHECK(numbers.size() == 1 || numbers.size() == entry.length, "'", entry.name, "' has ",
                    numbers.size(), " numbers, not ", entry.length);
        return;
    case Rule::Axes: {
        const at::Tensor* tensor = tensorAt(arguments, 0);
        const std::int64_t dimensions = tensor ? tensor->dim() : 0;
        require(-dimensions, dimensions - 1);
        std::vector<std::int64_t> axes;
        for (const std::int64_t number : numbers)
            axes.push_back(number < 0 ? number + dimensions : number);
        std::ranges::sort(axes);
        TORCH_CHECK(std::ranges::adjacent_find(axes) == axes.end(), "'", entry.name,
                    "' names a dimension twice");
        return;
    }
    }
}

void CallCheck::checkPieces(const Pieces& pieces, std::span<const c10::IValue> arguments)
{
    const at::Tensor* tensor = tensorAt(arguments, pieces.tensor);
    const std::vector<std::int64_t> dimension = numbersIn(arguments[pieces.dimension]);
    const std::vector<std::int64_t> size =
        pieces.size ? numbersIn(arguments[*pieces.size]) : std::vector<std::int64_t>{1};
    if (!tensor || dimension.size() != 1 || size.size() != 1 || size.front() < 1)
        return; // as many as are listed, or nothing that the operator takes
    const std::int64_t count = tensor->size(dimension.front()) / size.front();
    TORCH_CHECK(count <= mostPieces, "makes ", count, " pieces of a tensor, more than ", mostPieces);
}

bool isOffLimits(std::string_view name)
{
    static constexpr std::array<std::string_view, 9> names{
        "aten::_add_batch_dim", "aten::_batch_norm_impl_index_backward", "aten::_cummax_helper",
        "aten::_cummin_helper", "aten::_nnpack_spatial_convolution",     "aten::_remove_batch_dim",
        "aten::from_file",      "aten::_transform_bias_rescale_qkv",     "aten::_dyn_quant_matmul_4bit"};
    return contains(names, name) || name.starts_with("mkldnn::_reorder_");
}

} // namespace stagecraft
