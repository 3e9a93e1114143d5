#include "core/report/html_text.h"

#include "core/base/markup.h"
#include "core/base/printable.h"
#include "core/base/sha256.h"

#include <algorithm>
#include <cstdint>

namespace stagecraft {

namespace {

// Of the bytes that pairs of hexadecimal digits stand for.
std::string base64OfHex(std::string_view hex)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const auto valueOf = [](char digit) {
        return static_cast<std::uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    };
    std::string text;
    for (std::size_t at = 0; at < hex.size(); at += 6) { // three bytes, four digits
        const std::string_view part = hex.substr(at, 6);
        std::uint32_t bits = 0;
        for (std::size_t i = 0; i < 6; ++i)
            bits = bits << 4 | (i < part.size() ? valueOf(part[i]) : 0);
        const std::size_t used = part.size() / 2 + 1;
        for (std::size_t i = 0; i < 4; ++i)
            text += i < used ? digits[bits >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

} // namespace

std::string htmlText(std::string_view text)
{
    return markupText(printable(text));
}

std::string scriptJson(const nlohmann::ordered_json& json)
{
    std::string result;
    for (const char c : json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)) {
        switch (c) {
        case '<':
            result += "\\u003c";
            break;
        case '>':
            result += "\\u003e";
            break;
        case '&':
            result += "\\u0026";
            break;
        default:
            result += c;
        }
    }
    return result;
}

std::string policyHash(std::string_view text)
{
    return "'sha256-" + base64OfHex(sha256Of(text)) + "'";
}

std::string shellWord(std::string_view text)
{
    const auto isPlain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("._-/=:,+@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && text.front() != '-' && std::ranges::all_of(text, isPlain))
        return std::string(text);
    std::string quoted = "'";
    for (const char c : text)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

} // namespace stagecraft
