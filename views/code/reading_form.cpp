#include "views/code/reading_form.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace stagecraft {

namespace {

constexpr std::string_view longAlias = "torch.ops.aten.";
constexpr std::string_view shortAlias = "aten.";
constexpr std::size_t fewestColumns = 32;

bool isNamePart(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           static_cast<unsigned char>(c) >= 0x80;
}

std::vector<std::string_view> linesIn(std::string_view text)
{
    std::vector<std::string_view> lines;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        lines.push_back(text.substr(start, end - start));
        start = end + 1;
    }
    return lines;
}

std::size_t indentOf(std::string_view line)
{
    return std::min(line.find_first_not_of(' '), line.size());
}

// Follows texts in quotes, and how deep in brackets a place is.
class PythonScanner
{
public:
    // The place behind what begins at `at`: a whole text, else one character.
    std::size_t next(std::string_view line, std::size_t at)
    {
        const char c = line[at];
        if (m_triple)
            return endOfTriple(line, at);
        if (c == '"' || c == '\'')
            return endOfText(line, at);
        if (c == '(' || c == '[' || c == '{')
            ++m_depth;
        else if (c == ')' || c == ']' || c == '}')
            --m_depth;
        return at + 1;
    }
    int depth() const { return m_depth; }
    bool isInText() const { return m_triple.has_value(); }

private:
    std::size_t endOfTriple(std::string_view line, std::size_t at)
    {
        const std::size_t end = line.find(std::string(3, *m_triple), at);
        if (end == std::string_view::npos)
            return line.size();
        m_triple.reset();
        return end + 3;
    }

    std::size_t endOfText(std::string_view line, std::size_t at)
    {
        const char quote = line[at];
        if (line.substr(at, 3) == std::string(3, quote)) {
            m_triple = quote;
            return endOfTriple(line, at + 3);
        }
        for (++at; at < line.size() && line[at] != quote; ++at)
            if (line[at] == '\\')
                ++at;
        return std::min(at + 1, line.size());
    }

    std::optional<char> m_triple; // the quote of a text of several lines
    int m_depth = 0;
};

// A line taken apart: statements, and what stands behind #.
struct LineParts
{
    std::string_view code;
    std::string_view deletion;       // "del x", what stands behind ";  "
    std::string_view comment;        // with its #
    std::vector<std::size_t> breaks; // of code: places behind ", " in brackets
};

LineParts partsOf(std::string_view line)
{
    LineParts parts{.code = line};
    PythonScanner scanner;
    for (std::size_t at = 0; at < line.size();) {
        if (line[at] == '#') {
            parts.comment = line.substr(at);
            parts.code = line.substr(0, at);
            break;
        }
        if (scanner.depth() == 0 && line.substr(at).starts_with(";  del "))
            parts.deletion = line.substr(at);
        if (scanner.depth() > 0 && parts.deletion.empty() && at > 0 && line[at - 1] == ' ' && at > 1 &&
            line[at - 2] == ',')
            parts.breaks.push_back(at);
        at = scanner.next(line, at);
    }
    if (!parts.deletion.empty())
        parts.code = line.substr(0, static_cast<std::size_t>(parts.deletion.data() - line.data()));
    const auto trimmed = [](std::string_view text) { return text.substr(0, text.find_last_not_of(' ') + 1); };
    parts.code = trimmed(parts.code);
    if (!parts.deletion.empty()) {
        const std::size_t length =
            parts.comment.empty() ? parts.deletion.size()
                                  : static_cast<std::size_t>(parts.comment.data() - parts.deletion.data());
        parts.deletion = trimmed(parts.deletion.substr(3, length - 3));
    }
    return parts;
}

// `code` in lines of at most `columns`, where its breaks allow it.
std::vector<std::string> broken(std::string_view code, const std::vector<std::size_t>& breaks,
                                std::size_t columns)
{
    const std::size_t further = indentOf(code) + (code.ends_with(':') ? 8 : 4);
    std::vector<std::string> lines;
    std::size_t start = 0;
    while (start < code.size()) {
        const std::size_t indent = lines.empty() ? 0 : further;
        std::size_t end = code.size();
        if (indent + code.size() - start > columns) {
            std::size_t best = 0;
            for (const std::size_t place : breaks)
                if (place > start && (best == 0 || indent + place - 1 - start <= columns))
                    best = place;
            end = best == 0 ? code.size() : best;
        }
        std::string_view part = code.substr(start, end - start);
        part = part.substr(0, part.find_last_not_of(' ') + 1);
        lines.push_back(std::string(indent, ' ') + std::string(part));
        start = end;
    }
    return lines;
}

std::vector<std::string> shortened(std::string_view line, std::size_t columns)
{
    if (line.size() <= columns || line.find_first_not_of(' ') == std::string_view::npos)
        return {std::string(line)};
    const LineParts parts = partsOf(line);
    if (parts.code.empty())
        return {std::string(line)};
    std::vector<std::string> lines;
    const std::string indent(indentOf(line), ' ');
    const std::string deletion = parts.deletion.empty() ? std::string() : ";  " + std::string(parts.deletion);
    if (parts.code.size() + deletion.size() <= columns) {
        lines.push_back(std::string(parts.code) + deletion);
    } else {
        lines = broken(parts.code, parts.breaks, columns);
        if (!parts.deletion.empty())
            lines.push_back(indent + std::string(parts.deletion));
    }
    if (parts.comment.empty())
        return lines;
    if (lines.back().size() + 2 + parts.comment.size() <= columns)
        lines.back() += "  " + std::string(parts.comment);
    else
        lines.push_back(indent + "    " + std::string(parts.comment));
    return lines;
}

// Outside of texts, where it does not end another name.
std::string withAlias(std::string_view line)
{
    std::string made;
    PythonScanner scanner;
    std::size_t copied = 0;
    for (std::size_t at = 0; (at = line.find_first_of("\"'#t", at)) < line.size();) {
        if (line[at] == '#')
            break;
        const bool beginsName = at == 0 || (!isNamePart(line[at - 1]) && line[at - 1] != '.');
        if (beginsName && line.substr(at).starts_with(longAlias)) {
            made += line.substr(copied, at - copied);
            made += shortAlias;
            copied = at += longAlias.size();
        } else {
            at = scanner.next(line, at);
        }
    }
    return made += line.substr(copied);
}

bool hasName(std::string_view text, std::string_view name)
{
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool begins = at == 0 || (!isNamePart(text[at - 1]) && text[at - 1] != '.');
        const std::size_t end = at + name.size();
        if (begins && (end == text.size() || !isNamePart(text[end])))
            return true;
    }
    return false;
}

class Shortener
{
public:
    Shortener(const StageCode& code, std::size_t columns)
        : m_code(code), m_columns(std::max(columns, fewestColumns))
    {
    }

    StageCode make()
    {
        const std::vector<std::string_view> lines = linesIn(m_code.text);
        const std::string_view torchImport = "import torch";
        const bool aliases = std::ranges::find(lines, torchImport) != lines.end() &&
                             !hasName(m_code.text, "aten") &&
                             m_code.text.find(longAlias) != std::string::npos;
        m_made.refusals = m_code.refusals;
        for (std::size_t number = 0; number < lines.size(); ++number) {
            const bool wasInText = m_scanner.isInText();
            follow(lines[number]);
            if (wasInText || m_scanner.isInText())
                add(std::string(lines[number]), number);
            else
                for (const std::string& line :
                     shortened(aliases ? withAlias(lines[number]) : std::string(lines[number]), m_columns))
                    add(line, number);
            if (const auto values = m_code.valuesOfLine.find(number); values != m_code.valuesOfLine.end())
                m_made.valuesOfLine.emplace(m_first, values->second);
            m_first = m_made.nodesOfLine.size();
            if (aliases && isLastImport(lines, number)) {
                add("", lines.size());
                add("aten = torch.ops.aten", lines.size());
                m_first = m_made.nodesOfLine.size();
            }
        }
        return std::move(m_made);
    }

private:
    static bool isLastImport(const std::vector<std::string_view>& lines, std::size_t number)
    {
        const auto isImport = [](std::string_view line) {
            return line.starts_with("import ") || line.starts_with("from ");
        };
        return isImport(lines[number]) &&
               std::ranges::none_of(lines.begin() + static_cast<std::ptrdiff_t>(number) + 1, lines.end(),
                                    isImport);
    }

    void follow(std::string_view line)
    {
        if (!m_scanner.isInText() && line.find_first_of("\"'") == std::string_view::npos)
            return; // most lines
        for (std::size_t at = 0; at < line.size();) {
            if (!m_scanner.isInText() && line[at] == '#')
                return;
            at = m_scanner.next(line, at);
        }
    }

    void add(const std::string& line, std::size_t number)
    {
        m_made.text += line + '\n';
        m_made.nodesOfLine.push_back(number < m_code.nodesOfLine.size() ? m_code.nodesOfLine[number]
                                                                        : std::vector<NodeId>());
    }

    const StageCode& m_code;
    std::size_t m_columns;
    PythonScanner m_scanner;
    StageCode m_made;
    std::size_t m_first = 0; // line of the new text with which the present one begins
};

} // namespace

StageCode readingForm(const StageCode& code, std::size_t columns)
{
    return Shortener(code, columns).make();
}

std::vector<FoldLine> foldLines(const StageCode& code)
{
    // Of a header its indentation: what is indented more belongs to it, and of a module what stands below.
    struct Open
    {
        std::size_t indent = 0;
        bool isModule = false;
    };
    std::vector<FoldLine> folds;
    std::vector<Open> open;
    PythonScanner scanner;
    const std::vector<std::string_view> lines = linesIn(code.text);
    for (std::size_t number = 0; number < lines.size(); ++number) {
        const std::string_view line = lines[number];
        const std::size_t indent = indentOf(line);
        const std::string_view text = line.substr(indent);
        const bool isOfAnother = scanner.isInText() || text.empty();
        const bool runs = number < code.nodesOfLine.size() && !code.nodesOfLine[number].empty();
        const bool isModule = indent >= 8 && text.starts_with("# ") && !runs;
        const auto isOver = [&](const Open& header) {
            return indent < header.indent || (indent == header.indent && (isModule || !header.isModule));
        };
        while (!isOfAnother && !open.empty() && isOver(open.back()))
            open.pop_back();
        const bool isHeader =
            !isOfAnother && (isModule || text.starts_with("def ") || text.starts_with("class "));
        folds.push_back({static_cast<int>(open.size()), isHeader});
        if (isHeader)
            open.push_back({indent, isModule});
        for (std::size_t at = 0; at < line.size();) {
            if (!scanner.isInText() && line[at] == '#')
                break;
            at = scanner.next(line, at);
        }
    }
    return folds;
}

} // namespace stagecraft
