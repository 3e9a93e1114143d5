// Opening: from a path that a person chose to a model that can be shown, perhaps with a plan.
#pragma once

#include "core/base/progress.h"
#include "core/layout/group_tree.h"
#include "core/load/model.h"
#include "core/partition/plan_file.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace stagecraft {

struct OpenedFile
{
    std::filesystem::path path; // what was opened: a model or a plan
    std::filesystem::path modelPath;
    std::shared_ptr<const Model> model;
    std::shared_ptr<const GroupTree> groups;
    std::optional<PlanFile> plan;   // of a *.stagecraft file
    std::string fingerprint;        // of the model's content
    std::vector<std::string> notes; // what was odd but survivable
};

// Opens a model, or a plan and the model that it names. Fails in one line that names the file.
Result<OpenedFile> openFile(const std::filesystem::path& path, const Progress& progress);

// A name for a model's content that costs nothing to take, whatever its size: SHA-256 over the file's length
// and its first and last MiB. Model files are zip archives, whose end lists a checksum of every record.
Result<std::string> contentFingerprint(const std::filesystem::path& path);

// Where the last split of the model with this fingerprint is kept, in `folder`.
std::filesystem::path lastSplitPath(const std::filesystem::path& folder, const std::string& fingerprint);

} // namespace stagecraft
