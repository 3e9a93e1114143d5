// What regions gain at the most at a price of a byte, where none has more than a cap alive at once.
//
//     chain      a   b   c   d   e   f   g   h
//     storages     s───────►                     from who makes it to the last that saves it: one region has
//                          t───────►             all of these, or it is kept
//     regions    [             )[          )     all that one makes again is there when the backward of the
//                                                last that saves begins, whence it has alive besides as much
//                                                more as where nothing runs again
//     first run    s╱‾‾╲_╱‾kept                  holds what it keeps and what is still read, beside what
//                                                the node at hand makes: likewise no more than the cap
//
// A region keeps what it reads of others that backward does not need; of its nodes each is kept, with what
// backward does not need of it, or run again. What it makes again parts its cap as a fractional knapsack: no
// region gains more. One whose first run has no room in the cap, whatever of it may run again, is none: as it
// grows that run holds no less.
#pragma once

#include "core/recompute/node_moments.h"
#include "core/recompute/node_needs.h"
#include "core/recompute_chain.h"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

class RecomputeGains
{
public:
    class Search;

    RecomputeGains(const ModelChain& chain, const Table<NodeId, NodeNeeds>& needs,
                   const Table<NodeId, NodeMoments>& moments);

    // At the turn of a node, as it goes back, what has been let go of by then holds only a share: that price
    // is paid for what it or nodes behind it save, and for what a region keeps for them.
    struct AtTurn
    {
        std::size_t place = std::numeric_limits<std::size_t>::max(); // the node's; beyond all: of none
        double share = 1;

        // What counts of a byte that nobody behind that place saves.
        double shareAt(std::size_t lastSaver) const { return lastSaver >= place ? share : 1; }
    };
    struct Crossing
    {
        std::size_t link = 0; // the maker's
        double bytes = 0;
    };
    // What backward needs. Places are those of nodes in the row of all links'.
    struct Needed
    {
        std::size_t maker = 0;
        double bytes = 0;
        std::vector<std::size_t> savers = {}; // ascending
        bool mayRunAgain = false;
        bool isSavedByFloats = false; // too, or nobody knows by whom
    };
    const std::vector<Needed>& allNeeded() const { return m_allNeeded; } // by makers
    // Bytes of that, made by links from one to another and saved by these alone, that are there for certain
    // when a node of them goes back: what it or one before it saved that cannot be made again, and what it
    // saved that can.
    struct There
    {
        double kept = 0;
        double keptOrAgain = 0;
    };
    There thereAt(std::size_t place, std::size_t first, std::size_t end) const;
    // Of each link its first node's place; then all.
    const std::vector<std::size_t>& placesOfLinks() const { return m_linkAt; }

    // What is made before a link and saved behind its begin: no region before it gains that. Those of later
    // makers first.
    const std::vector<Crossing>& needed(std::size_t link) const { return m_needed[link]; }
    // Bytes made before a link that regions behind its begin pay for, as if they were of their stage.
    double read(std::size_t link) const { return m_read[link]; }
    // Bytes of a storage that regions before a link pay for at the most, or keep.
    double counted(StorageId storage, std::size_t link) const;
    // Likewise at a turn, with what is there then for certain.
    double counted(StorageId storage, std::size_t link, const AtTurn& turn) const;

    // Seconds that a stage takes at the least beyond what is worth its price of a byte, if letting go of all
    // that is keeps more than `left` of the links from one to another: then it lets go of something else, in
    // full. Infinite: there is nothing. Nothing that has more than `cap` alive at once runs again.
    double besides(double price, Bytes cap, const AtTurn& turn, std::size_t first, std::size_t end,
                   double left) const;

private:
    // What can be made again.
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
    // A region's first run holds it from its maker on: at least up to the last that reads it, or, where it
    // cannot be made again, to the region's end.
    struct Dying
    {
        std::size_t maker = 0;
        double bytes = 0;
        Bytes atOnce = {}; // who has less room keeps it
    };
    // Bytes that a region's first run has alive.
    struct Forward
    {
        double step = 0; // beside what is alive before the node
        double made = 0; // by it
    };
    // Bytes alive where nothing runs again.
    struct Backward
    {
        double top = 0;          // the most in its backward pass
        double entry = infinite; // the most before a region's that ends with it; nobody knows: infinite
        bool saves = false;
        double notLetGo = 0; // of what it makes: nobody takes that where a second run ends with it
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
    class FirstRun;

    // Of longer regions less is known.
    static constexpr std::size_t mostNodes = 128;

    double keptFrom(std::size_t place) const { return m_keptFrom[place]; }
    std::vector<double> contentOf(std::size_t place) const;
    void findEqual();
    void findThere();
    void findMoments(const ModelChain& chain, const Table<NodeId, NodeMoments>& moments);

    std::vector<std::size_t> m_linkAt; // of each link its first node's place; then all
    ByPlace<Storage> m_storages;       // by the last that saves them
    ByPlace<Unneeded> m_unneeded;      // by the last that reads them
    ByPlace<Read> m_reads;             // by who reads
    std::vector<double> m_views;       // of each place: seconds that a region which has it takes for views
    std::vector<Forward> m_forward;    // of each place
    ByPlace<Dying> m_dying;            // by the last that reads them
    std::vector<Backward> m_backward;  // of each place
    std::vector<double> m_kept;        // of each link of several nodes: bytes that these keep that are kept
    double m_mostKept = 0;             // of these
    std::vector<double> m_keptFrom;    // by the link that begins at each place, where a stage can end in it
    std::vector<double> m_open;        // of each place: bytes made there that are of use behind it
    ByPlace<Read> m_closed;            // of these, by where their use ends
    std::vector<std::vector<Crossing>> m_needed;
    std::vector<Needed> m_allNeeded;
    std::map<StorageId, std::size_t> m_neededAt;     // of these
    std::vector<std::vector<std::size_t>> m_thereAt; // of each place: likewise
    std::vector<double> m_read;
    std::map<StorageId, Counted> m_counted;
    // Of each place the first where the same `mostNodes` places follow; none: there is no other. And how far
    // before it these read.
    std::vector<std::optional<std::size_t>> m_like;
    std::vector<std::size_t> m_readsBack;
};

} // namespace stagecraft
