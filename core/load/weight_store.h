// WeightStore: the tensors that come with a model, in place in its mapped file.
//
// Nothing is copied when a model is opened: a 100 GB file opens in milliseconds. Several names may share one
// storage (tied weights, views of one buffer); `storage` tells which do.
#pragma once

#include "core/base/id.h"
#include "core/base/quantities.h"
#include "core/graph/tensor_meta.h"

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

class MappedFile;

using StorageKey = Id<struct StoredStorageTag>; // one record of the file

// A tensor as a window into the bytes of a storage. Offsets were checked when the store was made.
struct StoredTensor
{
    TensorMeta meta; // sizes, strides and offset are constants
    StorageKey storage;
    std::span<const std::byte> bytes; // of the whole storage; empty where there are no data
};

class WeightStore
{
public:
    // How the bytes stay alive: a mapped file, or memory that a deflated record was unpacked into.
    using Owner = std::shared_ptr<const void>;

    WeightStore() = default;

    StorageKey addStorage(std::span<const std::byte> bytes, Owner owner);
    // Fails, naming the tensor, where it reaches beyond its storage.
    Result<void> addTensor(const std::string& name, const TensorMeta& meta, StorageKey storage);
    // A tensor of a structure-only export: it has a shape but no data.
    void addShape(const std::string& name, const TensorMeta& meta);

    // None where the name is unknown; a tensor with empty `bytes` where there is only a shape.
    std::optional<StoredTensor> find(std::string_view name) const;
    std::vector<std::string> names() const; // sorted
    bool empty() const { return m_tensors.empty(); }
    // Has every tensor its data?
    bool hasData() const;
    // Of all storages, each once.
    Bytes dataSize() const;

    // A file that tensors lie in, beside the model's own.
    void addFile(std::shared_ptr<const MappedFile> file) { m_files.push_back(std::move(file)); }
    const std::vector<std::shared_ptr<const MappedFile>>& files() const { return m_files; }

private:
    std::map<std::string, StoredTensor, std::less<>> m_tensors;
    std::vector<std::span<const std::byte>> m_storages;
    std::vector<Owner> m_owners;
    std::vector<std::shared_ptr<const MappedFile>> m_files;
};

} // namespace stagecraft
