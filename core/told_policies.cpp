#include "core/told_policies.h"

#include <algorithm>

namespace stagecraft {

ToldPolicies::ToldPolicies(std::span<const Bytes> caps)
{
    for (const RecomputeKind kind : {RecomputeKind::Full, RecomputeKind::Operators, RecomputeKind::Every})
        m_all.push_back({kind});
    for (const Bytes cap : caps)
        m_all.push_back({RecomputeKind::Plan, cap});
}

void ToldPolicies::madeRoom(const Policy& policy)
{
    const auto found = std::ranges::find(m_all, policy);
    if (found != m_all.end())
        std::rotate(m_all.begin(), found, found + 1);
}

} // namespace stagecraft
