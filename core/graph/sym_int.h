// SymInt: a size that is a number, or an expression of symbols such as s77 or 2*s0 + 1.
//
// Exported models write sizes that vary (a batch) as expressions. A Bindings table gives the symbols their
// values; nothing else in the program needs to know that a size was ever symbolic.
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// Values of symbols by name.
using Bindings = std::map<std::string, std::int64_t, std::less<>>;

enum class SymOp : std::uint8_t {
    Constant,
    Symbol,
    Add,
    Mul,
    Pow,
    FloorDiv,
    CeilDiv,
    Mod,
    PythonMod,
    Max,
    Min,
    Opaque, // an expression this program cannot read: only its hint is known
};

class SymInt
{
public:
    SymInt(std::int64_t value = 0) : m_value(value) {}
    // `assumptions` are what srepr says of the symbol: "positive=True, integer=True".
    static SymInt symbol(std::string name, std::optional<std::int64_t> hint = {},
                         std::string assumptions = "positive=True, integer=True");
    // Folds constants, unless the result would not fit in 64 bits or does not exist. Add, Mul, Max, Min take
    // one or more operands, the others two. Divisions and remainders round as Python's do.
    static SymInt make(SymOp op, std::vector<SymInt> operands);
    // Keeps `text` (the file's own, unread) and the value it had when the model was exported.
    static SymInt opaque(std::string text, std::optional<std::int64_t> hint);

    bool isConstant() const { return !m_expression; }
    // The number. Only for isConstant().
    std::int64_t constant() const;

    // The value under `bindings`; a symbol without a binding takes its hint. Fails, naming the symbol, if it
    // has neither; fails on division by zero and on overflow of 64 bits.
    Result<std::int64_t> evaluate(const Bindings& bindings) const;
    // The value that the example had when the model was exported.
    std::optional<std::int64_t> hint() const;
    void collectSymbols(std::set<std::string>& names) const;

    // "8", "s77", "2*s0 + 1".
    std::string text() const;
    // What Python's sympy calls srepr, as `.pt2` files have it: "Mul(Integer(2), Symbol('s0', ...))".
    std::string srepr() const;

    // Structural equality; 2*s0 and s0 + s0 differ. Hints do not count.
    friend bool operator==(const SymInt& a, const SymInt& b);

private:
    struct Expression;
    std::int64_t m_value = 0;
    std::shared_ptr<const Expression> m_expression; // null for a number
};

// Reads an srepr text. Exact fractions inside it become one floor division of the whole. What it cannot read
// becomes an opaque expression with `hint`. A symbol takes its hint from `symbolHints`, or is `hint`'s own if
// the text is nothing but that symbol.
SymInt parseSrepr(std::string_view text, std::optional<std::int64_t> hint, const Bindings& symbolHints = {});

} // namespace stagecraft
