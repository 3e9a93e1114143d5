#include "core/stage/verify_kept.h"

#include "core/graph/received_layout.h"
#include "core/load/open_model.h"
#include "core/stage/kept_bytes.h"

#include <algorithm>
#include <cstdlib>

namespace stagecraft {

namespace {

constexpr std::int64_t freeBytes = 4096; // and 1 %: what kernels of another version may keep besides

bool hasExportedSizes(const Model& model, const VerifyOptions& options)
{
    return std::ranges::all_of(options.bindings, [&](const auto& binding) {
        const auto range = model.graph.symbolRanges().find(binding.first);
        return range != model.graph.symbolRanges().end() && range->second.hint == binding.second;
    });
}

// What a stage is sent has no gaps between its elements (core/graph/received_layout.h): of a tensor that has
// some in the model each of its readers may keep a copy there, and none here.
Bytes sentWithoutGaps(const ManifestStage& stage, const Graph& whole)
{
    Bytes bytes;
    for (const ManifestStage::Input& input : stage.inputs) {
        const std::optional<ValueId> value = whole.findValue(input.value);
        if (input.fromModel || !value || !whole[*value].meta)
            continue;
        const TensorMeta& meta = *whole[*value].meta;
        if (receivedLayout(*value, meta, LayoutGaps::Closed) ==
            receivedLayout(*value, meta, LayoutGaps::Kept))
            continue;
        const Result<Bytes> size = byteSize(meta, {});
        for (std::size_t i = 0; size.has_value() && i < whole[*value].users.size(); ++i)
            bytes += *size;
    }
    return bytes;
}

Comparison comparisonOf(const std::string& name, Bytes planned, std::int64_t found, std::int64_t allowed)
{
    Comparison comparison{.kind = Comparison::Kind::Kept, .name = name};
    comparison.shape = std::to_string(found) + " bytes";
    comparison.passed = std::abs(found - planned.count()) <= allowed;
    if (!comparison.passed)
        comparison.reason = "keeps " + std::to_string(found) + " bytes for backward, the plan says " +
                            std::to_string(planned.count());
    return comparison;
}

} // namespace

Result<void> compareKept(const Model& model, const Manifest& manifest, const std::filesystem::path& folder,
                         const std::vector<std::optional<std::int64_t>>& inPython, const Progress& progress,
                         VerifyReport& report)
{
    const auto isSaid = [](const ManifestStage& stage) { return stage.files.savedBytes.has_value(); };
    if (std::ranges::none_of(manifest.stages, isSaid))
        return {};
    if (!hasExportedSizes(model, report.options)) {
        report.notes.push_back("what stages keep for backward was not compared: the export says it for the "
                               "sizes that the model was exported with");
        return {};
    }
    for (std::size_t i = 0; i < manifest.stages.size(); ++i) {
        const ManifestStage& stage = manifest.stages[i];
        if (!isSaid(stage))
            continue;
        const std::int64_t planned = stage.files.savedBytes->count();
        if (i < inPython.size() && inPython[i])
            report.comparisons.push_back(comparisonOf("in Python: " + stage.files.code,
                                                      *stage.files.savedBytes, *inPython[i],
                                                      planned / 100 + freeBytes));
        if (stage.files.program.empty())
            continue;
        STAGECRAFT_TRY(progress.step("Tracing what is kept", i, manifest.stages.size()));
        STAGECRAFT_ASSIGN(program, openModel(folder / stage.files.program));
        STAGECRAFT_TRY(checkManifestStage(manifest, i, program));
        const Result<Bytes> kept = keptBytes(std::move(program), stage, model, progress);
        if (kept.has_value())
            report.comparisons.push_back(comparisonOf(stage.files.program, *stage.files.savedBytes,
                                                      kept->count(),
                                                      sentWithoutGaps(stage, model.graph).count()));
        else if (kept.error().code == ErrorCode::Cancelled)
            return kept.error();
        else
            report.notes.push_back("what " + stage.files.program +
                                   " keeps for backward was not compared: " + kept.error().message);
    }
    return {};
}

} // namespace stagecraft
