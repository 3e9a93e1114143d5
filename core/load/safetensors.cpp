#include "core/load/safetensors.h"

#include "core/load/error_context.h"
#include "core/load/json_view.h"
#include "core/load/mapped_file.h"
#include "core/load/stored_tensors.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::uint64_t maxHeader = 100'000'000; // the format's own limit
constexpr std::size_t maxDimensions = 64;

constexpr std::array<std::pair<std::string_view, DType>, 17> dtypes{{{"BOOL", DType::Bool},
                                                                     {"U8", DType::U8},
                                                                     {"I8", DType::I8},
                                                                     {"U16", DType::U16},
                                                                     {"I16", DType::I16},
                                                                     {"U32", DType::U32},
                                                                     {"I32", DType::I32},
                                                                     {"U64", DType::U64},
                                                                     {"I64", DType::I64},
                                                                     {"F16", DType::F16},
                                                                     {"BF16", DType::BF16},
                                                                     {"F32", DType::F32},
                                                                     {"F64", DType::F64},
                                                                     {"F8_E4M3", DType::F8E4M3FN},
                                                                     {"F8_E5M2", DType::F8E5M2},
                                                                     {"F8_E8M0", DType::F8E8M0FNU},
                                                                     {"C64", DType::C64}}};

struct Entry
{
    std::string name;
    TensorMeta meta;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Error damaged(const std::string& what)
{
    return {ErrorCode::BadFormat, "not a safetensors file: " + what};
}

Result<Entry> readEntry(std::string_view name, const JsonView& json)
{
    Entry entry{.name = std::string(name)};
    STAGECRAFT_ASSIGN(typeName, json["dtype"].string());
    const std::optional<DType> dtype = dtypeFromSafetensors(typeName);
    if (!dtype)
        return Error{ErrorCode::Unsupported, "the element type " + std::string(typeName) + " is not known"};
    STAGECRAFT_ASSIGN(shape, json["shape"].elements());
    STAGECRAFT_ASSIGN(offsets, json["data_offsets"].elements());
    if (shape.size() > maxDimensions || offsets.size() != 2)
        return damaged("a tensor is described wrongly");
    std::vector<SymInt> sizes;
    for (const JsonView& element : shape) {
        STAGECRAFT_ASSIGN(size, element.integer());
        sizes.emplace_back(size);
    }
    entry.meta = contiguousMeta(*dtype, std::move(sizes));
    STAGECRAFT_ASSIGN(begin, offsets[0].integer());
    STAGECRAFT_ASSIGN(end, offsets[1].integer());
    STAGECRAFT_ASSIGN(bytes, byteSize(entry.meta, {}));
    if (begin < 0 || end < begin || end - begin != bytes.count())
        return damaged("the offsets do not fit the shape");
    entry.begin = static_cast<std::uint64_t>(begin);
    entry.end = static_cast<std::uint64_t>(end);
    return entry;
}

Result<std::vector<Entry>> readHeader(std::string_view header, std::uint64_t dataSize)
{
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(header));
    STAGECRAFT_ASSIGN(members, document.root().members());
    std::vector<Entry> entries;
    for (const auto& [name, json] : members) {
        if (name == "__metadata__")
            continue;
        Result<Entry> entry = readEntry(name, json);
        if (!entry.has_value())
            return inside(std::string(name), entry.error());
        entries.push_back(std::move(*entry));
    }
    std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
    std::uint64_t covered = 0;
    for (const Entry& entry : entries) {
        if (entry.begin != covered)
            return damaged("its tensors overlap or leave gaps at " + entry.name);
        covered = entry.end;
    }
    if (covered != dataSize)
        return Error{ErrorCode::BadFormat, "its tensors take " + std::to_string(covered) +
                                               " bytes, the file has " + std::to_string(dataSize) +
                                               "; it may be cut short"};
    return entries;
}

Result<void> readShard(const OwnedBytes& file, WeightStore& weights)
{
    std::uint64_t headerSize = 0;
    if (file.bytes.size() < sizeof headerSize)
        return damaged("it is too short");
    std::memcpy(&headerSize, file.bytes.data(), sizeof headerSize);
    const std::span<const std::byte> rest = file.bytes.subspan(sizeof headerSize);
    if (headerSize > maxHeader || headerSize > rest.size())
        return damaged("its header has no such length");
    const std::span<const std::byte> data = rest.subspan(headerSize);
    STAGECRAFT_ASSIGN(entries, readHeader(file.text().substr(sizeof headerSize, headerSize), data.size()));
    for (const Entry& entry : entries) {
        if (weights.find(entry.name))
            return Error{ErrorCode::BadFormat, "the tensor " + entry.name + " is there twice"};
        const OwnedBytes bytes = aligned({data.subspan(entry.begin, entry.end - entry.begin), file.owner});
        const StorageKey storage = weights.addStorage(bytes.bytes, bytes.owner);
        STAGECRAFT_TRY(weights.addTensor(entry.name, entry.meta, storage));
    }
    return {};
}

} // namespace

std::string_view safetensorsName(DType dtype)
{
    const auto row = std::ranges::find(dtypes, dtype, &std::pair<std::string_view, DType>::second);
    return row == dtypes.end() ? std::string_view() : row->first;
}

std::optional<DType> dtypeFromSafetensors(std::string_view name)
{
    const auto row = std::ranges::find(dtypes, name, &std::pair<std::string_view, DType>::first);
    return row == dtypes.end() ? std::nullopt : std::optional(row->second);
}

Result<WeightStore> readSafetensors(const std::vector<std::filesystem::path>& files)
{
    WeightStore weights;
    for (const std::filesystem::path& path : files) {
        STAGECRAFT_ASSIGN(file, MappedFile::open(path));
        const Result<void> read = readShard({file->bytes(), file}, weights);
        STAGECRAFT_TRY(file->unchanged());
        if (!read.has_value())
            return inside(path.string(), read.error());
        weights.addFile(std::move(file));
    }
    return weights;
}

Result<void> attachWeights(Model& model, const std::vector<std::filesystem::path>& files)
{
    STAGECRAFT_ASSIGN(loaded, readSafetensors(files));
    // A tied parameter is often saved under one of its names only.
    std::map<std::string, std::vector<std::string>> otherNames;
    for (const ParameterGroup& group : parameterGroups(model))
        for (const std::string& name : group.names)
            otherNames[name] = group.names;

    for (const InputSpec& spec : model.signature.inputs) {
        const std::optional<StoredTensor> declared = model.weights.find(spec.target);
        if (!spec.isStored() || !declared)
            continue;
        std::optional<StoredTensor> tensor = loaded.find(spec.target);
        for (const std::string& name : otherNames[spec.target])
            if (!tensor)
                tensor = loaded.find(name);
        if (!tensor && spec.kind == InputSpec::Kind::Parameter)
            return Error{ErrorCode::NotFound, "the files have no tensor " + spec.target};
        if (!tensor) {
            loaded.addShape(spec.target, declared->meta);
            continue;
        }
        if (tensor->meta.dtype != declared->meta.dtype || tensor->meta.sizes != declared->meta.sizes)
            return Error{ErrorCode::BadFormat, "the tensor " + spec.target + " is " + metaText(tensor->meta) +
                                                   " in the files, " + metaText(declared->meta) +
                                                   " in the model"};
        TensorMeta meta = tensor->meta;
        meta.requiresGrad = declared->meta.requiresGrad;
        STAGECRAFT_TRY(loaded.addTensor(spec.target, meta, tensor->storage));
    }
    model.weights = std::move(loaded);
    return {};
}

} // namespace stagecraft
