#include <torch/torch.h>

#include "meta_kernels/cases.h"
#include "meta_kernels/tensor_source.h"

#include "core/trace/kernels/meta_kernels.h"

#include <numeric>
#include <sstream>

namespace stagecraft::test {

using at::Tensor;
using Tensors = std::vector<Tensor>;

TensorSource::TensorSource(std::uint64_t seed, bool onMeta)
    : m_random(seed), m_onMeta(onMeta), m_type(at::kFloat)
{
    const std::int64_t draw = number(0, 9);
    m_type = draw < 6 ? at::kFloat : draw < 8 ? at::kBFloat16 : at::kDouble;
}

TensorSource::~TensorSource() = default;

std::int64_t TensorSource::number(std::int64_t from, std::int64_t to)
{
    return from + static_cast<std::int64_t>(m_random() % static_cast<std::uint64_t>(to - from + 1));
}

std::int64_t TensorSource::batch()
{
    return number(0, 19) == 0 ? 0 : number(1, 4);
}

c10::ScalarType TensorSource::floatType()
{
    return m_type;
}

Tensor TensorSource::laidOut(const std::vector<std::int64_t>& sizes, c10::ScalarType type)
{
    const auto options = at::TensorOptions(m_onMeta ? at::kMeta : at::kCPU).dtype(type);
    const auto dimensions = static_cast<std::int64_t>(sizes.size());
    const std::int64_t draw = number(0, 9);
    if (draw < 3 && dimensions == 4)
        return at::zeros(sizes, options).contiguous(at::MemoryFormat::ChannelsLast);
    if (draw < 3 && dimensions == 5)
        return at::zeros(sizes, options).contiguous(at::MemoryFormat::ChannelsLast3d);
    if (draw == 3 && dimensions >= 2)
        return at::zeros(sizes, options).transpose(-1, -2).contiguous().transpose(-1, -2);
    if (draw == 4 && dimensions >= 1) { // a slice of something larger
        std::vector<std::int64_t> larger = sizes;
        larger.back() += 3;
        return at::zeros(larger, options).narrow(-1, 1, sizes.back());
    }
    if (draw == 5 && dimensions >= 3) // two outer dimensions exchanged, as attention heads are
        return at::zeros(sizes, options).transpose(0, 1).contiguous().transpose(0, 1);
    return at::zeros(sizes, options);
}

Tensor TensorSource::tensor(std::vector<std::int64_t> sizes)
{
    Tensor result = laidOut(sizes, m_type);
    if (!m_onMeta)
        result.normal_();
    m_leaves.push_back(result.requires_grad_());
    return result;
}

Tensor TensorSource::weight(std::vector<std::int64_t> sizes)
{
    Tensor result = at::zeros(sizes, at::TensorOptions(m_onMeta ? at::kMeta : at::kCPU).dtype(m_type));
    if (!m_onMeta)
        result.normal_();
    m_leaves.push_back(result.requires_grad_());
    return result;
}

Tensor TensorSource::plain(std::vector<std::int64_t> sizes, c10::ScalarType type)
{
    Tensor result = laidOut(sizes, type);
    if (!m_onMeta)
        result.fill_(1);
    return result;
}

Tensor TensorSource::probabilities(std::vector<std::int64_t> sizes)
{
    Tensor result = laidOut(sizes, m_type);
    if (!m_onMeta)
        result.uniform_();
    return result;
}

Tensor TensorSource::indices(std::vector<std::int64_t> sizes, std::int64_t bound)
{
    Tensor result = at::zeros(sizes, at::TensorOptions(m_onMeta ? at::kMeta : at::kCPU).dtype(at::kLong));
    if (!m_onMeta)
        result.random_(bound);
    return result;
}

Tensor TensorSource::mask(std::vector<std::int64_t> sizes)
{
    Tensor result = laidOut(sizes, at::kBool);
    if (!m_onMeta)
        result.fill_(true);
    return result;
}

namespace {

// Strides of dimensions of one element or none, which say nothing of where elements lie, as 1.
std::vector<std::int64_t> usedStrides(const Tensor& tensor)
{
    std::vector<std::int64_t> strides = tensor.strides().vec();
    for (std::size_t d = 0; d < strides.size(); ++d)
        if (tensor.numel() == 0 || tensor.size(static_cast<std::int64_t>(d)) == 1)
            strides[d] = 1;
    return strides;
}

enum class Strides { All, Used };

std::string describe(const Tensor& tensor, Strides which)
{
    if (!tensor.defined())
        return "none";
    const std::vector<std::int64_t> strides =
        which == Strides::All ? tensor.strides().vec() : usedStrides(tensor);
    std::ostringstream text;
    text << tensor.scalar_type() << tensor.sizes() << " strides " << at::IntArrayRef(strides) << " offset "
         << tensor.storage_offset() << " in " << tensor.storage().nbytes() << " bytes";
    return text.str();
}

// Sizes, layout, type, the whole storage. A kernel's own results are compared to the last stride; gradients
// went through PyTorch's formulas, which leave strides that mean nothing to chance.
std::string difference(const std::string& what, const Tensors& real, const Tensors& meta, Strides which)
{
    if (real.size() != meta.size())
        return what + ": " + std::to_string(real.size()) + " tensors, on meta " + std::to_string(meta.size());
    for (std::size_t i = 0; i < real.size(); ++i) {
        const std::string one = describe(real[i], which), other = describe(meta[i], which);
        if (one != other)
            return what + " " + std::to_string(i) + ": " + one + ", on meta " + other;
    }
    return {};
}

// Which of the tensors lie in one storage: for each, the first that shares its own.
std::vector<std::size_t> aliases(const Tensors& results, const Tensors& leaves)
{
    Tensors all = leaves;
    all.insert(all.end(), results.begin(), results.end());
    std::vector<std::size_t> first(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        first[i] = i;
        for (std::size_t j = 0; j < i && first[i] == i; ++j)
            if (all[i].defined() && all[j].defined() && all[i].numel() > 0 &&
                all[i].storage().unsafeGetStorageImpl() == all[j].storage().unsafeGetStorageImpl())
                first[i] = j;
    }
    return first;
}

// Gradients of the results in layouts that occur: one number expanded, row-major, as the result is.
Tensor outputGradient(const Tensor& result, std::int64_t layout)
{
    if (layout == 0)
        return at::ones({}, result.options()).expand(result.sizes());
    if (layout == 1)
        return at::ones(result.sizes(), result.options());
    return at::ones_like(result);
}

Tensors gradients(const Tensors& results, const Tensors& leaves, std::int64_t layout)
{
    Tensors roots, rootGradients;
    for (const Tensor& result : results) {
        if (!result.defined() || !result.requires_grad())
            continue;
        roots.push_back(result);
        rootGradients.push_back(outputGradient(result, layout));
    }
    if (roots.empty())
        return {};
    return torch::autograd::grad(roots, leaves, rootGradients, /*retain_graph=*/std::nullopt,
                                 /*create_graph=*/false, /*allow_unused=*/true);
}

const std::vector<MetaKernelCase>& allCases()
{
    static const std::vector<MetaKernelCase> cases = [] {
        std::vector<MetaKernelCase> all;
        for (const auto& family :
             {decompositionCases(), layerCases(), lossCases(), mathCases(), visionCases(), writingCases()})
            all.insert(all.end(), family.begin(), family.end());
        return all;
    }();
    return cases;
}

// Runs `work`; the message of what it threw, else nothing.
std::string thrown(const std::function<void()>& work)
{
    try {
        work();
    } catch (const c10::Error& error) {
        return error.what_without_backtrace();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

CaseReport check(const MetaKernelCase& testCase, std::uint64_t seed)
{
    CaseReport report;
    TensorSource real(seed, /*onMeta=*/false), meta(seed, /*onMeta=*/true);
    Tensors realResults, metaResults;
    if (!thrown([&] { realResults = testCase.run(real); }).empty())
        return report;
    report.comparedForward = true;
    if (std::string what = thrown([&] { metaResults = testCase.run(meta); }); !what.empty())
        return report.difference = "forward on meta: " + what, report;
    report.difference = difference("result", realResults, metaResults, Strides::All);
    if (report.difference.empty() &&
        aliases(realResults, real.leaves()) != aliases(metaResults, meta.leaves()))
        report.difference = "results share storages otherwise on meta";
    if (!report.difference.empty())
        return report;

    const std::int64_t layout = real.number(0, 2);
    Tensors realGradients, metaGradients;
    if (!thrown([&] { realGradients = gradients(realResults, real.leaves(), layout); }).empty())
        return report;
    if (std::string what = thrown([&] { metaGradients = gradients(metaResults, meta.leaves(), layout); });
        !what.empty())
        return report.difference = "backward on meta: " + what, report;
    report.comparedBackward = !realGradients.empty();
    report.difference = difference("gradient", realGradients, metaGradients, Strides::Used);
    return report;
}

} // namespace

MetaKernelCase unary(const char* name, Tensor (*function)(const Tensor&))
{
    return {name, [function](TensorSource& s) {
                return Tensors{function(s.tensor({s.batch(), 3, s.number(1, 4), 2}))};
            }};
}

std::vector<std::string> metaKernelCaseNames()
{
    std::vector<std::string> names;
    for (const MetaKernelCase& testCase : allCases())
        names.push_back(testCase.name);
    return names;
}

CaseReport checkMetaKernel(const std::string& name, std::uint64_t seed)
{
    registerMetaKernels();
    at::set_num_threads(1);
    at::manual_seed(1);
    for (const MetaKernelCase& testCase : allCases())
        if (testCase.name == name)
            return check(testCase, seed);
    return {.difference = "no such case"};
}

} // namespace stagecraft::test
