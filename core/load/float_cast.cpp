#include "core/load/float_cast.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace stagecraft {

namespace {

float fromHalf(std::uint16_t half)
{
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16, exponent = half >> 10 & 0x1fu;
    const std::uint32_t fraction = half & 0x3ffu;
    if (exponent == 0) // 0, or below the smallest normal number
        return std::bit_cast<float>(std::bit_cast<std::uint32_t>(std::ldexp(float(fraction), -24)) | sign);
    const std::uint32_t wide = exponent == 0x1f ? 0xffu : exponent + 112;
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

std::uint16_t toHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const auto sign = static_cast<std::uint16_t>(bits >> 16 & 0x8000u);
    const std::uint32_t size = bits & 0x7fffffffu;
    if (size > 0x7f800000u)
        return sign | 0x7e00u; // not a number
    if (size >= 0x477ff000u)
        return sign | 0x7c00u; // from 65520 on: infinite
    if (size < 0x38800000u)    // below the smallest normal number: in steps of 2^-24
        return sign | static_cast<std::uint16_t>(std::nearbyint(std::ldexp(std::abs(value), 24)));
    return sign | static_cast<std::uint16_t>((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);
}

float fromBFloat(std::uint16_t value)
{
    return std::bit_cast<float>(std::uint32_t{value} << 16);
}

std::uint16_t toBFloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return 0x7fc0u;
    return static_cast<std::uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

template <class Number>
Number loaded(const std::byte* at)
{
    Number number;
    std::memcpy(&number, at, sizeof number);
    return number;
}

template <class Number>
void store(std::byte* at, Number number)
{
    std::memcpy(at, &number, sizeof number);
}

double numberAt(const std::byte* at, DType type)
{
    switch (type) {
    case DType::F64:
        return loaded<double>(at);
    case DType::F16:
        return fromHalf(loaded<std::uint16_t>(at));
    case DType::BF16:
        return fromBFloat(loaded<std::uint16_t>(at));
    default:
        return loaded<float>(at);
    }
}

// To the short ones by way of float32, as PyTorch does.
void put(double number, std::byte* at, DType type)
{
    switch (type) {
    case DType::F64:
        return store(at, number);
    case DType::F16:
        return store(at, toHalf(static_cast<float>(number)));
    case DType::BF16:
        return store(at, toBFloat(static_cast<float>(number)));
    default:
        return store(at, static_cast<float>(number));
    }
}

bool isFloat(DType type)
{
    return type == DType::F64 || type == DType::F32 || type == DType::F16 || type == DType::BF16;
}

} // namespace

bool canCast(DType from, DType to)
{
    return isFloat(from) && isFloat(to);
}

void castFloats(std::span<const std::byte> source, DType from, std::span<std::byte> target, DType to)
{
    const auto read = static_cast<std::size_t>(itemSize(from));
    const auto written = static_cast<std::size_t>(itemSize(to));
    for (std::size_t i = 0; i < source.size() / read; ++i)
        put(numberAt(source.data() + i * read, from), target.data() + i * written, to);
}

} // namespace stagecraft
