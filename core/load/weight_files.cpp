#include "core/load/weight_files.h"

#include "core/load/error_context.h"
#include "core/load/json_view.h"
#include "core/load/mapped_file.h"
#include "core/load/safetensors.h"
#include "core/load/state_dict.h"

#include <algorithm>
#include <map>
#include <set>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

constexpr FileAdvice saveAgain{.damaged = "copy or download it again, or save the weights again",
                               .unsupported =
                                   "save them as safetensors, or the model's state_dict() with torch.save"};

using ShardOfTensor = std::map<std::string, std::string, std::less<>>;

Error wrongIndex(const std::string& what)
{
    return {ErrorCode::BadFormat, what};
}

Result<ShardOfTensor> readIndex(const MappedFile& file)
{
    const std::span<const std::byte> bytes = file.bytes();
    STAGECRAFT_ASSIGN(document,
                      JsonDocument::parse({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    const JsonView map = document.root()["weight_map"];
    if (!map.isObject())
        return wrongIndex("not the index of a checkpoint: it has no weight_map");
    STAGECRAFT_ASSIGN(members, map.members());
    ShardOfTensor shards;
    for (const auto& [tensor, shard] : members) {
        STAGECRAFT_ASSIGN(name, shard.string());
        if (fs::path(name).filename() != name || name == "." || name == ".." || name.find('\0') != name.npos)
            return wrongIndex("a shard is to be a file beside the index");
        if (!shards.emplace(tensor, name).second)
            return wrongIndex("it lists the tensor " + std::string(tensor) + " twice");
    }
    return shards;
}

Result<ShardOfTensor> openIndex(const fs::path& index)
{
    STAGECRAFT_ASSIGN(file, MappedFile::open(index));
    Result<ShardOfTensor> shards = readIndex(*file);
    STAGECRAFT_TRY(file->unchanged());
    return shards.has_value() ? std::move(shards)
                              : inside(index.string(), withAdvice(shards.error(), saveAgain));
}

std::set<std::string> shardNames(const ShardOfTensor& index)
{
    std::set<std::string> names;
    for (const auto& [tensor, shard] : index)
        names.insert(shard);
    return names;
}

// Is every tensor in the shard where the index says, and no other one there? A second name of a tensor, which
// a shard's metadata give, need not be listed.
Result<void> checkShard(const ShardOfTensor& index, const std::string& name, const WeightStore& shard)
{
    std::set<std::size_t> listed;
    for (const auto& [tensor, place] : index) {
        if (place != name)
            continue;
        const std::optional<StoredTensor> found = shard.find(tensor);
        if (!found)
            return wrongIndex("the tensor " + tensor + " is not in " + name + ", where it is to be");
        listed.insert(found->storage.index());
    }
    for (const std::string& tensor : shard.names())
        if (!listed.contains(shard.find(tensor)->storage.index()))
            return wrongIndex("the tensor " + tensor + " is in " + name + ", and not listed");
    return {};
}

// A pickle and no archive: its first two bytes would be the length of a safetensors header too.
bool looksLikeOldTorchSave(std::span<const std::byte> bytes)
{
    return bytes.size() > 4 && bytes[0] == std::byte{0x80} && bytes[1] == std::byte{2} &&
           bytes[2] == std::byte{0x8a} && bytes[3] == std::byte{0x0a};
}

// Safetensors and state dicts of torch.save, each as its bytes say.
Result<WeightStore> readTensorFiles(const std::vector<fs::path>& files)
{
    WeightStore weights;
    for (const fs::path& path : files) {
        STAGECRAFT_ASSIGN(file, MappedFile::open(path));
        const OwnedBytes bytes{file->bytes(), file};
        if (looksLikeOldTorchSave(bytes.bytes))
            return Error{ErrorCode::Unsupported, path.string() + ": torch.save wrote it as it did before "
                                                                 "PyTorch 1.6; load it and save it again"};
        const Result<void> read =
            looksLikeTorchSave(bytes) ? addStateDict(bytes, weights) : addSafetensors(bytes, weights);
        STAGECRAFT_TRY(file->unchanged());
        if (!read.has_value())
            return inside(path.string(), withAdvice(read.error(), saveAgain));
        weights.addFile(std::move(file));
    }
    return weights;
}

Result<std::vector<fs::path>> checkedShards(const fs::path& index)
{
    STAGECRAFT_ASSIGN(shards, openIndex(index));
    std::vector<fs::path> files;
    for (const std::string& name : shardNames(shards)) {
        files.push_back(index.parent_path() / name);
        STAGECRAFT_ASSIGN(shard, readTensorFiles({files.back()}));
        if (const Result<void> checked = checkShard(shards, name, shard); !checked.has_value())
            return inside(index.string(), withAdvice(checked.error(), saveAgain));
    }
    return files;
}

} // namespace

Result<WeightStore> readWeights(const std::vector<fs::path>& files)
{
    std::vector<fs::path> all;
    for (const fs::path& file : files) {
        if (file.extension() != ".json") {
            all.push_back(file);
            continue;
        }
        STAGECRAFT_ASSIGN(shards, checkedShards(file));
        all.insert(all.end(), shards.begin(), shards.end());
    }
    return readTensorFiles(all);
}

} // namespace stagecraft
