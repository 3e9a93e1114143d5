#include "core/run/number_functions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace stagecraft {

namespace {

using Operands = std::span<const PythonNumber>;

Error arithmeticError(std::string what)
{
    return {ErrorCode::Failed, std::move(what)};
}

bool isFloat(const PythonNumber& number)
{
    return std::holds_alternative<double>(number);
}

double asDouble(const PythonNumber& number)
{
    return std::visit([](auto value) { return static_cast<double>(value); }, number);
}

// Of an int or a bool.
std::int64_t asInt(const PythonNumber& number)
{
    return std::visit([](auto value) { return static_cast<std::int64_t>(value); }, number);
}

bool asBool(const PythonNumber& number)
{
    return std::visit([](auto value) { return static_cast<bool>(value); }, number);
}

bool anyFloat(Operands operands)
{
    return std::ranges::any_of(operands, isFloat);
}

Result<PythonNumber> fromOverflow(bool overflowed, std::int64_t value)
{
    if (overflowed)
        return arithmeticError("an integer does not fit in 64 bits");
    return PythonNumber(value);
}

Result<PythonNumber> fromDouble(double value)
{
    if (!(std::abs(value) < 9.2e18))
        return arithmeticError("a number does not fit in a 64-bit integer");
    return PythonNumber(static_cast<std::int64_t>(value));
}

Result<PythonNumber> add(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(asDouble(x[0]) + asDouble(x[1]));
    std::int64_t sum = 0;
    const bool overflowed = __builtin_add_overflow(asInt(x[0]), asInt(x[1]), &sum);
    return fromOverflow(overflowed, sum);
}

Result<PythonNumber> subtract(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(asDouble(x[0]) - asDouble(x[1]));
    std::int64_t difference = 0;
    const bool overflowed = __builtin_sub_overflow(asInt(x[0]), asInt(x[1]), &difference);
    return fromOverflow(overflowed, difference);
}

Result<PythonNumber> multiply(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(asDouble(x[0]) * asDouble(x[1]));
    std::int64_t product = 0;
    const bool overflowed = __builtin_mul_overflow(asInt(x[0]), asInt(x[1]), &product);
    return fromOverflow(overflowed, product);
}

Result<PythonNumber> divide(Operands x)
{
    if (asDouble(x[1]) == 0)
        return arithmeticError("division by zero");
    return PythonNumber(asDouble(x[0]) / asDouble(x[1]));
}

Result<PythonNumber> floorDivide(Operands x)
{
    if (asDouble(x[1]) == 0)
        return arithmeticError("division by zero");
    if (anyFloat(x))
        return PythonNumber(std::floor(asDouble(x[0]) / asDouble(x[1])));
    const std::int64_t a = asInt(x[0]);
    const std::int64_t b = asInt(x[1]);
    if (b == -1)
        return subtract(std::array{PythonNumber(std::int64_t{0}), PythonNumber(a)});
    const bool roundsUp = a % b != 0 && (a < 0) != (b < 0);
    return PythonNumber(a / b - (roundsUp ? 1 : 0));
}

Result<PythonNumber> modulo(Operands x)
{
    if (asDouble(x[1]) == 0)
        return arithmeticError("modulo by zero");
    if (anyFloat(x)) {
        const double remainder = std::fmod(asDouble(x[0]), asDouble(x[1]));
        const bool wrongSign = remainder != 0 && (remainder < 0) != (asDouble(x[1]) < 0);
        return PythonNumber(wrongSign ? remainder + asDouble(x[1]) : remainder);
    }
    const std::int64_t b = asInt(x[1]);
    if (b == -1)
        return PythonNumber(std::int64_t{0});
    const std::int64_t remainder = asInt(x[0]) % b;
    const bool wrongSign = remainder != 0 && (remainder < 0) != (b < 0);
    return PythonNumber(wrongSign ? remainder + b : remainder);
}

Result<PythonNumber> power(Operands x)
{
    if (anyFloat(x) || asInt(x[1]) < 0) {
        if (asDouble(x[0]) == 0 && asDouble(x[1]) < 0)
            return arithmeticError("zero to a negative power");
        return PythonNumber(std::pow(asDouble(x[0]), asDouble(x[1])));
    }
    std::int64_t result = 1;
    std::int64_t base = asInt(x[0]);
    for (std::int64_t exponent = asInt(x[1]); exponent > 0; exponent >>= 1) {
        if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result))
            return fromOverflow(true, 0);
        if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
            return fromOverflow(true, 0);
    }
    return PythonNumber(result);
}

Result<PythonNumber> negate(Operands x)
{
    if (isFloat(x[0]))
        return PythonNumber(-asDouble(x[0]));
    return subtract(std::array{PythonNumber(std::int64_t{0}), x[0]});
}

Result<PythonNumber> identity(Operands x)
{
    return isFloat(x[0]) ? x[0] : PythonNumber(asInt(x[0]));
}

template <class Compare>
Result<PythonNumber> compare(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(Compare{}(asDouble(x[0]), asDouble(x[1])));
    return PythonNumber(Compare{}(asInt(x[0]), asInt(x[1])));
}

// `&`, `|`, `^`: on two bools a bool, else an integer.
template <class Combine>
Result<PythonNumber> combineBits(Operands x)
{
    if (anyFloat(x))
        return arithmeticError("bit operations need integers");
    const std::int64_t bits = Combine{}(asInt(x[0]), asInt(x[1]));
    if (std::holds_alternative<bool>(x[0]) && std::holds_alternative<bool>(x[1]))
        return PythonNumber(bits != 0);
    return PythonNumber(bits);
}

Result<PythonNumber> shiftLeft(Operands x)
{
    if (anyFloat(x) || asInt(x[1]) < 0)
        return arithmeticError("a shift needs integers, and a count of at least 0");
    if (asInt(x[1]) > 62)
        return fromOverflow(asInt(x[0]) != 0, 0);
    return multiply(std::array{x[0], PythonNumber(std::int64_t{1} << asInt(x[1]))});
}

Result<PythonNumber> shiftRight(Operands x)
{
    if (anyFloat(x) || asInt(x[1]) < 0)
        return arithmeticError("a shift needs integers, and a count of at least 0");
    return PythonNumber(asInt(x[0]) >> std::min<std::int64_t>(asInt(x[1]), 63));
}

Result<PythonNumber> maximum(Operands x)
{
    const PythonNumber larger = asDouble(x[0]) < asDouble(x[1]) ? x[1] : x[0];
    return anyFloat(x) ? PythonNumber(asDouble(larger)) : PythonNumber(std::max(asInt(x[0]), asInt(x[1])));
}

Result<PythonNumber> minimum(Operands x)
{
    const PythonNumber smaller = asDouble(x[1]) < asDouble(x[0]) ? x[1] : x[0];
    return anyFloat(x) ? PythonNumber(asDouble(smaller)) : PythonNumber(std::min(asInt(x[0]), asInt(x[1])));
}

Result<PythonNumber> truncate(Operands x)
{
    return isFloat(x[0]) ? fromDouble(std::trunc(asDouble(x[0]))) : identity(x);
}

Result<PythonNumber> roundDown(Operands x)
{
    return isFloat(x[0]) ? fromDouble(std::floor(asDouble(x[0]))) : identity(x);
}

Result<PythonNumber> roundUp(Operands x)
{
    return isFloat(x[0]) ? fromDouble(std::ceil(asDouble(x[0]))) : identity(x);
}

Result<PythonNumber> toFloat(Operands x)
{
    return PythonNumber(asDouble(x[0]));
}

Result<PythonNumber> logicalNot(Operands x)
{
    return PythonNumber(!asBool(x[0]));
}

Result<PythonNumber> choose(Operands x)
{
    return asBool(x[0]) ? x[1] : x[2];
}

Result<PythonNumber> squareRoot(Operands x)
{
    if (asDouble(x[0]) < 0)
        return arithmeticError("square root of a negative number");
    return PythonNumber(std::sqrt(asDouble(x[0])));
}

constexpr std::array entries{
    NumberFunctionEntry{"_operator::add", 2, add},
    NumberFunctionEntry{"_operator::sub", 2, subtract},
    NumberFunctionEntry{"_operator::mul", 2, multiply},
    NumberFunctionEntry{"_operator::truediv", 2, divide},
    NumberFunctionEntry{"_operator::floordiv", 2, floorDivide},
    NumberFunctionEntry{"_operator::mod", 2, modulo},
    NumberFunctionEntry{"_operator::pow", 2, power},
    NumberFunctionEntry{"_operator::neg", 1, negate},
    NumberFunctionEntry{"_operator::pos", 1, identity},
    NumberFunctionEntry{"_operator::eq", 2, compare<std::equal_to<>>},
    NumberFunctionEntry{"_operator::ne", 2, compare<std::not_equal_to<>>},
    NumberFunctionEntry{"_operator::lt", 2, compare<std::less<>>},
    NumberFunctionEntry{"_operator::le", 2, compare<std::less_equal<>>},
    NumberFunctionEntry{"_operator::gt", 2, compare<std::greater<>>},
    NumberFunctionEntry{"_operator::ge", 2, compare<std::greater_equal<>>},
    NumberFunctionEntry{"_operator::and_", 2, combineBits<std::bit_and<>>},
    NumberFunctionEntry{"_operator::or_", 2, combineBits<std::bit_or<>>},
    NumberFunctionEntry{"_operator::xor", 2, combineBits<std::bit_xor<>>},
    NumberFunctionEntry{"_operator::lshift", 2, shiftLeft},
    NumberFunctionEntry{"_operator::rshift", 2, shiftRight},
    NumberFunctionEntry{"_operator::not_", 1, logicalNot},
    NumberFunctionEntry{"math::trunc", 1, truncate},
    NumberFunctionEntry{"math::floor", 1, roundDown},
    NumberFunctionEntry{"math::ceil", 1, roundUp},
    NumberFunctionEntry{"math::sqrt", 1, squareRoot},
    NumberFunctionEntry{"math::pow", 2, power},
    NumberFunctionEntry{"builtins::max", 2, maximum},
    NumberFunctionEntry{"builtins::min", 2, minimum},
    NumberFunctionEntry{"torch::sym_int", 1, truncate},
    NumberFunctionEntry{"torch::sym_float", 1, toFloat},
    NumberFunctionEntry{"torch::sym_max", 2, maximum},
    NumberFunctionEntry{"torch::sym_min", 2, minimum},
    NumberFunctionEntry{"torch::sym_not", 1, logicalNot},
    NumberFunctionEntry{"torch::sym_ite", 3, choose},
    NumberFunctionEntry{"torch::_sym_sqrt", 1, squareRoot},
    NumberFunctionEntry{"torch::sym_sqrt", 1, squareRoot},
};

} // namespace

const NumberFunctionEntry* findNumberFunction(std::string_view target)
{
    const auto found = std::ranges::find(entries, target, &NumberFunctionEntry::target);
    return found == entries.end() ? nullptr : &*found;
}

} // namespace stagecraft
