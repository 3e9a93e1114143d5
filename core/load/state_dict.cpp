#include "core/load/state_dict.h"

#include "core/load/pickle.h"
#include "core/load/stored_tensors.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace stagecraft {

namespace {

using Kind = PickleValue::Kind;

constexpr std::array<std::string_view, 4> usualPlaces{"state_dict", "model_state_dict", "model", "module"};

bool holdsTensors(const PickleValue& dict)
{
    for (std::size_t i = 1; i < dict.elements.size(); i += 2)
        if (dict.elements[i]->tensor)
            return true;
    return false;
}

// The dict of tensors: the whole, or the one in it that trainers put there.
Result<PickleNode> tensorDict(const PickleNode& root)
{
    if (root->kind != Kind::Dict)
        return Error{ErrorCode::BadFormat, "it holds no dict of tensors; save model.state_dict()"};
    if (holdsTensors(*root))
        return root;
    for (const std::string_view place : usualPlaces)
        for (std::size_t i = 0; i + 1 < root->elements.size(); i += 2) {
            const PickleNode& value = root->elements[i + 1];
            if (root->elements[i]->text == place && value->kind == Kind::Dict && holdsTensors(*value))
                return value;
        }
    return Error{ErrorCode::BadFormat, "no tensor is in it; save model.state_dict()"};
}

// One dimension after the other, into rows without gaps.
void gather(const std::byte* source, std::byte*& target, const TensorMeta& meta, std::size_t dimension)
{
    const auto itemBytes = static_cast<std::size_t>(itemSize(meta.dtype));
    if (dimension == meta.sizes.size()) {
        std::memcpy(target, source, itemBytes);
        target += itemBytes;
        return;
    }
    const std::int64_t step = meta.strides[dimension].constant() * itemSize(meta.dtype);
    for (std::int64_t i = 0; i < meta.sizes[dimension].constant(); ++i)
        gather(source + i * step, target, meta, dimension + 1);
}

bool isRowMajor(const TensorMeta& meta)
{
    return meta.strides == contiguousMeta(meta.dtype, meta.sizes).strides;
}

// A tensor that does not lie in rows, copied so that it does.
Result<void> addCopy(const std::string& name, const TensorMeta& meta, const OwnedBytes& storage,
                     WeightStore& weights)
{
    WeightStore checked;
    STAGECRAFT_TRY(checked.addTensor(name, meta, checked.addStorage(storage.bytes, storage.owner)));
    STAGECRAFT_ASSIGN(size, byteSize(meta, {}));
    const auto bytes = static_cast<std::size_t>(size.count());
    if (bytes > storage.bytes.size())
        return Error{ErrorCode::Unsupported,
                     "the elements of " + name + " overlap; save it with .contiguous()"};
    const std::shared_ptr<std::byte[]> memory(new std::byte[bytes]);
    std::byte* target = memory.get();
    gather(storage.bytes.data() + meta.storageOffset.constant() * itemSize(meta.dtype), target, meta, 0);
    TensorMeta rows = contiguousMeta(meta.dtype, meta.sizes);
    rows.requiresGrad = meta.requiresGrad;
    return weights.addTensor(name, rows, weights.addStorage({memory.get(), bytes}, memory));
}

} // namespace

bool looksLikeTorchSave(const OwnedBytes& file)
{
    constexpr std::size_t header = 8; // of a safetensors file: a length; then its JSON begins
    const std::string_view text = file.text();
    return text.starts_with("PK\x03\x04") && text.size() > header && text[header] != '{';
}

Result<void> addStateDict(const OwnedBytes& file, WeightStore& weights)
{
    STAGECRAFT_ASSIGN(saved, readTorchSave(file));
    STAGECRAFT_ASSIGN(dict, tensorDict(saved.root));
    std::vector<OwnedBytes> storages;
    std::vector<StorageKey> keys;
    for (const OwnedBytes& storage : saved.storages) {
        storages.push_back(aligned(storage));
        keys.push_back(weights.addStorage(storages.back().bytes, storages.back().owner));
    }
    for (std::size_t i = 0; i + 1 < dict->elements.size(); i += 2) {
        const std::string& name = dict->elements[i]->text;
        const std::optional<PickledTensor>& tensor = dict->elements[i + 1]->tensor;
        if (dict->elements[i]->kind != Kind::Text || !tensor || !tensor->storage)
            return Error{ErrorCode::Unsupported, "its member '" + name + "' is no tensor with data"};
        if (weights.find(name))
            return Error{ErrorCode::BadFormat, "the tensor " + name + " is there twice"};
        const std::size_t storage = *tensor->storage;
        STAGECRAFT_TRY(isRowMajor(tensor->meta) ? weights.addTensor(name, tensor->meta, keys[storage])
                                                : addCopy(name, tensor->meta, storages[storage], weights));
    }
    return {};
}

} // namespace stagecraft
