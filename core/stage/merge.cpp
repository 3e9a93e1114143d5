#include "core/stage/merge.h"

#include "core/base/contains.h"
#include "core/base/temporary_name.h"
#include "core/base/writing.h"
#include "core/load/mapped_file.h"
#include "core/load/weight_files.h"
#include "core/stage/manifest.h"

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

    std::vector<NamedTensor> take() &&
    {
        sortForFile(m_tensors);
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

// Where the state of a stage is: in one file, or in shards with an index, whichever of the two is there.
Result<fs::path> stateFile(const fs::path& states, const std::string& exported, std::size_t index)
{
    const std::string stem = "stage_" + std::to_string(index);
    const fs::path one = states / (stem + ".safetensors");
    const fs::path many = states / (stem + shardIndexEnding);
    std::error_code failure;
    const bool isOne = fs::exists(one, failure);
    const bool isMany = fs::exists(many, failure);
    if (isOne && isMany)
        return Error{ErrorCode::BadUsage, one.string() + " and " + many.filename().string() +
                                              " are both there: remove what is not the stage's state"};
    return isOne ? one : isMany ? many : states / exported;
}

// Nothing is written over what is read. `read` are files of weights and indices.
Result<void> checkOutput(const ShardedWeights& merged, const fs::path& output,
                         const std::vector<fs::path>& read)
{
    std::vector<fs::path> written{output};
    for (const WeightShard& shard : merged.shards)
        written.push_back(output.parent_path() / shard.file);
    if (!merged.indexFile.empty())
        written.push_back(output.parent_path() / merged.indexFile);
    std::error_code failure;
    for (const fs::path& one : read)
        for (const fs::path& other : written)
            if (fs::equivalent(one, other, failure))
                return Error{ErrorCode::BadUsage, other.string() + ": would be written over what is read"};
    return {};
}

Result<void> writeTensors(OutputFile& file, const std::vector<NamedTensor>& tensors,
                          const std::vector<WeightStore>& open, const Progress& progress)
{
    STAGECRAFT_TRY(writeSafetensors(file, tensors, safetensorsMetadata(), progress));
    for (const WeightStore& weights : open)
        for (const auto& mapped : weights.files())
            STAGECRAFT_TRY(mapped->unchanged());
    return {};
}

// Files under other names beside their places; what is not in place in the end disappears.
class FilesBeside
{
public:
    FilesBeside() = default;
    FilesBeside(const FilesBeside&) = delete;
    FilesBeside& operator=(const FilesBeside&) = delete;
    ~FilesBeside()
    {
        std::error_code ignored;
        for (const auto& [temporary, place] : m_files)
            fs::remove(temporary, ignored);
    }

    fs::path add(const fs::path& place)
    {
        return m_files.emplace_back(temporaryBeside(place, temporaryEnding), place).first;
    }
    Result<void> putInPlace()
    {
        std::error_code failure;
        for (const auto& [temporary, place] : m_files)
            if (fs::rename(temporary, place, failure); failure)
                return Error{ErrorCode::Unreadable,
                             place.string() + ": cannot be written: " + failure.message()};
        m_files.clear();
        return {};
    }

private:
    const Writing m_writing;
    std::vector<std::pair<fs::path, fs::path>> m_files;
};

// The index comes last, and an older one goes first: a set of shards is whole wherever there is an index.
Result<Bytes> writeShards(const ShardedWeights& merged, const fs::path& output,
                          const std::vector<WeightStore>& open, const Progress& progress)
{
    const fs::path folder = output.parent_path();
    std::error_code failure;
    if (fs::exists(output, failure))
        return Error{ErrorCode::BadUsage,
                     output.string() + ": is there, and would be taken for the model instead of the " +
                         std::to_string(merged.shards.size()) +
                         " shards beside it; remove it, or choose a larger --shard-size"};
    FilesBeside files;
    Bytes size;
    for (const WeightShard& shard : merged.shards) {
        STAGECRAFT_ASSIGN(file, OutputFile::create(files.add(folder / shard.file), progress));
        STAGECRAFT_TRY(writeTensors(file, shard.tensors, open, progress));
        STAGECRAFT_TRY(file.close());
        size += file.size();
    }
    const fs::path index = folder / merged.indexFile;
    fs::remove(index, failure);
    if (failure)
        return Error{ErrorCode::Unreadable, index.string() + ": cannot be replaced: " + failure.message()};
    STAGECRAFT_TRY(files.putInPlace());
    STAGECRAFT_ASSIGN(indexSize, writeTextFile(index, merged.index));
    return size + indexSize;
}

// A pipe has no place beside it.
bool canBeShards(const fs::path& output)
{
    std::error_code failure;
    return !fs::exists(output, failure) || fs::is_regular_file(output, failure);
}

} // namespace

Result<MergeReport> mergeStages(const fs::path& folder, const fs::path& states, const fs::path& output,
                                Bytes shardSize, const Progress& progress)
{
    STAGECRAFT_ASSIGN(manifest, readManifest(folder));
    STAGECRAFT_TRY(checkExport(folder, manifest));
    Merger merger(manifest);
    std::vector<WeightStore> open; // what is merged lies in these
    std::vector<fs::path> read;
    for (std::size_t i = 0; i < manifest.stages.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Reading stages", i, manifest.stages.size()));
        STAGECRAFT_ASSIGN(file, stateFile(states, manifest.stages[i].files.weights, i));
        STAGECRAFT_ASSIGN(weights, readWeights({file}));
        read.push_back(file);
        for (const auto& mapped : weights.files())
            read.push_back(mapped->path());
        open.push_back(std::move(weights));
        STAGECRAFT_TRY(merger.add(i, file, open.back()));
    }
    std::vector<NamedTensor> tensors = std::move(merger).take();
    const std::size_t count = tensors.size();
    const ShardedWeights merged = inShards(output.stem().string(), std::move(tensors), shardSize);
    STAGECRAFT_TRY(checkOutput(merged, output, read));
    if (!merged.indexFile.empty() && canBeShards(output)) {
        STAGECRAFT_ASSIGN(size, writeShards(merged, output, open, progress));
        return MergeReport{count, size, merged.shards.size(), output.parent_path() / merged.indexFile};
    }
    std::vector<NamedTensor> all;
    for (const WeightShard& shard : merged.shards)
        all.insert(all.end(), shard.tensors.begin(), shard.tensors.end());
    STAGECRAFT_ASSIGN(size, writeFile(output, progress, [&](OutputFile& file) {
                          return writeTensors(file, all, open, progress);
                      }));
    return MergeReport{count, size, 1, output};
}

} // namespace stagecraft
