// Figures as people type them into a field or after an option: with a unit, or without one where it is clear
// which is meant. Whatever could mean two things is refused with what to write instead.
//
//     memory      "30GiB", "30 gb", "30" = 30 GiB, "32212254720" = bytes
//     bandwidth   "25 GB/s", "400 Gbit/s", "25" = 25 GB/s; but "25 gb/s" may be either
//     latency     "5 us", "0.2 ms", "5" = 5 us
//     FLOP rate   "312 TFLOPS", "1.2 PFLOP/s", "312" = 312 TFLOP/s
#pragma once

#include "core/base/quantities.h"

namespace stagecraft {

// What a device has or may hold. A bare number counts GiB up to 1024, and bytes from a MiB on.
Result<Bytes> parseMemory(std::string_view text);
// Bytes a second; 0 is one, too.
Result<double> parseBandwidth(std::string_view text);
Result<Seconds> parseLatency(std::string_view text);
// FLOP a second.
Result<double> parseFlopRate(std::string_view text);

// What the above read back to six digits: "80 GiB", "25 GB/s", "5 us", "312 TFLOP/s".
std::string typedMemory(Bytes bytes);
std::string typedBandwidth(double bytesPerSecond);
std::string typedLatency(Seconds seconds);
std::string typedFlopRate(double flopsPerSecond);

} // namespace stagecraft
