#include "core/load/stored_tensors.h"

#include "core/load/first_ten.h"
#include "core/load/pickle.h"

#include <algorithm>
#include <cstring>

namespace stagecraft {

namespace {

constexpr std::uintptr_t neededAlignment = 8; // of the widest element, half a complex128

bool isAligned(std::span<const std::byte> bytes)
{
    return reinterpret_cast<std::uintptr_t>(bytes.data()) % neededAlignment == 0;
}

bool hasElements(const TensorMeta& meta)
{
    return std::ranges::find(meta.sizes, SymInt(0)) == meta.sizes.end();
}

} // namespace

OwnedBytes aligned(const OwnedBytes& bytes)
{
    if (isAligned(bytes.bytes))
        return bytes;
    const std::size_t size = bytes.bytes.size();
    const std::shared_ptr<std::byte[]> copy(new std::byte[size]);
    std::memcpy(copy.get(), bytes.bytes.data(), size);
    return {{copy.get(), size}, copy};
}

StorageKey StoredTensors::addStorage(const OwnedBytes& bytes)
{
    m_sizes.push_back(bytes.bytes.size());
    const OwnedBytes kept = aligned(bytes);
    return m_weights.addStorage(kept.bytes, kept.owner);
}

Result<void> StoredTensors::add(const std::string& name, const TensorMeta& meta, StorageKey storage)
{
    if (m_sizes[storage.index()] > 0 || !hasElements(meta))
        return m_weights.addTensor(name, meta, storage);
    addShape(name, meta);
    return {};
}

Result<void> StoredTensors::addTorchSave(OwnedBytes zip)
{
    STAGECRAFT_ASSIGN(file, readTorchSave(std::move(zip)));
    if (file.root->kind != PickleValue::Kind::Dict)
        return Error{ErrorCode::BadFormat, "it is no dict of tensors"};
    std::vector<StorageKey> keys;
    for (const OwnedBytes& storage : file.storages)
        keys.push_back(addStorage(storage));
    for (std::size_t i = 0; i + 1 < file.root->elements.size(); i += 2) {
        const PickleValue& name = *file.root->elements[i];
        const std::optional<PickledTensor>& tensor = file.root->elements[i + 1]->tensor;
        if (name.kind != PickleValue::Kind::Text)
            return Error{ErrorCode::BadFormat, "a tensor has no name"};
        if (!tensor)
            addUnreadable(name.text);
        else if (!tensor->storage)
            addShape(name.text, tensor->meta);
        else
            STAGECRAFT_TRY(add(name.text, tensor->meta, keys[*tensor->storage]));
    }
    return {};
}

void StoredTensors::addShape(const std::string& name, const TensorMeta& meta)
{
    m_weights.addShape(name, meta);
    m_sizes.push_back(0); // the store made an empty storage for it
}

std::vector<std::string> StoredTensors::shapeUnreadable(const ExportedProgram& program)
{
    std::vector<std::string> names;
    for (const InputSpec& spec : program.signature.inputs) {
        if (!spec.isStored() || !spec.value || !m_unreadable.contains(spec.target))
            continue;
        const std::optional<TensorMeta>& meta = program.graph[*spec.value].meta;
        if (!meta || m_weights.find(spec.target) ||
            !std::ranges::all_of(meta->sizes, [](const SymInt& size) { return size.isConstant(); }))
            continue;
        addShape(spec.target, *meta);
        names.push_back(spec.target);
    }
    return names;
}

Result<void> StoredTensors::checkComplete(const Signature& signature) const
{
    std::vector<std::string> missing, unreadable;
    for (const InputSpec& spec : signature.inputs)
        if (spec.isStored() && !m_weights.find(spec.target))
            (m_unreadable.contains(spec.target) ? unreadable : missing).push_back(spec.target);
    if (!unreadable.empty())
        return Error{ErrorCode::Unsupported,
                     firstTen(unreadable) +
                         (unreadable.size() > 1 ? " are stored as Python objects, which are"
                                                : " is stored as a Python object, which is") +
                         " never loaded; export the model with plain tensors"};
    if (!missing.empty())
        return Error{ErrorCode::BadFormat,
                     "the weights have no tensor " + firstTen(missing) + "; export the model again"};
    return {};
}

// What operators are given is what the program was checked with: some of their kernels look no further.
Result<void> StoredTensors::checkShapes(const ExportedProgram& program) const
{
    std::vector<std::string> unlike;
    for (const InputSpec& spec : program.signature.inputs) {
        const std::optional<StoredTensor> stored =
            spec.isStored() && spec.value ? m_weights.find(spec.target) : std::nullopt;
        if (!stored || !program.graph[*spec.value].meta)
            continue;
        const TensorMeta& wanted = *program.graph[*spec.value].meta;
        if (stored->meta.dtype != wanted.dtype || stored->meta.sizes != wanted.sizes)
            unlike.push_back(spec.target + " as " + metaText(stored->meta) + ", the program as " +
                             metaText(wanted));
    }
    if (!unlike.empty())
        return Error{ErrorCode::BadFormat,
                     "the weights have " + firstTen(unlike, "; ") + "; export the model again"};
    return {};
}

namespace {

std::string notLoaded(const std::vector<std::string>& names)
{
    const std::string others =
        names.size() > 1 ? " and " + std::to_string(names.size() - 1) + " more are" : " is";
    return names.front() + others +
           " stored by pickle (tensor subclasses, as of quantised weights), which is never loaded: the "
           "model opens as structure only, and figures take them for plain tensors of their shape and type";
}

} // namespace

Result<Model> assembleModel(const std::string& name, ContainerKind container, ExportedProgram program,
                            StoredTensors tensors)
{
    const std::vector<std::string> shapes = tensors.shapeUnreadable(program);
    STAGECRAFT_TRY(tensors.checkComplete(program.signature));
    STAGECRAFT_TRY(tensors.checkShapes(program));
    Provenance provenance{.container = container,
                          .torchVersion = program.header.torchVersion,
                          .schemaVersion = program.header.schemaVersion,
                          .fileNodeCount = program.fileNodeCount,
                          .dialect = program.header.dialect,
                          .notes = program.header.notes};
    if (!shapes.empty())
        provenance.notes.push_back(notLoaded(shapes));
    return Model{name, std::move(program.graph), std::move(program.signature),
                 std::move(tensors).takeWeights(), std::move(provenance)};
}

} // namespace stagecraft
