// ToldPolicies: what a person could have told a stage that is over its room with what was chosen for it.
//
//     every block    matrix products kept    every other    the fewest bytes, under each cap
//
// Each takes a trace of the whole plan. What made room in one partition mostly does so in others of the
// model: it comes first there.
#pragma once

#include "core/base/quantities.h"
#include "core/recompute/recompute_policy.h"

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

class ToldPolicies
{
public:
    struct Policy
    {
        RecomputeKind kind = RecomputeKind::Full;
        std::optional<Bytes> cap =
            {}; // instead: runs that let go what can be, none of more than that at once

        bool isEveryBlock() const { return kind == RecomputeKind::Full && !cap; }
        bool operator==(const Policy&) const = default;
    };

    explicit ToldPolicies(std::span<const Bytes> caps);

    const std::vector<Policy>& all() const { return m_all; }
    void madeRoom(const Policy& policy);

private:
    std::vector<Policy> m_all;
};

} // namespace stagecraft
