// SearchFindings: what searches found out beside their plans: bounds, and a word to the person. Both are of a
// problem, and hold again where a step of undo brings that back.
#pragma once

#include "app/document/tried_plan.h"
#include "core/workflow.h"

#include <QString>

#include <map>
#include <memory>

namespace stagecraft {

struct SearchWord
{
    QString text;         // empty: nothing is to be said
    bool isUnfit = false; // no plan of the problem keeps the memory limits; else it is of one plan

    friend bool operator==(const SearchWord&, const SearchWord&) = default;
};

class SearchFindings
{
public:
    using Problem = std::shared_ptr<const PartitionProblem>;

    void take(const Problem& problem, const Solution& solution);
    // Of a search that found the plan of `state`.
    void say(const PlanState& state, SearchWord word);
    // `now` is the plan of `before` with other figures: what was said of that holds.
    void carryOver(const PlanState& before, const PlanState& now);
    void clear();

    bool knows(const Problem& problem) const { return m_bounds.contains(problem); }
    KnownBounds boundsOf(const Problem& problem) const;
    SearchWord wordOf(const PlanState& state) const;

private:
    struct Said
    {
        SearchWord word;
        std::shared_ptr<const Partition> plan;
    };
    std::map<Problem, KnownBounds> m_bounds;
    std::map<Problem, Said> m_said;
};

} // namespace stagecraft
