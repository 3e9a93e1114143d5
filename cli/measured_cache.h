// Measured times are kept from one call to the next: they take seconds to minutes, and hang on nothing but
// the model file's content, what of it is meant (program, inputs, sizes, loss), the machine and its threads.
#pragma once

#include "cli/model_option.h"
#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/measure/measure.h"

#include <filesystem>

namespace stagecraft::cli {

enum class CacheUse {
    Allowed,
    Renewed, // measure anew, and keep that
};

struct MeasuredAndKept
{
    MeasuredTimes times;
    std::filesystem::path file; // where they are kept; empty: they could not be
    bool fromFile = false;
};

// In $XDG_CACHE_HOME/stagecraft/measured, or else ~/.cache. A file that does not fit is measured again; one
// that cannot be written is no failure. What other work disturbed is not kept. Fails as measureModel() does.
Result<MeasuredAndKept> measuredTimes(const Model& model, const ModelOption& source,
                                      const MeasureOptions& options, CacheUse use, const Progress& progress);

} // namespace stagecraft::cli
