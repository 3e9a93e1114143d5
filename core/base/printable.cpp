#include "core/base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

namespace stagecraft {

namespace {

struct Character
{
    std::uint32_t code = 0;
    std::size_t length = 0; // in bytes; 0: not UTF-8
};

std::size_t lengthBy(unsigned char lead)
{
    if (lead < 0x80)
        return 1;
    if (lead >= 0xC2 && lead < 0xE0)
        return 2;
    if (lead >= 0xE0 && lead < 0xF0)
        return 3;
    return lead >= 0xF0 && lead < 0xF5 ? 4 : 0;
}

Character characterAt(std::string_view text)
{
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t length = lengthBy(byte(0));
    if (length == 0 || length > text.size())
        return {};
    constexpr std::array<std::uint32_t, 5> leadBits{0, 0x7F, 0x1F, 0x0F, 0x07};
    constexpr std::array<std::uint32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
    std::uint32_t code = byte(0) & leadBits[length];
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0) != 0x80)
            return {};
        code = code << 6 | (byte(i) & 0x3FU);
    }
    const bool isSurrogate = code >= 0xD800 && code < 0xE000;
    return code < smallest[length] || isSurrogate || code > 0x10FFFF ? Character{} : Character{code, length};
}

bool acts(std::uint32_t code)
{
    const auto within = [code](std::uint32_t first, std::uint32_t last) {
        return code >= first && code <= last;
    };
    return code < 0x20 || within(0x7F, 0x9F) || code == 0xAD || code == 0x61C || code == 0x180E ||
           within(0x200B, 0x200F) || within(0x2028, 0x202E) || within(0x2060, 0x206F) || code == 0xFEFF ||
           within(0xFFF9, 0xFFFB) || within(0xE0000, 0xE0FFF);
}

void appendEscape(std::string& text, std::uint32_t code)
{
    std::array<char, 16> written{};
    if (code < 0x10000) {
        std::snprintf(written.data(), written.size(), "\\u%04x", code);
    } else { // as JSON writes it: two halves
        const std::uint32_t rest = code - 0x10000;
        std::snprintf(written.data(), written.size(), "\\u%04x\\u%04x", 0xD800 + (rest >> 10),
                      0xDC00 + (rest & 0x3FF));
    }
    text += written.data();
}

} // namespace

std::string printable(std::string_view text, LineBreaks lineBreaks)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        if (lineBreaks == LineBreaks::Keep && text.starts_with("\r\n")) { // of a table for spreadsheets
            shown += "\r\n";
            text.remove_prefix(2);
            continue;
        }
        const Character character = characterAt(text);
        const std::size_t length = character.length == 0 ? 1 : character.length;
        const bool isLayout = character.code == '\n' || character.code == '\t';
        if (character.length == 0)
            shown += "\xEF\xBF\xBD";
        else if (acts(character.code) && !(isLayout && lineBreaks == LineBreaks::Keep))
            appendEscape(shown, character.code);
        else
            shown += text.substr(0, length);
        text.remove_prefix(length);
    }
    return shown;
}

std::string oneLine(std::string text)
{
    const auto isPlain = [](char c) { return c >= 0x20 && c < 0x7F; };
    return std::ranges::all_of(text, isPlain) ? std::move(text) : printable(text);
}

std::size_t unfinishedBytes(std::string_view text)
{
    if (text.ends_with('\r'))
        return 1;
    for (std::size_t back = 1; back <= 3 && back <= text.size(); ++back) {
        const auto byte = static_cast<unsigned char>(text[text.size() - back]);
        if ((byte & 0xC0) != 0x80)
            return lengthBy(byte) > back ? back : 0;
    }
    return 0;
}

} // namespace stagecraft
