// RecomputeChooser::Known: what was chosen for stages before, for who asks for one partition after the other.
#pragma once

#include "core/recompute_choice.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace stagecraft {

class RecomputeChooser::Known
{
    friend class RecomputeChooser;
    std::map<std::pair<std::vector<NodeId>, Room>, std::optional<OfStage>> m_stages;
    std::map<std::size_t, std::size_t> m_prices;                           // by stage, the last
    std::map<std::tuple<Ways, std::vector<NodeId>, Room>, OfStage> m_best; // as good as can be
};

} // namespace stagecraft
