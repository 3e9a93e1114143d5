// What each idea of the search brings: the same problems with and without it.
#pragma once

#include "core/plan/problem.h"

#include <string>
#include <vector>

namespace stagecraft::bench {

struct AblationCase
{
    std::string kind; // a row sums up those of one kind
    std::string name;
    PartitionProblem problem;
};

// A name of core/search/reduce/search_features.h, or "each".
bool isIdea(const std::string& name);

// A table: by how much plans get slower, bounds lower and searches longer without each of these ideas.
void printAblation(const std::vector<AblationCase>& cases, const std::vector<std::string>& ideas);

} // namespace stagecraft::bench
