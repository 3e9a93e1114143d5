#include "core/run/associative_scan.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/constant_pad_nd.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/slice.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <limits>

namespace stagecraft {

namespace {

using Tensors = std::vector<at::Tensor>;

constexpr std::int64_t toTheEnd = std::numeric_limits<std::int64_t>::max();

Tensors sliced(const Tensors& tensors, std::int64_t begin, std::int64_t end, std::int64_t step)
{
    Tensors slices;
    for (const at::Tensor& tensor : tensors)
        slices.push_back(at::slice(tensor, 0, begin, end, step));
    return slices;
}

// a0 b0 a1 b1 ...; `even` has as many elements as `odd`, or one more.
at::Tensor interleaved(const at::Tensor& even, at::Tensor odd)
{
    const std::int64_t length = even.size(0) + odd.size(0);
    const bool isLonger = even.size(0) == odd.size(0) + 1;
    if (isLonger) {
        std::vector<std::int64_t> padding(static_cast<std::size_t>(odd.dim()) * 2, 0);
        padding.back() = 1; // at the end of the first dimension, which comes last
        odd = at::constant_pad_nd(odd, padding);
    }
    const at::Tensor all = at::flatten(at::stack({even, odd}, 1), 0, 1);
    return isLonger ? at::slice(all, 0, 0, length) : all;
}

at::Tensor withFirst(const at::Tensor& whole, const at::Tensor& rest)
{
    const at::Tensor first = at::slice(whole, 0, 0, 1);
    return rest.numel() > 0 ? at::cat({first, rest}) : first;
}

Result<Tensors> scanned(const Combine& combine, const Tensors& tensors)
{
    const auto combined = [&](Tensors left, const Tensors& right) -> Result<Tensors> {
        const std::int64_t length = right.front().size(0);
        left.insert(left.end(), right.begin(), right.end());
        STAGECRAFT_ASSIGN(results, combine(std::move(left)));
        const auto hasLength = [&](const at::Tensor& tensor) {
            return tensor.defined() && tensor.dim() > 0 && tensor.size(0) == length;
        };
        if (results.size() != tensors.size() || !std::ranges::all_of(results, hasLength))
            return Error{ErrorCode::BadFormat, "the inner graph does not return what it is given, in number "
                                               "and length"};
        return results;
    };
    const std::int64_t length = tensors.front().size(0);
    if (length < 2)
        return tensors;
    STAGECRAFT_ASSIGN(pairs, combined(sliced(tensors, 0, -1, 2), sliced(tensors, 1, toTheEnd, 2)));
    STAGECRAFT_ASSIGN(odd, scanned(combine, pairs));
    const Tensors before = length % 2 == 0 ? sliced(odd, 0, -1, 1) : odd;
    STAGECRAFT_ASSIGN(even, combined(before, sliced(tensors, 2, toTheEnd, 2)));
    Tensors all;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        all.push_back(interleaved(withFirst(tensors[i], even[i]), odd[i]));
    return all;
}

} // namespace

Result<Tensors> associativeScan(const Combine& combine, Tensors tensors)
{
    const auto hasLength = [&](const at::Tensor& tensor) {
        return tensor.defined() && tensor.dim() > 0 && tensor.size(0) == tensors.front().size(0);
    };
    if (tensors.empty() || !std::ranges::all_of(tensors, hasLength))
        return Error{ErrorCode::BadFormat, "it scans tensors of one length, and of one dimension at least"};
    return scanned(combine, tensors);
}

} // namespace stagecraft
