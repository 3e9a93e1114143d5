#include "core/graph/sympy_text.h"

#include "core/graph/text_scanner.h"

#include <vector>

namespace stagecraft {

namespace {

// Deep enough for any size a model has, shallow enough for the stack.
constexpr int mostNested = 200;
// Each division's text has all that stands before it in it.
constexpr int mostDivisions = 1000;
constexpr std::size_t longest = 1 << 16;

using Read = std::optional<std::string>;

std::string call(std::string_view name, const std::string& a, const std::string& b)
{
    return std::string(name) + '(' + a + ", " + b + ')';
}

// One operand is itself.
std::string all(std::string_view name, const std::vector<std::string>& operands)
{
    std::string written = operands.front();
    for (std::size_t i = 1; i < operands.size(); ++i)
        written += ", " + operands[i];
    return operands.size() == 1 ? written : std::string(name) + '(' + written + ')';
}

std::string negative(const std::string& operand)
{
    return call("Mul", "Integer(-1)", operand);
}

// sum := product (+|- product)*, product := sign (*|/|//|% sign)*, sign := - sign | power,
// power := atom (** sign)?, atom := number | name | name(sum, ...) | (sum).
class TextParser
{
public:
    explicit TextParser(std::string_view text) : m_scanner(text) {}

    Read parse()
    {
        if (m_scanner.rest().size() > longest)
            return std::nullopt;
        Read whole = sum(0);
        return m_scanner.atEnd() ? whole : std::nullopt;
    }

private:
    Read sum(int depth)
    {
        std::vector<std::string> terms;
        for (bool isPlus = true;;) {
            const Read term = product(depth);
            if (!term)
                return std::nullopt;
            terms.push_back(isPlus ? *term : negative(*term));
            isPlus = m_scanner.take("+");
            if (!isPlus && !m_scanner.take("-"))
                return all("Add", terms);
        }
    }

    Read product(int depth)
    {
        Read first = sign(depth);
        if (!first)
            return std::nullopt;
        std::vector<std::string> factors{*first};
        while (true) {
            const std::string_view name = m_scanner.take("*")    ? "Mul"
                                          : m_scanner.take("//") ? "FloorDiv"
                                          : m_scanner.take("/")  ? "IntTrueDiv"
                                          : m_scanner.take("%")  ? "PythonMod"
                                                                 : "";
            if (name.empty())
                return all("Mul", factors);
            const Read next = sign(depth);
            if (!next || (name != "Mul" && ++m_divisions > mostDivisions))
                return std::nullopt;
            if (name == "Mul")
                factors.push_back(*next);
            else
                factors = {call(name, all("Mul", factors), *next)}; // of what stands before it
        }
    }

    Read sign(int depth)
    {
        if (depth > mostNested)
            return std::nullopt;
        if (m_scanner.take("-")) {
            const Read operand = sign(depth + 1);
            return operand ? Read(negative(*operand)) : std::nullopt;
        }
        Read base = atom(depth + 1);
        if (!base || !m_scanner.take("**"))
            return base;
        const Read exponent = sign(depth + 1);
        return exponent ? Read(call("Pow", *base, *exponent)) : std::nullopt;
    }

    Read atom(int depth)
    {
        if (m_scanner.take("(")) {
            Read inside = sum(depth);
            return m_scanner.take(")") ? inside : std::nullopt;
        }
        const std::string word(m_scanner.word("."));
        if (word.empty())
            return std::nullopt;
        if (std::isdigit(static_cast<unsigned char>(word.front())))
            return word.find_first_not_of("0123456789") == word.npos ? "Integer(" + word + ")"
                                                                     : "Float('" + word + "', precision=53)";
        if (m_scanner.take("("))
            return arguments(word + '(', depth);
        const bool isOfData = word.front() == 'u';
        return "Symbol('" + word + (isOfData ? "', integer=True)" : "', positive=True, integer=True)");
    }

    Read arguments(std::string written, int depth)
    {
        for (bool isFirst = true;; isFirst = false) {
            const Read argument = sum(depth);
            if (!argument)
                return std::nullopt;
            written += (isFirst ? "" : ", ") + *argument;
            if (m_scanner.take(")"))
                return written + ')';
            if (!m_scanner.take(","))
                return std::nullopt;
        }
    }

    TextScanner m_scanner;
    int m_divisions = 0;
};

} // namespace

std::optional<std::string> sreprOfText(std::string_view text)
{
    return TextParser(text).parse();
}

} // namespace stagecraft
