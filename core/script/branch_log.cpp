#include "core/script/branch_log.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t maxNotes = 40;
constexpr std::size_t maxText = 160;

bool onlyRaises(const torch::jit::Block& block)
{
    return std::ranges::any_of(block.nodes(), [](const torch::jit::Node* node) {
        return node->kind() == torch::jit::prim::RaiseException;
    });
}

std::string trimmed(std::string text)
{
    text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    if (text.size() > maxText)
        text = text.substr(0, maxText) + "...";
    return text;
}

} // namespace

SourceFrame sourceFrame(const torch::jit::Node& node, const std::string& function)
{
    const torch::jit::SourceRange range = node.sourceRange();
    const auto place = range.file_line_col();
    if (!place)
        return {"code", 0, function, ""};
    const std::shared_ptr<torch::jit::Source> source = range.source();
    const std::size_t line = source->lineno_for_offset(range.start());
    return {std::get<0>(*place), static_cast<int>(line) + 1, function, trimmed(source->get_line(line).str())};
}

void BranchLog::add(const torch::jit::Node& branch, bool taken, const SourceFrame& place)
{
    if (onlyRaises(*branch.blocks().at(0)) || onlyRaises(*branch.blocks().at(1)))
        return;
    Ways& ways = m_branches[{place.file, place.line}];
    ways.text = place.text;
    ++(taken ? ways.taken : ways.notTaken);
}

void BranchLog::addChange(const std::string& attribute)
{
    m_changes.insert(attribute);
}

std::vector<std::string> BranchLog::notes() const
{
    std::vector<std::string> all;
    for (const std::string& attribute : m_changes)
        if (all.size() < maxNotes)
            all.push_back("forward() changes the attribute '" + attribute +
                          "' for the next run; all runs are taken to be like the first");
    const std::size_t mostBranches = all.size() + maxNotes;
    for (const auto& [place, ways] : m_branches) {
        if (all.size() == mostBranches) {
            all.push_back(std::to_string(m_branches.size() - maxNotes) + " more branches");
            break;
        }
        const std::string way = ways.taken == 0      ? "not taken"
                                : ways.notTaken == 0 ? "taken"
                                                     : "taken " + std::to_string(ways.taken) + " times of " +
                                                           std::to_string(ways.taken + ways.notTaken);
        all.push_back("branch " + way + ": " + place.first + ":" + std::to_string(place.second) + ": " +
                      ways.text);
    }
    return all;
}

} // namespace stagecraft
