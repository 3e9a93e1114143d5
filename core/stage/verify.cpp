#include "core/stage/verify.h"

#include "core/base/text.h"
#include "core/load/weight_files.h"
#include "core/plan/sources/plan_file.h"
#include "core/stage/safetensors_writer.h"
#include "core/stage/tensor_comparer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace stagecraft {

std::string_view comparisonKindName(Comparison::Kind kind)
{
    switch (kind) {
    case Comparison::Kind::Output:
        return "output";
    case Comparison::Kind::ParameterGradient:
        return "parameter gradient";
    case Comparison::Kind::InputGradient:
        return "input gradient";
    case Comparison::Kind::Buffer:
        return "buffer";
    case Comparison::Kind::Weight:
        return "weight";
    case Comparison::Kind::Kept:
        return "kept for backward";
    case Comparison::Kind::File:
        break;
    }
    return "file";
}

bool VerifyReport::passed() const
{
    return std::ranges::all_of(comparisons, &Comparison::passed);
}

std::string VerifyReport::gradientsText() const
{
    if (withoutGradients)
        return "gradients not compared: " + *withoutGradients;
    return withoutInputGradients ? "gradients of inputs not compared: " + *withoutInputGradients : "";
}

std::string VerifyReport::summary() const
{
    const std::string left = gradientsText();
    const std::string gradients = left.empty() ? "" : "; " + left;
    std::string text = counted(stageCount, "stage") + ": ";
    const auto failed =
        std::ranges::count_if(comparisons, [](const Comparison& comparison) { return !comparison.passed; });
    if (failed > 0) {
        const auto first = std::ranges::find(comparisons, false, &Comparison::passed);
        return text + std::to_string(failed) + " of " + counted(comparisons.size(), "comparison") +
               " failed; first: " + std::string(comparisonKindName(first->kind)) + " '" + first->name +
               "': " + first->reason + gradients;
    }
    double largest = 0;
    std::string counts;
    for (const auto kind : {Comparison::Kind::Output, Comparison::Kind::ParameterGradient,
                            Comparison::Kind::InputGradient, Comparison::Kind::Buffer, Comparison::Kind::Kept,
                            Comparison::Kind::Weight, Comparison::Kind::File}) {
        const auto number = std::ranges::count(comparisons, kind, &Comparison::kind);
        if (number > 0 && kind == Comparison::Kind::Kept)
            counts += (counts.empty() ? "" : ", ") + std::string("what is kept for backward");
        else if (number > 0)
            counts += (counts.empty() ? "" : ", ") +
                      counted(static_cast<std::size_t>(number), std::string(comparisonKindName(kind)));
    }
    double relative = 0;
    for (const Comparison& comparison : comparisons) {
        largest = std::max(largest, comparison.maxAbsolute);
        relative = std::max(relative, comparison.maxRelative);
    }
    text += (counts.empty() ? "nothing to compare" : counts + " agree");
    if (shapesOnly)
        return text + " in shape and type (the model has no weights)" + gradients;
    if (largest == 0)
        return text + " exactly" + gradients;
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "; largest difference %.2g, relative %.2g", largest,
                  relative);
    return text + numbers.data() + gradients;
}

Result<void> compareStoredWeights(const Model& model, const Manifest& manifest,
                                  const std::filesystem::path& folder, VerifyReport& report)
{
    std::vector<std::byte> ownScratch;
    std::vector<std::byte> scratch;
    const bool hasNumbers = model.weights.hasData();
    bool isNoted = hasNumbers;
    for (const ManifestStage& stage : manifest.stages) {
        if (stage.files.weights.empty())
            continue;
        STAGECRAFT_ASSIGN(written, readWeights({folder / stage.files.weights}));
        for (const std::string& name : written.names()) {
            Comparison comparison{.kind = Comparison::Kind::Weight, .name = name};
            const StoredTensor tensor = *written.find(name);
            comparison.shape = metaText(tensor.meta);
            const std::optional<StoredTensor> own = model.weights.find(name);
            comparison.passed =
                own && own->meta.dtype == tensor.meta.dtype && own->meta.sizes == tensor.meta.sizes &&
                (!hasNumbers ||
                 std::ranges::equal(rowMajorBytes(*own, ownScratch), rowMajorBytes(tensor, scratch)));
            if (!std::exchange(isNoted, true))
                report.notes.push_back(
                    "the model has no weights here, and the stages have: they are compared "
                    "in shape and type alone; give the model its own (--weights)");
            if (!comparison.passed)
                comparison.reason = own ? "is not the model's tensor" : "the model has no such tensor";
            report.comparisons.push_back(std::move(comparison));
        }
        for (const std::shared_ptr<const MappedFile>& file : written.files())
            STAGECRAFT_TRY(file->unchanged());
    }
    return {};
}

Result<void> compareWrittenFiles(const Manifest& manifest, const std::filesystem::path& folder,
                                 const Progress& progress, VerifyReport& report)
{
    if (manifest.written.empty())
        report.notes.push_back("the export is of an earlier version and has no checksums: whether stage_I.py "
                               "and pipeline.py were changed is not known");
    for (const WrittenFile& file : manifest.written) {
        Comparison comparison{.kind = Comparison::Kind::File, .name = file.name, .shape = ""};
        std::error_code failure;
        const std::uintmax_t size = std::filesystem::file_size(folder / file.name, failure);
        bool isSame = !failure && size == static_cast<std::uintmax_t>(file.size.count());
        if (isSame && !file.sha256.empty()) {
            STAGECRAFT_ASSIGN(sha256, fileSha256(folder / file.name, progress));
            isSame = sha256 == file.sha256;
        }
        comparison.passed = isSame;
        if (!isSame)
            comparison.reason = failure ? "is missing" : "was changed after the export; export again";
        report.comparisons.push_back(std::move(comparison));
    }
    return {};
}

} // namespace stagecraft
