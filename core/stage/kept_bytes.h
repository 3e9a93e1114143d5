// What stages keep for backward of one microbatch: distinct storages that autograd and checkpoint regions
// hold when a stage's forward pass has ended. A stage's inputs, copies of them for its own use and its
// weights are left out.
//
// Traced on meta for the kernels of a CPU, at the sizes that the model was exported with, so that it can be
// held against a run there.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/manifest.h"
#include "core/stage/stage_program.h"

#include <optional>
#include <vector>

namespace stagecraft {

// Of each stage of the model, regions as its contexts have them; none of all where no stage has a region or
// the model cannot be traced, and of a stage whose entry in the manifest does not say all of its regions
// (those within others, where a `.pt2` cannot have them), that has an LSTM, of which kernels of a CPU keep
// what they like, or an operator whose results depend on data. Fails when cancelled.
Result<std::vector<std::optional<Bytes>>>
keptBytes(const Model& model, const std::vector<StageProgram>& programs, const Progress& progress = {});

// Of a stage that was read from its `.pt2`, which was checked against its entry in the manifest, with the
// regions that this names in the place of its own. `whole` is the model that it is a part of. Fails with
// BadFormat where the stage does not have them, and with Unsupported where it is sent what another stage made
// under autocast in a type that no file has: it would cast it once more; or where it trains no weight.
Result<Bytes> keptBytes(Model stage, const ManifestStage& written, const Model& whole,
                        const Progress& progress = {});

} // namespace stagecraft
