// The largest batch with which a training step (or an inference) stays within a device's memory.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/profile/profile.h"

#include <optional>
#include <string>

namespace stagecraft {

struct LargestBatch
{
    enum class Basis {
        Traced, // the step was traced with this batch and with the next larger one
        // The file fixes the batch: of its trace, storages of the step that divide by the batch are taken to
        // grow in proportion, and are replayed at their new sizes.
        Scaled,
    };
    Basis basis = Basis::Traced;
    std::string symbol;     // that was varied, of Traced
    std::int64_t batch = 0; // 0: not even the smallest fits
    Bytes total;            // what it takes on the device
    // The file's own upper limit, not the memory, ended the search.
    bool limitedByFile = false;
};

// The batch is the first dimension of the first user input that is a tensor with dimensions. `options.device`
// has the memory. None where no input has a first dimension. Fails as profileModel does.
Result<std::optional<LargestBatch>> largestBatch(const Model& model, const ProfileOptions& options,
                                                 const Progress& progress = {});

} // namespace stagecraft
