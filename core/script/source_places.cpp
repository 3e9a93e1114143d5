#include "core/script/source_places.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t maxText = 160;

std::string trimmed(std::string text)
{
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    if (text.size() > maxText)
        text = text.substr(0, maxText) + "...";
    return text;
}

// "torch.nn.functional" of "code/torch/nn/functional.py".
std::string moduleOf(const std::string& file)
{
    constexpr std::string_view folder = "code/", ending = ".py";
    if (!file.starts_with(folder) || !file.ends_with(ending))
        return {};
    std::string module = file.substr(folder.size(), file.size() - folder.size() - ending.size());
    std::ranges::replace(module, '/', '.');
    return module;
}

std::vector<SourceFrame> framesOf(const torch::jit::Node& node, const std::string& function,
                                  const OriginalLines& lines)
{
    // A `with` has no place of its own: that of what it enters.
    const bool isWith = node.kind() == torch::jit::prim::Enter || node.kind() == torch::jit::prim::Exit;
    const torch::jit::SourceRange range = (isWith ? *node.input(0)->node() : node).sourceRange();
    const auto place = range.file_line_col();
    if (!place)
        return {{"code", 0, function, ""}};
    const std::string& file = std::get<0>(*place);
    std::vector<SourceFrame> frames = lines.at(moduleOf(file), range.start(), range.end(), function);
    const std::shared_ptr<torch::jit::Source> source = range.source();
    const std::size_t line = source->lineno_for_offset(range.start());
    if (frames.empty())
        frames.push_back({file, static_cast<int>(line) + 1, function, source->get_line(line).str()});
    for (SourceFrame& frame : frames)
        frame.text = trimmed(std::move(frame.text));
    return frames;
}

} // namespace

SourcePlaces::Step SourcePlaces::leave()
{
    const Step step = m_steps.back();
    m_steps.pop_back();
    return step;
}

std::vector<SourceFrame> SourcePlaces::frames()
{
    std::vector<SourceFrame> all;
    for (const Step& step : m_steps) {
        const std::vector<SourceFrame>& own = placeOf(step);
        if (own.size() > 1)
            all.clear();
        all.insert(all.end(), own.begin(), own.end());
    }
    return all;
}

const std::vector<SourceFrame>& SourcePlaces::placeOf(const Step& step)
{
    const auto [known, isNew] = m_known.try_emplace(step.statement);
    if (isNew)
        known->second = framesOf(*step.statement, *step.function, m_lines);
    return known->second;
}

} // namespace stagecraft
