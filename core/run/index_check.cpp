#include "core/run/index_check.h"

#include <ATen/ATen.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

namespace {

using at::Tensor;

// The arguments of one call by their names.
class NamedCall
{
public:
    NamedCall(const std::vector<std::string>& names, std::span<const c10::IValue> arguments)
        : m_names(names), m_arguments(arguments)
    {
    }

    // None where it is left out.
    std::optional<Tensor> tensor(std::string_view name) const
    {
        const c10::IValue* value = find(name);
        const bool isGiven = value && value->isTensor() && value->toTensor().defined();
        return isGiven ? std::optional(value->toTensor()) : std::nullopt;
    }
    std::optional<std::int64_t> number(std::string_view name) const
    {
        const c10::IValue* value = find(name);
        return value && value->isInt() ? std::optional(value->toInt()) : std::nullopt;
    }
    // Of a tensor or a list; empty where it is neither, or has no data.
    std::vector<std::int64_t> numbers(std::string_view name) const
    {
        const c10::IValue* value = find(name);
        if (value && value->isIntList())
            return value->toIntVector();
        const std::optional<Tensor> given = tensor(name);
        if (!given || !given->is_cpu() || given->layout() != at::kStrided ||
            !at::isIntegralType(given->scalar_type(), /*includeBool=*/false))
            return {};
        const Tensor whole = given->detach().to(at::kLong).contiguous();
        const auto* data = whole.const_data_ptr<std::int64_t>();
        return {data, data + whole.numel()};
    }

private:
    const c10::IValue* find(std::string_view name) const
    {
        const auto found = std::ranges::find(m_names, name);
        const auto position = static_cast<std::size_t>(found - m_names.begin());
        return position < m_arguments.size() ? &m_arguments[position] : nullptr;
    }

    const std::vector<std::string>& m_names;
    std::span<const c10::IValue> m_arguments;
};

// Every number is a place among `count`, or the one that is left out.
void requirePlaces(std::string_view name, std::span<const std::int64_t> numbers, std::int64_t count,
                   std::optional<std::int64_t> leftOut = std::nullopt)
{
    for (const std::int64_t number : numbers)
        TORCH_CHECK((number >= 0 && number < count) || number == leftOut, "'", name, "' holds ", number,
                    ", but must be from 0 to ", count - 1);
}

// Begins of stretches of `count` things, one behind another.
void requireOffsets(std::string_view name, std::span<const std::int64_t> numbers, std::int64_t count)
{
    std::int64_t last = 0;
    for (const std::int64_t number : numbers) {
        TORCH_CHECK(number >= last && number <= count, "'", name, "' holds ", number, " behind ", last,
                    ", but must rise up to ", count);
        last = number;
    }
}

void requireLengths(std::string_view name, std::span<const std::int64_t> numbers, std::int64_t count)
{
    std::int64_t left = count;
    for (const std::int64_t number : numbers) {
        TORCH_CHECK(number >= 0 && number <= left, "'", name, "' holds ", number,
                    ", but all together must be ", count, " at most, and none below 0");
        left -= number;
    }
}

std::int64_t sizeOf(const NamedCall& call, std::string_view name, std::int64_t dimension)
{
    const std::optional<Tensor> tensor = call.tensor(name);
    const std::int64_t place = tensor && dimension < 0 ? dimension + tensor->dim() : dimension;
    return tensor && place >= 0 && place < tensor->dim() ? tensor->size(place) : 0;
}

// Elements of the last `dimensions` dimensions of the pooled tensor.
template <int Dimensions>
void checkPooled(const NamedCall& call)
{
    std::int64_t count = 1;
    for (int i = 1; i <= Dimensions; ++i)
        count *= sizeOf(call, "self", -i);
    requirePlaces("indices", call.numbers("indices"), count);
}

void checkClasses(const NamedCall& call)
{
    const std::optional<Tensor> scores = call.tensor("self");
    if (scores && scores->dim() > 0)
        requirePlaces("target", call.numbers("target"), scores->size(scores->dim() == 1 ? 0 : 1),
                      call.number("ignore_index"));
}

void checkEmbeddingGradient(const NamedCall& call)
{
    // That of the padding, too: it is left out of the sums, but counted with the others.
    requirePlaces("indices", call.numbers("indices"), call.number("num_weights").value_or(0));
}

void checkBags(const NamedCall& call)
{
    if (const std::optional<Tensor> indices = call.tensor("indices"))
        requireOffsets("offsets", call.numbers("offsets"), indices->numel());
}

void checkBagGradient(const NamedCall& call)
{
    checkBags(call);
    const std::int64_t rows = call.number("num_weights").value_or(sizeOf(call, "weight", 0));
    requirePlaces("indices", call.numbers("indices"), rows);
    requirePlaces("offset2bag", call.numbers("offset2bag"), sizeOf(call, "grad", 0));
}

// Only the first of each row are read, as many as its length; where all stand in one row, one after another.
void checkLabels(const NamedCall& call)
{
    const std::int64_t classes = sizeOf(call, "log_probs", -1);
    const std::vector<std::int64_t> labels = call.numbers("targets");
    const std::vector<std::int64_t> lengths = call.numbers("target_lengths");
    const std::optional<Tensor> targets = call.tensor("targets");
    if (!targets || targets->dim() > 2)
        return;
    const bool isPadded = targets->dim() == 2;
    const std::int64_t width = isPadded ? targets->size(1) : targets->numel();
    std::size_t begin = 0;
    for (const std::int64_t length : lengths) {
        const auto room = isPadded ? width : static_cast<std::int64_t>(labels.size() - begin);
        TORCH_CHECK(length >= 0 && length <= room, "'target_lengths' holds ", length, " where there are ",
                    room, " labels");
        if (begin + static_cast<std::size_t>(length) > labels.size())
            return; // more lengths than rows: the kernel says so
        requirePlaces("targets", std::span(labels).subspan(begin, static_cast<std::size_t>(length)), classes);
        begin += static_cast<std::size_t>(isPadded ? width : length);
    }
}

// Rows of lengths or offsets: each parts the same axis anew.
void checkSegments(const NamedCall& call)
{
    const std::int64_t count = sizeOf(call, "data", call.number("axis").value_or(0));
    const auto eachRow = [&](std::string_view name, auto require) {
        const std::vector<std::int64_t> numbers = call.numbers(name);
        const auto width = static_cast<std::size_t>(std::max<std::int64_t>(sizeOf(call, name, -1), 1));
        for (std::size_t begin = 0; begin + width <= numbers.size(); begin += width)
            require(name, std::span(numbers).subspan(begin, width), count);
    };
    eachRow("lengths", requireLengths);
    eachRow("offsets", requireOffsets);
}

// How many sequences go on at each step: ever fewer.
void checkPackedSteps(const NamedCall& call)
{
    const std::vector<std::int64_t> sizes = call.numbers("batch_sizes");
    requireLengths("batch_sizes", sizes, sizeOf(call, "data", 0));
    for (std::size_t i = 0; i < sizes.size(); ++i)
        TORCH_CHECK(sizes[i] > 0 && (i == 0 || sizes[i] <= sizes[i - 1]),
                    "'batch_sizes' must be above 0 and never rise");
}

struct TrustingKernel
{
    std::string_view name;
    void (*check)(const NamedCall& call);
};

constexpr std::array trustingKernels{
    TrustingKernel{"aten::embedding_dense_backward", checkEmbeddingGradient},
    TrustingKernel{"aten::embedding_bag", checkBags},
    TrustingKernel{"aten::_embedding_bag", checkBags},
    TrustingKernel{"aten::_embedding_bag_forward_only", checkBags},
    TrustingKernel{"aten::_embedding_bag_backward", checkBagGradient},
    TrustingKernel{"aten::_embedding_bag_dense_backward", checkBagGradient},
    TrustingKernel{"aten::_embedding_bag_sparse_backward", checkBagGradient},
    TrustingKernel{"aten::_embedding_bag_per_sample_weights_backward", checkBagGradient},
    TrustingKernel{"aten::nll_loss_backward", checkClasses},
    TrustingKernel{"aten::nll_loss2d_backward", checkClasses},
    TrustingKernel{"aten::max_pool2d_with_indices_backward", checkPooled<2>},
    TrustingKernel{"aten::max_pool3d_with_indices_backward", checkPooled<3>},
    TrustingKernel{"aten::adaptive_max_pool2d_backward", checkPooled<2>},
    TrustingKernel{"aten::adaptive_max_pool3d_backward", checkPooled<3>},
    TrustingKernel{"aten::fractional_max_pool2d_backward", checkPooled<2>},
    TrustingKernel{"aten::fractional_max_pool3d_backward", checkPooled<3>},
    TrustingKernel{"aten::ctc_loss", checkLabels},
    TrustingKernel{"aten::_ctc_loss", checkLabels},
    TrustingKernel{"aten::_ctc_loss_backward", checkLabels},
    TrustingKernel{"aten::segment_reduce", checkSegments},
    TrustingKernel{"aten::_segment_reduce_backward", checkSegments},
    TrustingKernel{"aten::_pad_packed_sequence", checkPackedSteps},
};

} // namespace

std::function<void(std::span<const c10::IValue>)> indexCheck(const c10::FunctionSchema& schema)
{
    const auto kernel =
        std::ranges::find(trustingKernels, std::string_view(schema.name()), &TrustingKernel::name);
    if (kernel == trustingKernels.end())
        return {};
    std::vector<std::string> names;
    for (const c10::Argument& argument : schema.arguments())
        names.push_back(argument.name());
    return [check = kernel->check, names = std::move(names)](std::span<const c10::IValue> arguments) {
        check(NamedCall(names, arguments));
    };
}

} // namespace stagecraft
