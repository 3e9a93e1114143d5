// Loads: what the stages take while groups are put into them, taken out and moved.
//
// A change costs what the group touches, not the whole graph. It needs no complete plan: what the placed
// groups cost is certain of every plan that agrees with them, and never falls when another group is placed.
// Equal to evaluate() and scheduleCosts() where all groups are placed, but for rounding, which adds up over
// many changes.
#pragma once

#include "core/search/reduce/reduction.h"

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace stagecraft {

// Of groups that come and go the most of each of their Transients.
class MostOfGroups
{
public:
    void add(const Transients& transients);
    void remove(const Transients& transients);
    Transients most() const;

private:
    std::multiset<Bytes> m_whole, m_input, m_weight, m_waiting, m_behind;
};

class Loads
{
public:
    // Nothing is placed. `reduced` must outlive this.
    explicit Loads(const ReducedProblem& reduced);
    // All is.
    Loads(const ReducedProblem& reduced, GroupStages stages);

    static constexpr std::uint32_t nowhere = static_cast<std::uint32_t>(-1);

    // The stage of each group, or nowhere.
    const GroupStages& stages() const { return m_stages; }
    void place(ReducedGroupId group, std::uint32_t stage); // that is nowhere
    void remove(ReducedGroupId group);                     // that is somewhere
    void move(ReducedGroupId group, std::uint32_t stage);  // likewise
    // In a complete plan, no precedence and no pin stands against it.
    bool mayMove(ReducedGroupId group, std::uint32_t stage) const;

    std::size_t groupCount(std::size_t stage) const { return m_groupCounts[stage]; }
    // In seconds; 0 of an empty stage.
    double load(std::size_t stage) const
    {
        return m_groupCounts[stage] == 0 ? 0 : stageLoad(m_reduced.options.objective, m_sums[stage]).value();
    }
    // The most that the stage holds at once, 0 of an empty one; only where memory is limited.
    Bytes memory(std::size_t stage) const
    {
        if (m_groupCounts[stage] == 0)
            return {};
        return stageMemory(hold(stage, turnsOf(stage)), m_reduced.largest[stage]);
    }
    // Bytes above the limit.
    double excess(std::size_t stage) const;
    // As the simulator wants them; up to date until the next change. An empty stage that must not be pays for
    // what passes it.
    const ScheduleCosts& costs();

private:
    // Of a value over a link.
    struct Price
    {
        Seconds forward;
        Seconds backward;
    };

    void priceValues();
    void change(ReducedGroupId group, std::uint32_t stage, int sign);
    void changeLastStage(std::uint32_t stage);
    void lowerLastStage();
    void pay(std::uint32_t value, double sign);
    // Of the groups of a stage, joined or split as its backward pass is.
    bool joinsBackward(std::size_t stage) const { return m_splitsBackward && m_recomputeCounts[stage] > 0; }
    StageHold hold(std::size_t stage, const StageTurns& turns) const;
    bool fitsForSure(std::size_t stage, Bytes limit) const;
    StageTurns turnsOf(std::size_t stage) const;
    static void hold(HeldBytes& sum, const HeldBytes& held, bool isMore);
    HeldBytes heldByRuntime(std::uint32_t value, std::size_t stage, Payment way);
    void payAll(ReducedGroupId group, double sign);
    std::span<std::uint32_t> partsOf(std::size_t value)
    {
        return std::span(m_parts).subspan(value * m_reduced.stageCount(), m_reduced.stageCount());
    }

    const ReducedProblem& m_reduced;
    bool m_splitsBackward = false;
    std::vector<double> m_slowness;       // 1 / speed of each stage
    std::vector<std::size_t> m_linkKinds; // of each link; those of a kind have the same prices
    std::size_t m_kindCount = 0;
    std::vector<Price> m_prices; // of each value over each kind of link

    GroupStages m_stages;
    std::uint32_t m_lastStage = 0; // that returns what the model returns
    std::vector<std::size_t> m_groupCounts;
    std::vector<std::uint32_t> m_parts;         // of each value in each stage
    std::vector<std::uint32_t> m_sharedUsers;   // of each shared state in each stage
    std::vector<std::size_t> m_recomputeCounts; // groups with a checkpoint region in each stage
    std::vector<std::uint32_t> m_linkCounts;    // values that are sent directly from one stage to another
    std::vector<StageTimes> m_sums;             // times alone
    std::vector<HeldBytes> m_held;              // of groups
    std::vector<HeldBytes> m_heldByRuntime;     // besides
    std::vector<MostOfGroups> m_transients;
    std::size_t m_placed = 0; // groups
    std::vector<Bytes> m_mostInTurns;
    mutable std::vector<std::optional<StageTurns>> m_turns; // by stage; none: not asked yet
    ScheduleCosts m_costs;
};

// The largest load, in seconds, without what rounding adds up to; infinite where a memory limit is broken or
// an empty stage is forbidden.
double bottleneckOf(const ReducedProblem& reduced, const GroupStages& stages);

} // namespace stagecraft
