#include "app/document/stage_pages.h"

#include "core/workflow.h"

namespace stagecraft {

Result<std::vector<StagePage>> makeStagePages(const Model& model, const Partition& partition,
                                              const std::vector<StagePage>& previous,
                                              const Progress& progress)
{
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    std::vector<StagePage> pages;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing code", i, programs.size()));
        if (i < previous.size() && previous[i].program && *previous[i].program == programs[i]) {
            pages.push_back(previous[i]);
            continue;
        }
        auto code = std::make_shared<const StageCode>(stageCode(model, programs[i]));
        pages.push_back({std::make_shared<const StageProgram>(std::move(programs[i])), std::move(code)});
    }
    return pages;
}

} // namespace stagecraft
