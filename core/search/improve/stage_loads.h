// StageLoads: the figures of all stages while single groups move between them.
//
// A move costs what the group touches, not the whole graph. Equal to stageFigures() at any time, but for
// rounding.
#pragma once

#include "core/search/reduce/reduction.h"

#include <set>
#include <vector>

namespace stagecraft {

class StageLoads
{
public:
    StageLoads(const ReducedProblem& reduced, GroupStages stages);

    const GroupStages& stages() const { return m_stages; }
    void move(GroupIndex group, std::uint32_t stage);
    // No precedence and no pin stands against it.
    bool mayMove(GroupIndex group, std::uint32_t stage) const;

    std::size_t groupCount(std::size_t stage) const { return m_groupCounts[stage]; }
    double load(std::size_t stage) const;
    // Bytes above the limit.
    double excess(std::size_t stage) const;

private:
    void addGroup(GroupIndex group, std::uint32_t stage, int sign);
    void addValue(std::uint32_t value, double sign);
    std::uint32_t& pins(std::uint32_t value, std::size_t stage)
    {
        return m_pins[value * m_reduced.stageCount() + stage];
    }

    const ReducedProblem& m_reduced;
    GroupStages m_stages;
    std::vector<StageFigures> m_figures;
    std::vector<std::uint32_t> m_groupCounts;
    std::vector<std::uint32_t> m_pins;        // of each value in each stage
    std::vector<std::uint32_t> m_sharedUsers; // likewise of shared memory
    std::vector<std::multiset<std::int64_t>> m_transients;
};

} // namespace stagecraft
