#include "core/script/original_lines.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace stagecraft {

namespace {

using Pickled = PickleValue;

constexpr const char* withTable = "FORMAT_WITH_STRING_TABLE";
constexpr std::size_t maxStack = 64;

// A function that was asked for: its text, where that stands, and where in it.
struct OriginalSource
{
    std::string text, file;
    std::int64_t firstLine = 1;
    std::size_t start = 0;
};

const Pickled* element(const Pickled* sequence, std::size_t index)
{
    return sequence && sequence->isSequence() && index < sequence->elements.size()
               ? sequence->elements[index].get()
               : nullptr;
}

std::optional<std::int64_t> numberOf(const Pickled* value)
{
    return value && value->kind == Pickled::Kind::Int ? std::optional(value->integer) : std::nullopt;
}

// A text, or its number in the table.
std::string textOf(const Pickled* value, const Pickled* table)
{
    if (value && value->kind == Pickled::Kind::Text)
        return value->text;
    const std::optional<std::int64_t> index = numberOf(value);
    const Pickled* const entry =
        index && *index >= 0 ? element(table, static_cast<std::size_t>(*index)) : nullptr;
    return entry && entry->kind == Pickled::Kind::Text ? entry->text : std::string();
}

// The list that a text is put together from is made by a function of PyTorch's.
std::string joinedText(const Pickled* pieces, const Pickled* table)
{
    if (pieces && pieces->kind == Pickled::Kind::Object && !pieces->elements.empty())
        pieces = element(pieces->elements.front().get(), 0);
    if (!pieces || !pieces->isSequence())
        return textOf(pieces, table);
    std::string text;
    for (const PickleNode& piece : pieces->elements)
        text += textOf(piece.get(), table);
    return text;
}

// From the last record that begins at `begin` or before to one at `end`, where the arguments of a call begin,
// the first that says anything: what was written around a call is of no line.
std::optional<OriginalSource> sourceIn(const Pickled& root, std::size_t begin, std::size_t end)
{
    const bool hasTable = textOf(element(&root, 0), nullptr) == withTable;
    const Pickled* const table = hasTable ? element(&root, 1) : nullptr;
    const Pickled* const records = hasTable ? element(&root, 2) : &root;
    if (!records || !records->isSequence())
        return std::nullopt;
    const auto startOf = [](const PickleNode& record) {
        return numberOf(element(record.get(), 0)).value_or(0);
    };
    const std::vector<PickleNode>& all = records->elements;
    auto next = std::ranges::upper_bound(all, static_cast<std::int64_t>(begin), {}, startOf);
    next -= next == all.begin() ? 0 : 1;
    for (; next != all.end() && startOf(*next) <= static_cast<std::int64_t>(end); ++next) {
        const Pickled* const range = element(next->get(), 1);
        const Pickled* const source = element(range, 0);
        const std::int64_t start = std::max<std::int64_t>(numberOf(element(range, 1)).value_or(0), 0);
        OriginalSource made{joinedText(element(source, 0), table), textOf(element(source, 1), table),
                            numberOf(element(source, 2)).value_or(1), static_cast<std::size_t>(start)};
        if (!made.text.empty() && made.start <= made.text.size())
            return made;
    }
    return std::nullopt;
}

// "model.py(13): forward"
std::optional<SourceFrame> callOf(std::string_view line)
{
    const std::size_t close = line.rfind("): ");
    const std::size_t open = close == line.npos ? line.npos : line.rfind('(', close);
    if (open == line.npos || open == 0)
        return std::nullopt;
    SourceFrame frame{std::string(line.substr(0, open)), 0, std::string(line.substr(close + 3)), ""};
    const char* const end = line.data() + close;
    const auto read = std::from_chars(line.data() + open + 1, end, frame.line);
    return read.ec == std::errc{} && read.ptr == end ? std::optional(std::move(frame)) : std::nullopt;
}

bool isOfModules(const SourceFrame& frame)
{
    return frame.file.ends_with("torch/nn/modules/module.py") &&
           (frame.function.starts_with("_call_impl") || frame.function.starts_with("_slow_forward") ||
            frame.function.starts_with("_wrapped_call_impl"));
}

// What the tracer wrote, innermost first, without the tracer and who called it. Empty: it is no such text.
std::vector<SourceFrame> callsOf(std::string_view text)
{
    std::vector<SourceFrame> calls;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::optional<SourceFrame> call = callOf(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!call)
            return {};
        if (call->file.ends_with("torch/jit/_trace.py"))
            break;
        if (!isOfModules(*call) && calls.size() < maxStack)
            calls.push_back(*std::move(call));
    }
    std::ranges::reverse(calls);
    return calls;
}

SourceFrame frameOf(const OriginalSource& source, const std::string& function)
{
    const std::string_view before = std::string_view(source.text).substr(0, source.start);
    const std::size_t begin = before.rfind('\n') + 1; // also where there is none
    std::string_view line = std::string_view(source.text).substr(begin);
    line = line.substr(0, line.find('\n'));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const std::int64_t number = source.firstLine + std::ranges::count(before, '\n');
    return {source.file, static_cast<int>(std::clamp<std::int64_t>(number, 0, 1 << 30)), function,
            std::string(line)};
}

} // namespace

std::vector<SourceFrame> OriginalLines::at(const std::string& module, std::size_t begin, std::size_t end,
                                           const std::string& function) const
{
    const auto found = m_archive.lines.find(module);
    if (found == m_archive.lines.end())
        return {};
    const std::optional<OriginalSource> source = sourceIn(*found->second, begin, end);
    if (!source)
        return {};
    if (std::vector<SourceFrame> calls = callsOf(source->text); !calls.empty())
        return calls;
    if (source->file.empty())
        return {};
    return {frameOf(*source, function)};
}

} // namespace stagecraft
