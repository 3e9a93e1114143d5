// What every Meta kernel is tested with: operators run twice on the same random tensors, with data on the CPU
// and without on the meta device. No Torch here: the Qt test includes it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace stagecraft::test {

std::vector<std::string> metaKernelCaseNames();

struct CaseReport
{
    std::string difference;       // between the CPU and meta, forward or backward; empty: none
    bool comparedForward = false; // false: the CPU refused these arguments
    bool comparedBackward = false;
};

// Runs one case on tensors drawn from `seed`: sizes, layouts, dtypes.
CaseReport checkMetaKernel(const std::string& name, std::uint64_t seed);

} // namespace stagecraft::test
