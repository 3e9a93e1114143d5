// What a timeline adds up to, as text and for machines: the lines below the picture.
#pragma once

#include "core/schedule/bubble.h"

#include <string>

namespace stagecraft {

// A line a device (computing, sending and receiving, idle before, between and after, most memory), then the
// step, its bubble by cause, and which stages its critical path runs through.
std::string timelineSummary(const Timeline& timeline, const BubbleParts& bubble);

// Time that each stage has on the critical path, computing and in transfers.
std::vector<Seconds> criticalShares(const Timeline& timeline);

} // namespace stagecraft
