#include "views/code/line_breaks.h"

#include "views/code/python_scanner.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

// Kinds of places, the best first.
enum class BreakKind { Comma, Bracket, Backslash, Attribute, Text };
constexpr std::size_t breakKinds = 5;

struct Break
{
    std::size_t at = 0; // the first byte of the next line
    BreakKind kind = BreakKind::Comma;
    std::string_view end = {}; // what the line before it needs besides; of a text, the next as well
};

std::string_view trimmed(std::string_view text)
{
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

bool isIn(char c, std::string_view letters)
{
    return letters.find(c) != std::string_view::npos;
}

// Nothing but letters stand in [begin, end), which holds its quotes, too.
bool isPlainText(std::string_view code, std::size_t begin, std::size_t end)
{
    const std::string_view text = code.substr(begin, end - begin);
    const bool hasPrefix = begin > 0 && isNamePart(code[begin - 1]);
    return !hasPrefix && text.size() > 2 && text.back() == text.front() && !isIn('\\', text) &&
           text[1] != text[0];
}

void addPlacesInText(std::vector<Break>& places, std::string_view code, std::size_t begin, std::size_t end)
{
    for (std::size_t at = begin + 2; at + 1 < end; ++at)
        if (isIn(code[at - 1], " ._/-,"))
            places.push_back({at, BreakKind::Text, code.substr(begin, 1)});
}

// A dot before an attribute's name.
bool isAttribute(std::string_view code, std::size_t at)
{
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    return code[at] == '.' && at > 0 && at + 1 < code.size() && isNamePart(code[at + 1]) &&
           !isDigit(code[at + 1]) && (isNamePart(code[at - 1]) || isIn(code[at - 1], ")]")) &&
           !isDigit(code[at - 1]);
}

std::vector<Break> placesOf(std::string_view code)
{
    std::vector<Break> places;
    PythonScanner scanner;
    for (std::size_t at = indentOf(code); at < code.size();) {
        const bool isInBrackets = scanner.depth() > 0;
        const std::size_t next = scanner.next(code, at);
        const bool isLast = next >= code.size();
        if (isIn(code[at], "\"'") && isInBrackets && isPlainText(code, at, next))
            addPlacesInText(places, code, at, next);
        else if (code[at] == ' ' && !isLast && !isIn(code[next], " \\"))
            places.push_back(!isInBrackets
                                 ? Break{next, BreakKind::Backslash, " \\"}
                                 : Break{next, code[at - 1] == ',' ? BreakKind::Comma : BreakKind::Bracket});
        else if (isIn(code[at], "([{") && !isLast && !isIn(code[next], ")]}"))
            places.push_back({next, BreakKind::Bracket});
        else if (isAttribute(code, at))
            places.push_back({at, BreakKind::Attribute, isInBrackets ? "" : "\\"});
        at = next;
    }
    return places;
}

// Where a line that begins at `start` and has room for so many letters ends; `places` are none: nowhere.
const Break* bestPlace(std::string_view code, const std::vector<Break>& places, std::size_t start,
                       std::size_t room)
{
    std::array<const Break*, breakKinds> last{};
    const Break* first = nullptr;
    for (const Break& place : places) {
        if (place.at <= start)
            continue;
        first = first ? first : &place;
        if (trimmed(code.substr(start, place.at - start)).size() + place.end.size() <= room)
            last[static_cast<std::size_t>(place.kind)] = &place;
    }
    const auto best = std::ranges::find_if(last, [](const Break* place) { return place != nullptr; });
    return best == last.end() ? first : *best;
}

std::size_t letterBegin(std::string_view text, std::size_t at)
{
    const auto isInside = [&](std::size_t i) { return (static_cast<unsigned char>(text[i]) & 0xc0) == 0x80; };
    std::size_t begin = at;
    while (begin > 0 && isInside(begin))
        --begin;
    return begin;
}

} // namespace

std::size_t indentOf(std::string_view line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

std::vector<std::string> brokenStatement(std::string_view code, std::size_t columns)
{
    const std::string further(indentOf(code) + (code.ends_with(':') ? 8 : 4), ' ');
    const std::vector<Break> places = placesOf(code);
    std::vector<std::string> lines;
    std::string head; // of the next line
    for (std::size_t start = 0; start < code.size();) {
        const std::size_t room = columns - std::min(columns, head.size());
        const Break* end = code.size() - start > room ? bestPlace(code, places, start, room) : nullptr;
        const std::string_view part = code.substr(start, end ? end->at - start : std::string_view::npos);
        lines.push_back(head + std::string(trimmed(part)) + std::string(end ? end->end : ""));
        head = end && end->kind == BreakKind::Text ? further + std::string(end->end) : further;
        start += part.size();
    }
    return lines;
}

std::vector<std::string> brokenComment(std::size_t indent, std::string_view comment, std::size_t columns)
{
    std::vector<std::string> lines;
    std::string head(indent, ' ');
    while (!comment.empty()) {
        const std::size_t room = columns - std::min(columns, head.size());
        std::size_t end = comment.size();
        if (comment.size() > room) {
            const std::size_t begin = lines.empty() ? comment.find_first_not_of("# ") : 0;
            end = comment.find_last_of(' ', room);
            if (end == std::string_view::npos || end <= begin)
                end =
                    std::min(comment.find(' ', begin == std::string_view::npos ? 0 : begin), comment.size());
        }
        lines.push_back(head + std::string(trimmed(comment.substr(0, end))));
        comment = comment.substr(end);
        comment = comment.substr(std::min(comment.find_first_not_of(' '), comment.size()));
        head = std::string(indent, ' ') + "#   ";
    }
    return lines;
}

std::vector<std::string> wrappedLine(std::string_view line, std::size_t columns)
{
    const std::size_t indent = indentOf(line);
    const std::string further(std::min(indent + 4, columns / 2), ' ');
    std::vector<std::string> lines;
    std::string head;
    while (head.size() + line.size() > columns) {
        const std::size_t room = columns - head.size();
        const std::size_t begin = lines.empty() ? indent : 0;
        const std::size_t space = line.find_last_of(' ', room);
        const std::size_t mark = line.find_last_of("._/,", room - 1);
        const auto isPlace = [&](std::size_t at) { return at != std::string_view::npos && at > begin; };
        const std::size_t end = isPlace(space)  ? space
                                : isPlace(mark) ? mark + 1
                                                : std::max<std::size_t>(letterBegin(line, room), 1);
        lines.push_back(head + std::string(trimmed(line.substr(0, end))));
        line = line.substr(isPlace(space) ? end + 1 : end);
        head = further;
    }
    lines.push_back(head + std::string(line));
    return lines;
}

} // namespace stagecraft
