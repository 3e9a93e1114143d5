// TurnMemory: what nodes make, pass on and let go of as they run one after the other, forward and back, so
// that it can be said of any set of them what is alive at the most (TurnWalk).
//
//     turn of gelu             turn of linear          going back
//     ╭╮                       ╭──╮ peak               above what is alive when the turn begins
//     ╯╰── gradient ──────────►╯  ╰── gradient ──►     passed: it outlives the turn that made it
//        └ what it kept is let go of: no more alive, in a stage that made it
//
// A turn has several parts where something comes or goes on the way that only some stages count.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/argument.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace stagecraft {

struct TurnMemory
{
    // An activation that outlives the turn that made it, by the storage.
    struct Passed
    {
        StorageId storage;
        Bytes bytes;
        NodeId maker;
        std::vector<NodeId> readers = {}; // in the forward pass, ascending
        // By whom autograd keeps it for backward, in the order in which they let go of it.
        std::vector<NodeId> keepers = {};
    };
    struct LetGo
    {
        std::uint32_t activation;
        std::uint32_t keeper; // of its keepers
    };
    struct Range
    {
        std::uint32_t first = 0;
        std::uint32_t end = 0;
    };
    struct Turn
    {
        NodeId node;
        Bytes peak;    // with what it makes for itself, above what is alive and what it passes on
        Bytes reading; // likewise, while autograd's function has what was kept; 0: it reads nothing
        Bytes left;    // of that, when it ends, for its next part; below 0: of the part before
        Range makes;   // of `made`: passed, and there from the beginning
        Range drops;   // of `dropped`: nobody reads it any more when the turn has ended
        Range letsGo;  // of `letGo`: likewise
    };
    // One way, in the order of the step.
    struct Way
    {
        std::vector<Turn> turns;
        std::vector<std::uint32_t> made, dropped;
        // Of `made`, going back, for whom it is added up (memory/passed_sums.h); empty: all are as they are.
        std::vector<std::optional<NodeId>> addedFor = {};

        // Does a stage of those nodes make this one of `made` there?
        template <class IsInStage>
        bool isMade(std::uint32_t i, const IsInStage& isInStage) const
        {
            return addedFor.empty() || !addedFor[i] || isInStage(*addedFor[i]);
        }
    };

    std::vector<Passed> activations;
    std::vector<Bytes> gradients; // and what is made again in a checkpoint region
    Way forward;                  // `made` and `dropped` are activations
    // These are gradients. Who adds to one makes it, too: a stage must not write to what it was sent.
    Way backward;
    std::vector<LetGo> letGo; // as turns go back
    // The first part of a backward pass in two (memory/first_part.h): these are of `flowing`. Nothing is let
    // go of that was saved, and what waits for the second part is not dropped.
    Way firstPart;
    std::vector<Bytes> flowing;

    // Does the run-time of a pipeline hold it, while a stage has it, whatever its nodes do? That is what it
    // was sent, and, where that `holds` it, what it sends.
    template <class IsInStage>
    static bool isHeld(const Passed& passed, const IsInStage& isInStage, bool holdsSent)
    {
        return !isInStage(passed.maker) || (holdsSent && !std::ranges::all_of(passed.readers, isInStage));
    }
    // Has the stage of those nodes let go of it with that?
    template <class IsInStage>
    bool isLetGo(const LetGo& of, const IsInStage& isInStage, bool holdsSent) const
    {
        const Passed& passed = activations[of.activation];
        return !isHeld(passed, isInStage, holdsSent) &&
               std::none_of(passed.keepers.begin() + of.keeper + 1, passed.keepers.end(), isInStage);
    }
};

// The turns of a stage one after the other, forward or back. What is alive counts from 0.
class TurnWalk
{
public:
    TurnWalk(const TurnMemory::Way& way, std::size_t passed) : m_way(way), m_isAlive(passed, 0) {}

    // What it makes is alive from its beginning, and what it drops up to its end: bytesOf(index).
    template <class BytesOf>
    void take(const TurnMemory::Turn& turn, const BytesOf& bytesOf)
    {
        take(turn, bytesOf, [](std::uint32_t) { return true; });
    }
    // Of what it makes only that for which isMade(place in way.made).
    template <class BytesOf, class IsMade>
    void take(const TurnMemory::Turn& turn, const BytesOf& bytesOf, const IsMade& isMade)
    {
        for (std::uint32_t i = turn.makes.first; i < turn.makes.end; ++i)
            if (isMade(i) && std::exchange(m_isAlive[m_way.made[i]], 1) == 0)
                m_alive += bytesOf(m_way.made[i]);
        note(turn.peak);
        m_alive += turn.left;
        for (std::uint32_t i = turn.drops.first; i < turn.drops.end; ++i)
            if (std::exchange(m_isAlive[m_way.dropped[i]], 0) != 0)
                m_alive -= bytesOf(m_way.dropped[i]);
    }
    void add(Bytes bytes) { m_alive += bytes; }
    void letGo(Bytes bytes) { m_alive -= bytes; }
    // That so much more is alive now.
    void note(Bytes above) { m_most = std::max(m_most, m_alive + above); }
    Bytes most() const { return m_most; }

private:
    const TurnMemory::Way& m_way;
    std::vector<char> m_isAlive;
    Bytes m_alive, m_most;
};

} // namespace stagecraft
