// What a stage takes at the least for what it keeps or runs again, where its memory is limited.
//
//     room       for what its nodes keep in flight, beside what is alive at once: under each cap of that
//     by nodes   each keeps or runs again; whole blocks
//     by runs    as the best regions leave it, under that cap (recompute_gains.h)
//     at turns   beside what is alive as one of its nodes goes back (least_turns.h): what those before it
//                keep; of what those behind it kept that microbatch has nothing left
#pragma once

#include "core/base/range_most.h"
#include "core/least_turns.h"
#include "core/recompute_caps.h"
#include "core/recompute_payments.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

class StagePayments
{
public:
    using Again = RecomputeCaps::Again;
    // All must outlive it.
    StagePayments(const RecomputeGround& ground, const ModelChain& chain, const FloatHoldings& floats,
                  const ChainCrossings& crossings, Again again);

    // Bytes that a stage has for what its nodes keep and have alive.
    struct Room
    {
        double bytes = 0;
        double transient = 0; // the least
        double inFlight = 1;
        double copies = 0;  // of a microbatch
        double inTurns = 0; // counted as the run-time's, besides

        // For a microbatch, beside what is alive at once.
        double of(Bytes atOnce) const { return beside(std::max(transient, atOnce.asDouble())); }
        double beside(double alive) const { return (bytes - alive) / inFlight - copies + 1; } // rounding
    };
    struct Stage // between places of the chain
    {
        std::size_t from = 0;
        std::size_t to = 0;
        Room room = {};
        std::span<const FloatHoldings::Held> floats = {}; // their state taken off the room
    };
    // By nodes alone; by the runs that regions can be, too; by each cap, and by what there is in the stage
    // alone. Each takes longer.
    enum class Depth { Nodes, Runs, Stages };
    // Of each size one of its payments' prices: where the last stage that was asked for paid the most.
    using Prices = std::vector<std::size_t>;
    Prices anyPrices() const { return Prices(m_payments.size(), 0); }

    // Seconds, as far as they are no more than `most`.
    double least(const Stage& stage, double most, Depth depth, Prices& prices) const;

private:
    using AtOnce = RecomputeCaps::Together;
    struct Paid
    {
        double seconds = 0;
        std::size_t price = 0;
    };
    // The turn of a node.
    struct Turn
    {
        std::size_t place; // of the row of all links' nodes
        double alive;      // bytes
    };
    // What is alive at the turn of some node of each link, but what those before it made, in a stage that has
    // all of it and of so many links behind it, or up to the end.
    struct TurnsOfLinks
    {
        std::size_t behind;
        RangeMost alive;
    };
    struct TurnOfLink
    {
        std::size_t link = 0;
        double alive = 0;
    };

    double byRuns(const Stage& stage, double most, Depth depth, Prices& prices) const;
    double under(const AtOnce& atOnce, const Stage& stage, double most, Depth depth, Prices& prices) const;
    double atTurns(const AtOnce& atOnce, const Stage& stage, double most, std::size_t price) const;
    double aliveAt(std::size_t place, std::size_t first, std::size_t end) const;
    void findTurnsOfLinks();
    TurnOfLink mostAliveOfLinks(const Stage& stage) const;
    double atTurn(std::size_t size, const TurnOfLink& turn, const Stage& stage, double most,
                  std::size_t price) const;
    std::optional<Turn> mostAlive(std::size_t first, std::size_t end) const;
    // `costAt`: of a price; `besides`: likewise, beyond that. From a price down.
    template <typename CostAt, typename Besides>
    static double inFull(const Payments& payments, double each, CostAt costAt, Besides besides, double most,
                         std::size_t price);
    double byNodes(std::size_t size, double each, const Stage& stage, double most, Prices& prices) const;
    template <typename CostAt>
    static Paid mostPaid(const Payments& payments, double each, CostAt costAt, double most,
                         std::size_t price);

    const ModelChain& m_chain;
    RecomputeGains m_gains;
    PaidCrossings m_paid;
    LeastTurns m_turns;
    std::vector<TurnsOfLinks> m_turnsOfLinks;
    RecomputeCaps m_caps;
    std::vector<std::unique_ptr<const Payments>> m_payments; // of each size
};

} // namespace stagecraft
