#include "tests/core/graph_text/sym_int_text.h"

#include "core/graph/text_scanner.h"

namespace stagecraft {

namespace {

// Deep enough for any size a model has, shallow enough for the stack.
constexpr int maxDepth = 200;

//     sum     = product { ("+" | "-") product }
//     product = power { ("*" | "//" | "%") power }
//     power   = atom [ "**" power ]
//     atom    = number | name | name "(" sum {"," sum} ")" | "(" sum ")" | "-" atom
class TextParser
{
public:
    TextParser(std::string_view text, const Bindings& hints) : m_scanner(text), m_hints(hints) {}

    std::optional<SymInt> parse()
    {
        std::optional<SymInt> whole = sum();
        return m_scanner.atEnd() ? whole : std::nullopt;
    }

private:
    using Maybe = std::optional<SymInt>;

    Maybe sum()
    {
        if (++m_depth > maxDepth)
            return std::nullopt;
        Maybe first = product();
        std::vector<SymInt> terms;
        while (first) {
            terms.push_back(*first);
            if (!m_scanner.take("+") && !m_scanner.sees('-')) // a minus is the next factor's
                break;
            first = product();
        }
        --m_depth;
        return first ? Maybe(SymInt::make(SymOp::Add, std::move(terms))) : std::nullopt;
    }

    Maybe product()
    {
        Maybe left = power();
        std::vector<SymInt> factors;
        while (left) {
            factors.push_back(*left);
            if (m_scanner.take("*")) {
                left = power();
            } else if (m_scanner.sees('/') || m_scanner.sees('%')) {
                const SymOp op = m_scanner.take("//") ? SymOp::FloorDiv : SymOp::Mod;
                if (op == SymOp::Mod && !m_scanner.take("%"))
                    return std::nullopt;
                const Maybe right = power();
                if (!right)
                    return std::nullopt;
                left = SymInt::make(op, {SymInt::make(SymOp::Mul, std::move(factors)), *right});
                factors.clear();
            } else {
                return SymInt::make(SymOp::Mul, std::move(factors));
            }
        }
        return std::nullopt;
    }

    Maybe power()
    {
        Maybe base = atom();
        if (!base || !m_scanner.take("**"))
            return base;
        const Maybe exponent = atom();
        return exponent ? Maybe(SymInt::make(SymOp::Pow, {*base, *exponent})) : std::nullopt;
    }

    Maybe atom()
    {
        if (m_scanner.take("(")) {
            Maybe inner = sum();
            return m_scanner.take(")") ? inner : std::nullopt;
        }
        if (const std::optional<std::int64_t> number = m_scanner.integer())
            return *number;
        if (m_scanner.take("-")) {
            const Maybe operand = ++m_depth > maxDepth ? std::nullopt : atom();
            --m_depth;
            return operand ? Maybe(SymInt::make(SymOp::Mul, {-1, *operand})) : std::nullopt;
        }
        const std::string name(m_scanner.word());
        if (!isName(name))
            return std::nullopt;
        if (!m_scanner.take("("))
            return SymInt::symbol(name, hintOf(name));
        return name == "opaque" ? opaque() : call(name);
    }

    Maybe opaque()
    {
        const std::optional<std::string> text = m_scanner.quoted('"');
        std::optional<std::int64_t> hint;
        if (m_scanner.take(","))
            hint = m_scanner.integer();
        return text && m_scanner.take(")") ? Maybe(SymInt::opaque(*text, hint)) : std::nullopt;
    }

    Maybe call(const std::string& name)
    {
        std::vector<SymInt> operands;
        do {
            const Maybe operand = sum();
            if (!operand)
                return std::nullopt;
            operands.push_back(*operand);
        } while (m_scanner.take(","));
        if (!m_scanner.take(")"))
            return std::nullopt;
        if (name == "Max" || name == "Min")
            return SymInt::make(name == "Max" ? SymOp::Max : SymOp::Min, std::move(operands));
        if ((name == "CeilDiv" || name == "PythonMod") && operands.size() == 2)
            return SymInt::make(name == "CeilDiv" ? SymOp::CeilDiv : SymOp::PythonMod, std::move(operands));
        return std::nullopt;
    }

    static bool isName(const std::string& name)
    {
        return !name.empty() && !std::isdigit(static_cast<unsigned char>(name.front()));
    }
    std::optional<std::int64_t> hintOf(const std::string& name) const
    {
        const auto found = m_hints.find(name);
        return found == m_hints.end() ? std::nullopt : std::optional(found->second);
    }

    TextScanner m_scanner;
    const Bindings& m_hints;
    int m_depth = 0;
};

} // namespace

Result<SymInt> parseSymInt(std::string_view text, const Bindings& symbolHints)
{
    if (std::optional<SymInt> read = TextParser(text, symbolHints).parse())
        return std::move(*read);
    return Error{ErrorCode::BadUsage,
                 "'" + std::string(text) + "' is not a size; write for example 8, s0 or 2*s0 + 1"};
}

} // namespace stagecraft
