// At which places of a model's chain stages can end that take no more than a time and keep their limits.
//
//     chain   o─o─o─o─o─o─o─o─o─o─o─o      a place is one that a stage can end at which begins where the one
//     stage 0      x x x                   before it can end, takes no more and keeps its limit
//     stage 1            x x x x
//
// Of each place the most time that is left for what floats beside the chain: that has to find room, too.
#pragma once

#include "core/base/work_budget.h"
#include "core/float_holdings.h"
#include "core/least_runtime.h"
#include "core/roaming_state.h"
#include "core/shared_of_chain.h"
#include "core/stage_payments.h"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

// A model's chain, and what is there whatever runs again. `ground` must outlive it.
struct KnownChain
{
    KnownChain(const RecomputeGround& of, Members members) : ground(of), chain(chainOf(of, members)) {}

    const RecomputeGround& ground;
    ModelChain chain;
    ChainCrossings crossings{ground, chain};
    FloatHoldings floats{ground, chain};
    SharedOfChain shared{ground.none, chain};
    RoamingState roaming = roamingState(ground.none, chain);
    LeastRuntime runtime{ground.none, chain, crossings};
};

class ChainReaches
{
public:
    using Ends = std::vector<std::size_t>; // the place of each stage
    using Again = StagePayments::Again;
    using Depth = StagePayments::Depth;
    // It must outlive this.
    explicit ChainReaches(const KnownChain& known, Again again = Again::Any);

    // Can each of places that take nearly the same be looked at, too, by nodes alone?
    bool hasMembers() const { return m_chain.hasMembers; }
    // What devices take at the least that part all nodes.
    double evenShare() const;

    // Where stages that take no more than that and keep their limits can end which come to the end; empty:
    // there are none. None: it was over before that was known.
    std::optional<Ends> within(double most, Depth depth, std::span<const Bytes> limits,
                               const IsOver& isOver) const;
    // `most`: that none takes more than.
    Partition partitionAt(const PartitionProblem& problem, const Ends& ends, double most) const;

private:
    // Of all stages.
    struct Asked
    {
        double most; // seconds
        Depth depth;
        std::span<const Bytes> limits;
        StagePayments::Prices prices;
    };

    // Has a stage up to some place had the state that floats (RoamingState), or has this one?
    enum Roaming : std::size_t { Ahead, Had };
    template <typename Each>
    using ByRoaming = std::array<Each, 2>;
    using OfPlaces = std::vector<double>;
    // Seconds that are left for what floats, of stages before: -infinite where none ends.
    struct Reached
    {
        OfPlaces spare;
        std::vector<OfPlaces> busy; // of each stage, where the last has nodes of links
        std::vector<std::size_t> from = {};
    };

    // Where a stage begins that ends at some place and has nodes of links, and how many without, the last of
    // them that stage, are better; with what there was before these.
    struct Begin
    {
        std::size_t busy = 0;
        Roaming before = Had;
        std::size_t idle = 0;
        Roaming beforeIdle = Had;
    };
    using Begins = std::vector<ByRoaming<std::vector<Begin>>>; // of each stage

    // Bytes of a stage's links.
    struct OfLinks
    {
        double transient = 0; // of whole ones
        double shared = 0;    // state that several have
    };

    // The most seconds for what floats that are left up to there, where the stage ends; below 0: it cannot.
    struct Spare
    {
        double seconds = -infinite;
        std::size_t begin = 0; // where the stage does
        Roaming before = Had;

        auto operator<=>(const Spare&) const = default;
    };

    // Likewise, of some stages without nodes of links, no more in a row than there may be there.
    struct Idle
    {
        double seconds = -infinite;
        std::size_t stages = 0;
        Roaming before = Had;

        auto operator<=>(const Idle&) const = default;
    };

    void addUpPlaces(Again again);
    void addUpFloats();
    Ends endsOf(const Begins& begins) const;
    double transferAt(std::size_t place, std::size_t boundary) const;
    bool isRoaming(std::span<const Bytes> limits) const;
    bool mayBeAhead(std::size_t place) const { return m_chain.places[place].link < m_roaming.due; }
    double endedAt(double seconds, std::size_t place) const;
    Spare spareAt(const ByRoaming<Reached>& reached, Roaming roaming, std::size_t stage, std::size_t to,
                  Asked& asked) const;
    enum class Roams : std::uint8_t { NotHere, Here };
    Spare spareAt(const Reached& reached, Roams roams, std::size_t stage, std::size_t to, Asked& asked) const;
    Idle idleAt(const ByRoaming<Reached>& reached, Roaming roaming, std::size_t to, const Asked& asked) const;
    Idle idleAt(const Reached& reached, std::size_t to, const Asked& asked) const;
    double idleRoom(std::size_t stage, std::size_t at, const Asked& asked) const;
    double transientOfParts(std::size_t from, std::size_t to) const;
    double ofFloats(std::span<const FloatHoldings::Held> floats, Roams roams, std::size_t from,
                    std::size_t to) const;
    double leastCompute(std::size_t stage, std::size_t from, std::size_t to, const OfLinks& links,
                        Roams roams, double most, Asked& asked) const;

    const PartitionOptions& m_options;
    const ModelChain& m_chain;
    const FloatHoldings& m_floats;
    const SharedOfChain& m_shared;
    const RoamingState& m_roaming;
    std::vector<std::size_t> m_inFlight;
    const LeastRuntime& m_runtime;
    StagePayments m_payments;
    std::vector<std::size_t> m_spanOf; // of each place: whose member it is, or itself
    std::vector<double> m_seconds;     // of each place: before it, at the least
    std::vector<double> m_most;        // at the most
    std::vector<double> m_latest;      // the most of that up to there
    std::vector<double> m_state, m_mostState;
    std::vector<double> m_due;                     // of each place, of what floats: what must be before it
    std::vector<double> m_ready;                   // what can be
    std::vector<double> m_transient;               // of each link
    std::vector<std::vector<double>> m_transients; // of each of its nodes
};

} // namespace stagecraft
