#include "core/base/typed_figures.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <optional>
#include <span>

namespace stagecraft {

namespace {

struct Unit
{
    std::string_view name;
    double factor;
};

// A number and what stands behind it, without blanks.
struct Typed
{
    double number = 0;
    std::string unit;
};

std::optional<Typed> readTyped(std::string_view text)
{
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    Typed typed;
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), typed.number);
    if (status != std::errc() || typed.number < 0 || !std::isfinite(typed.number))
        return {};
    for (const char* c = end; c != text.data() + text.size(); ++c)
        if (*c != ' ')
            typed.unit += *c;
    return typed;
}

std::optional<double> factorOf(std::span<const Unit> units, std::string_view name)
{
    const auto unit = std::ranges::find(units, name, &Unit::name);
    return unit == units.end() ? std::nullopt : std::optional(unit->factor);
}

const char* commaHint(std::string_view text)
{
    return text.find(',') == text.npos ? "" : "; a decimal has a point, as in 1.5, and no comma";
}

Error noFigure(std::string_view text, const std::string& what)
{
    return {ErrorCode::BadUsage, "'" + std::string(text) + "' is not " + what + commaHint(text)};
}

// With the largest unit that leaves a number of at least 1.
std::string withLargestUnit(double value, std::span<const Unit> units)
{
    const auto fitting =
        std::ranges::find_if(units, [&](const Unit& unit) { return value >= unit.factor * (1 - 1e-9); });
    const Unit& unit = fitting == units.end() ? units.back() : *fitting;
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.6g ", value / unit.factor);
    return text.data() + std::string(unit.name);
}

constexpr std::array<Unit, 5> byteUnits{
    {{"TiB", 0x1p40}, {"GiB", 0x1p30}, {"MiB", 0x1p20}, {"KiB", 0x1p10}, {"B", 1}}};
constexpr std::array<Unit, 5> rateUnits{
    {{"TB/s", 1e12}, {"GB/s", 1e9}, {"MB/s", 1e6}, {"kB/s", 1e3}, {"B/s", 1}}};
constexpr std::array<Unit, 4> timeUnits{{{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
constexpr std::array<Unit, 5> flopUnits{
    {{"PFLOP/s", 1e15}, {"TFLOP/s", 1e12}, {"GFLOP/s", 1e9}, {"MFLOP/s", 1e6}, {"FLOP/s", 1}}};

// "GB", "gB", "Gbit", "Gib" is no rate. The case of the b tells bytes from bits; the prefix's is free.
std::optional<double> rateFactor(std::string unit)
{
    for (const std::string_view perSecond : {"/s", "ps"})
        if (unit.ends_with(perSecond)) {
            unit.resize(unit.size() - perSecond.size());
            break;
        }
    double perItem = 1;
    if (lowerCase(unit).ends_with("bit")) {
        unit.resize(unit.size() - 3);
        perItem = 1.0 / 8;
    } else if (unit.ends_with("B")) {
        unit.pop_back();
    } else {
        return {};
    }
    const bool isBinary = unit.size() == 2 && unit.back() == 'i';
    constexpr std::string_view prefixes = "kmgt";
    const std::string prefix = lowerCase(unit);
    if (prefix.size() > (isBinary ? 2U : 1U) ||
        (!prefix.empty() && prefixes.find(prefix.front()) == std::string_view::npos))
        return {};
    const auto power = prefix.empty() ? 0 : prefixes.find(prefix.front()) + 1;
    return perItem * std::pow(isBinary ? 1024.0 : 1000.0, static_cast<double>(power));
}

} // namespace

Result<Bytes> parseMemory(std::string_view text)
{
    if (text.find(',') != text.npos)
        return noFigure(text, "a size in bytes; write for example 24GiB");
    const std::optional<Typed> typed = readTyped(text);
    if (!typed || !typed->unit.empty())
        return parseBytes(text);
    constexpr double mostGiB = 1024;
    constexpr double leastBytes = 0x1p20;
    if (typed->number >= leastBytes)
        return parseBytes(text);
    if (typed->number > 0 && typed->number <= mostGiB)
        return Bytes(std::llround(typed->number * 0x1p30));
    const auto last = text.find_last_not_of(' ');
    const std::string number(typed->number > 0 ? text.substr(0, last + 1) : "30");
    return Error{ErrorCode::BadUsage, "'" + std::string(text) +
                                          "' without a unit is too little in bytes and too much in GiB; "
                                          "write for example " +
                                          number + "MiB or " + number + "GB"};
}

Result<double> parseBandwidth(std::string_view text)
{
    const std::optional<Typed> typed = readTyped(text);
    if (!typed)
        return noFigure(text, "a bandwidth; write for example 25 GB/s");
    if (typed->unit.empty()) {
        if (typed->number < 1e6)
            return typed->number * 1e9;
        return noFigure(text, "a number of GB/s that a link can have; write the unit, as in 25 GB/s");
    }
    if (const std::optional<double> factor = rateFactor(typed->unit))
        return typed->number * *factor;
    const std::string lower = lowerCase(typed->unit);
    if (lower.ends_with("b/s") || lower.ends_with("bps") || lower.ends_with("b"))
        return noFigure(text, "clear: write GB/s for bytes or Gbit/s for bits");
    return noFigure(text, "a bandwidth; write for example 25 GB/s");
}

Result<Seconds> parseLatency(std::string_view text)
{
    constexpr std::array<Unit, 7> units{{{"", 1e-6},
                                         {"s", 1},
                                         {"ms", 1e-3},
                                         {"us", 1e-6},
                                         {"\u00b5s", 1e-6},
                                         {"\u03bcs", 1e-6},
                                         {"ns", 1e-9}}};
    const std::optional<Typed> typed = readTyped(text);
    const auto factor = typed ? factorOf(units, lowerCase(typed->unit)) : std::nullopt;
    if (!factor || typed->number * *factor > 1e3)
        return noFigure(text, "a latency; write for example 5 us");
    return Seconds(typed->number * *factor);
}

Result<double> parseFlopRate(std::string_view text)
{
    const Error bad = noFigure(text, "a number of operations a second; write for example 312 TFLOP/s");
    const std::optional<Typed> typed = readTyped(text);
    if (!typed)
        return bad;
    if (typed->unit.empty())
        return typed->number <= 1e6 ? Result<double>(typed->number * 1e12) : Result<double>(bad);
    std::string unit = lowerCase(typed->unit);
    for (const std::string_view ending : {"flop/s", "flops/s", "flops", "flop", "f"})
        if (unit.ends_with(ending)) {
            unit.resize(unit.size() - ending.size());
            constexpr std::array<Unit, 7> prefixes{
                {{"", 1}, {"k", 1e3}, {"m", 1e6}, {"g", 1e9}, {"t", 1e12}, {"p", 1e15}, {"e", 1e18}}};
            const std::optional<double> factor = factorOf(prefixes, unit);
            return factor ? Result<double>(typed->number * *factor) : Result<double>(bad);
        }
    return bad;
}

std::string typedMemory(Bytes bytes)
{
    return withLargestUnit(bytes.asDouble(), byteUnits);
}

std::string typedBandwidth(double bytesPerSecond)
{
    return withLargestUnit(bytesPerSecond, rateUnits);
}

std::string typedLatency(Seconds seconds)
{
    return withLargestUnit(seconds.value(), timeUnits);
}

std::string typedFlopRate(double flopsPerSecond)
{
    return withLargestUnit(flopsPerSecond, flopUnits);
}

} // namespace stagecraft
