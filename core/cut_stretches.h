// CutStretches: an order of the nodes between the places where it may be cut, and what its stages come to by
// estimates that add up.
//
//     n0 n1 │ n2 n3 n4 │ n5 │ n6 n7       places: 0, 2, 5, 6, 8
//      at a price of a byte each stretch has its seconds, what it saves, and a transient: a stage between two
//      places has the sum of the former and the largest of the latter
#pragma once

#include "core/cut_buffers.h"
#include "core/cut_order.h"
#include "core/recompute_choice.h"
#include "core/seen_stages.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

class CutStretches
{
public:
    // What nodes take at a price.
    struct Taken
    {
        double seconds = 0;
        double saved = 0; // bytes, of one microbatch
        double transient = 0;
    };
    // Of stretches that follow each other, what any run of them takes.
    class Sums
    {
    public:
        explicit Sums(const std::vector<Taken>& stretches);
        Taken between(std::size_t begin, std::size_t end) const; // places; not the same

    private:
        std::vector<double> m_seconds, m_saved;     // before each
        std::vector<std::vector<double>> m_largest; // transients, of 1, 2, 4, ... from each on
    };
    using Way = std::vector<Sums>; // at rising prices: the longer, the less is held

    // `chooser` must outlive it.
    CutStretches(const RecomputeChooser& chooser, CutOrder order);

    // Numbers of nodes before each, ascending, from none to all. Who only looks goes with what it looks at.
    const std::vector<std::size_t>& places() const { return m_places; }
    // Of each stage where it lies by these; none: it begins or ends elsewhere.
    std::vector<std::optional<StageSlice>> slicesOf(const Partition& partition) const;
    // Of stages that end at these places.
    Partition partitionAt(const std::vector<std::size_t>& ends) const;
    // What can run again: the first way is by blocks, the others by runs of any nodes.
    const std::vector<Way>& ways() const { return m_ways; }

    // Bytes that a stage holds whatever runs again, but for what is sent.
    double alwaysHeld(const StageSlice& slice) const;
    // Those that a stretch brings to a stage that begins at a place.
    double stateOf(std::size_t stage, std::size_t begin, std::size_t stretch) const;
    double received(std::size_t stage, std::size_t begin) const { return m_buffers.received[stage][begin]; }
    double sent(std::size_t stage, std::size_t end) const { return m_buffers.sent[stage][end]; }
    double inFlight(std::size_t stage) const { return static_cast<double>(m_inFlight[stage]); }
    // What a stage takes whose nodes take so long on a device of speed 1: to compute, and with transfers.
    Seconds computeOf(const StageSlice& slice, double seconds) const;
    Seconds loadOf(const StageSlice& slice, double seconds) const;

private:
    using OfBlocks = std::vector<std::vector<RecomputeChooser::Option>>;
    using Chosen = std::vector<const RecomputeChooser::Option*>; // of each block

    void findPlaces();
    void addTransfers(std::vector<double>& seconds) const;
    std::vector<double> pricesOf(const OfBlocks& options) const;
    Taken plain(NodeId node) const;
    Taken atPrice(NodeId node, const Chosen& chosen) const;
    void addBlocks();
    void addRuns();
    std::vector<Taken> stretchesOf(const StageRegions::Choice& choice) const;
    std::vector<Taken> stretchesOf(const Table<NodeId, Taken>& nodes) const;
    void addStates();

    const RecomputeChooser& m_chooser;
    const PartitionProblem& m_problem;
    CutOrder m_order;
    std::vector<std::size_t> m_inFlight;
    CutBuffers m_buffers;
    std::vector<std::size_t> m_places;
    std::vector<std::size_t> m_before; // of each: nodes but those that only look
    std::vector<double> m_transfers;   // seconds, of each place
    std::vector<Way> m_ways = std::vector<Way>(1);
    std::vector<double> m_states; // bytes, of each stretch
    // Bytes that a stretch brings unless the stage has that earlier stretch, too.
    struct SharedAt
    {
        std::size_t before; // stretch; beyond all: there is none
        double state;
        double saved; // of one microbatch
    };
    std::vector<std::vector<SharedAt>> m_sharedAt;
};

} // namespace stagecraft
