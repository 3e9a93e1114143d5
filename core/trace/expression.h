// Expression: a formula of an operator's inputs, as a person writes it in a substitutes file.
//
//     2 * numel(q) * size(k, -2) + heads        "heads" is an integer argument, q and k are tensors
//
//     numbers        12, 1e9, 0.5
//     operators      + - * / // % **, brackets, a minus in front; // rounds down
//     of a tensor    numel(x), size(x, i), dim(x), bytes(x), itemsize(x)
//     of numbers     min(a, b), max(a, b), ceil(a), floor(a), sqrt(a), log2(a)
#pragma once

#include "core/base/result.h"
#include "core/graph/dtype.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace stagecraft {

struct TensorOperand
{
    DType dtype = DType::F32;
    std::vector<std::int64_t> sizes;
};

// What the names of an expression stand for.
using Operand = std::variant<double, TensorOperand>;
using Operands = std::map<std::string, Operand, std::less<>>;

class Expression
{
public:
    // Fails with code BadFormat, quoting the text and the column (counted from 1) of what is wrong in it; one
    // of more than 4,000 letters is too long.
    static Result<Expression> parse(std::string text);

    // Fails with code BadFormat, quoting text and column: a name that is not among the operands, a tensor
    // where a number is wanted, a dimension that is not there, a division by zero.
    Result<double> evaluate(const Operands& operands) const;
    // As evaluate(), where the value must be a whole number, 0 or more, that a size can be.
    Result<std::int64_t> evaluateSize(const Operands& operands) const;

    const std::string& text() const { return m_text; }

private:
    friend class ExpressionParser;
    friend class ExpressionRun;

    explicit Expression(std::string text) : m_text(std::move(text)) {}

    enum class Kind : std::uint8_t { Number, Name, Call, Operator };
    struct Term
    {
        Kind kind = Kind::Number;
        double number = 0;
        std::string name; // of a Name, a Call, an Operator
        std::size_t column = 1;
        std::vector<std::size_t> operands; // indices of terms
    };

    std::string m_text;
    std::vector<Term> m_terms; // operands before those who use them; the last one is the whole
};

} // namespace stagecraft
