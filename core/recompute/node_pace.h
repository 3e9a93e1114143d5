// What nodes take to run again, of the program that hands their operators over and of the device, side by
// side (profile/device/dispatch_clock.h): who waits for whom depends on what ran before.
#pragma once

#include "core/profile/profile.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace stagecraft {

// Of a node's forward pass.
struct NodePace
{
    Seconds views;         // to hand those over, kept or run again
    Seconds handover;      // likewise what launches something
    Seconds alone;         // that on the device
    std::size_t block = 0; // of those that repeat, the one that it is in; beside them, one number
};

// No time of nodes that were measured, and none where the program does one after the other.
struct NodePaces
{
    Table<NodeId, NodePace> ofNodes;
    Seconds oneOperator; // to hand it over
};
NodePaces nodePaces(const Graph& graph, const Profile& profile);

// What it takes to run these nodes again but those that are kept, one behind the other, as the backward pass
// comes from another node, or from what is not known: another block.
Seconds againWithWaits(const NodePaces& paces, std::span<const NodeId> nodes, std::span<const char> isKept,
                       std::optional<NodeId> behind);

// The block of those that repeat that each node is in; beside them, one number.
Table<NodeId, std::size_t> repeatedBlockOf(const Graph& graph);

// How far the program is ahead of the device, while nodes run one after the other.
class ProgramLead
{
public:
    // So far that the device does not wait, to begin with.
    explicit ProgramLead(Seconds oneOperator) : m_one(oneOperator) {}

    // It is ahead by one operator at most where a block begins or ends (plan/sources/stage_times.h).
    void holdBack() { m_lead = std::min(m_lead, m_one); }
    // Returns for how long the device waits.
    Seconds handOver(Seconds handover)
    {
        m_lead -= handover;
        const Seconds waits = std::max(Seconds{}, Seconds{} - m_lead);
        m_lead += waits;
        return waits;
    }
    void run(Seconds alone) { m_lead += alone; }

private:
    Seconds m_one;
    Seconds m_lead{std::numeric_limits<double>::infinity()};
};

} // namespace stagecraft
