#include "core/stage/merge.h"

#include "core/base/contains.h"
#include "core/load/mapped_file.h"
#include "core/load/safetensors.h"
#include "core/stage/manifest.h"
#include "core/stage/safetensors_writer.h"

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

Error wrongState(const fs::path& file, const std::string& what)
{
    return {ErrorCode::BadFormat, file.string() + ": " + what};
}

// "[8, 4]" of "float32[8, 4]". Another type of numbers is the person's to choose.
std::string sizesOf(const std::string& type)
{
    return type.substr(std::min(type.find('['), type.size()));
}

std::string typeOf(const StoredTensor& tensor)
{
    Value value;
    value.meta = tensor.meta;
    return describedType(value);
}

class Merger
{
public:
    explicit Merger(const Manifest& manifest) : m_manifest(manifest) {}

    Result<void> add(std::size_t index, const fs::path& file, const WeightStore& weights)
    {
        const ManifestStage& stage = m_manifest.stages[index];
        STAGECRAFT_TRY(checkNames(stage, file, weights));
        for (const ManifestStage::StateEntry& entry : stage.state) {
            const std::optional<StoredTensor> tensor = find(stage, entry, weights);
            if (!tensor)
                return wrongState(file, "'" + entry.name + "' is missing");
            if (sizesOf(typeOf(*tensor)) != sizesOf(entry.type))
                return wrongState(file, "'" + entry.name + "' is " + typeOf(*tensor) + ", and " + entry.type +
                                            " in the model");
            STAGECRAFT_TRY(addTensor(index, file, {entry.name, *tensor}));
        }
        return {};
    }

    // Wide types first, so that every tensor starts at a multiple of its item size.
    std::vector<NamedTensor> take() &&
    {
        std::ranges::stable_sort(m_tensors, std::greater(), [](const NamedTensor& tensor) {
            return itemSize(tensor.tensor.meta.dtype);
        });
        return std::move(m_tensors);
    }

private:
    // Under any of its names.
    static std::optional<StoredTensor>
    find(const ManifestStage& stage, const ManifestStage::StateEntry& entry, const WeightStore& weights)
    {
        const auto rootOf = [](const ManifestStage::StateEntry& other) {
            return other.aliasOf.empty() ? other.name : other.aliasOf;
        };
        std::optional<StoredTensor> tensor = weights.find(entry.name);
        for (const ManifestStage::StateEntry& other : stage.state)
            if (!tensor && rootOf(other) == rootOf(entry))
                tensor = weights.find(other.name);
        return tensor;
    }

    // Constants and buffers that are no part of the state dict lie in an export's own files as well.
    static Result<void> checkNames(const ManifestStage& stage, const fs::path& file,
                                   const WeightStore& weights)
    {
        for (const std::string& name : weights.names())
            if (!contains(stage.state, name, &ManifestStage::StateEntry::name) &&
                !contains(stage.buffers, name) && !contains(stage.constants, name))
                return wrongState(file, "'" + name + "' is no tensor of this stage");
        return {};
    }

    Result<void> addTensor(std::size_t index, const fs::path& file, NamedTensor tensor)
    {
        const auto [first, isNew] = m_stageOf.emplace(tensor.name, index);
        if (isNew) {
            m_tensors.push_back(std::move(tensor));
            return {};
        }
        const NamedTensor& other = *std::ranges::find(m_tensors, tensor.name, &NamedTensor::name);
        std::vector<std::byte> scratch, otherScratch;
        if (other.tensor.meta.dtype != tensor.tensor.meta.dtype ||
            !std::ranges::equal(rowMajorBytes(other.tensor, otherScratch),
                                rowMajorBytes(tensor.tensor, scratch)))
            return wrongState(file, "'" + tensor.name + "' is not as in stage " +
                                        std::to_string(first->second + 1) +
                                        ": the copies were trained apart");
        return {};
    }

    const Manifest& m_manifest;
    std::vector<NamedTensor> m_tensors;
    std::map<std::string, std::size_t> m_stageOf;
};

Result<void> checkExport(const fs::path& folder, const Manifest& manifest)
{
    for (const ManifestStage& stage : manifest.stages) {
        if (stage.files.weights.empty())
            return Error{ErrorCode::BadUsage, folder.string() + ": this export has no weights to merge"};
        if (stage.state.empty() && !stage.parameters.empty())
            return Error{ErrorCode::Unsupported,
                         folder.string() + ": an earlier version wrote this export; export again"};
    }
    return {};
}

} // namespace

Result<MergeReport> mergeStages(const fs::path& folder, const fs::path& states, const fs::path& output,
                                const Progress& progress)
{
    STAGECRAFT_ASSIGN(manifest, readManifest(folder));
    STAGECRAFT_TRY(checkExport(folder, manifest));
    Merger merger(manifest);
    std::vector<WeightStore> open; // what is merged lies in these
    for (std::size_t i = 0; i < manifest.stages.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Reading stages", i, manifest.stages.size()));
        const fs::path file = states / manifest.stages[i].files.weights;
        std::error_code failure;
        if (fs::equivalent(file, output, failure))
            return Error{ErrorCode::BadUsage, output.string() + ": would be written over what is read"};
        STAGECRAFT_ASSIGN(weights, readSafetensors({file}));
        open.push_back(std::move(weights));
        STAGECRAFT_TRY(merger.add(i, file, open.back()));
    }
    const std::vector<NamedTensor> tensors = std::move(merger).take();
    STAGECRAFT_ASSIGN(size, writeFile(output, progress, [&](OutputFile& file) -> Result<void> {
                          STAGECRAFT_TRY(writeSafetensors(file, tensors, {{"format", "pt"}}, progress));
                          for (const WeightStore& weights : open)
                              for (const auto& mapped : weights.files())
                                  STAGECRAFT_TRY(mapped->unchanged());
                          return {};
                      }));
    return MergeReport{tensors.size(), size};
}

} // namespace stagecraft
