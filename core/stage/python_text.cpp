#include "core/stage/python_text.h"

#include "core/load/target_name.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 35> keywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

// "0", "12"; not "01", which would read as another name.
bool isPlainNumber(std::string_view text)
{
    return !text.empty() && text.size() < 10 && std::ranges::all_of(text, isDigit) &&
           (text.size() == 1 || text.front() != '0');
}

} // namespace

bool isPythonIdentifier(std::string_view text)
{
    return !text.empty() && isLetter(text.front()) &&
           std::ranges::all_of(text, [](char c) { return isLetter(c) || isDigit(c); }) &&
           std::ranges::find(keywords, text) == keywords.end();
}

std::string pythonString(std::string_view text)
{
    static constexpr std::string_view hex = "0123456789abcdef";
    std::string quoted = "'";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '\'' || c == '\\')
            (quoted += '\\') += c;
        else if (c == '\n')
            quoted += "\\n";
        else if (byte < 0x20 || byte == 0x7f)
            ((quoted += "\\x") += hex[byte >> 4]) += hex[byte & 15];
        else
            quoted += c;
    }
    return quoted + "'";
}

std::string pythonFloat(double number)
{
    if (std::isnan(number))
        return "nan";
    if (std::isinf(number))
        return number > 0 ? "inf" : "-inf";
    std::array<char, 32> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    std::string text(buffer.data(), written.ptr);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return text;
}

std::string_view pythonName(MemoryFormat format)
{
    switch (format) {
    case MemoryFormat::Contiguous:
        return "torch.contiguous_format";
    case MemoryFormat::ChannelsLast:
        return "torch.channels_last";
    case MemoryFormat::ChannelsLast3d:
        return "torch.channels_last_3d";
    case MemoryFormat::Preserve:
        break;
    }
    return "torch.preserve_format";
}

std::string_view pythonName(TensorLayout layout)
{
    switch (layout) {
    case TensorLayout::Coo:
        return "torch.sparse_coo";
    case TensorLayout::Csr:
        return "torch.sparse_csr";
    case TensorLayout::Csc:
        return "torch.sparse_csc";
    case TensorLayout::Bsr:
        return "torch.sparse_bsr";
    case TensorLayout::Bsc:
        return "torch.sparse_bsc";
    case TensorLayout::Mkldnn:
        return "torch._mkldnn";
    case TensorLayout::Strided:
        break;
    }
    return "torch.strided";
}

std::string pythonTarget(std::string_view target)
{
    const std::string dotted = targetToPython(target);
    std::string expression;
    for (std::size_t begin = 0; begin <= dotted.size();) {
        const std::size_t end = std::min(dotted.find('.', begin), dotted.size());
        const std::string_view part = std::string_view(dotted).substr(begin, end - begin);
        if (expression.empty())
            expression = part;
        else if (isPythonIdentifier(part))
            (expression += '.') += part;
        else
            expression = "getattr(" + expression + ", " + pythonString(part) + ")";
        begin = end + 1;
    }
    return expression;
}

std::string pythonAttribute(std::string_view path)
{
    std::string expression = "self";
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (isPythonIdentifier(part))
            (expression += '.') += part;
        else
            expression += "[" + (isPlainNumber(part) ? std::string(part) : pythonString(part)) + "]";
        begin = end + 1;
    }
    return expression;
}

void PythonLines::add(std::string_view line, std::optional<NodeId> node)
{
    if (!line.empty())
        m_code.text.append(m_indentation, ' ').append(line);
    m_code.text += '\n';
    m_code.nodeOfLine.push_back(node);
}

void PythonLines::addDeclaration(std::string_view line, ValueId value)
{
    m_code.declarations.emplace(m_code.nodeOfLine.size(), value);
    add(line);
}

} // namespace stagecraft
