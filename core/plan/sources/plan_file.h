// *.stagecraft: a plan on disk, as JSON.
//
//     {"format": 1, "model": {"path", "sha256", "fingerprint"}, "options": {...}, "made_for": {...},
//      "stages": 4, "nodes": {"linear": 0, "relu": 0, ...}, "pins": {...},
//      "recompute_regions": [{"nodes": ["linear", "relu"], "kept": ["linear"]}], "view": {...}}
//
// Nodes go by name, so that a plan outlives small changes of its model. "options": microbatches, schedule,
// speeds, limits and links; "made_for": the devices and the profile (made_for.h).
#pragma once

#include "core/base/progress.h"
#include "core/graph/graph.h"
#include "core/plan/options.h"
#include "core/plan/sources/made_for.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace stagecraft {

// What a plan is of.
struct ModelFile
{
    std::filesystem::path path;   // as written; relative paths are relative to the plan's folder
    std::string sha256 = {};      // lower-case hex; empty: not taken
    std::string fingerprint = {}; // contentFingerprint() of it; empty: an older plan has none
};

// A region that runs again in backward, but for the nodes that are kept.
struct NamedRegion
{
    std::vector<std::string> nodes;
    std::vector<std::string> kept;
};

struct PlanFile
{
    ModelFile model;
    // Pins, keepTogether, neverCut and what is recomputed are in the fields below, by name.
    PartitionOptions options;
    std::optional<MadeFor> madeFor; // none: a file of old, which does not say
    std::map<std::string, std::size_t> stageOfNode;
    std::map<std::string, std::size_t> pins;
    std::vector<std::vector<std::string>> keepTogether;
    std::vector<std::string> neverCut; // values
    std::vector<NamedRegion> regions;
    std::string viewState = "{}"; // JSON text of the window's own, passed through
};

PlanFile makePlanFile(const ModelFile& model, const Graph& graph, const Partition& partition,
                      const PartitionOptions& options);

// What the file of a plan holds; the model's path as it stands there.
std::string planText(const PlanFile& plan);
// Writes all or nothing. The path of the model is stored relative to the plan's folder where it lies below or
// beside it.
Result<void> writePlan(const PlanFile& plan, const std::filesystem::path& path);
// That of the answer is absolute, or relative to the working directory, ready to open.
Result<PlanFile> readPlan(const std::filesystem::path& path);

// A plan laid on a graph: what still matches, and in `notes` one line each of what does not. Nodes that the
// plan does not know go to the stage of the node before them (or of a predecessor that is later).
struct AppliedPlan
{
    Partition partition;
    PartitionOptions options;
    std::vector<std::string> notes;
};
// Fails where most nodes have names that the plan does not know: it is of another model.
Result<AppliedPlan> applyPlan(const PlanFile& plan, const Graph& graph);

// What is to be said, in one line, where `model` is not the file that the plan was saved for, or has changed
// since. Empty: it is the same, or the plan does not know. A model that cannot be read fails elsewhere.
std::string changedModelNote(const PlanFile& plan, const std::filesystem::path& model,
                             const Progress& progress = {});

// SHA-256 of a file's bytes, lower-case hex.
Result<std::string> fileSha256(const std::filesystem::path& path, const Progress& progress = {});
// A name for a model's content that costs nothing to take, whatever its size: SHA-256 over the file's length
// and its first and last MiB. Model files are zip archives, whose end lists a checksum of every record.
Result<std::string> contentFingerprint(const std::filesystem::path& path);

} // namespace stagecraft
