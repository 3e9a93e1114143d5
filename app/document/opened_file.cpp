#include "app/document/opened_file.h"

#include "core/load/attached_weights.h"
#include "core/script/open_choices.h"

namespace stagecraft {

bool isPlanPath(const std::filesystem::path& path)
{
    return path.extension() == ".stagecraft" || path.extension() == ".json";
}

std::filesystem::path placeOf(const std::filesystem::path& file)
{
    std::error_code ignored; // then the path as it was given has to do
    const std::filesystem::path place = std::filesystem::weakly_canonical(file, ignored);
    return place.empty() ? file : place;
}

Result<OpenedFile> openFile(const std::filesystem::path& path, const Progress& progress,
                            const std::filesystem::path& otherModel, const KeptAnswers& answers)
{
    OpenedFile opened;
    opened.path = opened.modelPath = path;
    if (isPlanPath(path)) {
        STAGECRAFT_ASSIGN(plan, readPlan(path));
        opened.modelPath = plan.model.path;
        if (!std::filesystem::exists(opened.modelPath)) {
            const std::string gone =
                path.string() + ": its model " + opened.modelPath.string() + " is not there";
            if (otherModel.empty())
                return Error{ErrorCode::NotFound, gone + "; open the model, then the plan"};
            opened.modelPath = otherModel;
            opened.notes.push_back(gone + ": it is laid on " + otherModel.string());
        }
        opened.plan = std::move(plan);
    }
    // What was said of another kind of file that was there before is of no use.
    const OpenRequest said = mayLeaveChoices(opened.modelPath) ? answers.of(opened.modelPath) : OpenRequest();
    STAGECRAFT_ASSIGN(model, openModelFile(opened.modelPath, said, progress));
    opened.notes.insert(opened.notes.end(), model.provenance.notes.begin(), model.provenance.notes.end());
    STAGECRAFT_TRY(progress.step("Grouping", 0, 2));
    opened.groups = std::make_shared<const GroupTree>(makeGroupTree(model.graph, pageGroups));
    STAGECRAFT_TRY(progress.step("Grouping", 1, 2));
    if (opened.plan) {
        if (std::string note = changedModelNote(*opened.plan, opened.modelPath, progress); !note.empty())
            opened.notes.push_back(std::move(note));
    }
    STAGECRAFT_ASSIGN(fingerprint, contentFingerprint(opened.modelPath));
    opened.fingerprint = std::move(fingerprint);
    opened.modelPlace = placeOf(opened.modelPath);
    opened.planPlace = opened.plan ? placeOf(path) : std::filesystem::path();
    opened.model = std::make_shared<const Model>(std::move(model));
    return opened;
}

OpenModel openModelOf(const OpenedFile& opened)
{
    return {.model = opened.model,
            .groups = opened.groups,
            .modelPath = opened.modelPath,
            .planPath = opened.plan ? opened.path : std::filesystem::path(),
            .modelPlace = opened.modelPlace,
            .planPlace = opened.planPlace,
            .fingerprint = opened.fingerprint,
            .pendingPlan = opened.plan};
}

Result<std::shared_ptr<const Model>> withWeights(const std::shared_ptr<const Model>& model,
                                                 const std::vector<std::filesystem::path>& files)
{
    auto weighted = std::make_unique<Model>(*model);
    STAGECRAFT_TRY(attachWeights(*weighted, files));
    // What was made of the model before refers to its graph: it stays as long as the new one.
    return std::shared_ptr<const Model>(weighted.release(), [model](const Model* made) { delete made; });
}

} // namespace stagecraft
