#include "core/load/sharing.h"

#include "core/base/contains.h"
#include "core/graph/stride_samples.h"
#include "core/load/target_name.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace stagecraft {

namespace {

// A view where one can be made, else a copy.
constexpr std::array<std::string_view, 3> reshapes{"aten::reshape", "aten::reshape_as", "aten::flatten"};

// The input itself where it is as wanted already, else a copy, which tells by its type, device or strides.
constexpr std::array<std::string_view, 13> conversions{
    "aten::contiguous",   "aten::to",         "aten::type_as",     "aten::sum_to_size", "aten::to_dense",
    "aten::_cast_Byte",   "aten::_cast_Char", "aten::_cast_Short", "aten::_cast_Int",   "aten::_cast_Long",
    "aten::_cast_Double", "aten::_cast_Half", "aten::_cast_Float"};

// What is returned depends on more than sizes and strides.
constexpr std::array<std::string_view, 5> undecided{
    "aten::einsum", "aten::chain_matmul", "aten::cartesian_prod", "aten::resolve_conj", "aten::resolve_neg"};

constexpr std::array<std::string_view, 5> storageReaders{"aten::as_strided", "aten::as_strided_",
                                                         "aten::as_strided_copy", "aten::as_strided_scatter",
                                                         "aten::sym_storage_offset"};

// Always or never if that holds for all samples.
template <class Predicate>
Sharing decided(const TensorMeta& result, const TensorMeta& input, const Predicate& isShared)
{
    const auto samples = strideSamples({&result, &input});
    if (!samples)
        return Sharing::Unknown;
    std::size_t shared = 0;
    for (std::size_t i = 0; i < samples->front().size(); ++i)
        shared += isShared((*samples)[0][i], (*samples)[1][i]) ? 1 : 0;
    if (shared == 0)
        return Sharing::Never;
    return shared == samples->front().size() ? Sharing::Always : Sharing::Unknown;
}

// The same place for every element; the stride of a dimension of size 1 leads nowhere.
bool liesAlike(const StrideSample& a, const StrideSample& b)
{
    if (a.sizes != b.sizes)
        return false;
    for (std::size_t i = 0; i < a.sizes.size(); ++i)
        if (a.sizes[i] != 1 && a.strides[i] != b.strides[i])
            return false;
    return true;
}

Sharing sharingOfConversion(const Node& node, const TensorMeta& result, const TensorMeta& input)
{
    const Argument* copy = node.argument("copy");
    const bool* isCopy = copy ? std::get_if<bool>(copy) : nullptr;
    if ((isCopy && *isCopy) || result.dtype != input.dtype || result.layout != input.layout ||
        result.device.type != input.device.type)
        return Sharing::Never;
    return decided(result, input, liesAlike);
}

} // namespace

Sharing sharingOf(const Graph& graph, const Node& node, ValueId result, ValueId input)
{
    const std::string_view name = operatorNameOf(node.target).name;
    const std::optional<TensorMeta>& made = graph[result].meta;
    const std::optional<TensorMeta>& given = graph[input].meta;
    const bool isReshape = contains(reshapes, name) || name == "aten::ravel";
    const bool isConversion = contains(conversions, name);
    if (contains(undecided, name) || ((isReshape || isConversion) && (!made || !given)))
        return Sharing::Unknown;
    if (name == "aten::ravel")
        return decided(*made, *given, [](const StrideSample&, const StrideSample& tensor) {
            return liesAlike(tensor, {tensor.sizes, rowMajorStrides(tensor.sizes)});
        });
    if (isConversion)
        return sharingOfConversion(node, *made, *given);
    if (isReshape)
        return decided(*made, *given, [](const StrideSample& wanted, const StrideSample& tensor) {
            return stridesOfView(tensor, wanted.sizes).has_value();
        });
    return Sharing::Always;
}

bool readsStorage(std::string_view target)
{
    return contains(storageReaders, operatorNameOf(target).name);
}

bool isViewUnknownToAutograd(std::string_view target)
{
    constexpr std::array<std::string_view, 4> names{"aten::_unsafe_view", "aten::unsafe_chunk",
                                                    "aten::unsafe_split", "aten::unsafe_split_with_sizes"};
    return contains(names, operatorNameOf(target).name);
}

} // namespace stagecraft
