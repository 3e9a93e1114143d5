#include "app/document/search_findings.h"

namespace stagecraft {

void SearchFindings::take(const Problem& problem, const Solution& solution)
{
    m_bounds[problem] = {solution.bound, solution.iterationBound};
}

void SearchFindings::say(const PlanState& state, SearchWord word)
{
    m_said[state.problem] = {std::move(word), state.partition};
}

void SearchFindings::carryOver(const PlanState& before, const PlanState& now)
{
    if (SearchWord word = wordOf(before); !word.text.isEmpty())
        say(now, std::move(word));
}

void SearchFindings::clear()
{
    m_bounds.clear();
    m_said.clear();
}

KnownBounds SearchFindings::boundsOf(const Problem& problem) const
{
    const auto known = m_bounds.find(problem);
    return known == m_bounds.end() ? KnownBounds() : known->second;
}

SearchWord SearchFindings::wordOf(const PlanState& state) const
{
    const auto found = m_said.find(state.problem);
    if (found == m_said.end() || !state.cost)
        return {};
    const auto& [word, plan] = found->second;
    const bool holds = word.isUnfit ? !state.cost->fits() : *plan == *state.partition;
    return holds ? word : SearchWord();
}

} // namespace stagecraft
