// LineScanner: a TextScanner over the lines of the text form, whose errors name the line.
#pragma once

#include "core/base/result.h"
#include "core/graph/graph_text_names.h"
#include "core/graph/text_scanner.h"

#include <algorithm>

namespace stagecraft::graph_text {

class LineScanner : public TextScanner
{
public:
    explicit LineScanner(std::string_view text) : TextScanner(text), m_text(text) {}

    Error wrong(const std::string& what) const
    {
        const auto line = std::ranges::count(m_text.substr(0, position()), '\n') + 1;
        return {ErrorCode::BadFormat, "line " + std::to_string(line) + ": " + what};
    }
    // The beginning of what is left of the line, for messages.
    std::string whatFollows()
    {
        const std::string_view line = rest().substr(0, rest().find('\n'));
        return line.empty() ? "the end of the line" : "'" + std::string(line.substr(0, 12)) + "'";
    }
    Result<void> expect(std::string_view token)
    {
        if (take(token))
            return {};
        return wrong("expected '" + std::string(token) + "' before " + whatFollows());
    }
    // A bare name, or a text in quotes.
    Result<std::string> takeName(std::string_view allowed = nameCharacters)
    {
        if (sees('"')) {
            std::optional<std::string> name = quoted('"');
            if (!name)
                return wrong("a text has no end");
            return std::move(*name);
        }
        const std::string_view name = word(allowed);
        if (name.empty())
            return wrong("expected a name before " + whatFollows());
        return std::string(name);
    }
    Result<bool> takeSwitch()
    {
        const std::string_view text = word();
        if (text != "on" && text != "off")
            return wrong("expected on or off");
        return text == "on";
    }
    bool seesWord(std::string_view expected)
    {
        const std::size_t start = position();
        const bool isThere = word(targetCharacters) == expected;
        goTo(start);
        return isThere;
    }
    // Takes `expected` if it is the next whole word.
    bool takeWord(std::string_view expected)
    {
        const bool isThere = seesWord(expected);
        if (isThere)
            word(targetCharacters);
        return isThere;
    }
    // The end of a line, perhaps behind a comment.
    Result<void> endLine()
    {
        if (sees('#'))
            until("\n");
        return atEnd() ? Result<void>() : expect("\n");
    }
    void skipEmptyLines()
    {
        while (sees('#') || sees('\n'))
            if (!take("\n"))
                until("\n");
    }

private:
    std::string_view m_text;
};

} // namespace stagecraft::graph_text
