// ExecutionScale: where on the execution axis each place between two ops lies.
//
//     position   0      1  2        3        places[p]: x of position p
//                │ op 0 │1 │  op 2  │        op i lies between places[i] and places[i + 1]
#pragma once

#include "core/plan/editing.h"
#include "core/profile/profile.h"

#include <span>
#include <vector>

namespace stagecraft {

enum class ExecutionAxis { OpIndex, CumulativeTime };
// How high values stand: as they are, or by their logarithm (value_scale.h).
enum class ValueLook { Plain, Logarithmic };

struct ExecutionScale
{
    std::vector<double> places{0}; // one more than there are ops; never falls

    std::size_t opCount() const { return places.size() - 1; }
    double end() const { return places.back(); }
    // The position nearest to x.
    std::size_t nearestPlace(double x) const;
    // The op that x lies in, the first or last one if it lies outside; there must be ops.
    std::size_t opAt(double x) const;
};

// By cumulative time, in seconds; by number of op if the profile is missing or all times are zero.
ExecutionScale makeScale(ExecutionAxis axis, std::span<const NodeId> order, const Profile* profile);

// The place with the fewest bytes among `first` .. `last` (inclusive), the one nearest to `at` if several
// have as few; `at` itself if none has fewer.
std::size_t valleyNear(std::span<const Bytes> bytesAcross, std::size_t at, std::size_t first,
                       std::size_t last);
// Where boundary `index` may go while the others stay and each stage keeps an op: first and last position.
std::pair<std::size_t, std::size_t> placesFor(const StageOrder& order, std::size_t index);

} // namespace stagecraft
