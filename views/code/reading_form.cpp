#include "views/code/reading_form.h"

#include "views/code/line_breaks.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::string_view longAlias = "torch.ops.aten.";
constexpr std::string_view shortAlias = "aten.";
constexpr std::size_t fewestColumns = 16;

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

// A line taken apart: statements, and what stands behind #.
struct LineParts
{
    std::string_view code;
    std::string_view deletion; // "del x", what stands behind ";  "
    std::string_view comment;  // with its #
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

void append(std::vector<std::string>& lines, std::vector<std::string>&& more)
{
    std::ranges::move(more, std::back_inserter(lines));
}

std::vector<std::string> shortened(std::string_view line, std::size_t columns)
{
    if (line.size() <= columns || line.find_first_not_of(' ') == std::string_view::npos)
        return {std::string(line)};
    const LineParts parts = partsOf(line);
    if (parts.code.empty())
        return brokenComment(indentOf(line), parts.comment, columns);
    std::vector<std::string> lines;
    const std::size_t indent = indentOf(line);
    const std::string deletion = parts.deletion.empty() ? std::string() : ";  " + std::string(parts.deletion);
    if (parts.code.size() + deletion.size() <= columns) {
        lines.push_back(std::string(parts.code) + deletion);
    } else {
        lines = brokenStatement(parts.code, columns);
        if (!parts.deletion.empty())
            append(lines, brokenStatement(std::string(indent, ' ') + std::string(parts.deletion), columns));
    }
    if (parts.comment.empty())
        return lines;
    if (lines.back().size() + 2 + parts.comment.size() <= columns)
        lines.back() += "  " + std::string(parts.comment);
    else
        append(lines, brokenComment(indent + 4, parts.comment, columns));
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

bool isImport(std::string_view line)
{
    return line.starts_with("import ") || line.starts_with("from ");
}

} // namespace

ReadingForm::ReadingForm(const StageCode& code, std::size_t columns)
    : m_code(code), m_columns(std::max(columns, fewestColumns)), m_lines(linesIn(code.text))
{
    const bool importsTorch = std::ranges::find(m_lines, std::string_view("import torch")) != m_lines.end();
    if (importsTorch && !hasName(code.text, "aten") && code.text.find(longAlias) != std::string::npos) {
        const auto last = std::ranges::find_if(m_lines.rbegin(), m_lines.rend(), isImport);
        m_alias = static_cast<std::size_t>(m_lines.rend() - last);
    }
    m_made.refusals = code.refusals;
}

bool ReadingForm::takeLines(std::size_t count)
{
    const std::size_t end = m_next + std::min(count, m_lines.size() - m_next);
    for (; m_next < end; ++m_next)
        takeLine(m_next);
    return m_next < m_lines.size();
}

void ReadingForm::takeLine(std::size_t number)
{
    const std::string_view line = m_lines[number];
    const std::size_t first = m_made.nodesOfLine.size();
    const bool wasInText = m_scanner.isInText();
    follow(line);
    if (wasInText || m_scanner.isInText())
        add(line, number);
    else
        for (const std::string& part :
             shortened(m_alias > 0 ? withAlias(line) : std::string(line), m_columns))
            add(part, number);
    if (const auto values = m_code.valuesOfLine.find(number); values != m_code.valuesOfLine.end())
        m_made.valuesOfLine.emplace(first, values->second);
    if (number + 1 == m_alias) {
        add("", m_lines.size());
        add("aten = torch.ops.aten", m_lines.size());
    }
}

void ReadingForm::follow(std::string_view line)
{
    if (!m_scanner.isInText() && line.find_first_of("\"'") == std::string_view::npos)
        return; // most lines
    for (std::size_t at = 0; at < line.size();) {
        if (!m_scanner.isInText() && line[at] == '#')
            return;
        at = m_scanner.next(line, at);
    }
}

void ReadingForm::add(std::string_view line, std::size_t number)
{
    m_made.text += line;
    m_made.text += '\n';
    m_made.nodesOfLine.push_back(number < m_code.nodesOfLine.size() ? m_code.nodesOfLine[number]
                                                                    : std::vector<NodeId>());
}

StageCode readingForm(const StageCode& code, std::size_t columns)
{
    ReadingForm form(code, columns);
    form.takeLines(std::string::npos);
    return std::move(form).made();
}

StageCode wrappedLines(StageCode code, std::size_t columns)
{
    const std::vector<std::string_view> lines = linesIn(code.text);
    const auto isLong = [columns](std::string_view line) { return line.size() > columns; };
    if (std::ranges::none_of(lines, isLong))
        return code;
    StageCode made{.refusals = code.refusals};
    for (std::size_t number = 0; number < lines.size(); ++number) {
        if (auto values = code.valuesOfLine.extract(number)) {
            values.key() = made.nodesOfLine.size();
            made.valuesOfLine.insert(std::move(values));
        }
        std::vector<NodeId> nodes =
            number < code.nodesOfLine.size() ? std::move(code.nodesOfLine[number]) : std::vector<NodeId>();
        if (isLong(lines[number]))
            for (const std::string& part : wrappedLine(lines[number], columns)) {
                made.text += part + '\n';
                made.nodesOfLine.push_back(nodes);
            }
        else {
            made.text.append(lines[number]) += '\n';
            made.nodesOfLine.push_back(std::move(nodes));
        }
    }
    return made;
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
        const bool isModule = indent >= 8 && text.starts_with("# ") && !text.starts_with("#  ") && !runs;
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
