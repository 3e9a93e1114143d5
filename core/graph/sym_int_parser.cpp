// Reads sympy's srepr, the form that files have SymInts in.
#include "core/graph/given_sizes.h"
#include "core/graph/text_scanner.h"

#include <charconv>
#include <cmath>

namespace stagecraft {

namespace {

// Deep enough for any size a model has, shallow enough for the stack.
constexpr int maxDepth = 200;

std::optional<std::int64_t> findHint(const Bindings& hints, const std::string& name)
{
    const auto found = hints.find(name);
    return found == hints.end() ? std::nullopt : std::optional(found->second);
}

// Letters, digits and underscores, no digit first: what text() can show and the parser read back.
bool isSymbolName(std::string_view name)
{
    TextScanner scanner(name);
    return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front())) &&
           scanner.word().size() == name.size();
}

// A quotient, so that Mul(Rational(1, 2), s0) stays exact until it is made whole.
struct Fraction
{
    SymInt numerator;
    SymInt denominator = 1;

    bool isWhole() const { return denominator == SymInt(1); }
    SymInt floor() const { return SymInt::make(SymOp::FloorDiv, {numerator, denominator}); }
};

SymInt multiply(const SymInt& a, const SymInt& b)
{
    return SymInt::make(SymOp::Mul, {a, b});
}

class SreprParser
{
public:
    // `given`: numbers that stand for symbols.
    SreprParser(std::string_view text, std::optional<std::int64_t> hint, const Bindings& symbolHints,
                const Bindings& given)
        : m_scanner(text), m_symbolHints(symbolHints), m_given(given)
    {
        if (text.starts_with("Symbol("))
            m_ownHint = hint;
    }

    std::optional<SymInt> parse()
    {
        const std::optional<Fraction> whole = expression(0);
        if (!whole || !m_scanner.atEnd())
            return std::nullopt;
        return whole->floor();
    }

private:
    std::optional<Fraction> expression(int depth)
    {
        const std::string name(m_scanner.word());
        if (depth > maxDepth || name.empty() || !m_scanner.take("("))
            return std::nullopt;
        if (name == "Symbol")
            return symbol();
        if (name == "Integer" || name == "Rational")
            return number();
        if (name == "Float")
            return floating();
        std::vector<Fraction> operands;
        while (!m_scanner.take(")")) {
            if (!operands.empty() && !m_scanner.take(","))
                return std::nullopt;
            std::optional<Fraction> operand = expression(depth + 1);
            if (!operand)
                return std::nullopt;
            operands.push_back(std::move(*operand));
        }
        return call(name, operands);
    }

    std::optional<Fraction> symbol()
    {
        const std::optional<std::string> name = m_scanner.quoted('\'');
        if (!name || !isSymbolName(*name))
            return std::nullopt;
        std::string assumptions;
        if (m_scanner.take(", "))
            assumptions = m_scanner.until(")");
        if (!m_scanner.take(")"))
            return std::nullopt;
        if (const auto number = m_given.find(*name); number != m_given.end())
            return Fraction{number->second};
        const std::optional<std::int64_t> known = findHint(m_symbolHints, *name);
        return Fraction{SymInt::symbol(*name, known ? known : m_ownHint, std::move(assumptions))};
    }

    std::optional<Fraction> number()
    {
        const std::optional<std::int64_t> numerator = m_scanner.integer();
        std::optional<std::int64_t> denominator = 1;
        if (m_scanner.take(","))
            denominator = m_scanner.integer();
        if (!numerator || !denominator || *denominator < 1 || !m_scanner.take(")"))
            return std::nullopt;
        return Fraction{*numerator, *denominator};
    }

    // Float('0.5', precision=53): exact where it is a fraction of a power of two, unreadable otherwise.
    std::optional<Fraction> floating()
    {
        const std::optional<std::string> digits = m_scanner.quoted('\'');
        m_scanner.until(")");
        if (!digits || !m_scanner.take(")"))
            return std::nullopt;
        double value = 0;
        const auto [end, status] = std::from_chars(digits->data(), digits->data() + digits->size(), value);
        if (status != std::errc() || end != digits->data() + digits->size())
            return std::nullopt;
        std::int64_t denominator = 1;
        while (value != std::floor(value) && denominator < (std::int64_t(1) << 20)) {
            value *= 2;
            denominator *= 2;
        }
        if (value != std::floor(value) || std::abs(value) > 9e15)
            return std::nullopt;
        return Fraction{static_cast<std::int64_t>(value), denominator};
    }

    static std::optional<Fraction> call(const std::string& name, const std::vector<Fraction>& operands)
    {
        if (operands.empty())
            return std::nullopt;
        const Fraction& first = operands.front();
        if (name == "Add" || name == "Mul")
            return sumOrProduct(name == "Add", operands);
        if (operands.size() == 1) {
            if (name == "ToFloat" || name == "Identity")
                return first;
            if (name == "floor" || name == "FloorToInt")
                return Fraction{first.floor()};
            if (name == "ceiling" || name == "CeilToInt")
                return Fraction{SymInt::make(SymOp::CeilDiv, {first.numerator, first.denominator})};
        }
        if (name == "Max" || name == "Min")
            return extreme(name == "Max" ? SymOp::Max : SymOp::Min, operands);
        if (name == "ModularIndexing" && operands.size() == 3)
            if (const auto quotient = call("FloorDiv", {operands[0], operands[1]}))
                return call("Mod", {*quotient, operands[2]});
        if (operands.size() == 2)
            return binary(name, operands[0], operands[1]);
        return std::nullopt;
    }

    static Fraction sumOrProduct(bool isSum, const std::vector<Fraction>& operands)
    {
        Fraction total = operands.front();
        for (std::size_t i = 1; i < operands.size(); ++i) {
            const Fraction& next = operands[i];
            if (!isSum)
                total.numerator = multiply(total.numerator, next.numerator);
            else if (total.denominator == next.denominator)
                total.numerator = SymInt::make(SymOp::Add, {total.numerator, next.numerator});
            else
                total.numerator = SymInt::make(SymOp::Add, {multiply(total.numerator, next.denominator),
                                                            multiply(next.numerator, total.denominator)});
            if (!isSum || !(total.denominator == next.denominator))
                total.denominator = multiply(total.denominator, next.denominator);
        }
        return flattened(isSum ? SymOp::Add : SymOp::Mul, operands, total);
    }

    // Where nothing is a fraction, one n-ary node reads better than a chain of binary ones.
    static Fraction flattened(SymOp op, const std::vector<Fraction>& operands, const Fraction& chained)
    {
        std::vector<SymInt> whole;
        for (const Fraction& operand : operands) {
            if (!operand.isWhole())
                return chained;
            whole.push_back(operand.numerator);
        }
        return {SymInt::make(op, std::move(whole))};
    }

    static std::optional<Fraction> extreme(SymOp op, const std::vector<Fraction>& operands)
    {
        std::vector<SymInt> whole;
        for (const Fraction& operand : operands) {
            if (!operand.isWhole())
                return std::nullopt;
            whole.push_back(operand.numerator);
        }
        return Fraction{SymInt::make(op, std::move(whole))};
    }

    static std::optional<Fraction> binary(const std::string& name, const Fraction& a, const Fraction& b)
    {
        // a/b as one fraction
        Fraction quotient{multiply(a.numerator, b.denominator), multiply(a.denominator, b.numerator)};
        if (name == "IntTrueDiv" || name == "FloatTrueDiv")
            return quotient;
        if (name == "FloorDiv" || name == "CleanDiv")
            return Fraction{quotient.floor()};
        if (name == "CeilDiv")
            return Fraction{SymInt::make(SymOp::CeilDiv, {quotient.numerator, quotient.denominator})};
        if ((name == "Mod" || name == "PythonMod") && a.isWhole() && b.isWhole())
            return Fraction{
                SymInt::make(name == "Mod" ? SymOp::Mod : SymOp::PythonMod, {a.numerator, b.numerator})};
        if ((name == "Pow" || name == "PowByNatural") && b.isWhole())
            return raised(a, b.numerator);
        return std::nullopt;
    }

    static Fraction raised(const Fraction& base, const SymInt& exponent)
    {
        if (exponent.isConstant() && exponent.constant() < 0 && exponent.constant() > -64)
            return raised({base.denominator, base.numerator}, -exponent.constant());
        return {SymInt::make(SymOp::Pow, {base.numerator, exponent}),
                base.isWhole() ? SymInt(1) : SymInt::make(SymOp::Pow, {base.denominator, exponent})};
    }

    TextScanner m_scanner;
    const Bindings& m_symbolHints;
    const Bindings& m_given;
    std::optional<std::int64_t> m_ownHint;
};

} // namespace

SymInt parseSrepr(std::string_view text, std::optional<std::int64_t> hint, const Bindings& symbolHints)
{
    if (std::optional<SymInt> read = SreprParser(text, hint, symbolHints, {}).parse())
        return std::move(*read);
    return SymInt::opaque(std::string(text), hint);
}

Result<SymInt> sizeAt(const SymInt& size, const Bindings& sizes, const Bindings& hints)
{
    if (size.isConstant())
        return size;
    const std::string text = size.srepr();
    const std::optional<SymInt> read = SreprParser(text, {}, hints, sizes).parse();
    if (!read) {
        for (const auto& [symbol, number] : sizes)
            if (text.find("'" + symbol + "'") != text.npos)
                return Error{ErrorCode::BadUsage, symbol + "=" + std::to_string(number) +
                                                      ": what it makes of " + size.text() +
                                                      " is not known; export the model again with that size"};
        return size;
    }
    std::set<std::string> open;
    read->collectSymbols(open);
    if (!open.empty() || read->isConstant())
        return *read;
    return Error{ErrorCode::BadUsage, "the size " + size.text() +
                                          " would divide by zero or not fit in 64 bits with the sizes given"};
}

} // namespace stagecraft
