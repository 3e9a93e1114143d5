#include "core/stage/python_text.h"

#include "core/base/contains.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace stagecraft {

namespace {

constexpr std::array<std::string_view, 35> keywords{
    "False", "None",     "True",  "and",    "as",   "assert", "async",  "await",    "break",
    "class", "continue", "def",   "del",    "elif", "else",   "except", "finally",  "for",
    "from",  "global",   "if",    "import", "in",   "is",     "lambda", "nonlocal", "not",
    "or",    "pass",     "raise", "return", "try",  "while",  "with",   "yield"};
static_assert(std::ranges::is_sorted(keywords));

// Names that the written code itself uses.
constexpr std::array<std::string_view, 31> ownNames{
    "self",     "torch",      "math",     "operator",       "collections", "inf",
    "nan",      "device",     "getattr",  "dict",           "zip",         "str",
    "super",    "max",        "min",      "complex",        "rows",        "row",
    "named",    "_",          "Tensors",  "NotImplemented", "KeyError",    "laid_out",
    "member",   "run_branch", "run_loop", "part",           "registered",  "_keep",
    "unwritten"};

// Names that an attribute of a module is not found under: torch.nn.Module and Tensors have them.
constexpr std::array<std::string_view, 56> moduleNames{"T_destination",
                                                       "add_module",
                                                       "apply",
                                                       "bfloat16",
                                                       "buffers",
                                                       "call_super_init",
                                                       "children",
                                                       "compile",
                                                       "cpu",
                                                       "cuda",
                                                       "device",
                                                       "double",
                                                       "dump_patches",
                                                       "eval",
                                                       "extra_repr",
                                                       "float",
                                                       "forward",
                                                       "get_buffer",
                                                       "get_extra_state",
                                                       "get_parameter",
                                                       "get_submodule",
                                                       "half",
                                                       "ipu",
                                                       "load_state_dict",
                                                       "modules",
                                                       "mtia",
                                                       "named_buffers",
                                                       "named_children",
                                                       "named_modules",
                                                       "named_parameters",
                                                       "parameters",
                                                       "place",
                                                       "register_backward_hook",
                                                       "register_buffer",
                                                       "register_forward_hook",
                                                       "register_forward_pre_hook",
                                                       "register_full_backward_hook",
                                                       "register_full_backward_pre_hook",
                                                       "register_load_state_dict_post_hook",
                                                       "register_load_state_dict_pre_hook",
                                                       "register_module",
                                                       "register_parameter",
                                                       "register_state_dict_post_hook",
                                                       "register_state_dict_pre_hook",
                                                       "requires_grad_",
                                                       "set_extra_state",
                                                       "set_submodule",
                                                       "share_memory",
                                                       "state_dict",
                                                       "to",
                                                       "to_empty",
                                                       "train",
                                                       "training",
                                                       "type",
                                                       "xpu",
                                                       "zero_grad"};
static_assert(std::ranges::is_sorted(moduleNames));

constexpr std::string_view hexDigits = "0123456789abcdef";
constexpr std::size_t longestComment = 500;

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

// Takes the first character off `text`, which is not empty. None for a byte that is part of no character.
std::optional<char32_t> takeCharacter(std::string_view& text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    char32_t character = length == 1 ? first : first & (0xffU >> (length + 1));
    bool isWhole = length > 0 && length <= text.size() && first < 0xf5;
    for (std::size_t i = 1; isWhole && i < length; ++i) {
        isWhole = (byte(i) & 0xc0) == 0x80;
        character = (character << 6) | (byte(i) & 0x3f);
    }
    const bool isOverlong = (length == 3 && character < 0x800) || (length == 4 && character < 0x10000);
    const bool isSurrogate = character >= 0xd800 && character < 0xe000;
    isWhole = isWhole && !isOverlong && !isSurrogate && character < 0x110000;
    text.remove_prefix(isWhole ? length : 1);
    return isWhole ? std::optional(character) : std::nullopt;
}

// Control and format characters, separators of lines, what changes the direction of writing, no characters.
bool isPrintable(char32_t character)
{
    struct Range
    {
        char32_t first;
        char32_t last;
    };
    static constexpr std::array unprintable{
        Range{0x00, 0x1f},     Range{0x7f, 0xa0},     Range{0xad, 0xad},     Range{0x34f, 0x34f},
        Range{0x600, 0x605},   Range{0x61c, 0x61c},   Range{0x115f, 0x1160}, Range{0x17b4, 0x17b5},
        Range{0x180b, 0x180f}, Range{0x2000, 0x200f}, Range{0x2028, 0x202f}, Range{0x205f, 0x206f},
        Range{0x3164, 0x3164}, Range{0xe000, 0xf8ff}, Range{0xfe00, 0xfe0f}, Range{0xfeff, 0xfeff},
        Range{0xffa0, 0xffa0}, Range{0xfff0, 0xfffb}, Range{0xfffe, 0xffff}, Range{0xe0000, 0x10ffff}};
    return std::ranges::none_of(unprintable, [character](const Range& range) {
        return character >= range.first && character <= range.last;
    });
}

// Stands in a comment as it is.
bool isPlain(char c)
{
    return c >= ' ' && c <= '~' && c != '\\' && c != '"';
}

// "\x07", "\u2028", "\U0001f600".
void appendEscaped(std::string& text, char32_t character)
{
    const int digits = character < 0x100 ? 2 : character < 0x10000 ? 4 : 8;
    (text += '\\') += digits == 2 ? 'x' : digits == 4 ? 'u' : 'U';
    for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
        text += hexDigits[(character >> shift) & 15];
}

} // namespace

// ---------------------------------------------------------------- names
bool isPythonWord(std::string_view text)
{
    const bool isMangled = text.starts_with("__") && (!text.ends_with("__") || text == "__debug__");
    return !text.empty() && isLetter(text.front()) && !isMangled &&
           std::ranges::all_of(text, [](char c) { return isLetter(c) || isDigit(c); }) &&
           !std::ranges::binary_search(keywords, text);
}

std::optional<PythonText> pythonWord(std::string_view text)
{
    return isPythonWord(text) ? std::optional(PythonText::made(std::string(text))) : std::nullopt;
}

PythonText pythonVariable(std::string_view text)
{
    std::string made;
    for (const char c : text)
        made += isLetter(c) || isDigit(c) ? c : '_';
    const bool isPythons = contains(ownNames, made) || made.starts_with("__");
    const std::optional<PythonText> word = isPythons ? std::nullopt : pythonWord(made);
    return word ? *word : *pythonWord("v_" + made);
}

PythonText pythonAttribute(std::string_view path, const PythonText& module)
{
    PythonText expression = module;
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('.', begin), path.size());
        const std::string_view part = path.substr(begin, end - begin);
        if (const std::optional<PythonText> word = pythonWord(part);
            word && part.front() != '_' && !std::ranges::binary_search(moduleNames, part))
            (expression += ".") += *word;
        else if (isPlainNumber(part))
            expression += "[" + pythonInt(std::stoll(std::string(part))) + "]";
        else
            expression += "[" + pythonString(part) + "]";
        begin = end + 1;
    }
    return expression;
}

// ---------------------------------------------------------------- texts and numbers
PythonText pythonString(std::string_view text)
{
    std::string quoted = "'";
    while (!text.empty()) {
        const auto byte = static_cast<unsigned char>(text.front());
        const std::optional<char32_t> character = takeCharacter(text);
        if (!character)
            appendEscaped(quoted, 0xdc00U + byte);
        else if (*character == '\n')
            quoted += "\\n";
        else if (*character < 0x20 || *character >= 0x7f)
            appendEscaped(quoted, *character);
        else
            (quoted += *character == '\'' || *character == '\\' ? "\\" : "") += static_cast<char>(byte);
    }
    return PythonText::made(quoted + "'");
}

PythonText pythonComment(std::string_view text)
{
    std::string line;
    std::size_t count = 0;
    while (!text.empty()) {
        if (++count > longestComment) {
            line += "...";
            break;
        }
        if (const char plain = text.front(); isPlain(plain)) {
            line += plain;
            text.remove_prefix(1);
            continue;
        }
        const std::string_view before = text;
        const std::optional<char32_t> character = takeCharacter(text);
        if (!character || !isPrintable(*character) || *character == '\\')
            line += '?';
        else if (*character == '"')
            line += '\'';
        else
            line += before.substr(0, before.size() - text.size());
    }
    return PythonText::made(std::move(line));
}

PythonText pythonInt(std::int64_t number)
{
    return PythonText::made(std::to_string(number));
}

PythonText pythonFloat(double number)
{
    if (std::isnan(number))
        return PythonText("nan");
    if (std::isinf(number))
        return number > 0 ? PythonText("inf") : PythonText("-inf");
    std::array<char, 32> buffer{};
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number);
    std::string text(buffer.data(), written.ptr);
    if (text.find_first_of(".e") == std::string::npos)
        text += ".0";
    return PythonText::made(std::move(text));
}

PythonText pythonKey(const PytreeKey& key)
{
    PythonText elements;
    switch (key.kind) {
    case PytreeKey::Kind::Number: {
        std::int64_t number = 0;
        const char* end = key.text.data() + key.text.size();
        const auto read = std::from_chars(key.text.data(), end, number);
        return read.ec == std::errc() && read.ptr == end
                   ? pythonInt(number)
                   : pythonFloat(std::strtod(key.text.c_str(), nullptr));
    }
    case PytreeKey::Kind::Truth:
        return pythonBool(key.text == "true");
    case PytreeKey::Kind::None:
        return PythonText("None");
    case PytreeKey::Kind::Tuple:
        for (const PytreeKey& element : key.elements)
            elements += pythonKey(element) + ", ";
        return "(" + elements + ")";
    case PytreeKey::Kind::Text:
    case PytreeKey::Kind::Member:
        break;
    }
    return pythonString(key.text);
}

PythonText pythonBool(bool truth)
{
    return truth ? PythonText("True") : PythonText("False");
}

PythonText pythonName(DType dtype)
{
    const std::string_view name = torchName(dtype);
    return "torch." + *pythonWord(name.substr(name.find('.') + 1));
}

PythonText pythonName(MemoryFormat format)
{
    switch (format) {
    case MemoryFormat::Contiguous:
        return PythonText("torch.contiguous_format");
    case MemoryFormat::ChannelsLast:
        return PythonText("torch.channels_last");
    case MemoryFormat::ChannelsLast3d:
        return PythonText("torch.channels_last_3d");
    case MemoryFormat::Preserve:
        break;
    }
    return PythonText("torch.preserve_format");
}

PythonText pythonName(TensorLayout layout)
{
    switch (layout) {
    case TensorLayout::Coo:
        return PythonText("torch.sparse_coo");
    case TensorLayout::Csr:
        return PythonText("torch.sparse_csr");
    case TensorLayout::Csc:
        return PythonText("torch.sparse_csc");
    case TensorLayout::Bsr:
        return PythonText("torch.sparse_bsr");
    case TensorLayout::Bsc:
        return PythonText("torch.sparse_bsc");
    case TensorLayout::Mkldnn:
        return PythonText("torch._mkldnn");
    case TensorLayout::Strided:
        break;
    }
    return PythonText("torch.strided");
}

PythonText joined(const std::vector<PythonText>& parts)
{
    PythonText text;
    for (const PythonText& part : parts) {
        if (!text.isEmpty())
            text += ", ";
        text += part;
    }
    return text;
}

// ---------------------------------------------------------------- lines
void PythonLines::addText(std::string_view line, std::vector<NodeId> nodes)
{
    assert(line.find('\n') == line.npos);
    if (!line.empty())
        m_code.text.append(m_indentation, ' ').append(line);
    m_code.text += '\n';
    m_code.nodesOfLine.push_back(std::move(nodes));
}

void PythonLines::add(const PythonText& line, std::vector<NodeId> nodes)
{
    addText(line.text(), std::move(nodes));
}

void PythonLines::addCall(const PythonText& line, std::vector<NodeId> nodes, std::vector<ValueId> returned)
{
    m_code.valuesOfLine.emplace(m_code.nodesOfLine.size(), std::move(returned));
    add(line, std::move(nodes));
}

void PythonLines::addLines(PythonLiteral lines)
{
    for (std::string_view rest = lines.text(); !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        addText(rest.substr(0, end), {});
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

void PythonLines::noteRefusals()
{
    for (const std::string& refusal : m_code.refusals)
        add("# NotImplemented: " + pythonComment(refusal));
}

void PythonLines::addDeclaration(const PythonText& line, ValueId value)
{
    m_code.valuesOfLine.emplace(m_code.nodesOfLine.size(), std::vector{value});
    add(line);
}

} // namespace stagecraft
