#include "core/measure/host_fit.h"

#include "core/measure/median.h"

#include <algorithm>
#include <cstddef>

namespace stagecraft {

double perHandover(const HostPasses& passes)
{
    constexpr double apart = 8;
    constexpr std::size_t enough = 6;
    std::vector<double> slopes;
    for (const auto& [fewer, sooner] : passes)
        for (const auto& [more, later] : passes)
            if (more >= fewer + apart)
                slopes.push_back((later - sooner) / (more - fewer));
    return slopes.size() < enough ? 0 : medianOf(std::move(slopes));
}

double perPass(const HostPasses& passes, double handover)
{
    std::vector<double> rest;
    for (const auto& [count, seconds] : passes)
        rest.push_back(seconds - count * handover);
    return rest.empty() ? 0 : std::max(0.0, medianOf(std::move(rest)));
}

} // namespace stagecraft
