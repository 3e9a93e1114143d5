#include "core/profile/memory_use.h"

namespace stagecraft {

namespace {

struct CategoryNames
{
    std::string_view name;
    std::string_view field;
};

constexpr std::array<CategoryNames, memoryCategoryCount> categoryNames{{
    {"parameters", "parameters_bytes"},
    {"buffers", "buffers_bytes"},
    {"inputs", "inputs_bytes"},
    {"optimizer state", "optimizer_state_bytes"},
    {"gradients", "gradients_bytes"},
    {"saved activations", "saved_activations_bytes"},
    {"outputs", "outputs_bytes"},
    {"gradients in flight", "gradients_in_flight_bytes"},
    {"temporaries", "temporaries_bytes"},
    {"workspaces", "workspaces_bytes"},
}};

} // namespace

std::string_view categoryName(MemoryCategory category)
{
    return categoryNames[static_cast<std::size_t>(category)].name;
}

std::string_view categoryField(MemoryCategory category)
{
    return categoryNames[static_cast<std::size_t>(category)].field;
}

MemoryUse& MemoryUse::operator+=(const MemoryUse& other)
{
    for (std::size_t i = 0; i < m_bytes.size(); ++i)
        m_bytes[i] += other.m_bytes[i];
    return *this;
}

Bytes MemoryUse::total() const
{
    Bytes sum;
    for (const Bytes bytes : m_bytes)
        sum += bytes;
    return sum;
}

} // namespace stagecraft
