#include "app/document/search_findings.h"

#include "app/document/recomputed_plans.h"

#include <algorithm>

namespace stagecraft {

void SearchFindings::take(const Problem& problem, const Solution& solution)
{
    m_bounds[problem] = {solution.bound, solution.iterationBound};
}

SearchFindings::Asked SearchFindings::askedBy(const PlanState& state)
{
    return {askedToSettle(state).request, state.times, state.substitutes};
}

void SearchFindings::say(const PlanState& state, SearchWord word)
{
    const Asked asked = askedBy(state);
    std::erase_if(m_said, [&](const Said& said) { return said.asked == asked; });
    if (!word.text.isEmpty())
        m_said.push_back({asked, std::move(word), state.partition});
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
    if (m_said.empty() || !state.cost)
        return {};
    const auto said = std::ranges::find(m_said, askedBy(state), &Said::asked);
    if (said == m_said.end())
        return {};
    const bool holds = said->word.isUnfit ? !state.cost->fits() : *said->plan == *state.partition;
    return holds ? said->word : SearchWord();
}

} // namespace stagecraft
