// Cuts in the program's order at which no stage takes more than a time, by what each would choose there.
//
//     stage 0   ────x─xx            places up to which it can come: the last few
//     stage 1         ──────x─x     from one of these on
//
// The same that a slicing asks (recompute_cuts.h), of who chooses in earnest: each answer takes a thousand
// times as long, so few are asked for. It comes to cuts that no small move of a boundary leads to.
#pragma once

#include "core/base/work_budget.h"
#include "core/plan/partition.h"
#include "core/plan/problem.h"

#include <functional>
#include <optional>
#include <vector>

namespace stagecraft {

// What a stage takes; none: it cannot be. Where the others lie does not matter, but before or behind it.
using StageLoad = std::function<std::optional<Seconds>(const Partition&, StageId)>;

class ChosenCuts
{
public:
    // At some of these places: numbers of nodes before them, ascending, from none to all. `problem` must
    // outlive it.
    ChosenCuts(const PartitionProblem& problem, std::vector<std::size_t> places, StageLoad loadOf);

    // None: it finds none, or it was over.
    std::optional<Partition> within(Seconds most, const IsOver& isOver) const;
    // The fastest that it finds between the two, nearly.
    std::optional<Partition> fastest(Seconds least, Seconds most, const IsOver& isOver) const;
    // The fastest of all, but that a stage which cannot be is not made longer for long: asks for many more.
    // None: none takes less than `most`, or it was over.
    std::optional<Partition> fastestOfAll(Seconds most, const IsOver& isOver) const;

private:
    // Where a stage can end, by places, and where it then begins.
    struct End
    {
        std::size_t place;
        std::size_t begin;
    };
    using Ends = std::vector<End>; // ascending

    // Of each place, where a stage ends there: the slowest up to there at the best, and where it begins.
    struct Best
    {
        Seconds slowest{infinite};
        std::size_t begin = 0;
    };
    using Bests = std::vector<Best>;

    bool areEnough() const { return m_places.size() > m_problem.stageCount(); } // places for all stages
    Bests bestsOf(std::size_t stage, const Bests& before, Seconds most, const IsOver& isOver) const;
    Ends endsOf(std::size_t stage, const Ends& before, Seconds most, const IsOver& isOver) const;
    std::vector<std::size_t> endsFrom(std::size_t stage, std::size_t begin, std::size_t hint,
                                      Seconds most) const;
    bool isWithin(std::size_t stage, std::size_t begin, std::size_t end, Seconds most) const;
    Seconds between(std::size_t begin, std::size_t end) const;
    Partition with(std::size_t stage, std::size_t begin, std::size_t end) const;
    // What the stages behind one can take together.
    Seconds behind(std::size_t stage, Seconds most) const;
    // `beginOf`: of a stage and where it ends.
    template <typename BeginOf>
    Partition partitionFrom(BeginOf beginOf) const;

    const PartitionProblem& m_problem;
    std::vector<std::size_t> m_places;
    StageLoad m_loadOf;
    std::vector<Seconds> m_seconds; // of all nodes before each, where nothing runs again
};

} // namespace stagecraft
