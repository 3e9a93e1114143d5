#include "core/trace/expression.h"

#include "core/graph/text_scanner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

namespace stagecraft {

namespace {

// Deeper nesting is a mistake or an attack on the stack, and a sum is as deep as it is long.
constexpr int deepest = 64;
constexpr std::size_t longest = 4000;

struct Function
{
    std::string_view name;
    std::size_t arguments;
    bool takesTensor; // as its first argument
};

constexpr std::array functions{
    Function{"numel", 1, true}, Function{"size", 2, true},     Function{"dim", 1, true},
    Function{"bytes", 1, true}, Function{"itemsize", 1, true}, Function{"min", 2, false},
    Function{"max", 2, false},  Function{"ceil", 1, false},    Function{"floor", 1, false},
    Function{"sqrt", 1, false}, Function{"log2", 1, false},
};

const Function* findFunction(std::string_view name)
{
    const auto found = std::ranges::find(functions, name, &Function::name);
    return found == functions.end() ? nullptr : &*found;
}

Error problemAt(const std::string& text, std::size_t column, const std::string& what)
{
    return {ErrorCode::BadFormat, "'" + text + "' at " + std::to_string(column) + ": " + what};
}

} // namespace

// Recursive descent; every function leaves the scanner behind what it read and returns the term's index.
class ExpressionParser
{
public:
    explicit ExpressionParser(std::string text) : m_result(std::move(text)), m_scanner(m_result.m_text) {}

    Result<Expression> parse()
    {
        STAGECRAFT_TRY(sum());
        if (!m_scanner.atEnd())
            return unexpected();
        return std::move(m_result);
    }

private:
    using Term = Expression::Term;
    using Kind = Expression::Kind;

    const std::string& text() const { return m_result.m_text; }
    // Of the next token, counted from 1.
    std::size_t column() { return text().size() - m_scanner.rest().size() + 1; }
    Error problem(const std::string& what) { return problemAt(text(), column(), what); }
    Error unexpected()
    {
        return problem(std::string("'") + m_scanner.rest().front() + "' is not expected here");
    }

    std::size_t add(Term term)
    {
        m_result.m_terms.push_back(std::move(term));
        return m_result.m_terms.size() - 1;
    }

    Result<std::size_t> sum()
    {
        STAGECRAFT_ASSIGN(left, product());
        while (true) {
            const std::size_t at = column();
            const char* symbol = m_scanner.take("+") ? "+" : m_scanner.take("-") ? "-" : nullptr;
            if (!symbol)
                return left;
            STAGECRAFT_ASSIGN(right, product());
            left = add({Kind::Operator, 0, symbol, at, {left, right}});
        }
    }

    const char* takeProductSymbol()
    {
        if (m_scanner.rest().starts_with("**"))
            return nullptr;
        for (const char* symbol : {"//", "/", "*", "%"})
            if (m_scanner.take(symbol))
                return symbol;
        return nullptr;
    }

    Result<std::size_t> product()
    {
        STAGECRAFT_ASSIGN(left, negation());
        while (true) {
            const std::size_t at = column();
            const char* symbol = takeProductSymbol();
            if (!symbol)
                return left;
            STAGECRAFT_ASSIGN(right, negation());
            left = add({Kind::Operator, 0, symbol, at, {left, right}});
        }
    }

    Result<std::size_t> negation()
    {
        if (++m_depth > deepest)
            return problem("nested too deeply");
        Result<std::size_t> term = std::size_t{0};
        const std::size_t at = column();
        if (m_scanner.take("-")) {
            STAGECRAFT_ASSIGN(operand, negation());
            term = add({Kind::Operator, 0, "negative", at, {operand}});
        } else {
            term = power();
        }
        --m_depth;
        return term;
    }

    Result<std::size_t> power()
    {
        STAGECRAFT_ASSIGN(base, atom());
        const std::size_t at = column();
        if (!m_scanner.take("**"))
            return base;
        STAGECRAFT_ASSIGN(exponent, negation());
        return add({Kind::Operator, 0, "**", at, {base, exponent}});
    }

    Result<std::size_t> atom()
    {
        if (m_scanner.atEnd())
            return problem("a value is missing");
        const auto c = static_cast<unsigned char>(m_scanner.rest().front());
        if (std::isdigit(c) || c == '.')
            return number();
        if (std::isalpha(c) || c == '_')
            return nameOrCall();
        if (!m_scanner.take("("))
            return unexpected();
        STAGECRAFT_ASSIGN(inside, sum());
        if (!m_scanner.take(")"))
            return problem("')' is missing");
        return inside;
    }

    Result<std::size_t> number()
    {
        const std::size_t at = column();
        const std::optional<double> value = m_scanner.floating();
        if (!value)
            return problem("is not a number");
        return add({Kind::Number, *value, {}, at, {}});
    }

    Result<std::size_t> nameOrCall()
    {
        const std::size_t at = column();
        Term term{Kind::Name, 0, std::string(m_scanner.word()), at, {}};
        if (!m_scanner.take("("))
            return add(std::move(term));
        term.kind = Kind::Call;
        const Function* function = findFunction(term.name);
        if (!function)
            return problemAt(text(), term.column, "there is no function '" + term.name + "'");
        do {
            STAGECRAFT_ASSIGN(argument, sum());
            term.operands.push_back(argument);
        } while (m_scanner.take(","));
        if (!m_scanner.take(")"))
            return problem("')' is missing");
        if (term.operands.size() != function->arguments)
            return problemAt(text(), term.column,
                             term.name + "() takes " + std::to_string(function->arguments) +
                                 " arguments, not " + std::to_string(term.operands.size()));
        if (function->takesTensor && m_result.m_terms[term.operands.front()].kind != Kind::Name)
            return problemAt(text(), term.column, term.name + "() takes the name of a tensor");
        return add(std::move(term));
    }

    Expression m_result;
    TextScanner m_scanner; // of its text
    int m_depth = 0;
};

// One evaluation, from the last term down.
class ExpressionRun
{
public:
    ExpressionRun(const Expression& expression, const Operands& operands)
        : m_expression(expression), m_operands(operands)
    {
    }

    Result<double> run() const { return value(m_expression.m_terms.size() - 1); }

private:
    using Term = Expression::Term;
    using Kind = Expression::Kind;

    Error problem(const Term& term, const std::string& what) const
    {
        return problemAt(m_expression.m_text, term.column, what);
    }

    Result<double> value(std::size_t index) const
    {
        const Term& term = m_expression.m_terms[index];
        switch (term.kind) {
        case Kind::Number:
            return term.number;
        case Kind::Name:
            return named(term);
        case Kind::Call:
            return findFunction(term.name)->takesTensor ? ofTensor(term) : ofNumbers(term);
        case Kind::Operator:
            break;
        }
        return ofNumbers(term);
    }

    Result<const Operand*> find(const Term& term) const
    {
        const auto found = m_operands.find(term.name);
        if (found != m_operands.end())
            return &found->second;
        std::string known;
        for (const auto& [name, operand] : m_operands)
            known += (known.empty() ? "" : ", ") + name;
        return problem(term,
                       "there is no '" + term.name + "'; there are " + (known.empty() ? "none" : known));
    }

    Result<double> named(const Term& term) const
    {
        STAGECRAFT_ASSIGN(operand, find(term));
        if (const auto* number = std::get_if<double>(operand))
            return *number;
        return problem(term, "'" + term.name + "' is a tensor: numel(), size(), bytes() make numbers of it");
    }

    Result<double> ofTensor(const Term& term) const
    {
        STAGECRAFT_ASSIGN(operand, find(m_expression.m_terms[term.operands.front()]));
        const auto* tensor = std::get_if<TensorOperand>(operand);
        if (!tensor)
            return problem(term, term.name + "() takes a tensor, not a number");
        const auto item = static_cast<double>(itemSize(tensor->dtype));
        double elements = 1;
        for (const std::int64_t size : tensor->sizes)
            elements *= static_cast<double>(size);
        if (term.name == "numel")
            return elements;
        if (term.name == "bytes")
            return elements * item;
        if (term.name == "itemsize")
            return item;
        const auto dimensions = static_cast<double>(tensor->sizes.size());
        if (term.name == "dim")
            return dimensions;
        STAGECRAFT_ASSIGN(asked, value(term.operands[1]));
        const double index = asked < 0 ? asked + dimensions : asked;
        if (index != std::floor(index) || index < 0 || index >= dimensions)
            return problem(term, "the tensor has " + std::to_string(tensor->sizes.size()) + " dimensions");
        return static_cast<double>(tensor->sizes[static_cast<std::size_t>(index)]);
    }

    Result<double> ofNumbers(const Term& term) const
    {
        STAGECRAFT_ASSIGN(left, value(term.operands.front()));
        double right = 0;
        if (term.operands.size() > 1) {
            STAGECRAFT_ASSIGN(second, value(term.operands[1]));
            right = second;
        }
        const bool divides = term.name == "/" || term.name == "//" || term.name == "%";
        if (divides && right == 0)
            return problem(term, "division by zero");
        const double result = compute(term.name, left, right);
        if (!std::isfinite(result))
            return problem(term, "the result is not a finite number");
        return result;
    }

    static double compute(std::string_view name, double left, double right)
    {
        if (name == "+")
            return left + right;
        if (name == "-")
            return left - right;
        if (name == "*")
            return left * right;
        if (name == "/")
            return left / right;
        if (name == "//")
            return std::floor(left / right);
        if (name == "%")
            return left - right * std::floor(left / right);
        if (name == "**")
            return std::pow(left, right);
        if (name == "negative")
            return -left;
        if (name == "min")
            return std::min(left, right);
        if (name == "max")
            return std::max(left, right);
        if (name == "ceil")
            return std::ceil(left);
        if (name == "floor")
            return std::floor(left);
        return name == "sqrt" ? std::sqrt(left) : std::log2(left);
    }

    const Expression& m_expression;
    const Operands& m_operands;
};

Result<Expression> Expression::parse(std::string text)
{
    if (text.size() > longest)
        return Error{ErrorCode::BadFormat, "a formula of " + std::to_string(text.size()) +
                                               " letters is too long; the most is " +
                                               std::to_string(longest)};
    return ExpressionParser(std::move(text)).parse();
}

Result<double> Expression::evaluate(const Operands& operands) const
{
    return ExpressionRun(*this, operands).run();
}

Result<std::int64_t> Expression::evaluateSize(const Operands& operands) const
{
    constexpr double largest = 9007199254740992.0; // above it doubles skip whole numbers
    STAGECRAFT_ASSIGN(value, evaluate(operands));
    if (value < 0 || value != std::floor(value) || value > largest)
        return problemAt(m_text, 1, "is " + std::to_string(value) + ", which no size can be");
    return static_cast<std::int64_t>(value);
}

} // namespace stagecraft
