#include "core/base/json_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace stagecraft {

namespace {

constexpr std::size_t deepestLevel = 500;
constexpr std::size_t mostValues = 20'000'000; // each takes a hundred bytes as a tree

// "line 3, column 7", of the character at `position`.
std::string placeIn(std::string_view text, std::size_t position)
{
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const std::size_t lineBreak = before.rfind('\n');
    const std::size_t begin = lineBreak == before.npos ? 0 : lineBreak + 1;
    return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
           std::to_string(before.size() - begin + 1);
}

// What is wrong with its size, as far as brackets and commas tell before anything is held.
std::optional<std::string> excessOf(std::string_view text)
{
    std::size_t depth = 0;
    std::size_t values = 0;
    bool isInText = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"')
            isInText = !isInText;
        else if (isInText && c == '\\')
            ++i;
        else if (!isInText && (c == '[' || c == '{') && ++depth > deepestLevel)
            return "is nested too deeply at " + placeIn(text, i);
        else if (!isInText && (c == ']' || c == '}') && depth > 0)
            --depth;
        else if (!isInText && c == ',' && ++values > mostValues)
            return "holds more than " + std::to_string(mostValues) + " values";
    }
    return std::nullopt;
}

} // namespace

template <class Json>
Result<Json> parseJson(std::string_view text, const std::string& name)
{
    const auto bad = [&name](const std::string& what) {
        return Error{ErrorCode::BadFormat, name + ": " + what};
    };
    if (const std::optional<std::string> excess = excessOf(text))
        return bad(*excess);
    try {
        return Json::parse(text);
    } catch (const typename Json::parse_error& failure) {
        const std::size_t next = failure.byte; // it counts what it has read, the faulty character included
        const bool breaksOff = text.find_last_not_of(" \t\r\n") == text.npos || next > text.size();
        return breaksOff
                   ? bad("is not JSON, or breaks off before its end")
                   : bad("is not JSON: what stands at " +
                         placeIn(text, next - std::min<std::size_t>(next, 1)) + " does not belong there");
    } catch (const typename Json::exception&) { // of numbers, which are all that it turns into something
        return bad("holds a number that is too large to be read");
    }
}

template Result<nlohmann::json> parseJson(std::string_view, const std::string&);
template Result<nlohmann::ordered_json> parseJson(std::string_view, const std::string&);

} // namespace stagecraft
