// RecomputeChooser: for a partition what each of its stages recomputes, as little as its memory demands.
//
//     block   none ── keep all that costs time ── ... ── keep nothing      a piece of a block in each stage
//             bytes ◄──────────────────────────────────────► time         that has one: its choices, a hull
//
// or any runs of its nodes (recompute/stage_regions.h), whichever takes less time. What a whole block keeps
// and adds is exact (recompute/region_hulls.h), but that its neighbours may hold the same storage; what a
// piece of one does is added up over its nodes, and a region's transient is that of the trace less what is
// kept. So the choice is an estimate, which the trace of the plan confirms or corrects.
#pragma once

#include "core/plan/partition.h"
#include "core/recompute/region_estimate.h"
#include "core/recompute/stage_choice.h"
#include "core/recompute/stage_regions.h"
#include "core/recompute_ground.h"

#include <compare>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace stagecraft {

// What a stage may hold of a device's limit: those of one device share it evenly.
Bytes roomOfStage(Bytes limit, const PartitionOptions& options);

class RecomputeChooser
{
public:
    explicit RecomputeChooser(RecomputeGround ground);

    const RecomputeGround& ground() const { return m_ground; }

    // What each stage may hold, in the order of stages: `rooms`. None: some stage has no choice within its.
    // The regions still have to be parted as the stages part them (partedPlan()): they are by stage already.
    struct Choice
    {
        RecomputePlan plan;
        std::vector<Bytes> memory; // of each stage, as estimated
        std::vector<Seconds> added;
        PlanCost without; // of the partition, where nothing runs again
    };
    // Runs of nodes as they stop where nothing more is saved, or as if not (stage_regions.h), or none.
    enum class Ways { Any, AnyToTheEnd, WholeBlocks };
    std::optional<Choice> choose(const Partition& partition, const std::vector<Bytes>& rooms,
                                 Ways ways = Ways::Any) const;
    struct OfStage // what it recomputes
    {
        std::vector<RecomputeRegion> regions;
        Bytes saved;     // of one microbatch
        Bytes transient; // while one node or region runs
        StageTurns turns;
        Bytes memory;
        Seconds added;
        std::optional<std::size_t> price = {}; // of prices(), at which runs were chosen
    };
    // Of one stage, quickly: by whole blocks, where the model has such and the stage is no small one. Without
    // a choice within its room it holds as little as it can.
    OfStage chooseOrLeast(const Partition& partition, StageId stage, Bytes room) const;
    // For all (any ways), and remembers what it chose for each stage: plans that differ in one boundary ask
    // for two new ones. Quickly; stages without a choice within their room hold as little as they can. None:
    // some stage takes more than `most`. For one chooser.
    class Known;
    std::optional<Choice> choose(const Partition& partition, const std::vector<Bytes>& rooms, Known& known,
                                 Seconds most = Seconds(infinite)) const;
    // What a stage takes with what it recomputes.
    Seconds loadOf(const Choice& choice, StageId stage) const;
    // What one takes with what it would choose so; none: it has no such room. Where the others lie does not
    // matter, but before or behind it.
    std::optional<Seconds> loadOf(const Partition& partition, StageId stage, Bytes room, Known& known) const;
    // As good as can be: all stages, or those that would be the slowest otherwise. Stages without a choice
    // within their room hold as little as they can.
    enum class Careful { All, Slowest };
    Choice chooseOrLeast(const Partition& partition, const std::vector<Bytes>& rooms, Known& known,
                         Ways ways = Ways::Any, Careful careful = Careful::All) const;
    // The same of one stage.
    const OfStage& chooseOrLeast(const Partition& partition, StageId stage, Bytes room, Known& known,
                                 Ways ways) const;
    // What a stage would hold with these regions, by the estimate.
    Bytes memoryOf(const Partition& partition, StageId stage,
                   const std::vector<RecomputeRegion>& regions) const;
    // One way to run a piece of a block.
    struct Option
    {
        bool isRegion = false;
        std::vector<NodeId> nodes; // of a region
        std::vector<NodeId> kept;  // of a region
        Bytes saved;               // of one microbatch
        Seconds added;
        Bytes transient;
    };
    // Of these nodes of a block: bytes rise, time falls, on a hull.
    std::vector<Option> optionsOf(std::size_t block, const std::vector<NodeId>& nodes) const;
    // The block that a node is in.
    const Table<NodeId, std::optional<std::size_t>>& blockOf() const { return m_blockOf; }
    // What running the node again takes.
    Seconds again(NodeId node) const;
    // What a region that runs so much again has alive, at the node that has most besides: an estimate.
    Bytes transientOf(const StageRegions::Run& run) const;
    // Prices of a byte, and caps of what a region makes again, that runs are tried at.
    const std::vector<double>& prices() const { return m_prices; }
    const std::vector<Bytes>& caps() const { return m_caps; }

    struct Pieces; // what a stage has of blocks

private:
    // What a stage may hold and what it holds always.
    struct Room
    {
        Bytes all;
        Bytes state; // and what the run-time of the pipeline holds
        std::int64_t inFlight = 1;
        bool isSplit = false; // its backward pass, where nothing runs again
        Bytes waiting = {};   // where nothing is run again: between the parts of split backward passes
        Bytes shared = {};    // of one microbatch, what it keeps besides that counts with nodes of others

        friend auto operator<=>(const Room&, const Room&) = default;
    };
    // What can be done with a piece of a block.
    struct Offered
    {
        std::vector<Option> options;
        std::shared_ptr<const RegionHull> hull; // of them
    };

    enum class Within { Room, RoomOrLeast };
    enum class Effort { Frame, Quick, Climb }; // while a boundary is dragged; by the way; as good as can be
    struct Manner
    {
        Ways ways = Ways::Any;
        Within within = Within::RoomOrLeast;
        Effort effort = Effort::Quick;
        std::optional<std::size_t> firstPrice = {}; // of prices(), from which on runs are tried
    };
    class Reckoner; // what regions come to in a stage

    std::shared_ptr<const Offered> offered(std::size_t block, const std::vector<NodeId>& nodes) const;

    Room roomOf(const std::vector<NodeId>& nodes, std::size_t stage, Bytes all) const;
    Room roomOf(const std::vector<NodeId>& nodes, std::size_t stage, const StageCost& cost, Bytes all) const;
    std::optional<OfStage> chooseStage(const std::vector<NodeId>& nodes, const Room& room,
                                       const Manner& manner) const;
    const std::optional<OfStage>& chooseStage(const std::vector<NodeId>& nodes, std::size_t stage,
                                              const Room& room, Known& known) const;
    const OfStage& chooseCarefully(const std::vector<NodeId>& nodes, const Room& room, Known& known,
                                   Ways ways) const;
    Pieces piecesOf(const std::vector<NodeId>& nodes, Bytes shared) const;
    std::optional<OfStage> chooseBlocks(const Pieces& pieces, const Room& room, Within within) const;
    OfStage chooseRuns(const std::vector<NodeId>& nodes, const Reckoner& reckoner,
                       const Manner& manner) const;
    using ChooseStage = std::function<std::optional<OfStage>(
        std::size_t stage, const std::vector<NodeId>& nodes, const Room& room)>;
    // None: one has no choice, or takes more than `most`.
    std::optional<Choice> chooseAll(const Partition& partition, const std::vector<Bytes>& rooms,
                                    const ChooseStage& chooseOne, Seconds most = Seconds(infinite)) const;
    Option withRegion(std::size_t block, const std::vector<NodeId>& nodes, const RegionChoice& choice) const;

    RecomputeGround m_ground;
    std::vector<std::size_t> m_inFlight; // by stage
    std::vector<std::int64_t> m_mostWaiting;
    Table<NodeId, std::optional<std::size_t>> m_blockOf;
    std::vector<std::shared_ptr<const Offered>> m_offered; // by block, of whole ones
    std::vector<double> m_prices;
    std::vector<Bytes> m_caps;
};

} // namespace stagecraft
