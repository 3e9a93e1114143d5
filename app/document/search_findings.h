// SearchFindings: what searches found out beside their plans: bounds, which are of a problem, and a word to
// the person, which is of all that was asked. Both hold again where that comes back: by a step of undo, and
// the word where a person asks the same anew.
#pragma once

#include "app/document/tried_plan.h"
#include "core/workflow.h"

#include <QString>

#include <map>
#include <memory>
#include <vector>

namespace stagecraft {

struct SearchWord
{
    QString text;         // empty: nothing is to be said
    bool isUnfit = false; // no plan of what is asked keeps the memory limits; else it is of one plan

    friend bool operator==(const SearchWord&, const SearchWord&) = default;
};

class SearchFindings
{
public:
    using Problem = std::shared_ptr<const PartitionProblem>;

    void take(const Problem& problem, const Solution& solution);
    // Of a search that found the plan of `state`; without a text there is nothing to say of it any more.
    void say(const PlanState& state, SearchWord word);
    void clear();

    bool knows(const Problem& problem) const { return m_bounds.contains(problem); }
    KnownBounds boundsOf(const Problem& problem) const;
    SearchWord wordOf(const PlanState& state) const;

private:
    // Of which problem, whatever profile it is made of and whatever regions came of a policy.
    struct Asked
    {
        PlanRequest request;
        std::shared_ptr<const TimeOverrides> times;
        std::shared_ptr<const Substitutes> substitutes;

        friend bool operator==(const Asked&, const Asked&) = default;
    };
    struct Said
    {
        Asked asked;
        SearchWord word;
        std::shared_ptr<const Partition> plan;
    };
    static Asked askedBy(const PlanState& state);

    std::map<Problem, KnownBounds> m_bounds;
    std::vector<Said> m_said;
};

} // namespace stagecraft
