// LineScanner: a TextScanner over the lines of the text form; it can go back, and its errors name the line.
#pragma once

#include "core/base/result.h"
#include "core/graph/graph_text_names.h"
#include "core/graph/text_scanner.h"

#include <algorithm>
#include <charconv>

namespace stagecraft::graph_text {

// "cuda:1"
inline Device parseDevice(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    int index = 0;
    if (colon != std::string::npos) {
        const char* const end = text.data() + text.size();
        const auto [read, status] = std::from_chars(text.data() + colon + 1, end, index);
        if (status == std::errc() && read == end)
            return {text.substr(0, colon), index};
    }
    return {text, std::nullopt};
}

template <class Names>
auto meaningOf(const Names& names, std::string_view name) -> std::optional<decltype(names[0].first)>
{
    for (const auto& [meaning, known] : names)
        if (known == name)
            return meaning;
    return std::nullopt;
}

class LineScanner : public TextScanner
{
public:
    explicit LineScanner(std::string_view text) : TextScanner(text), m_whole(text) {}

    // Right here, without skipping anything.
    bool seesSpace() const { return m_text.starts_with(' '); }
    void skip(std::size_t size) { m_text.remove_prefix(size); }
    // How many characters were taken.
    std::size_t position() const { return m_whole.size() - m_text.size(); }
    void goTo(std::size_t position) { m_text = m_whole.substr(position); }

    Error wrong(const std::string& what) const
    {
        const auto line = std::ranges::count(m_whole.substr(0, position()), '\n') + 1;
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
    std::string_view m_whole;
};

} // namespace stagecraft::graph_text
