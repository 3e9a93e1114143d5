#include "core/measure/kernel_fit.h"

#include "core/measure/median.h"
#include "core/profile/cost/multi_tensor.h"
#include "core/profile/device/operator_class.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <tuple>

namespace stagecraft {

namespace {

constexpr std::size_t leastRows = 12;

EfficiencyCurve& curveOf(DeviceSpec& device, OperatorClass operatorClass)
{
    return device.curves[static_cast<std::size_t>(operatorClass)];
}

template <typename Predicate>
TimedKernels thoseThat(const std::vector<TimedKernel>& kernels, Predicate belong)
{
    TimedKernels found;
    for (const TimedKernel& kernel : kernels)
        if (belong(kernel))
            found.push_back(&kernel);
    return found;
}

// Fits the numbers of a device to the kernels of one step after the other.
class KernelRatesFit
{
public:
    KernelRatesFit(DeviceSpec& device, const std::vector<TimedKernel>& kernels)
        : m_device(device), m_kernels(kernels)
    {
    }

    void run()
    {
        for (const DType dtype : {DType::F32, DType::F16, DType::BF16}) {
            products(&KernelRates::single, "single", dtype, false);
            products(&KernelRates::batched, "batched", dtype, true);
        }
        groups(&KernelRates::depthwise, "kernels.depthwise", 0.5, 1.5);
        groups(&KernelRates::narrowGroups, "kernels.narrow_groups", 1.5, widestNarrowGroup);
        contractions(OperatorClass::Convolution);
        contractions(OperatorClass::Attention);
        for (const OperatorClass streaming :
             {OperatorClass::Elementwise, OperatorClass::Transcendental, OperatorClass::Reduction,
              OperatorClass::Normalization, OperatorClass::Lookup, OperatorClass::Copy})
            streams(streaming);
        lists();
    }

private:
    void note(const std::string& field, std::size_t rows)
    {
        m_device.sources[field] = {FigureBasis::Fitted,
                                   std::to_string(rows) + " operators of steps of small models"};
    }

    // Long enough for more than their launch to show.
    static bool isLong(const TimedKernel& kernel) { return kernel.time > kernel.besides * 2; }

    // The longer half of them at least, and all that fill the device for a while: short ones take as long as
    // a wave does, however little is in it.
    static TimedKernels longest(TimedKernels kernels)
    {
        constexpr double aWhile = 10;
        std::ranges::sort(kernels, std::greater{}, [](const TimedKernel* kernel) { return kernel->time; });
        const auto end = std::ranges::find_if(
            kernels, [](const TimedKernel* kernel) { return kernel->time < kernel->besides * aWhile; });
        const auto longer = static_cast<std::size_t>(end - kernels.begin());
        if (longer >= leastRows / 2)
            kernels.resize(longer);
        return kernels;
    }

    void products(RateMap rates, const std::string& kind, DType dtype, bool inBatches)
    {
        const TimedKernels found = thoseThat(m_kernels, [&](const TimedKernel& kernel) {
            const KernelWork& work = kernel.work;
            return work.operatorClass == OperatorClass::Matrix && work.dtype == dtype && isLong(kernel) &&
                   !work.products.empty() && (work.products.front().batch > 1) == inBatches;
        });
        if (found.size() < leastRows)
            return;
        const TimedKernels rows = longest(found);
        fitProducts(m_device, rates, dtype, rows);
        note("kernels." + kind + "_products." + std::string(shortName(dtype)), rows.size());
    }

    void groups(double KernelRates::*rate, const std::string& field, double least, double most)
    {
        fitShare(
            field, [rate](DeviceSpec& device) -> double& { return device.kernels.*rate; },
            thoseThat(m_kernels, [&](const TimedKernel& kernel) {
                return kernel.work.groupWidth > least && kernel.work.groupWidth <= most && isLong(kernel);
            }));
    }

    void fitShare(const std::string& field, const std::function<double&(DeviceSpec&)>& of,
                  const TimedKernels& kernels)
    {
        if (kernels.size() < leastRows)
            return;
        const TimedKernels rows = longest(kernels);
        fitNumbers(m_device, {{of, 0.01, 1.3}}, rows);
        note(field, rows.size());
    }

    void contractions(OperatorClass operatorClass)
    {
        const TimedKernels all = thoseThat(m_kernels, [&](const TimedKernel& kernel) {
            return kernel.work.operatorClass == operatorClass && kernel.work.groupWidth == 0 &&
                   isLong(kernel);
        });
        if (all.size() < leastRows)
            return;
        const TimedKernels rows = longest(all);
        double best = 0, least = std::numeric_limits<double>::infinity();
        for (double share = 0.04; share < 1.3; share *= 1.04) {
            curveOf(m_device, operatorClass) = EfficiencyCurve({{1e6, share}});
            if (const double now = misfit(rows, m_device); now < least)
                std::tie(best, least) = std::pair(share, now);
        }
        curveOf(m_device, operatorClass) = EfficiencyCurve({{1e6, best}});
        note("curves." + std::string(operatorClassName(operatorClass)), rows.size());
    }

    // What those that nothing but bytes holds up reach at each size.
    void streams(OperatorClass operatorClass)
    {
        constexpr std::array sizes{1e6, 1e7, 3e7, 1e8, 1e9};
        std::array<std::vector<double>, sizes.size()> shares;
        std::size_t count = 0;
        for (const TimedKernel& kernel : m_kernels) {
            const double seconds = (kernel.time - kernel.besides).value();
            if (kernel.work.operatorClass != operatorClass || kernel.work.cycles.busy > 0 ||
                kernel.work.cycles.apart > 0 || kernel.work.bytes < sizes.front() / 2 || !isLong(kernel))
                continue;
            const auto nearest = std::ranges::min_element(
                sizes, {}, [&](double size) { return std::abs(std::log(size / kernel.work.bytes)); });
            shares[static_cast<std::size_t>(nearest - sizes.begin())].push_back(
                kernel.work.bytes / (m_device.memoryBandwidth * seconds));
            ++count;
        }
        std::vector<std::pair<double, double>> points;
        for (std::size_t i = 0; i < sizes.size(); ++i)
            if (shares[i].size() >= 3)
                points.emplace_back(sizes[i], std::clamp(medianOf(shares[i]), 0.02, 2.0));
        if (points.empty())
            return;
        curveOf(m_device, operatorClass) = EfficiencyCurve(std::move(points));
        note("curves." + std::string(operatorClassName(operatorClass)), count);
    }

    // What launches take beside the bytes, which the curves have by now.
    void lists()
    {
        std::vector<TimedKernel> kernels;
        for (const TimedKernel& kernel : m_kernels)
            if (isMultiTensor(kernel.op) && kernel.work.cycles.apart > 0)
                kernels.push_back(kernel);
        if (kernels.size() < leastRows)
            return;
        double best = 1, least = std::numeric_limits<double>::infinity();
        for (double factor = 0.02; factor < 50; factor *= 1.04) {
            std::vector<TimedKernel> scaled = kernels;
            for (TimedKernel& kernel : scaled)
                kernel.work.cycles.apart *= factor;
            const TimedKernels all = thoseThat(scaled, [](const TimedKernel&) { return true; });
            if (const double now = misfit(all, m_device); now < least)
                std::tie(best, least) = std::pair(factor, now);
        }
        m_device.kernels.listLaunch *= best;
        m_device.sources["kernels.list_launch"] = {
            FigureBasis::Fitted, std::to_string(kernels.size()) + " operators of optimizers' steps"};
    }

    DeviceSpec& m_device;
    const std::vector<TimedKernel>& m_kernels;
};

ProductRate usualRate(DeviceSpec& device)
{
    const EfficiencyCurve& curve = curveOf(device, OperatorClass::Matrix);
    return {curve.isEmpty() ? device.matrixEfficiency : curve.at(1e12), {}};
}

// Sets the share of `rate`, which is the device's, to the best of some that are a factor apart: from afar a
// misfit that is bounded shows no way. The answer: the misfit with it.
double takeBestShare(ProductRate& rate, const DeviceSpec& device, const TimedKernels& kernels,
                     double apart = 1.25)
{
    double best = rate.share, least = std::numeric_limits<double>::infinity();
    for (double share = 0.1; share < 1.2; share *= apart) {
        rate.share = share;
        if (const double now = misfit(kernels, device); now < least)
            std::tie(best, least) = std::pair(share, now);
    }
    rate.share = best;
    return least;
}

// Likewise its law, but for the step: with a high share and a deep law a rate is nearly as good as with both
// low, so that a way from the one to the other leads uphill.
void takeBestLaw(ProductRate& rate, const DeviceSpec& device, const TimedKernels& kernels)
{
    ProductRate best = rate;
    double least = misfit(kernels, device);
    for (const double depth : {1.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0})
        for (const double waveLoss : {0.1, 0.5, 1.0}) {
            rate.law = {depth, waveLoss, best.law.depthStep};
            if (const double now = takeBestShare(rate, device, kernels, 1.05); now < least)
                std::tie(best, least) = std::pair(rate, now);
        }
    rate = best;
}

// A tile and a step of the depth that kernels tell from finer ones: some are half as large, or less.
class Tilings
{
public:
    explicit Tilings(const TimedKernels& kernels)
    {
        for (const TimedKernel* kernel : kernels)
            for (const MatrixShape& product : kernel->work.products) {
                m_least.rows = std::min(m_least.rows, product.rows);
                m_least.columns = std::min(m_least.columns, product.columns);
                m_least.depth = std::min(m_least.depth, product.depth);
            }
    }

    std::vector<ProductRate> all() const
    {
        constexpr std::array sides{32, 64, 128}; // the finest fills up next to nothing
        constexpr std::array steps{0.0, 8.0, 16.0, 32.0, 64.0, 128.0};
        std::vector<ProductRate> rates;
        for (const int rows : sides)
            for (const int columns : sides)
                for (const double step : steps)
                    if ((rows == sides.front() || m_least.rows <= rows / 2.0) &&
                        (columns == sides.front() || m_least.columns <= columns / 2.0) &&
                        (step == 0 || m_least.depth <= step / 2))
                        rates.push_back({1, {.depthStep = step}, {{rows, columns, 1}}});
        return rates;
    }

private:
    MatrixShape m_least{1e12, 1e12, 1e12};
};

// Each tiling at a few shares and depths of the law.
ProductRate bestTiling(DeviceSpec device, RateMap rates, DType dtype, const TimedKernels& kernels)
{
    ProductRate best;
    double least = std::numeric_limits<double>::infinity();
    for (const ProductRate& tiling : Tilings(kernels).all())
        for (const double depth : {8.0, 32.0, 96.0}) {
            ProductRate& rate = (device.kernels.*rates)[dtype] = tiling;
            rate.law.depth = depth;
            if (const double now = takeBestShare(rate, device, kernels); now < least)
                std::tie(best, least) = std::pair(rate, now);
        }
    return best;
}

} // namespace

double predictedSeconds(const TimedKernel& kernel, const DeviceSpec& device)
{
    return (kernelTime(kernel.work, device) + kernel.besides).value();
}

double meanError(const TimedKernels& kernels, const DeviceSpec& device)
{
    double sum = 0;
    for (const TimedKernel* kernel : kernels)
        sum += std::abs(predictedSeconds(*kernel, device) / kernel->time.value() - 1);
    return kernels.empty() ? 0 : sum / static_cast<double>(kernels.size());
}

double misfit(const TimedKernels& kernels, const DeviceSpec& device)
{
    double sum = 0;
    for (const TimedKernel* kernel : kernels)
        sum += std::min(std::abs(std::log(predictedSeconds(*kernel, device) / kernel->time.value())),
                        std::log(2));
    return sum;
}

void fitNumbers(DeviceSpec& device, const std::vector<FittedNumber>& numbers, const TimedKernels& kernels)
{
    double best = misfit(kernels, device);
    for (double step = 1.5; step > 1.004; step = std::sqrt(step))
        for (bool isBetter = true; isBetter;) {
            isBetter = false;
            for (const FittedNumber& number : numbers)
                for (const double factor : {step, 1 / step}) {
                    double& value = number.of(device);
                    const double before = value;
                    value = std::clamp(before * factor, number.least, number.most);
                    const double now = misfit(kernels, device);
                    if (now < best * (1 - 1e-4)) {
                        best = now;
                        isBetter = true;
                    } else
                        value = before;
                }
        }
}

void fitProducts(DeviceSpec& device, RateMap rates, DType dtype, const TimedKernels& kernels)
{
    if (!(device.kernels.*rates).contains(dtype))
        (device.kernels.*rates)[dtype] = usualRate(device);
    const auto rate = [rates, dtype](DeviceSpec& of) -> ProductRate& { return (of.kernels.*rates)[dtype]; };
    const ProductRate before = rate(device);
    const double unchanged = misfit(kernels, device);
    rate(device).law = {.depthStep = before.law.depthStep};
    if (takeBestShare(rate(device), device, kernels) >= unchanged)
        rate(device) = before;
    fitNumbers(device,
               {{[rate](DeviceSpec& of) -> double& { return rate(of).share; }, 0.05, 1.3},
                {[rate](DeviceSpec& of) -> double& { return rate(of).law.depth; }, 1, 512},
                {[rate](DeviceSpec& of) -> double& { return rate(of).law.waveLoss; }, 0.02, 1}},
               kernels);
}

void fitTiledProducts(DeviceSpec& device, RateMap rates, DType dtype, const TimedKernels& kernels)
{
    if (const auto rate = (device.kernels.*rates).find(dtype); rate != (device.kernels.*rates).end()) {
        rate->second.tiles.clear();
        rate->second.law.depthStep = 0;
    }
    fitProducts(device, rates, dtype, kernels);
    constexpr std::size_t enough = 100; // fewer rows do not tell kernels apart
    if (kernels.size() < enough)
        return;
    DeviceSpec tiled = device;
    (tiled.kernels.*rates)[dtype] = bestTiling(device, rates, dtype, kernels);
    takeBestLaw((tiled.kernels.*rates)[dtype], tiled, kernels);
    fitProducts(tiled, rates, dtype, kernels);
    constexpr double clearly = 0.95;
    if (misfit(kernels, tiled) < clearly * misfit(kernels, device))
        device = std::move(tiled);
}

void fitKernels(DeviceSpec& device, const std::vector<TimedKernel>& kernels)
{
    KernelRatesFit(device, kernels).run();
}

} // namespace stagecraft
