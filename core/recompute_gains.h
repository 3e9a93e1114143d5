// What regions gain at the most at a price of a byte, where none has more than a cap alive at once.
//
//     chain      a   b   c   d   e   f   g   h
//     storages     s───────►                     from who makes it to the last that saves it: one region has
//                          t───────►             all of these, or it is kept
//     regions    [             )[          )     all that one makes again is there when the backward of the
//                                                last that saves begins, whence it has alive besides as much
//                                                more as where nothing runs again
//
// A region keeps what it reads of others that backward does not need; of its nodes each is kept, with what
// backward does not need of it, or run again. What it makes again parts its cap as a fractional knapsack: no
// region gains more.
#pragma once

#include "core/recompute/node_moments.h"
#include "core/recompute/node_needs.h"
#include "core/recompute_chain.h"

#include <cmath>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace stagecraft {

class RecomputeGains
{
public:
    class Search;

    RecomputeGains(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                   const Table<NodeId, NodeMoments>& moments);

    struct Crossing
    {
        std::size_t link = 0; // the maker's
        double bytes = 0;
    };
    // What is made before a link and saved behind its begin: no region before it gains that. Those of later
    // makers first.
    const std::vector<Crossing>& needed(std::size_t link) const { return m_needed[link]; }
    // Bytes made before a link that regions behind its begin pay for, as if they were of their stage.
    double read(std::size_t link) const { return m_read[link]; }
    // Bytes of a storage that regions before a link pay for at the most, or keep.
    double counted(StorageId storage, std::size_t link) const;

private:
    // What can be made again. Places are those of nodes in the row of all links'.
    struct Storage
    {
        std::size_t maker = 0;
        double bytes = 0;
        double gain = 0;  // bytes
        double again = 0; // seconds
        Bytes atOnce = {};
    };
    // What backward does not need: kept, or its node runs again to its end.
    struct Unneeded
    {
        std::size_t maker = 0;
        double bytes = 0; // infinite: it cannot be kept
        double again = 0; // seconds

        bool mayKeep() const { return std::isfinite(bytes); }
        double cost(double price) const;
    };
    // Of what backward does not need.
    struct Read
    {
        std::size_t maker = 0;
        double bytes = 0; // its share: each reader can be in another region
    };
    struct Counted
    {
        double bytes = 0;
        bool isNeeded = false;
        std::vector<std::size_t> links; // of who saves it last; or of all that read it
    };
    // Bytes alive where nothing runs again.
    struct Backward
    {
        double top = 0;          // the most in its backward pass
        double entry = infinite; // the most before a region's that ends with it; nobody knows: infinite
        bool saves = false;
    };
    template <typename Each>
    struct ByPlace
    {
        std::vector<std::size_t> of; // of each place its first; then all
        std::vector<Each> all;

        void add(std::vector<std::vector<Each>> lists);
        std::span<const Each> operator[](std::size_t place) const
        {
            return std::span(all).subspan(of[place], of[place + 1] - of[place]);
        }
    };
    class Maker;
    class Region;

    double keptFrom(std::size_t linkBegin) const;
    void findBackward(const ModelChain& chain, const Table<NodeId, NodeMoments>& moments);

    std::vector<std::size_t> m_linkAt; // of each link its first node's place; then all
    ByPlace<Storage> m_storages;       // by the last that saves them
    ByPlace<Unneeded> m_unneeded;      // by the last that reads them
    ByPlace<Read> m_reads;             // by who reads
    std::vector<Backward> m_backward;  // of each place
    std::vector<double> m_kept;        // of each link of several nodes: bytes that these keep that are kept
    std::vector<double> m_open;        // of each place: bytes made there that are of use behind it
    ByPlace<Read> m_closed;            // of these, by where their use ends
    std::vector<std::vector<Crossing>> m_needed;
    std::vector<double> m_read;
    std::map<StorageId, Counted> m_counted;
};

// At a price of a byte, in seconds, where no region has more than `cap` alive at once.
class RecomputeGains::Search
{
public:
    // `gains` must outlive it.
    Search(const RecomputeGains& gains, double price, Bytes cap);

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

private:
    struct Worth
    {
        std::size_t maker;
        double bytes;
        double seconds; // above 0
    };

    void weigh(std::size_t place, Bytes cap);
    enum class Begins { Anywhere, Between, Inside };
    Gains run(std::size_t link, std::size_t to, Begins begins);
    double longGain(std::size_t place, double opened);
    double openedAt(std::size_t at, std::size_t begin) const;
    void begin(std::size_t place, double letGo);
    double readBy(std::size_t at, std::size_t begin) const;
    std::size_t take(std::size_t at, std::size_t begin, Region& region) const;
    double takeUnneeded(std::size_t at, std::size_t begin, Region& region, double& letGo) const;

    const RecomputeGains& m_gains;
    double m_price;
    double m_cap;
    std::vector<Worth> m_worth; // by the last that saves them
    std::vector<std::size_t> m_worthAt;
    std::vector<char> m_begins;
    std::vector<double> m_each;      // what all gain that ends before each place
    std::vector<double> m_costs;     // what all costs that ends before it
    std::vector<double> m_costsFrom; // or begins before it
    double m_mostRate = 0;           // seconds a byte
    // Of what is looked at now.
    std::size_t m_first = 0, m_end = 0;
    std::vector<double> m_best;
    std::vector<double> m_into;                       // where a region goes on; of links' begins
    std::vector<std::vector<std::size_t>> m_longFrom; // begins of regions, by where they are long
    double m_long = 0, m_longFull = 0;

    std::optional<Gains> m_all;
    std::map<std::pair<std::size_t, Begin>, Gains> m_from;
};

} // namespace stagecraft
