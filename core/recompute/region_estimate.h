// What regions make of a stage, reckoned node by node from a trace in which nothing runs again.
//
//     kept       what a node outside of regions saves, what regions read, what their kept nodes make
//     again      their other nodes, up to the last that saves
//     at once    forward   ╱╲_╱‾  above what was alive before the region, without what is let go by then
//                backward    ╱╲_╱‾╲_╱╲_   its second run, then the backward pass of its nodes
//                of the stage ‾╲_╱╲╱‾╲_   likewise, of all its nodes as they go back (turn_memory.h)
//
// Exact in what is kept (but tensors of other sizes), near in the rest: a trace says what comes of them.
#pragma once

#include "core/base/index_lists.h"
#include "core/profile/turn_memory.h"
#include "core/recompute/activation_uses.h"
#include "core/recompute/node_moments.h"
#include "core/recompute/node_needs.h"
#include "core/recompute/node_pace.h"
#include "core/recompute/plan.h"

#include <span>
#include <vector>

namespace stagecraft {

// What all stages ask of a model; all must outlive who asks.
struct RegionFacts
{
    const Table<NodeId, NodeNeeds>& needs;
    const Table<NodeId, NodeMoments>& moments;
    const ActivationUses& storages;
    const TurnMemory* turns = nullptr; // null: what the stage has alive as it goes back is left out
    const NodePaces* paces = nullptr;  // null: the device never waits for the program
};

class RegionEstimate
{
public:
    // What crosses the stage's ends: does the run-time of the pipeline hold it whatever regions do?
    enum class Crossing { Held, IsLetGo };

    // Of a stage with these nodes, ascending.
    RegionEstimate(std::span<const NodeId> nodes, const RegionFacts& facts,
                   Crossing crossing = Crossing::IsLetGo);

    // A region, by positions among the stage's nodes.
    struct Shape
    {
        std::size_t begin = 0;
        std::size_t end = 0;
        std::vector<std::size_t> kept = {}; // ascending

        bool has(std::size_t position) const { return position >= begin && position < end; }
        friend bool operator==(const Shape&, const Shape&) = default;
    };
    using Shapes = std::vector<Shape>; // one behind the other

    struct Figures
    {
        Bytes saved;     // of one microbatch
        Bytes transient; // 0: no region
        Seconds added;
        // Alive besides what is saved, as the nodes of the stage run one after the other, forward and back.
        Bytes forward = {};
        Bytes backward = {};
    };
    Figures of(const Shapes& shapes) const;

    Shapes shapesOf(std::span<const RecomputeRegion> regions) const;

    std::size_t size() const { return m_nodes.size(); }
    NodeId node(std::size_t position) const { return m_nodes[position]; }
    // Of those that repeat (NodePace).
    std::size_t blockAt(std::size_t position) const
    {
        return m_facts.paces != nullptr ? m_facts.paces->ofNodes[m_nodes[position]].block : 0;
    }
    const NodeNeeds& needsOf(std::size_t position) const { return m_facts.needs[m_nodes[position]]; }
    NodeId makerOf(StorageId storage) const { return m_facts.storages[storage].maker; }
    // That does so in place; none: nobody.
    std::optional<NodeId> lastWriterOf(StorageId storage) const
    {
        return m_facts.needs[makerOf(storage)].writtenBy;
    }

private:
    static constexpr std::size_t elsewhere = static_cast<std::size_t>(-1);

    struct Storage
    {
        std::int64_t bytes = 0;
        std::size_t maker = elsewhere;      // in an earlier stage
        std::size_t lastReader = elsewhere; // in a later stage; its maker: nobody reads it
        bool isAlwaysKept = false;
        bool isHeld = false; // by the run-time
    };
    // Who lets go of what was kept, when it has gone back.
    struct LetGo
    {
        std::size_t storage = 0;
        std::size_t keeper = 0;
    };
    // Of a node of the stage; storages are those that outlive it.
    struct Turn
    {
        std::size_t position = 0;
        TurnMemory::Turn turn;
        TurnMemory::Range makes = {}, drops = {}; // of `m_passed`, forward
        TurnMemory::Range letsGo = {};            // of `m_letGo`, as it goes back
    };
    struct Marks;     // of regions, what each position and storage is
    struct SecondRun; // of a region

    bool isKept(std::size_t storage, const Marks& marks) const;
    std::size_t lastThatSaves(const Shape& shape) const;
    Seconds againOf(const Shape& shape, std::size_t last, const Marks& marks) const;
    std::int64_t letGoAt(std::size_t position, const Marks& marks) const;
    std::int64_t forwardPeak(const Shape& shape, const Marks& marks) const;
    std::int64_t backwardPeak(const Shape& shape, std::size_t last, const Marks& marks) const;
    SecondRun secondRun(const Shape& shape, std::size_t last, const Marks& marks) const;
    bool isCached(std::size_t storage, const Shape& shape, const Marks& marks) const;
    Bytes aliveForward(const Marks& marks) const;
    Bytes aliveBackward(const Shapes& shapes, const Marks& marks) const;
    std::vector<std::size_t> neededUpTo(const Shapes& shapes, const Marks& marks) const;
    bool isLastOfRegion(const LetGo& letGo, const Shape& shape, const Marks& marks) const;

    // Of those that nodes of the stage make or read, numbered as storages of the trace are.
    Table<StorageId, std::size_t> addStorages(const Table<NodeId, std::size_t>& at, Crossing crossing);
    void addStorage(StorageId id, const Table<NodeId, std::size_t>& at, Crossing crossing);
    void gatherByPosition();
    void addTurns(const Table<StorageId, std::size_t>& indices, const Table<NodeId, std::size_t>& at);
    std::span<const std::uint32_t> passedIn(const TurnMemory::Range& range) const
    {
        return std::span(m_passed).subspan(range.first, range.end - range.first);
    }
    std::span<const LetGo> letGoIn(const TurnMemory::Range& range) const
    {
        return std::span(m_letGo).subspan(range.first, range.end - range.first);
    }

    std::vector<NodeId> m_nodes;
    RegionFacts m_facts;
    std::vector<Storage> m_storages;
    // By storage, positions, ascending: of the stage's nodes that save it or read it, and of those who, kept
    // in a region, keep it.
    IndexLists m_savers, m_readers, m_keepers;
    // By position, storages: that it makes, that nobody reads behind it, and that it saves.
    IndexLists m_makes, m_lets, m_saves;
    std::vector<Turn> m_forward, m_backward; // in the order of the step
    std::vector<std::uint32_t> m_passed;     // storages
    std::vector<LetGo> m_letGo;
};

std::vector<RecomputeRegion> regionsOf(const RegionEstimate& estimate, const RegionEstimate::Shapes& shapes);

} // namespace stagecraft
