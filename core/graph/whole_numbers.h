// Arithmetic on integers of 64 bits as Python's, where what does not fit is noticed. None: there is no such
// number, or it needs more bits.
#pragma once

#include <cstdint>
#include <optional>

namespace stagecraft::whole {

using Maybe = std::optional<std::int64_t>;

inline Maybe sum(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_add_overflow(a, b, &result) ? Maybe() : result;
}

inline Maybe difference(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_sub_overflow(a, b, &result) ? Maybe() : result;
}

inline Maybe product(std::int64_t a, std::int64_t b)
{
    std::int64_t result = 0;
    return __builtin_mul_overflow(a, b, &result) ? Maybe() : result;
}

// Rounds down, as `//`.
inline Maybe floorDivide(std::int64_t a, std::int64_t b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return std::nullopt;
    return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

inline Maybe ceilDivide(std::int64_t a, std::int64_t b)
{
    const Maybe quotient = floorDivide(a, b);
    return quotient && b != -1 && a % b != 0 ? *quotient + 1 : quotient;
}

// Has the sign of the divisor, as `%`.
inline Maybe floorRemainder(std::int64_t a, std::int64_t b)
{
    if (b == 0 || b == -1)
        return b == 0 ? Maybe() : 0;
    const std::int64_t remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

inline Maybe power(std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0)
        return std::nullopt;
    Maybe result = 1;
    for (Maybe square = base; exponent > 0 && result; exponent >>= 1) {
        if ((exponent & 1) != 0)
            result = square ? product(*result, *square) : square;
        if (exponent > 1 && square)
            square = product(*square, *square);
    }
    return result;
}

} // namespace stagecraft::whole
