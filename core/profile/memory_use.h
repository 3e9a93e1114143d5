// MemoryUse: bytes by what they are for. LiveInterval: one storage while it lives.
//
// Plain data, so that nodes, modules and stages can be summed up and drawn; core/profile/memory/live_memory.h
// makes and reads them.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/graph.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace stagecraft {

// In the order in which they are stacked and listed.
enum class MemoryCategory : std::uint8_t {
    Parameters,
    Buffers,
    Inputs, // what the caller gives, and constants of the program
    OptimizerState,
    Gradients,         // the .grad of parameters
    SavedActivations,  // what autograd keeps until the backward pass has used it
    Outputs,           // what the model returns, and the loss, as far as they are not saved
    GradientsInFlight, // on their way from one node's backward to the next
    Temporaries,       // everything else that an operator returned: dropped after its last use
    Workspaces,        // what libraries keep beside tensors (cuBLAS)
};

inline constexpr std::size_t memoryCategoryCount = 10;

// "parameters", "saved activations": for people.
std::string_view categoryName(MemoryCategory category);
// "parameters_bytes", "saved_activations_bytes": for JSON and CSV.
std::string_view categoryField(MemoryCategory category);

class MemoryUse
{
public:
    Bytes& operator[](MemoryCategory category) { return m_bytes[static_cast<std::size_t>(category)]; }
    Bytes operator[](MemoryCategory category) const { return m_bytes[static_cast<std::size_t>(category)]; }
    MemoryUse& operator+=(const MemoryUse& other);
    Bytes total() const;

    friend bool operator==(const MemoryUse&, const MemoryUse&) = default;

private:
    std::array<Bytes, memoryCategoryCount> m_bytes{};
};

// One storage while it is of one size and one category: alive just after the samples first, ..., end - 1 of
// MemoryTimeline.
struct LiveInterval
{
    MemoryCategory category = MemoryCategory::Temporaries;
    Bytes bytes;
    std::uint32_t first = 0;
    std::uint32_t end = 0;
    // Who made it, or reads it first: of parameters, their gradients and optimizer state the first node that
    // reads the parameter. None: inputs, the loss.
    std::optional<NodeId> node;
    std::optional<ValueId> value; // of the graph, that lies in it; of a gradient or state: the parameter
};

} // namespace stagecraft
