#include "core/graph/sym_int.h"

#include "core/graph/text_scanner.h"

#include <algorithm>
#include <cassert>

namespace stagecraft {

// A node of the expression tree; operands are whole SymInts, so that numbers need no node.
struct SymInt::Expression
{
    SymOp op;
    std::string text;        // a symbol's name; the unread text of an opaque expression
    std::string assumptions; // of a symbol
    std::vector<SymInt> operands;
    std::optional<std::int64_t> hint; // of symbols and opaque expressions
};

namespace {

using Int = std::int64_t;

std::optional<Int> floorDivide(Int a, Int b)
{
    if (b == 0 || (b == -1 && a == INT64_MIN))
        return std::nullopt;
    const Int quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::optional<Int> floorRemainder(Int a, Int b)
{
    if (b == 0)
        return std::nullopt;
    if (b == -1)
        return 0;
    const Int remainder = a % b;
    return remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
}

std::optional<Int> ceilDivide(Int a, Int b)
{
    const std::optional<Int> quotient = floorDivide(a, b);
    if (!quotient)
        return std::nullopt;
    return a % b != 0 && *quotient < INT64_MAX ? *quotient + 1 : *quotient;
}

std::optional<Int> product(Int a, Int b)
{
    Int result = 0;
    return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
}

std::optional<Int> power(Int base, Int exponent)
{
    if (exponent < 0)
        return std::nullopt;
    if (base == 0 || base == 1)
        return exponent == 0 ? 1 : base;
    if (base == -1)
        return exponent % 2 == 0 ? 1 : -1;
    std::optional<Int> result = 1; // overflows after at most 63 turns
    for (Int i = 0; i < exponent && result; ++i)
        result = product(*result, base);
    return result;
}

// None where there is no such number of 64 bits.
std::optional<Int> apply(SymOp op, Int a, Int b)
{
    Int sum = 0;
    switch (op) {
    case SymOp::Add:
        return __builtin_add_overflow(a, b, &sum) ? std::nullopt : std::optional(sum);
    case SymOp::Mul:
        return product(a, b);
    case SymOp::Pow:
        return power(a, b);
    case SymOp::FloorDiv:
        return floorDivide(a, b);
    case SymOp::CeilDiv:
        return ceilDivide(a, b);
    case SymOp::Mod:
    case SymOp::PythonMod:
        return floorRemainder(a, b);
    case SymOp::Max:
        return std::max(a, b);
    case SymOp::Min:
        return std::min(a, b);
    case SymOp::Constant:
    case SymOp::Symbol:
    case SymOp::Opaque:
        break;
    }
    return std::nullopt;
}

bool isCommutative(SymOp op)
{
    return op == SymOp::Add || op == SymOp::Mul || op == SymOp::Max || op == SymOp::Min;
}

std::optional<Int> neutralElement(SymOp op)
{
    if (op == SymOp::Add)
        return 0;
    if (op == SymOp::Mul)
        return 1;
    return std::nullopt;
}

std::string_view sreprName(SymOp op)
{
    switch (op) {
    case SymOp::Add:
        return "Add";
    case SymOp::Mul:
        return "Mul";
    case SymOp::Pow:
        return "Pow";
    case SymOp::FloorDiv:
        return "FloorDiv";
    case SymOp::CeilDiv:
        return "CeilDiv";
    case SymOp::Mod:
        return "Mod";
    case SymOp::PythonMod:
        return "PythonMod";
    case SymOp::Max:
        return "Max";
    case SymOp::Min:
        return "Min";
    case SymOp::Constant:
    case SymOp::Symbol:
    case SymOp::Opaque:
        break;
    }
    return "";
}

} // namespace

SymInt SymInt::symbol(std::string name, std::optional<std::int64_t> hint, std::string assumptions)
{
    SymInt result;
    result.m_expression = std::make_shared<const Expression>(
        Expression{SymOp::Symbol, std::move(name), std::move(assumptions), {}, hint});
    return result;
}

SymInt SymInt::opaque(std::string text, std::optional<std::int64_t> hint)
{
    SymInt result;
    result.m_expression =
        std::make_shared<const Expression>(Expression{SymOp::Opaque, std::move(text), {}, {}, hint});
    return result;
}

SymInt SymInt::make(SymOp op, std::vector<SymInt> operands)
{
    assert(!operands.empty() && (isCommutative(op) || operands.size() == 2));
    if (isCommutative(op)) {
        // Numbers are gathered into the first one.
        std::vector<SymInt> kept;
        for (const SymInt& operand : operands) {
            const bool joins = operand.isConstant() && !kept.empty() && kept.front().isConstant();
            const std::optional<Int> joined =
                joins ? apply(op, kept.front().m_value, operand.m_value) : std::nullopt;
            if (joined)
                kept.front() = *joined;
            else
                kept.insert(operand.isConstant() ? kept.begin() : kept.end(), operand);
        }
        operands = std::move(kept);
        if (op == SymOp::Mul && operands.front() == SymInt(0))
            return 0;
        if (operands.size() > 1 && operands.front().isConstant() &&
            operands.front().m_value == neutralElement(op))
            operands.erase(operands.begin());
        if (operands.size() == 1)
            return operands.front();
    } else {
        if (operands[0].isConstant() && operands[1].isConstant())
            if (const std::optional<Int> folded = apply(op, operands[0].m_value, operands[1].m_value))
                return *folded;
        const bool byOne = op == SymOp::FloorDiv || op == SymOp::CeilDiv || op == SymOp::Pow;
        if (byOne && operands[1] == SymInt(1))
            return operands[0];
    }
    SymInt result;
    result.m_expression = std::make_shared<const Expression>(Expression{op, {}, {}, std::move(operands), {}});
    return result;
}

std::int64_t SymInt::constant() const
{
    assert(isConstant());
    return m_value;
}

Result<std::int64_t> SymInt::evaluate(const Bindings& bindings) const
{
    if (!m_expression)
        return m_value;
    const Expression& e = *m_expression;
    if (e.op == SymOp::Symbol) {
        if (const auto bound = bindings.find(e.text); bound != bindings.end())
            return bound->second;
        if (e.hint)
            return *e.hint;
        return Error{ErrorCode::NotFound, "the size " + e.text + " has no value; give it one (--bind " +
                                              e.text + "=NUMBER, in the window among the plan's options)"};
    }
    if (e.op == SymOp::Opaque) {
        if (e.hint)
            return *e.hint;
        return Error{ErrorCode::Unsupported, "the size " + e.text + " cannot be evaluated"};
    }
    STAGECRAFT_ASSIGN(total, e.operands.front().evaluate(bindings));
    for (std::size_t i = 1; i < e.operands.size(); ++i) {
        STAGECRAFT_ASSIGN(operand, e.operands[i].evaluate(bindings));
        const std::optional<Int> next = apply(e.op, total, operand);
        if (!next)
            return Error{ErrorCode::Failed,
                         "the size " + text() + " divides by zero or does not fit in 64 bits"};
        total = *next;
    }
    return total;
}

std::optional<std::int64_t> SymInt::hint() const
{
    const Result<Int> value = evaluate({});
    return value.has_value() ? std::optional(*value) : std::nullopt;
}

void SymInt::collectSymbols(std::set<std::string>& names) const
{
    if (!m_expression)
        return;
    if (m_expression->op == SymOp::Symbol)
        names.insert(m_expression->text);
    for (const SymInt& operand : m_expression->operands)
        operand.collectSymbols(names);
}

namespace {

// How tightly an operator binds in text(): sums 1, products 2, powers 3, everything else 4.
int precedence(SymOp op)
{
    switch (op) {
    case SymOp::Add:
        return 1;
    case SymOp::Mul:
    case SymOp::FloorDiv:
    case SymOp::Mod:
        return 2;
    case SymOp::Pow:
        return 3;
    default:
        return 4;
    }
}

// "a" + "b" is joined by it; empty for those written as calls.
std::string_view infix(SymOp op)
{
    switch (op) {
    case SymOp::Add:
        return " + ";
    case SymOp::Mul:
        return "*";
    case SymOp::FloorDiv:
        return "//";
    case SymOp::Mod:
        return "%";
    case SymOp::Pow:
        return "**";
    default:
        return "";
    }
}

} // namespace

std::string SymInt::text() const
{
    if (!m_expression)
        return std::to_string(m_value);
    const Expression& e = *m_expression;
    if (e.op == SymOp::Symbol)
        return e.text;
    if (e.op == SymOp::Opaque) {
        const std::string hint = e.hint ? ", " + std::to_string(*e.hint) : "";
        return "opaque(" + inQuotes(e.text) + hint + ")";
    }
    const auto operandText = [&](const SymInt& operand, int atLeast) {
        const bool simple =
            operand.isConstant() ? operand.m_value >= 0 : precedence(operand.m_expression->op) >= atLeast;
        return simple ? operand.text() : "(" + operand.text() + ")";
    };
    // Numbers stand first inside, but a sum reads better with its number last: 2*s0 + 1.
    std::vector<SymInt> operands = e.operands;
    if (e.op == SymOp::Add && operands.front().isConstant())
        std::rotate(operands.begin(), operands.begin() + 1, operands.end());
    const std::string_view between = infix(e.op);
    std::string result;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i > 0)
            result += between.empty() ? std::string_view(", ") : between;
        result += between.empty() ? operands[i].text()
                                  : operandText(operands[i], precedence(e.op) + (e.op == SymOp::Add ? 0 : 1));
    }
    return between.empty() ? std::string(sreprName(e.op)) + "(" + result + ")" : result;
}

std::string SymInt::srepr() const
{
    if (!m_expression)
        return "Integer(" + std::to_string(m_value) + ")";
    const Expression& e = *m_expression;
    if (e.op == SymOp::Opaque)
        return e.text;
    if (e.op == SymOp::Symbol)
        return "Symbol('" + e.text + "'" + (e.assumptions.empty() ? "" : ", ") + e.assumptions + ")";
    std::string result(sreprName(e.op));
    for (std::size_t i = 0; i < e.operands.size(); ++i)
        result += (i == 0 ? "(" : ", ") + e.operands[i].srepr();
    return result + ")";
}

bool operator==(const SymInt& a, const SymInt& b)
{
    if (!a.m_expression || !b.m_expression || a.m_expression == b.m_expression)
        return a.m_expression == b.m_expression && a.m_value == b.m_value;
    const SymInt::Expression& x = *a.m_expression;
    const SymInt::Expression& y = *b.m_expression;
    return x.op == y.op && x.text == y.text && x.operands == y.operands;
}

} // namespace stagecraft
