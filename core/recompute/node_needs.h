// What backward needs of each node, and the least that it takes to have it, whatever a plan's regions.
//
//     kept          the bytes of what the node makes and backward needs
//     run again     the node's time, and that all it reads is there: kept, or run again, too
//
// What no plan can be better than, so that bounds stand on it. Regions of a plan are worse: they keep their
// inputs, run again what nobody needs, and have all of it alive at once.
#pragma once

#include "core/profile/profile.h"
#include "core/recompute/choice_hull.h"
#include "core/recompute/plan.h"
#include "core/trace/trace.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace stagecraft {

struct NodeNeeds
{
    struct Made
    {
        StorageId storage;
        Bytes bytes;
        bool isNeeded = false;           // by backward, where nothing runs again
        std::vector<NodeId> savers = {}; // whose backward it is
        // Who saves it and cannot run again has to be kept in its region, and keeps these, too.
        std::vector<StorageId> keeps = {};
        Bytes gain = bytes; // of letting it go, these taken off
        // Alive in a region that makes it again, at the least: it, and what a node that saves it has alive.
        Bytes atOnce = bytes;
        Seconds again = {}; // the least to have it once more, with what others write into it
    };
    std::vector<Made> made;
    std::vector<StorageId> reads; // of activations
    Seconds again;         // the least to have all that is needed once more; infinite: it cannot run again
    Seconds toSave;        // until all that it saves of its own is there; 0: it saves none of that
    Seconds whole;         // its forward pass; infinite likewise. Of views what the device waits for them
    bool isRandom = false; // who keeps it has to keep those behind it, too
    bool mayKeep = true;   // not where it runs under autocast, or has an inner graph
    bool isView = false;   // and no more: kept or not, it runs again
    std::optional<NodeId> follows;   // whose result it writes: kept and run again with that
    std::optional<NodeId> writtenBy; // the last that does so with its: kept only where that is, too

    Bytes needed() const;
};

// Whose operators are all views.
Table<NodeId, char> viewNodes(const Graph& graph, const Trace& trace);

// `trace` and `profile` are of the model without regions.
Table<NodeId, NodeNeeds> nodeNeeds(const Model& model, const Trace& trace, const Profile& profile,
                                   OperatorSchemas& schemas);

// What those nodes keep, and what of them runs again, in a stage that has them all: the lower hull, from the
// fewest bytes to no time. What others make is there for nothing. Storages that take more than `largest` at
// once are kept.
class LeastNeeds
{
public:
    struct Point
    {
        double bytes = 0;
        double seconds = 0;
    };

    explicit LeastNeeds(const Table<NodeId, NodeNeeds>& needs, Bytes largest = Bytes::max())
        : m_needs(needs), m_largest(largest)
    {
    }

    // Runs that look the same are asked for once.
    const std::vector<Point>& of(std::span<const NodeId> nodes);
    // Seconds at a price of a byte; 0 of no points.
    static double costOf(std::span<const Point> hull, double price);

private:
    struct Known
    {
        ChoiceProblem problem;
        Bytes needed;
        std::vector<Point> hull;
    };

    const Table<NodeId, NodeNeeds>& m_needs;
    Bytes m_largest;
    std::vector<std::unique_ptr<Known>> m_known;
};

} // namespace stagecraft
