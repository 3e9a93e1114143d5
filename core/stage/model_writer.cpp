#include "core/stage/model_writer.h"

#include "core/base/output_file.h"
#include "core/stage/cut.h"
#include "core/stage/pt2_writer.h"
#include "core/stage/writable.h"

namespace stagecraft {

Result<Bytes> writeModelPt2(const std::filesystem::path& path, const Model& model, const Progress& progress,
                            const ExtraFiles& extraFiles)
{
    STAGECRAFT_TRY(checkWritable(model));
    STAGECRAFT_TRY(checkLoadable(model));
    STAGECRAFT_ASSIGN(stages, cutStages(model, singleStage(model.graph.nodeCount()), progress));
    return writeFile(path, progress, [&](OutputFile& file) {
        return writeStagePt2(file, model, stages.front(), progress, extraFiles);
    });
}

} // namespace stagecraft
