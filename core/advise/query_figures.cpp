#include "core/advise/query_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace stagecraft {

Bytes memoryOf(const Profile& profile, NodeId node)
{
    const bool isKept = profile.totals.savedBytes > Bytes(0);
    return isKept ? profile.nodes[node].savedBytes : profile.nodes[node].outputBytes;
}

NodeFigure figureOf(std::string_view key)
{
    if (key == "time")
        return [](const Profile& profile, NodeId node) { return profile.nodes[node].time().value(); };
    if (key == "forward")
        return [](const Profile& profile, NodeId node) { return profile.nodes[node].forward.time.value(); };
    if (key == "backward")
        return
            [](const Profile& profile, NodeId node) { return profile.nodes[node].backward().time.value(); };
    if (key == "mem")
        return [](const Profile& profile, NodeId node) { return memoryOf(profile, node).asDouble(); };
    if (key == "made")
        return [](const Profile& profile, NodeId node) { return profile.nodes[node].outputBytes.asDouble(); };
    if (key == "params")
        return
            [](const Profile& profile, NodeId node) { return profile.nodes[node].parameterBytes.asDouble(); };
    return [](const Profile& profile, NodeId node) {
        return (profile.nodes[node].forward.flops + profile.nodes[node].backward().flops).value();
    };
}

// What a unit stands for, of a figure that is a time, a size or a number; none: it is no unit of that.
std::optional<double> factorOf(std::string_view key, std::string_view unit)
{
    if (key == "time" || key == "forward" || key == "backward") {
        constexpr std::array<std::pair<std::string_view, double>, 5> units{
            {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"µs", 1e-6}, {"ns", 1e-9}}};
        const auto found = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
        return found == units.end() ? std::nullopt : std::optional(found->second);
    }
    constexpr std::string_view prefixes = "kmgtpe";
    const std::size_t power = unit.empty() ? std::string_view::npos : prefixes.find(unit.front());
    if (key == "flops") {
        const std::string_view rest = power == std::string_view::npos ? unit : unit.substr(1);
        if (!rest.empty() && rest != "flop" && rest != "flops")
            return {};
        return power == std::string_view::npos ? 1 : std::pow(1000.0, static_cast<double>(power + 1));
    }
    const Result<Bytes> bytes = parseBytes("1" + std::string(unit));
    return bytes.has_value() ? std::optional(bytes->asDouble()) : std::nullopt;
}

bool compareFigure(double figure, std::string_view comparison, double value)
{
    if (comparison == ">")
        return figure > value;
    if (comparison == ">=")
        return figure >= value;
    if (comparison == "<")
        return figure < value;
    if (comparison == "<=")
        return figure <= value;
    return std::abs(figure - value) <= 0.005 * std::abs(value); // as people read three digits
}

std::string exampleOf(std::string_view key)
{
    const bool isTime = key == "time" || key == "forward" || key == "backward";
    return std::string(key) + (isTime ? ">1ms" : key == "flops" ? ">1G" : ">1GiB");
}

} // namespace stagecraft
