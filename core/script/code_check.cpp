#include "core/script/code_check.h"

#include "core/base/contains.h"

#include <array>
#include <cctype>
#include <string>

namespace stagecraft {

namespace {

constexpr int maxBrackets = 100;    // open at a time
constexpr int maxIndentation = 400; // two columns a level
constexpr int maxChain = 1000;      // operators, or calls of calls, in one statement
constexpr int maxDots = 100;        // in one name

// What may stand in a default beside numbers and texts.
constexpr std::array<std::string_view, 17> literalWords{
    "None",   "True", "False", "inf",  "nan",      "annotate", "List", "Dict", "Tuple",
    "Tensor", "int",  "float", "bool", "Optional", "str",      "e",    "E"};

bool isWordPart(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class CodeCheck
{
public:
    explicit CodeCheck(std::string_view code) : m_code(code) {}

    Result<void> run()
    {
        while (m_at < m_code.size())
            STAGECRAFT_TRY(statement());
        return {};
    }

private:
    Error wrong(const std::string& what) const
    {
        return {ErrorCode::Unsupported, "line " + std::to_string(m_line) + ": " + what};
    }
    char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_code.size() ? m_code[m_at + ahead] : '\0';
    }

    // One logical line: up to a line break outside of brackets.
    Result<void> statement()
    {
        const std::size_t start = m_code.find_first_not_of(' ', m_at);
        const int indentation = static_cast<int>(std::min(start, m_code.size()) - m_at);
        if (indentation > maxIndentation)
            return wrong("it is indented too deeply");
        m_at += static_cast<std::size_t>(indentation);
        const std::string_view rest = m_code.substr(m_at);
        const bool isHeader = rest.starts_with("def ") || rest.starts_with("class ");
        if (rest.starts_with("def __setstate__"))
            return wrong(
                "a class has a __setstate__ of its own, code that would run when the file is loaded; "
                "packed (quantised) weights have it too; save the model before it is quantised");
        if (rest.starts_with("def __forked_function"))
            return wrong(
                "it starts a part beside the rest (torch.jit.fork), which cannot be followed: call the "
                "function itself, without fork and wait, and save the model again");
        if (isHeader && m_definition >= indentation)
            m_definition = -1;
        m_checksDefaults = (isHeader || m_definition < 0 || indentation <= m_definition) &&
                           !rest.starts_with("__annotations__["); // a type, which is only read
        if (rest.starts_with("def "))
            m_definition = indentation;
        else if (isHeader || (indentation <= m_definition && !rest.starts_with("\n")))
            m_definition = -1;
        m_brackets = m_operators = m_calls = m_dots = 0;
        while (m_at < m_code.size() && (peek() != '\n' || m_brackets > 0))
            STAGECRAFT_TRY(character());
        ++m_at;
        ++m_line;
        return {};
    }

    Result<void> character()
    {
        const char c = peek();
        if (c == '"' || c == '\'')
            return text();
        if (c == '#') {
            m_at = std::min(m_code.find('\n', m_at), m_code.size());
            return {};
        }
        if (c == '\\' || c == ';' || (static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t'))
            return wrong("it has a character that PyTorch does not write");
        if (isWordPart(c))
            return word();
        STAGECRAFT_TRY(count(c));
        ++m_at;
        if (c == '\n')
            ++m_line;
        if (c == '=' && peek() != '=' && m_checksDefaults)
            return literal();
        return {};
    }

    Result<void> count(char c)
    {
        constexpr std::string_view opening = "([{", closing = ")]}", operators = "+-*/%<>=!&|^~@";
        if (closing.find(c) != closing.npos) {
            --m_brackets;
            m_calls += opening.find(peek(1)) != opening.npos || peek(1) == '.' ? 1 : 0;
        }
        if (opening.find(c) != opening.npos && ++m_brackets > maxBrackets)
            return wrong("its brackets are nested too deeply");
        m_operators += operators.find(c) != operators.npos ? 1 : 0;
        m_operators = c == ',' ? 0 : m_operators;
        m_dots = c == '.' ? m_dots + 1 : 0;
        if (m_operators > maxChain || m_calls > maxChain || m_dots > maxDots)
            return wrong("an expression is too long");
        return {};
    }

    Result<void> word()
    {
        const std::size_t start = m_at;
        while (isWordPart(peek()))
            ++m_at;
        const std::string_view name = m_code.substr(start, m_at - start);
        static constexpr std::array<std::string_view, 7> chained{"not",  "and", "or", "if",
                                                                 "else", "in",  "is"};
        m_operators += contains(chained, name) ? 1 : 0;
        if (name == "elif" || name == "lambda")
            return wrong("it has a word that PyTorch does not write");
        if (m_operators > maxChain)
            return wrong("an expression is too long");
        return {};
    }

    // Strings as PyTorch writes them: on one line, with a backslash before what is special.
    Result<void> text()
    {
        const char quote = peek();
        if (peek(1) == quote && peek(2) == quote)
            return wrong("it has a text in three quotes, which PyTorch does not write");
        for (++m_at; peek() != quote; ++m_at) {
            if (m_at >= m_code.size() || peek() == '\n')
                return wrong("a text does not end");
            m_at += peek() == '\\' ? 1 : 0;
        }
        ++m_at;
        return {};
    }

    // A default ends where its brackets are closed.
    Result<void> literal()
    {
        const int outside = m_brackets;
        while (m_at < m_code.size() && peek() != '\n') {
            const char c = peek();
            if (m_brackets == outside && (c == ',' || c == ')' || c == ':'))
                return {};
            if (isWordPart(c)) {
                STAGECRAFT_TRY(literalWord());
                continue;
            }
            if (std::string_view(" \"'+-.,:()[]{}#").find(c) == std::string_view::npos)
                return wrong("a default is no literal: it would run when the file is loaded");
            STAGECRAFT_TRY(character());
        }
        return {};
    }
    Result<void> literalWord()
    {
        const std::size_t start = m_at;
        while (isWordPart(peek()))
            ++m_at;
        const std::string_view name = m_code.substr(start, m_at - start);
        const bool isNumber = std::isdigit(static_cast<unsigned char>(name.front())) != 0;
        if (isNumber || contains(literalWords, name))
            return {};
        return wrong("a default is no literal: it would run when the file is loaded");
    }

    std::string_view m_code;
    std::size_t m_at = 0;
    int m_line = 1;
    int m_definition = -1; // the indentation of the function that the statement is in; -1: none
    bool m_checksDefaults = false;
    int m_brackets = 0;
    int m_operators = 0;
    int m_calls = 0;
    int m_dots = 0;
};

} // namespace

Result<void> checkScriptCode(std::string_view code)
{
    return CodeCheck(code).run();
}

} // namespace stagecraft
