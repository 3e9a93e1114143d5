// Opening: from a path that a person chose to a model that can be shown, perhaps with a plan.
#pragma once

#include "app/document/kept_answers.h"
#include "app/document/open_model.h"
#include "core/base/progress.h"
#include "core/layout/group_tree.h"
#include "core/load/model.h"
#include "core/plan/sources/plan_file.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

struct OpenedFile
{
    std::filesystem::path path; // what was opened: a model or a plan
    std::filesystem::path modelPath;
    std::filesystem::path modelPlace, planPlace; // where they are, by whatever name; no plan: empty
    std::shared_ptr<const Model> model;
    std::shared_ptr<const GroupTree> groups;
    std::optional<PlanFile> plan;   // of a *.stagecraft or *.json file
    std::string fingerprint;        // of the model's content
    std::vector<std::string> notes; // what was odd but survivable
};

// Where a file is, by whatever name it is called; may take as long as its drive does.
std::filesystem::path placeOf(const std::filesystem::path& file);

// Is the file opened as a plan? By its name; no model is called so.
bool isPlanPath(const std::filesystem::path& path);

// Opens a model, or a plan and the model that it names; where that is not there, the model at `otherModel`,
// which may be empty. What the model's file leaves open, `answers` say. Fails in one line that names the
// file.
Result<OpenedFile> openFile(const std::filesystem::path& path, const Progress& progress,
                            const std::filesystem::path& otherModel = {},
                            const KeptAnswers& answers = KeptAnswers());

// As a document has it at first: no plan is made of it yet.
OpenModel openModelOf(const OpenedFile& opened);

// The model with the weights of these files; it holds on to the one that it was made of. Fails as
// attachWeights of core/load does.
Result<std::shared_ptr<const Model>> withWeights(const std::shared_ptr<const Model>& model,
                                                 const std::vector<std::filesystem::path>& files);

} // namespace stagecraft
