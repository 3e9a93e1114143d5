#include "app/stage_pages.h"

#include "core/workflow.h"

#include <algorithm>

namespace stagecraft {

bool sameProgram(const StageProgram& a, const StageProgram& b)
{
    const auto sameInput = [](const StageInput& x, const StageInput& y) {
        return x.source == y.source && x.value == y.value;
    };
    return a.stage == b.stage && a.nodes == b.nodes && std::ranges::equal(a.inputs, b.inputs, sameInput) &&
           a.outputs == b.outputs && a.relays == b.relays && a.parameters == b.parameters &&
           a.buffers == b.buffers && a.constants == b.constants;
}

Result<std::vector<StagePage>> makeStagePages(const Model& model, const Partition& partition,
                                              const std::vector<StagePage>& previous,
                                              const Progress& progress)
{
    STAGECRAFT_ASSIGN(programs, cutStages(model, partition, progress));
    std::vector<StagePage> pages;
    for (std::size_t i = 0; i < programs.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing code", i, programs.size()));
        if (i < previous.size() && previous[i].program && sameProgram(*previous[i].program, programs[i])) {
            pages.push_back(previous[i]);
            continue;
        }
        auto code = std::make_shared<const StageCode>(stageCode(model, programs[i]));
        pages.push_back({std::make_shared<const StageProgram>(std::move(programs[i])), std::move(code)});
    }
    return pages;
}

} // namespace stagecraft
