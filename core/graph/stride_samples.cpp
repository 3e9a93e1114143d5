#include "core/graph/stride_samples.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

namespace stagecraft {

namespace {

// Prime, so that products tell which symbols are in them; the lists have none in common.
constexpr std::array<std::array<std::int64_t, 8>, 2> primes{
    {{101, 211, 307, 401, 503, 601, 701, 809}, {1009, 907, 1103, 1201, 1301, 1409, 1511, 1601}}};

// Sizes in a file may be any numbers: a product beyond 64 bits wraps around, and then equals nothing.
std::int64_t times(std::int64_t a, std::int64_t b)
{
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

std::optional<StrideSample> sampleOf(const TensorMeta& meta, const Bindings& bindings)
{
    StrideSample sample;
    if (meta.layout != TensorLayout::Strided || meta.sizes.size() != meta.strides.size())
        return std::nullopt;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
        const Result<std::int64_t> size = meta.sizes[i].evaluate(bindings);
        const Result<std::int64_t> stride = meta.strides[i].evaluate(bindings);
        if (!size.has_value() || !stride.has_value() || *size < 0 || *stride < 0)
            return std::nullopt;
        sample.sizes.push_back(*size);
        sample.strides.push_back(*stride);
    }
    return sample;
}

} // namespace

std::optional<std::vector<std::vector<StrideSample>>>
strideSamples(const std::vector<const TensorMeta*>& metas)
{
    std::set<std::string> symbols;
    bool isSymbolic = false;
    for (const TensorMeta* meta : metas)
        for (const auto* numbers : {&meta->sizes, &meta->strides})
            for (const SymInt& number : *numbers) {
                number.collectSymbols(symbols);
                isSymbolic |= !number.isConstant();
            }
    std::vector<std::vector<StrideSample>> samples(metas.size());
    for (std::size_t set = 0; set < (isSymbolic ? primes.size() : 1); ++set) {
        Bindings bindings;
        for (const std::string& symbol : symbols) {
            const std::size_t count = bindings.size();
            const std::size_t round = count / primes[set].size();
            bindings[symbol] = primes[set][count % primes[set].size()] + 2 * static_cast<std::int64_t>(round);
        }
        for (std::size_t i = 0; i < metas.size(); ++i) {
            std::optional<StrideSample> sample = sampleOf(*metas[i], bindings);
            if (!sample)
                return std::nullopt;
            samples[i].push_back(std::move(*sample));
        }
    }
    return samples;
}

std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& sizes)
{
    std::vector<std::int64_t> strides(sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = stride;
        stride = times(stride, std::max<std::int64_t>(sizes[i], 1));
    }
    return strides;
}

// As at::detail::computeStride does: from the innermost dimension outwards, runs of dimensions that lie
// behind each other in memory are shared out to new dimensions of the same number of elements.
std::optional<std::vector<std::int64_t>> stridesOfView(const StrideSample& tensor,
                                                       const std::vector<std::int64_t>& sizes)
{
    const auto count = [](const std::vector<std::int64_t>& of) {
        return std::accumulate(of.begin(), of.end(), std::int64_t{1}, times);
    };
    if (count(tensor.sizes) != count(sizes))
        return std::nullopt;
    if (tensor.sizes.empty())
        return std::vector<std::int64_t>(sizes.size(), 1);
    if (count(sizes) == 0)
        return tensor.sizes == sizes ? tensor.strides : rowMajorStrides(sizes);
    std::vector<std::int64_t> strides(sizes.size());
    std::size_t next = sizes.size();
    std::int64_t runStride = tensor.strides.back();
    std::int64_t runCount = 1;
    for (std::size_t i = tensor.sizes.size(); i-- > 0;) {
        runCount = times(runCount, tensor.sizes[i]);
        const bool isRunComplete =
            i == 0 || (tensor.sizes[i - 1] != 1 && tensor.strides[i - 1] != times(runCount, runStride));
        if (!isRunComplete)
            continue;
        std::int64_t shared = 1;
        while (next > 0 && (shared < runCount || sizes[next - 1] == 1)) {
            --next;
            strides[next] = times(shared, runStride);
            shared = times(shared, sizes[next]);
        }
        if (shared != runCount)
            return std::nullopt;
        if (i > 0) {
            runStride = tensor.strides[i - 1];
            runCount = 1;
        }
    }
    return next == 0 ? std::optional(strides) : std::nullopt;
}

} // namespace stagecraft
