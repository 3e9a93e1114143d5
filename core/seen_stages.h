// SeenStages: what is known of single stages of plans that were found before, for who looks for cuts again.
#pragma once

#include "core/base/quantities.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace stagecraft {

// A stage of the nodes between two places of an order.
struct StageSlice
{
    std::size_t stage = 0;
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const StageSlice&, const StageSlice&) = default;
};

class SeenStages
{
public:
    struct Known
    {
        Seconds load; // or as bad as if it took that
        Bytes more;   // than was estimated
    };
    // In the place of what was known of the same.
    void add(const StageSlice& slice, const Known& known);

    // Of any slice.
    struct Foreseen
    {
        std::optional<Seconds> load; // it was seen
        Seconds least;               // a part of it takes so much
        Bytes more;                  // as of the nearest that was seen
    };
    Foreseen foresee(const StageSlice& slice) const;

private:
    struct Seen
    {
        StageSlice slice;
        Known known;
    };
    std::vector<std::vector<Seen>> m_stages;
};

} // namespace stagecraft
