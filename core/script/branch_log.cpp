#include "core/script/branch_log.h"

#include <torch/csrc/jit/ir/ir.h>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t maxNotes = 40;

bool onlyRaises(const torch::jit::Block& block)
{
    return std::ranges::any_of(block.nodes(), [](const torch::jit::Node* node) {
        return node->kind() == torch::jit::prim::RaiseException;
    });
}

} // namespace

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
