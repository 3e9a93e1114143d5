#include "core/load/weight_store.h"

#include <algorithm>

namespace stagecraft {

namespace {

// The number of elements from the storage's start to just behind the tensor's last one. None for a negative
// size, stride or offset, a size that is not a number, or one beyond 64 bits.
std::optional<std::int64_t> elementsReached(const TensorMeta& meta)
{
    if (meta.sizes.size() != meta.strides.size() || !meta.storageOffset.isConstant())
        return std::nullopt;
    std::int64_t reached = meta.storageOffset.constant();
    bool isBad = reached < 0;
    bool isEmpty = false;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
        if (!meta.sizes[i].isConstant() || !meta.strides[i].isConstant())
            return std::nullopt;
        const std::int64_t size = meta.sizes[i].constant();
        const std::int64_t stride = meta.strides[i].constant();
        isBad |= size < 0 || stride < 0;
        isEmpty |= size == 0;
        std::int64_t step = 0;
        if (size > 1)
            isBad |= __builtin_mul_overflow(size - 1, stride, &step);
        isBad |= __builtin_add_overflow(reached, step, &reached);
    }
    if (isBad)
        return std::nullopt;
    if (isEmpty)
        return 0;
    return __builtin_add_overflow(reached, 1, &reached) ? std::nullopt : std::optional(reached);
}

} // namespace

StorageKey WeightStore::addStorage(std::span<const std::byte> bytes, Owner owner)
{
    m_storages.push_back(bytes);
    m_owners.push_back(std::move(owner));
    return StorageKey(m_storages.size() - 1);
}

Result<void> WeightStore::addTensor(const std::string& name, const TensorMeta& meta, StorageKey storage)
{
    const std::span<const std::byte> bytes = m_storages[storage.index()];
    const std::optional<std::int64_t> reached = elementsReached(meta);
    if (!reached)
        return Error{ErrorCode::BadFormat, "the tensor " + name + " has sizes or strides that cannot be"};
    const auto there = static_cast<std::int64_t>(bytes.size()) / itemSize(meta.dtype);
    if (*reached > there)
        return Error{ErrorCode::BadFormat, "the tensor " + name + " needs " + std::to_string(*reached) +
                                               " elements, its record has " + std::to_string(there)};
    m_tensors.insert_or_assign(name, StoredTensor{meta, storage, bytes});
    return {};
}

void WeightStore::addShape(const std::string& name, const TensorMeta& meta)
{
    m_tensors.insert_or_assign(name, StoredTensor{meta, addStorage({}, {}), {}});
}

std::optional<StoredTensor> WeightStore::find(std::string_view name) const
{
    const auto found = m_tensors.find(name);
    if (found == m_tensors.end())
        return std::nullopt;
    return found->second;
}

std::vector<std::string> WeightStore::names() const
{
    std::vector<std::string> names;
    for (const auto& [name, tensor] : m_tensors)
        names.push_back(name);
    return names;
}

bool WeightStore::hasData() const
{
    return std::ranges::all_of(m_tensors, [](const auto& entry) {
        const StoredTensor& tensor = entry.second;
        return !tensor.bytes.empty() || std::ranges::count(tensor.meta.sizes, SymInt(0)) > 0;
    });
}

Bytes WeightStore::dataSize() const
{
    Bytes size;
    for (const std::span<const std::byte> storage : m_storages)
        size += Bytes(static_cast<std::int64_t>(storage.size()));
    return size;
}

} // namespace stagecraft
