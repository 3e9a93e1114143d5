// Which runs of a stage's nodes are regions, and what each keeps: the best at a price of a byte.
//
//     nodes     a   b   c   d   e   f   g   h      best[j] = min( best[j - 1],                  as it is
//     regions      [b   c   d]     [f   g]                        best[i] + region(i .. j) )
//
// At a price every node of a region is kept or runs again for itself, whichever is cheaper: nothing that
// PyTorch runs again waits for another choice (plan.h). What others read behind a region stays; what nobody
// else would keep and the region reads is kept for it. No region makes more again than a cap, for that is
// there all at once: of one that would, what takes the longest for its bytes is kept. Estimates: a trace says
// what comes of them.
#pragma once

#include "core/recompute/activation_uses.h"
#include "core/recompute/node_needs.h"

#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

class StageRegions
{
public:
    // What a stage has of others: does something hold it till backward in any case, as the run-time of the
    // pipeline does?
    enum class Received { Held, IsLetGo };
    // Behind whom a region does not keep what it makes again: who saves it last, or reads it last. The first
    // is so where no region reads it behind the one; which comes out better is known when all regions are.
    enum class KeptUpTo { LastSaver, LastReader };

    // Of the nodes of a stage, ascending; `needs` must outlive it, `storages` are activationUses() of them.
    StageRegions(const Table<NodeId, NodeNeeds>& needs, const ActivationUses& storages,
                 std::span<const NodeId> nodes, Received received = Received::IsLetGo,
                 KeptUpTo keptUpTo = KeptUpTo::LastReader);

    // What runs again.
    struct Again
    {
        std::size_t region = 0;
        NodeId node{0};
        Bytes bytes; // to keep it
        Seconds seconds;
        bool mayKeep = true;
    };
    struct Run
    {
        RecomputeRegion region;
        Bytes made; // again, and saved
    };
    // Less, or more where below 0, that is kept at a node.
    struct Freed
    {
        NodeId node{0};
        Bytes bytes;
    };
    struct Choice
    {
        std::vector<Run> runs;
        std::vector<Again> again;
        Bytes freed;                // of one microbatch
        std::vector<Freed> freedAt; // the same, where; before keepMore()
        Seconds added;
        // Seconds at the price, that all such choices add at the least, less what they free.
        double least = 0;
    };
    // How far a region is taken to run again: PyTorch stops at the last tensor that is saved. What is chosen
    // as if it did not may be the better start for changes.
    enum class Stop { AtLastSaved, AtEnd };
    // One run of nodes as a region, by positions among the stage's nodes.
    struct Candidate
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        double cost = 0; // seconds at the price, below 0
        Bytes made;      // again, and saved
    };
    // Those that help at a price, by their begins: what caps choose among.
    struct Candidates
    {
        double price = 0; // seconds a byte
        Stop stop = Stop::AtLastSaved;
        std::vector<Candidate> all = {};
    };
    // None makes more again than `most`.
    Candidates candidates(double price, Bytes most, Stop stop = Stop::AtLastSaved) const
    {
        return candidates(price, std::span(&most, 1), stop);
    }
    // None makes more again than the last of `caps`, ascending; those that make more than another one are
    // there for that, too, with some of it kept.
    Candidates candidates(double price, std::span<const Bytes> caps, Stop stop = Stop::AtLastSaved) const;
    // The best of them under a cap that is no more than theirs.
    Choice best(const Candidates& candidates, Bytes cap) const;
    Choice at(double price, Bytes cap, Stop stop = Stop::AtLastSaved) const
    {
        return best(candidates(price, cap, stop), cap);
    }

    // Keeps what takes the longest for its bytes as long as there are some left, of one microbatch.
    static void keepMore(Choice& choice, Bytes left);

private:
    // A storage that a node of the stage makes.
    struct Made
    {
        Bytes bytes;
        bool isNeeded = false; // in the stage
        std::size_t maker = 0;
        std::size_t last = 0; // position of the last reader; beyond all: in a later stage
    };
    // A storage that nothing keeps unless a region reads it.
    struct Unneeded
    {
        std::size_t name = 0;
        std::size_t maker = 0; // beyond all: in another stage
        Bytes bytes;
    };
    // A storage that nodes write in place: no region reads it that begins behind its maker, but not behind
    // the last of those.
    struct Written
    {
        NodeId maker;
        NodeId last;
    };
    struct Position
    {
        double again = 0; // seconds, of those that write what it makes too
        bool saves = false;
        double againToSave = 0; // up to what it makes and saves: in a region's last PyTorch stops there
        bool mayKeep = true;
        std::vector<std::size_t> ending; // storages that nobody behind it reads
        std::vector<Unneeded> reads;
        std::vector<std::size_t> readsNeeded; // of what the stage makes
        std::vector<Written> readsWritten;
        Bytes needed; // that it makes
    };
    struct Taken
    {
        bool runsAgain = false;
        double cost = 0;
    };
    class Region;

    class Maker;

    Taken takenAt(std::size_t position, double again, double price, Bytes needed, Bytes unneeded) const;
    static void addCandidates(Region& region, Candidate whole, std::span<const Bytes> caps,
                              std::vector<Candidate>& found);
    void addRun(const Candidates& candidates, const Candidate& chosen, Choice& choice) const;

    const Table<NodeId, NodeNeeds>& m_needs;
    std::vector<NodeId> m_nodes;
    std::vector<Position> m_positions;
    std::vector<Made> m_made;
    std::size_t m_names = 0; // of storages that are not needed
};

} // namespace stagecraft
