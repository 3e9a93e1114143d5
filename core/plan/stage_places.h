// What the stages of a plan run on, stage by stage and boundary by boundary, where not all are alike: the
// lists of PartitionOptions, filled in for looking at and changing, and folded again.
#pragma once

#include "core/plan/options.h"

#include <vector>

namespace stagecraft {

// Where nothing is asked for: what the plan's device has.
struct UsualPlace
{
    Bytes memoryLimit; // Bytes::max(): none
    Link link;
};

// One entry for each stage, of links for each boundary.
struct StagePlaces
{
    std::vector<double> speeds; // of the device, the profile's being 1
    std::vector<Bytes> memoryLimits;
    std::vector<Link> links;

    friend bool operator==(const StagePlaces&, const StagePlaces&) = default;
};

StagePlaces placesOf(const PartitionOptions& options, const UsualPlace& usual);
// The other way round: lists of what is usual everywhere are empty, those of one value have one entry.
void setPlaces(PartitionOptions& options, const StagePlaces& places, const UsualPlace& usual);

} // namespace stagecraft
