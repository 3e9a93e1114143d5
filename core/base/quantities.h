// Bytes, Flops and Seconds: quantities that cannot be mixed up, and how they are shown to a person.
//
// Bytes saturates: a training step at batch 1e10 reaches 8e18, near the end of 63 bits.
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace stagecraft {

class Bytes
{
public:
    constexpr Bytes() = default;
    explicit constexpr Bytes(std::int64_t count) : m_count(count) {}

    static constexpr Bytes max() { return Bytes(std::numeric_limits<std::int64_t>::max()); }

    constexpr std::int64_t count() const { return m_count; }
    constexpr double asDouble() const { return static_cast<double>(m_count); }
    constexpr auto operator<=>(const Bytes&) const = default;

    constexpr Bytes& operator+=(Bytes other)
    {
        if (__builtin_add_overflow(m_count, other.m_count, &m_count))
            m_count = saturated(other.m_count > 0);
        return *this;
    }
    constexpr Bytes& operator-=(Bytes other)
    {
        if (__builtin_sub_overflow(m_count, other.m_count, &m_count))
            m_count = saturated(other.m_count < 0);
        return *this;
    }
    friend constexpr Bytes operator+(Bytes a, Bytes b) { return a += b; }
    friend constexpr Bytes operator-(Bytes a, Bytes b) { return a -= b; }
    friend constexpr Bytes operator*(Bytes a, std::int64_t factor)
    {
        std::int64_t product = 0;
        if (__builtin_mul_overflow(a.m_count, factor, &product))
            product = saturated((a.m_count > 0) == (factor > 0));
        return Bytes(product);
    }

private:
    static constexpr std::int64_t saturated(bool upwards)
    {
        return upwards ? std::numeric_limits<std::int64_t>::max() : std::numeric_limits<std::int64_t>::min();
    }

    std::int64_t m_count = 0;
};

// A double that carries what it counts.
template <class Tag>
class Quantity
{
public:
    constexpr Quantity() = default;
    explicit constexpr Quantity(double value) : m_value(value) {}

    constexpr double value() const { return m_value; }
    constexpr auto operator<=>(const Quantity&) const = default;

    constexpr Quantity& operator+=(Quantity other)
    {
        m_value += other.m_value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity other)
    {
        m_value -= other.m_value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
    friend constexpr Quantity operator*(Quantity a, double factor) { return Quantity(a.m_value * factor); }
    friend constexpr Quantity operator*(double factor, Quantity a) { return a * factor; }
    friend constexpr Quantity operator/(Quantity a, double divisor) { return Quantity(a.m_value / divisor); }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.m_value / b.m_value; }

private:
    double m_value = 0;
};

// Floating-point operations; one multiply-add is 2.
using Flops = Quantity<struct FlopsTag>;
using Seconds = Quantity<struct SecondsTag>;

// "24.0 MiB", "3 B"; three significant digits, binary units.
std::string formatBytes(Bytes bytes);
// "1.25 ms", "830 us", "2.00 s"; three significant digits.
std::string formatSeconds(Seconds seconds);
// "12.4 GFLOP"; three significant digits, decimal units.
std::string formatFlops(Flops flops);
// "8.03 B", "124 M": a count of parameters, decimal units.
std::string formatCount(double count);

// Reads "24GiB", "80 GB", "512", "1.5 MiB" (case does not matter; no unit means bytes).
Result<Bytes> parseBytes(std::string_view text);

} // namespace stagecraft
