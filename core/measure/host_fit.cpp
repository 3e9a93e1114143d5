#include "core/measure/host_fit.h"

#include "core/measure/median.h"

#include <algorithm>
#include <cstddef>

namespace stagecraft {

namespace {

constexpr std::size_t enough = 6;

} // namespace

double perHandover(const HostPasses& passes)
{
    constexpr double apart = 8;
    std::vector<double> slopes;
    for (const auto& [fewer, sooner] : passes)
        for (const auto& [more, later] : passes)
            if (more >= fewer + apart)
                slopes.push_back((later - sooner) / (more - fewer));
    return slopes.size() < enough ? 0 : medianOf(std::move(slopes));
}

double meanHandover(const HostPasses& passes)
{
    double count = 0, handovers = 0, seconds = 0;
    for (const auto& [handedOver, taken] : passes) {
        count += 1;
        handovers += handedOver;
        seconds += taken;
    }
    if (count < static_cast<double>(enough))
        return 0;
    double square = 0, product = 0;
    for (const auto& [handedOver, taken] : passes) {
        const double off = handedOver - handovers / count;
        square += off * off;
        product += off * (taken - seconds / count);
    }
    return square > 0 ? std::max(0.0, product / square) : 0;
}

double perPass(const HostPasses& passes, double handover)
{
    std::vector<double> rest;
    for (const auto& [count, seconds] : passes)
        rest.push_back(seconds - count * handover);
    return rest.empty() ? 0 : std::max(0.0, medianOf(std::move(rest)));
}

} // namespace stagecraft
