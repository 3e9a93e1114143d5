// BranchLog: what held for the run that a script was followed in, for the person: which way it went at each
// of its branches, since another input may go another, and which attributes it left otherwise for the next.
#pragma once

#include "core/graph/graph.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace torch::jit {
struct Node;
}

namespace stagecraft {

class BranchLog
{
public:
    // A prim::If at `place`. Those where a way only raises an error are checks, and not listed.
    void add(const torch::jit::Node& branch, bool taken, const SourceFrame& place);
    // An attribute of a module that is assigned another value. LibTorch does not keep where.
    void addChange(const std::string& attribute);
    // One line an attribute, then one a branch, in the order of the lines; of very many the first.
    std::vector<std::string> notes() const;

private:
    struct Ways
    {
        std::string text; // of the line
        int taken = 0;
        int notTaken = 0;
    };
    std::map<std::pair<std::string, int>, Ways> m_branches; // by file and line
    std::set<std::string> m_changes;
};

} // namespace stagecraft
