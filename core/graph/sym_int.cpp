#include "core/graph/sym_int.h"

#include "core/graph/text_scanner.h"
#include "core/graph/whole_numbers.h"

#include <algorithm>
#include <array>
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

// None where there is no such number of 64 bits.
std::optional<Int> apply(SymOp op, Int a, Int b)
{
    switch (op) {
    case SymOp::Add:
        return whole::sum(a, b);
    case SymOp::Mul:
        return whole::product(a, b);
    case SymOp::Pow:
        return whole::power(a, b);
    case SymOp::FloorDiv:
        return whole::floorDivide(a, b);
    case SymOp::CeilDiv:
        return whole::ceilDivide(a, b);
    case SymOp::Mod:
    case SymOp::PythonMod:
        return whole::floorRemainder(a, b);
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

// How an operator is written. Those without a sign between operands are written as calls.
struct Spelling
{
    std::string_view srepr;
    std::string_view infix;
    int precedence = 4; // how tightly it binds in text(): sums 1, products 2, powers 3, everything else 4
    bool isCommutative = false;
    std::optional<Int> neutral; // what may be left out
};

// In the order of the enum.
constexpr std::array<Spelling, 12> spellings{{
    {}, // a constant
    {}, // a symbol
    {"Add", " + ", 1, true, 0},
    {"Mul", "*", 2, true, 1},
    {"Pow", "**", 3},
    {"FloorDiv", "//", 2},
    {"CeilDiv", ""},
    {"Mod", "%", 2},
    {"PythonMod", ""},
    {"Max", "", 4, true},
    {"Min", "", 4, true},
    {}, // what cannot be read
}};
static_assert(spellings.size() == static_cast<std::size_t>(SymOp::Opaque) + 1);

const Spelling& spellingOf(SymOp op)
{
    return spellings[static_cast<std::size_t>(op)];
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
    assert(!operands.empty() && (spellingOf(op).isCommutative || operands.size() == 2));
    if (spellingOf(op).isCommutative) {
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
            operands.front().m_value == spellingOf(op).neutral)
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
        const bool simple = operand.isConstant() ? operand.m_value >= 0
                                                 : spellingOf(operand.m_expression->op).precedence >= atLeast;
        return simple ? operand.text() : "(" + operand.text() + ")";
    };
    // Numbers stand first inside, but a sum reads better with its number last: 2*s0 + 1.
    std::vector<SymInt> operands = e.operands;
    if (e.op == SymOp::Add && operands.front().isConstant())
        std::rotate(operands.begin(), operands.begin() + 1, operands.end());
    const auto& [name, between, precedence, isCommutative, neutral] = spellingOf(e.op);
    std::string result;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        if (i > 0)
            result += between.empty() ? std::string_view(", ") : between;
        result += between.empty() ? operands[i].text()
                                  : operandText(operands[i], precedence + (e.op == SymOp::Add ? 0 : 1));
    }
    return between.empty() ? std::string(name) + "(" + result + ")" : result;
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
    std::string result(spellingOf(e.op).srepr);
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
