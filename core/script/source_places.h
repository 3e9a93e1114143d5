// SourcePlaces: the statements that a script is at, one calling the other, and where each stands: in the
// person's Python where the file knows that, else in the file's own code.
#pragma once

#include "core/script/original_lines.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace torch::jit {
struct Node;
}

namespace stagecraft {

class SourcePlaces
{
public:
    struct Step
    {
        const torch::jit::Node* statement;
        const std::string* function; // that it stands in; both must live until it is left
    };

    // `archive` must outlive this.
    explicit SourcePlaces(const ScriptArchive& archive) : m_lines(archive) {}

    void enter(Step step) { m_steps.push_back(step); }
    Step leave();
    std::size_t depth() const { return m_steps.size(); }
    // Of the innermost statement, as long as it is not left.
    const SourceFrame& here() { return placeOf(m_steps.back()).back(); }
    // How it came to it, outermost first. An operator that was traced knows that by itself.
    std::vector<SourceFrame> frames();

private:
    const std::vector<SourceFrame>& placeOf(const Step& step);

    OriginalLines m_lines;
    std::vector<Step> m_steps; // outermost first
    std::unordered_map<const torch::jit::Node*, std::vector<SourceFrame>> m_known;
};

} // namespace stagecraft
