#include "core/run/number_functions.h"

#include "core/graph/whole_numbers.h"

#include <algorithm>
#include <array>
#include <cmath>

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

Result<PythonNumber> fitting(const whole::Maybe& value)
{
    if (!value)
        return arithmeticError("an integer does not fit in 64 bits");
    return PythonNumber(*value);
}

Result<PythonNumber> fromDouble(double value)
{
    if (!(std::abs(value) < 9.2e18))
        return arithmeticError("a number does not fit in a 64-bit integer");
    return PythonNumber(static_cast<std::int64_t>(value));
}

template <class OnFloats, whole::Maybe (*onIntegers)(std::int64_t, std::int64_t)>
Result<PythonNumber> arithmetic(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(OnFloats{}(asDouble(x[0]), asDouble(x[1])));
    return fitting(onIntegers(asInt(x[0]), asInt(x[1])));
}

constexpr auto add = arithmetic<std::plus<>, whole::sum>;
constexpr auto subtract = arithmetic<std::minus<>, whole::difference>;
constexpr auto multiply = arithmetic<std::multiplies<>, whole::product>;

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
    return fitting(whole::floorDivide(asInt(x[0]), asInt(x[1])));
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
    return fitting(whole::floorRemainder(asInt(x[0]), asInt(x[1])));
}

Result<PythonNumber> power(Operands x)
{
    if (anyFloat(x) || asInt(x[1]) < 0) {
        if (asDouble(x[0]) == 0 && asDouble(x[1]) < 0)
            return arithmeticError("zero to a negative power");
        return PythonNumber(std::pow(asDouble(x[0]), asDouble(x[1])));
    }
    return fitting(whole::power(asInt(x[0]), asInt(x[1])));
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

template <whole::Maybe (*shift)(std::int64_t, std::int64_t)>
Result<PythonNumber> shifted(Operands x)
{
    if (anyFloat(x) || asInt(x[1]) < 0)
        return arithmeticError("a shift needs integers, and a count of at least 0");
    return fitting(shift(asInt(x[0]), asInt(x[1])));
}

whole::Maybe toLeft(std::int64_t number, std::int64_t count)
{
    if (count > 62)
        return number == 0 ? whole::Maybe(0) : std::nullopt;
    return whole::product(number, std::int64_t{1} << count);
}

whole::Maybe toRight(std::int64_t number, std::int64_t count)
{
    return number >> std::min<std::int64_t>(count, 63);
}

// Of two numbers the one that goes before the other; the first of equal ones.
template <class Before>
Result<PythonNumber> extreme(Operands x)
{
    if (anyFloat(x))
        return PythonNumber(asDouble(Before{}(asDouble(x[1]), asDouble(x[0])) ? x[1] : x[0]));
    return PythonNumber(Before{}(asInt(x[1]), asInt(x[0])) ? asInt(x[1]) : asInt(x[0]));
}

template <double (*rounded)(double)>
Result<PythonNumber> toInteger(Operands x)
{
    return isFloat(x[0]) ? fromDouble(rounded(asDouble(x[0]))) : identity(x);
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
    NumberFunctionEntry{"_operator::lshift", 2, shifted<toLeft>},
    NumberFunctionEntry{"_operator::rshift", 2, shifted<toRight>},
    NumberFunctionEntry{"_operator::not_", 1, logicalNot},
    NumberFunctionEntry{"math::trunc", 1, toInteger<std::trunc>},
    NumberFunctionEntry{"math::floor", 1, toInteger<std::floor>},
    NumberFunctionEntry{"math::ceil", 1, toInteger<std::ceil>},
    NumberFunctionEntry{"math::sqrt", 1, squareRoot},
    NumberFunctionEntry{"math::pow", 2, power},
    NumberFunctionEntry{"builtins::max", 2, extreme<std::greater<>>},
    NumberFunctionEntry{"builtins::min", 2, extreme<std::less<>>},
    NumberFunctionEntry{"torch::sym_int", 1, toInteger<std::trunc>},
    NumberFunctionEntry{"torch::sym_float", 1, toFloat},
    NumberFunctionEntry{"torch::sym_max", 2, extreme<std::greater<>>},
    NumberFunctionEntry{"torch::sym_min", 2, extreme<std::less<>>},
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
