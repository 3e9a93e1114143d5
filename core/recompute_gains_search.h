// The pass over a chain that says what regions gain at the most: at each place the best that ends there, from
// the best at each place where a region can begin.
//
//     best   0 ── .3 ── .3 ── .9      best[end] = max over begins of best[begin] + gain of the region
//                 └──region──┘ .6     between: its share of the cap, less what it keeps of others
#pragma once

#include "core/recompute_gains.h"

#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace stagecraft {

// At a price of a byte, in seconds, where no region has more than `cap` alive at once.
class RecomputeGains::Search
{
public:
    // `gains` must outlive it.
    Search(const RecomputeGains& gains, double price, Bytes cap, AtTurn turn = {});

    // Of the links before each: the seconds that regions gain beside keeping all that backward needs.
    struct Gains
    {
        std::size_t first = 0;    // of these links
        std::vector<double> upTo; // where no region goes on behind them
        std::vector<double> into; // where one may
    };
    // What those of a stage gain of the links from one to another is no more than the difference from `upTo`,
    // but for what crosses its ends: needed(), read() and counted() say that.
    const Gains& all();
    enum class Begin { Between, Inside }; // before the link, or in the one before that
    // Of a stage that begins there, as far as to a later link; likewise, but that it pays for no read().
    const Gains& from(std::size_t link, Begin begin, std::size_t to);
    // Of one that begins at that place of the chain, within a link: of this it has what is not inside.
    const Gains& from(std::size_t place, const ChainPlace& within, std::size_t to);

private:
    struct Worth
    {
        std::size_t maker;
        double bytes;
        double seconds; // above 0
        double over;    // likewise, in a region whose second run is over at the turn; or less
    };

    // What a stage does not have of the link in which it begins.
    struct Outside
    {
        std::size_t first = 0; // the place of the link's first node
        std::span<const char> nodes = {};

        bool has(std::size_t place) const
        {
            return place - first < nodes.size() && nodes[place - first] != 0;
        }
    };

    // What regions gain that begin at a place, by how many nodes they have: the same at many places.
    struct Grown
    {
        struct End
        {
            std::size_t nodes;
            double upTo; // seconds, as in Gains
            double into;
        };
        std::vector<End> ends;
        std::vector<std::size_t> longFrom; // nodes: of longer ones less is known
    };
    // Of one that grows and ends there: none where nothing in it is saved by its last node.
    struct Rooms
    {
        std::optional<double> upTo;
        double into = 0;
    };

    // Of what ends before each place, or begins before it.
    struct Costs
    {
        std::vector<double> ending;
        std::vector<double> beginning;
    };

    void weigh(std::size_t place, Bytes cap);
    Costs costsAt(double price) const;
    enum class Begins { Anywhere, Between, Inside };
    Gains run(std::size_t link, std::size_t to, Begins begins, std::span<const char> outside = {});
    std::size_t fartherThan(std::size_t link, std::size_t to) const;
    double costOf(const Outside& outside) const;
    bool isOwn(std::size_t maker, std::size_t begin) const { return maker >= begin && !m_outside.has(maker); }
    double longGain(std::size_t place, double opened);
    double openedAt(std::size_t at, std::size_t begin) const;
    void begin(std::size_t place, double letGo);
    bool beginLikeOthers(std::size_t place, double letGo);
    template <typename AtEnd, typename AtLong>
    void grow(std::size_t place, std::size_t end, double letGo, AtEnd atEnd, AtLong atLong);
    template <typename AtEnd, typename AtLong>
    void grow(std::size_t place, std::size_t firstEnd, std::size_t lastEnd, double letGo, AtEnd atEnd,
              AtLong atLong);
    double priceAt(std::size_t place) const;
    double readBy(std::size_t at, std::size_t begin) const;
    std::size_t take(std::size_t at, std::size_t begin, Region& region, double& less) const;
    double takeUnneeded(std::size_t at, std::size_t begin, Region& region, double& letGo) const;

    const RecomputeGains& m_gains;
    double m_price;
    double m_cap;
    AtTurn m_turn;
    std::vector<Worth> m_worth; // by the last that saves them
    std::vector<std::size_t> m_worthAt;
    std::vector<char> m_begins;
    std::vector<double> m_each; // what all gain that ends before each place
    Costs m_costs;              // of what backward does not need
    Costs m_costsFull;          // where all of the cap is used: less, for what is kept makes room
    double m_mostRate = 0;      // seconds a byte
    // Of what is looked at now.
    std::size_t m_first = 0, m_end = 0;
    Outside m_outside;
    double m_costOutside = 0;
    bool m_isOver = false; // the second run of the region at hand, at the turn
    std::vector<double> m_best;
    std::vector<double> m_into;                       // where a region goes on; of links' begins
    std::vector<std::vector<std::size_t>> m_longFrom; // begins of regions, by where they are long
    double m_long = 0, m_longFull = 0;

    using LikeBegin = std::tuple<std::size_t, std::size_t, double>; // the first, how far the turn is, bytes
    std::map<LikeBegin, Grown> m_grown;
    std::optional<Gains> m_all;
    std::map<std::pair<std::size_t, Begin>, Gains> m_from;
    std::map<std::size_t, Gains> m_fromWithin; // of places of the chain
};

} // namespace stagecraft
