// StagePage: a stage's program and its Python text, as the code view shows them.
#pragma once

#include "core/base/progress.h"
#include "core/load/model.h"
#include "core/stage/stage_program.h"

#include <memory>
#include <vector>

namespace stagecraft {

struct StagePage
{
    std::shared_ptr<const StageProgram> program;
    std::shared_ptr<const StageCode> code;
};

// A page for each stage; those of `previous` that still hold are taken over, so that a drag writes only the
// stages that it touches. Fails as cutStages does.
Result<std::vector<StagePage>> makeStagePages(const Model& model, const Partition& partition,
                                              const std::vector<StagePage>& previous,
                                              const Progress& progress);

} // namespace stagecraft
