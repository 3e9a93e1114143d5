// WholeLoads: what the stages take while groups are put into them and taken out, as the simulator wants it.
//
// Unlike StageLoads it knows forward from backward, and it needs no complete plan: what the placed groups
// cost is certain of every plan that agrees with them, and never falls when another group is placed. Equal to
// scheduleCosts() where all groups are placed, but for rounding.
#pragma once

#include "core/schedule/simulate.h"
#include "core/search/reduce/reduction.h"

#include <set>
#include <span>
#include <vector>

namespace stagecraft {

class WholeLoads
{
public:
    // `reduced`, of `problem`; both must outlive this.
    WholeLoads(const PartitionProblem& problem, const ReducedProblem& reduced);

    static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

    // The stage of each group, or nowhere.
    const GroupStages& stages() const { return m_stages; }
    void place(GroupIndex group, std::uint32_t stage); // that is nowhere
    void remove(GroupIndex group);                     // that is somewhere
    void move(GroupIndex group, std::uint32_t stage)
    {
        remove(group);
        place(group, stage);
    }

    std::size_t groupCount(std::size_t stage) const { return m_groupCounts[stage]; }
    // Up to date until the next change. Only where memory is limited does it say what is held.
    const ScheduleCosts& costs();

private:
    struct Value
    {
        std::vector<GroupIndex> pins;
        GroupIndex producer = 0;
        bool returned = false;
        std::vector<Seconds> forward; // over each link
        std::vector<Seconds> backward;
    };

    void indexValues(const PartitionProblem& problem);
    void change(GroupIndex group, std::uint32_t stage, int sign);
    void changeLastStage(std::uint32_t stage);
    void apply(const Value& value, std::span<const std::uint32_t> counts, double sign);
    void applyRelayed(const Value& value, std::span<const std::uint32_t> counts, double sign);
    void applyDirect(const Value& value, std::span<const std::uint32_t> counts, double sign);
    void applyAll(const std::vector<std::uint32_t>& values, double sign);
    std::span<std::uint32_t> countsOf(std::size_t value)
    {
        return std::span(m_pinCounts).subspan(value * m_reduced.stageCount(), m_reduced.stageCount());
    }

    const ReducedProblem& m_reduced;
    bool m_limitsMemory = false;
    std::vector<StageTimes> m_groupTimes; // at speed 1
    std::vector<Value> m_values;
    std::vector<std::vector<std::uint32_t>> m_valuesOf; // each group
    std::vector<std::uint32_t> m_returned;              // values that the model returns

    GroupStages m_stages;
    std::uint32_t m_lastStage = 0; // that returns what the model returns
    std::vector<std::size_t> m_groupCounts;
    std::vector<std::uint32_t> m_pinCounts;    // of each value in each stage
    std::vector<std::uint32_t> m_sharedCounts; // of each shared state's users in each stage
    std::vector<std::multiset<std::int64_t>> m_transients;
    std::vector<StageTimes> m_sums;
    bool m_splitsBackward = false;
    std::vector<char> m_recomputes; // group by group: is it, or a part of it, in a checkpoint region?
    std::vector<std::size_t> m_recomputeCounts; // of such groups in each stage
    std::vector<std::uint32_t> m_linkCounts;    // values that lead from one stage to another
    ScheduleCosts m_costs;
};

// What the objective counts of such a stage.
Seconds loadOf(const StageTimes& stage, Objective objective);

} // namespace stagecraft
