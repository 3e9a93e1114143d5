#include "core/load/node_origin.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace stagecraft {

namespace {

// What passes write that made a node out of nothing.
constexpr std::string_view noModule = "_empty_nn_module_stack_from_metadata_hook";

// Where `separator` stands outside brackets and quotes, or npos.
std::size_t findOutside(std::string_view text, char separator)
{
    int depth = 0;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quote != 0)
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '(' || c == '[')
            ++depth;
        else if (c == ')' || c == ']')
            --depth;
        else if (c == separator && depth <= 0)
            return i;
    }
    return std::string_view::npos;
}

// The text up to the next separator, taken off the front of `rest`.
std::string_view takePart(std::string_view& rest, char separator)
{
    const std::size_t end = findOutside(rest, separator);
    const std::string_view part = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    return part;
}

// Without "@1", which marks the second call of a module.
std::string_view withoutCallNumber(std::string_view path)
{
    const std::size_t at = path.find_last_not_of("0123456789");
    const bool isNumber = at != std::string_view::npos && path[at] == '@' && at + 1 < path.size();
    return isNumber ? path.substr(0, at) : path;
}

// 1 of "L__self__block@1"; 0 of what has no number, or one that no export gives.
std::size_t callNumber(std::string_view path)
{
    const std::string_view digits = path.substr(std::min(withoutCallNumber(path).size() + 1, path.size()));
    std::size_t number = 0;
    const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return failure == std::errc() ? number : 0;
}

void appendComponent(std::string& path, std::string_view component)
{
    if (!component.empty())
        path.append(path.empty() ? "" : ".").append(component);
}

// L['self'].layers[0]._modules['attn']: the first bracket is the object itself.
std::string pathOfExpression(std::string_view text)
{
    std::string path;
    text = text.substr(std::min(text.find(']'), text.size() - 1) + 1);
    while (!text.empty()) {
        if (text.front() == '.') {
            const std::size_t end = std::min(text.find_first_of(".[", 1), text.size());
            if (const std::string_view name = text.substr(1, end - 1); name != "_modules")
                appendComponent(path, name);
            text.remove_prefix(end);
        } else {
            const std::size_t end = std::min(text.find(']'), text.size() - 1);
            std::string_view name = text.substr(0, end);
            name.remove_prefix(std::min(name.find_first_not_of("['\""), name.size()));
            name = name.substr(0, std::min(name.find_last_not_of("'\"") + 1, name.size()));
            appendComponent(path, name);
            text.remove_prefix(end + 1);
        }
    }
    return path;
}

} // namespace

std::string normalisedModulePath(std::string_view path)
{
    const std::string_view whole = withoutCallNumber(path);
    // getattr(getattr(L['self'].layers, '0'), 'attn'): the outermost name stands last.
    std::vector<std::string_view> names;
    path = whole;
    while (path.starts_with("getattr(") && path.ends_with(")")) {
        const std::string_view inner = path.substr(8, path.size() - 9);
        const std::size_t comma = inner.rfind(", '");
        if (comma == std::string_view::npos || !inner.ends_with("'"))
            return std::string(whole);
        names.push_back(inner.substr(comma + 3, inner.size() - comma - 4));
        path = withoutCallNumber(inner.substr(0, comma));
    }
    std::string result = path.starts_with("L[") ? pathOfExpression(path) : std::string(path);
    for (const std::string_view name : std::views::reverse(names))
        appendComponent(result, name);
    return result;
}

std::vector<ModuleCall> parseModuleStack(std::string_view text)
{
    std::vector<ModuleCall> stack;
    while (!text.empty()) {
        std::string_view entry = takePart(text, ';');
        const std::string_view key = takePart(entry, ',');
        const std::string_view path = takePart(entry, ',');
        if (path != noModule)
            stack.push_back({normalisedModulePath(path), std::string(entry),
                             std::max(callNumber(key), callNumber(path))});
    }
    return stack;
}

std::vector<SourceFrame> parseStackTrace(std::string_view text)
{
    constexpr std::string_view fileMark = "File \"";
    constexpr std::string_view lineMark = "\", line ";
    constexpr std::string_view functionMark = ", in ";
    std::vector<SourceFrame> frames;
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        const std::size_t lineAt = line.find(lineMark);
        if (!line.starts_with(fileMark) || lineAt == std::string_view::npos) {
            if (!frames.empty() && !line.empty() && frames.back().text.empty())
                frames.back().text = line;
            continue;
        }
        SourceFrame frame;
        frame.file = line.substr(fileMark.size(), lineAt - fileMark.size());
        const std::string_view number = line.substr(lineAt + lineMark.size());
        std::from_chars(number.data(), number.data() + number.size(), frame.line);
        if (const std::size_t in = number.find(functionMark); in != std::string_view::npos)
            frame.function = number.substr(in + functionMark.size());
        frames.push_back(std::move(frame));
    }
    return frames;
}

} // namespace stagecraft
