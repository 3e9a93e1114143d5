// What stages pay at the least for what they keep or run again, at prices of a byte.
//
//     price   kept a byte     a node pays for what it makes and backward needs, or for running again,
//                             whichever is less; a whole block by its hull (recompute/node_needs.h)
//     place   ──s──│──        what crosses the end of a stage it holds in any case, or nobody in it needs it
//     run     [a   b   c )    or of whole links what the best regions leave (recompute_gains.h)
#pragma once

#include "core/float_holdings.h"
#include "core/paid_crossings.h"
#include "core/recompute/node_needs.h"
#include "core/recompute_gains_search.h"

#include <map>
#include <memory>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace stagecraft {

// Links of which a stage that has them all keeps and runs again no less than a hull says: a block.
struct Atom
{
    std::size_t first = 0;
    std::size_t end = 0;
    std::vector<NodeId> nodes;
};

std::vector<Atom> atomsOf(const RecomputeGround& ground, const ModelChain& chain);

// Where nothing that has more than `largest` alive at once runs again: at each price of a byte kept, from
// place to place.
class Payments
{
public:
    // `chain`, `floats`, `crossings` and `gains` must outlive it.
    Payments(const ModelChain& chain, const std::vector<Atom>& atoms, const Table<NodeId, NodeNeeds>& needs,
             const FloatHoldings& floats, const PaidCrossings& crossings, const RecomputeGains& gains,
             Bytes largest, std::vector<Bytes> caps);

    const std::vector<double>& prices() const { return m_prices; }

    // Of a stage from one place to a later one, by its nodes and whole blocks.
    double of(std::size_t price, std::size_t from, std::size_t to) const;
    // By then it has let go of what nodes of `link` and behind it alone save: for the rest that whole links
    // before it have, from where the stage begins on, likewise.
    double before(std::size_t link, std::size_t price, std::size_t from) const;
    // By the runs of nodes that regions can be, where none has more than one of `caps` alive at once, which
    // are `largest` at the least: takes a while where nobody asked for that price before. Of the stage alone:
    // more, and takes longer.
    enum class Of { AllBefore, StageAlone };
    double byRuns(std::size_t cap, std::size_t price, std::size_t from, std::size_t to,
                  Of of = Of::AllBefore) const;

    // Beside all of these but those at turns: for what floats.
    double ofFloats(std::size_t price, std::span<const FloatHoldings::Held> held) const;

    // At the turn of a node, as a stage goes back: what has been let go of by then, or is its own, holds
    // nothing of the microbatch that does, a share of all in flight. Of the stage alone.
    using AtTurn = RecomputeGains::AtTurn;
    double atTurn(const AtTurn& turn, std::size_t cap, std::size_t price, std::size_t from,
                  std::size_t to) const;

    // Beyond both of these: what has to be let go in full (RecomputeGains::besides()) where a stage has
    // `left` of a microbatch.
    double besides(const AtTurn& turn, std::size_t cap, std::size_t price, std::size_t from, std::size_t to,
                   double left) const;

private:
    using Hull = std::vector<LeastNeeds::Point>;

    // Of a place, node by node.
    struct AtPlace
    {
        double upTo = 0;  // of what is before it, at the least
        double since = 0; // at the most
        // Of its first crossings, none to all: what they take besides, and what they do not.
        std::vector<double> more;
        std::vector<double> less;
        std::vector<double> unsaved; // what their makers pay, where nobody before the place saves them
    };
    struct AtPrice
    {
        std::vector<double> nodes;                    // of all links before each, node by node
        std::vector<double> atoms;                    // likewise, of whole atoms
        std::vector<double> moreOfLink;               // of the atom that has it, than of its nodes
        std::vector<double> floats;                   // of all groups before each (FloatHoldings)
        std::vector<std::unique_ptr<AtPlace>> places; // as soon as somebody asks
    };
    // What may be given up.
    struct Given
    {
        double again = 0; // seconds to have it once more
        double bytes = 0;
    };
    // Of nodes what they cost for each of their seconds, and these, the cheapest first.
    using Rates = std::vector<std::pair<double, double>>;

    double costOf(NodeId node, double price) const;
    void findPrices();
    void findPlaces(const std::vector<Atom>& atoms);
    double ofWhole(std::size_t price, std::size_t first, std::size_t end) const;
    AtPrice& at(std::size_t price) const;
    AtPrice atPrice(double price) const;
    const AtPlace& at(std::size_t price, std::size_t place) const;
    AtPlace atPlace(double price, const AtPrice& all, std::size_t index) const;
    void addCrossings(double price, const AtPrice& all, std::size_t place, AtPlace& at) const;
    Rates ratesOf(std::size_t link, double price) const;
    // Of the links that it has in part.
    double ofParts(std::size_t price, std::size_t from, std::size_t to) const;
    double ofEnd(std::size_t price, std::size_t to) const;
    double crossingsBetween(const AtPlace& last, const ChainPlace& begin, std::size_t to) const;
    // Of the crossings of a place one by its index.
    double crossingAt(std::size_t price, std::size_t crossing, std::size_t place) const;
    double byRunsFromWithin(std::size_t cap, std::size_t price, std::size_t from, std::size_t to) const;
    double gainedOf(const RecomputeGains::Search::Gains& gains, std::size_t first, std::size_t to) const;
    double crossingsOf(std::size_t price, std::size_t first, std::size_t whole, std::size_t to) const;
    RecomputeGains::Search& runsAt(std::size_t cap, std::size_t price) const;
    RecomputeGains::Search& runsAt(const AtTurn& turn, std::size_t cap, std::size_t price) const;
    double neededFrom(const ChainPlace& begin, std::size_t end) const;
    double neededFrom(const ChainPlace& begin, std::size_t end, const AtTurn& turn) const;
    double besidesAt(const AtTurn& turn, const PaidCrossing& crossing, std::size_t end) const;

    const ModelChain& m_chain;
    const FloatHoldings& m_floats;
    const PaidCrossings& m_crossings;
    const RecomputeGains& m_gains;
    std::vector<Bytes> m_caps;
    std::vector<double> m_needed;     // bytes that backward needs of the links before each
    Table<NodeId, double> m_neededOf; // likewise, of each node
    // At each cap and price: as soon as somebody asks.
    mutable std::vector<std::unique_ptr<RecomputeGains::Search>> m_runs;
    using OfTurn = std::tuple<std::size_t, double, std::size_t, std::size_t>; // place, share, cap, price
    mutable std::map<OfTurn, RecomputeGains::Search> m_runsAtTurns;           // likewise, the last of them
    Table<NodeId, double> m_kept;                                             // bytes of what is larger
    Table<NodeId, std::vector<Given>> m_given;                                // by what it takes
    std::vector<double> m_prices;                                             // ascending
    mutable std::vector<std::unique_ptr<AtPrice>> m_atPrices;                 // as soon as somebody asks
    std::vector<Atom> m_atoms;
    std::vector<Hull> m_hulls;              // of these
    std::vector<std::size_t> m_nextAtom;    // the first link at or behind each that begins an atom
    std::vector<std::size_t> m_lastAtom;    // where the last atom ends that does so at or before each
    std::vector<std::size_t> m_placeBefore; // of each link the last between two; then the end
};

} // namespace stagecraft
