#include "core/graph/plain_srepr.h"

#include "core/graph/text_scanner.h"

#include <array>
#include <span>
#include <vector>

namespace stagecraft {

namespace {

constexpr int deepest = 200; // calls inside calls; enough for any size, shallow enough for the stack
constexpr std::int64_t longestShift = 63;

constexpr std::array<std::string_view, 3> powers{"Pow", "PowByNatural", "LShift"};
constexpr std::array<std::string_view, 3> numbers{"Integer", "Rational", "Float"};
constexpr std::array<std::string_view, 35> functions{"Add",          "Mul",
                                                     "Max",          "Min",
                                                     "Mod",          "PythonMod",
                                                     "FloorDiv",     "CleanDiv",
                                                     "CeilDiv",      "IntTrueDiv",
                                                     "FloatTrueDiv", "ModularIndexing",
                                                     "Where",        "Identity",
                                                     "ToFloat",      "FloorToInt",
                                                     "CeilToInt",    "TruncToInt",
                                                     "TruncToFloat", "RoundToInt",
                                                     "RShift",       "floor",
                                                     "ceiling",      "Abs",
                                                     "Equality",     "Unequality",
                                                     "GreaterThan",  "StrictGreaterThan",
                                                     "LessThan",     "StrictLessThan",
                                                     "And",          "Or",
                                                     "Not",          "Piecewise",
                                                     "ExprCondPair"};

bool isOneOf(std::string_view name, std::span<const std::string_view> names)
{
    return std::ranges::find(names, name) != names.end();
}

// What a term is, as far as it matters for powers.
struct Term
{
    bool isNumber = false;             // no symbol is in it
    std::optional<std::int64_t> value; // of a number that stands there as such
};
using MaybeTerm = std::optional<Term>; // none: not plain

//     term = function "(" [term {"," term}] ")" | word "=" term | "True" | "False" | number | "'" letters "'"
class PlainScanner
{
public:
    explicit PlainScanner(std::string_view text) : m_scanner(text) {}

    bool isCall() { return call(m_scanner.word(), 0) && m_scanner.atEnd(); }

private:
    MaybeTerm call(std::string_view function, int depth)
    {
        if (depth > deepest || !m_scanner.take("("))
            return std::nullopt;
        std::vector<Term> terms;
        while (!m_scanner.take(")")) {
            if (!terms.empty() && !m_scanner.take(","))
                return std::nullopt;
            const MaybeTerm next = term(depth);
            if (!next)
                return std::nullopt;
            terms.push_back(*next);
        }
        return meaning(function, terms);
    }

    static MaybeTerm meaning(std::string_view function, const std::vector<Term>& terms)
    {
        if (function == "Symbol")
            return Term{};
        if (isOneOf(function, numbers))
            return Term{true, terms.empty() ? std::nullopt : terms.front().value};
        const bool isNumber = std::ranges::all_of(terms, &Term::isNumber);
        if (isOneOf(function, powers)) {
            const bool isSmall = terms.size() == 2 && !isNumber && terms[1].value.value_or(0) <= longestShift;
            return isSmall ? MaybeTerm(Term{}) : std::nullopt;
        }
        const bool isKnown = isOneOf(function, functions) || function.starts_with("OpaqueUnaryFn_");
        return isKnown ? MaybeTerm(Term{isNumber, {}}) : std::nullopt;
    }

    MaybeTerm term(int depth)
    {
        if (m_scanner.sees('\''))
            return quoted();
        if (const std::optional<std::int64_t> number = m_scanner.integer())
            return m_scanner.sees('.') ? std::nullopt : MaybeTerm(Term{true, number});
        const std::string_view word = m_scanner.word();
        if (word == "True" || word == "False" || word == "true" || word == "false")
            return Term{true, {}};
        if (m_scanner.sees('('))
            return call(word, depth + 1);
        const bool isKeyword = !word.empty() && std::isalpha(static_cast<unsigned char>(word.front()));
        return isKeyword && depth < deepest && m_scanner.take("=") ? term(depth + 1) : std::nullopt;
    }

    // A symbol's name, or the digits of a number.
    MaybeTerm quoted()
    {
        const std::optional<std::string> text = m_scanner.quoted('\'');
        const bool isPlain =
            text && !text->empty() && !text->starts_with("__") && std::ranges::all_of(*text, [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) ||
                       std::string_view("_.+-").find(c) != std::string_view::npos;
            });
        return isPlain ? MaybeTerm(Term{true, {}}) : std::nullopt;
    }

    TextScanner m_scanner;
};

} // namespace

bool isPlainSrepr(std::string_view text)
{
    const bool isPrintable =
        std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '\\'; });
    return isPrintable && PlainScanner(text).isCall();
}

} // namespace stagecraft
