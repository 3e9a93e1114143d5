#include "core/base/quantities.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace stagecraft {

namespace {

// Three significant digits: 1.23, 12.3, 123.
std::string threeDigits(double value)
{
    const double magnitude = std::abs(value);
    const int decimals = magnitude < 9.995 ? 2 : magnitude < 99.95 ? 1 : 0;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

template <std::size_t N>
std::string withUnit(double value, double step, const std::array<const char*, N>& units)
{
    std::size_t unit = 0;
    while (std::abs(value) >= step * 0.9995 && unit + 1 < N) {
        value /= step;
        ++unit;
    }
    return threeDigits(value) + units[unit];
}

} // namespace

std::string formatBytes(Bytes bytes)
{
    if (std::abs(bytes.asDouble()) < 1024)
        return std::to_string(bytes.count()) + " B";
    return withUnit(bytes.asDouble() / 1024, 1024,
                    std::array{" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"});
}

std::string formatSeconds(Seconds seconds)
{
    const double value = seconds.value();
    if (value == 0)
        return "0 s";
    if (std::abs(value) >= 0.9995)
        return threeDigits(value) + " s";
    return withUnit(value * 1e9, 1000, std::array{" ns", " us", " ms"});
}

std::string formatFlops(Flops flops)
{
    if (flops.value() == 0)
        return "0 FLOP";
    return withUnit(flops.value(), 1000,
                    std::array{" FLOP", " kFLOP", " MFLOP", " GFLOP", " TFLOP", " PFLOP", " EFLOP"});
}

std::string formatCount(double count)
{
    if (std::abs(count) < 1000)
        return std::to_string(std::llround(count));
    return withUnit(count / 1000, 1000, std::array{" k", " M", " B", " T"});
}

Result<Bytes> parseBytes(std::string_view text)
{
    const Error bad{ErrorCode::BadUsage,
                    "'" + std::string(text) + "' is not a size in bytes; write for example 24GiB"};
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    double number = 0;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (status != std::errc() || number < 0 || !std::isfinite(number))
        return bad;
    std::string unit;
    for (const char* c = end; c != text.data() + text.size(); ++c)
        if (*c != ' ')
            unit += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
    constexpr std::string_view prefixes = "kmgtpe";
    double factor = 1;
    if (!unit.empty() && unit != "b") {
        const auto prefix = prefixes.find(unit.front());
        const std::string rest = unit.substr(1);
        if (prefix == std::string_view::npos || (rest != "ib" && rest != "b" && !rest.empty()))
            return bad;
        factor = std::pow(rest == "b" ? 1000.0 : 1024.0, static_cast<double>(prefix + 1));
    }
    if (number * factor >= 9.2e18)
        return bad;
    return Bytes(std::llround(number * factor));
}

} // namespace stagecraft
