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
constexpr std::size_t maxRank = 64;

struct StoredType
{
    DType dtype;
    SafetensorsType stored;
};

constexpr std::array storedTypes{
    StoredType{DType::Bool, {"BOOL"}},
    StoredType{DType::U8, {"U8"}},
    StoredType{DType::I8, {"I8"}},
    StoredType{DType::U16, {"U16"}},
    StoredType{DType::I16, {"I16"}},
    StoredType{DType::U32, {"U32"}},
    StoredType{DType::I32, {"I32"}},
    StoredType{DType::U64, {"U64"}},
    StoredType{DType::I64, {"I64"}},
    StoredType{DType::F16, {"F16"}},
    StoredType{DType::BF16, {"BF16"}},
    StoredType{DType::F32, {"F32"}},
    StoredType{DType::F64, {"F64"}},
    StoredType{DType::F8E4M3FN, {"F8_E4M3"}},
    StoredType{DType::F8E5M2, {"F8_E5M2"}},
    StoredType{DType::F8E8M0FNU, {"F8_E8M0"}},
    StoredType{DType::C64, {"C64"}},
    StoredType{DType::C32, {"F16", false, true}},
    StoredType{DType::C128, {"F64", false, true}},
    StoredType{DType::F8E4M3FNUZ, {"U8", false, false}},
    StoredType{DType::F8E5M2FNUZ, {"U8", false, false}},
};

// What the header says of its tensors beside their shapes.
struct Metadata
{
    std::map<std::string, std::string, std::less<>> texts;
    std::map<std::string, DType, std::less<>> types; // of tensors whose type the format has no name for
};

struct Entry
{
    std::string name;
    TensorMeta meta;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Error damagedFile(const std::string& what)
{
    return {ErrorCode::BadFormat, "not a safetensors file: " + what};
}

// "torch.complex128" is "complex128" here.
std::optional<DType> unnamedType(std::string_view name)
{
    for (const StoredType& type : storedTypes)
        if (!type.stored.isNamed && torchName(type.dtype).substr(sizeof("torch.") - 1) == name)
            return type.dtype;
    return std::nullopt;
}

Result<Metadata> readMetadata(const JsonView& json)
{
    Metadata metadata;
    if (!json.isObject())
        return metadata;
    STAGECRAFT_ASSIGN(members, json.members());
    for (const auto& [key, text] : members)
        if (text.isString())
            metadata.texts.emplace(key, *text.string());
    const auto types = metadata.texts.find(safetensorsTypesKey);
    if (types == metadata.texts.end())
        return metadata;
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(types->second));
    STAGECRAFT_ASSIGN(named, document.root().members());
    for (const auto& [tensor, type] : named)
        if (type.isString())
            if (const std::optional<DType> dtype = unnamedType(*type.string()))
                metadata.types.emplace(tensor, *dtype);
    return metadata;
}

// The type of an entry, whose shape loses the dimension of pairs.
Result<DType> typeOf(std::string_view name, std::string_view stored, const Metadata& metadata,
                     std::vector<SymInt>& sizes)
{
    const auto unnamed = metadata.types.find(name);
    const auto isIt = [&](const StoredType& type) {
        return type.stored.name == stored &&
               (unnamed == metadata.types.end() ? type.stored.isNamed : type.dtype == unnamed->second);
    };
    const auto type = std::ranges::find_if(storedTypes, isIt);
    if (type == storedTypes.end())
        return Error{ErrorCode::Unsupported, "the element type " + std::string(stored) + " is not known"};
    if (!type->stored.isPaired)
        return type->dtype;
    if (sizes.empty() || !(sizes.back() == SymInt(2)))
        return damagedFile("complex numbers are no pairs");
    sizes.pop_back();
    return type->dtype;
}

Result<Entry> readEntry(std::string_view name, const JsonView& json, const Metadata& metadata)
{
    Entry entry{.name = std::string(name)};
    STAGECRAFT_ASSIGN(typeName, json["dtype"].string());
    STAGECRAFT_ASSIGN(shape, json["shape"].elements());
    STAGECRAFT_ASSIGN(offsets, json["data_offsets"].elements());
    if (shape.size() > maxRank || offsets.size() != 2)
        return damagedFile("a tensor is described wrongly");
    std::vector<SymInt> sizes;
    for (const JsonView& element : shape) {
        STAGECRAFT_ASSIGN(size, element.integer());
        sizes.emplace_back(size);
    }
    STAGECRAFT_ASSIGN(dtype, typeOf(name, typeName, metadata, sizes));
    entry.meta = contiguousMeta(dtype, std::move(sizes));
    STAGECRAFT_ASSIGN(begin, offsets[0].integer());
    STAGECRAFT_ASSIGN(end, offsets[1].integer());
    STAGECRAFT_ASSIGN(bytes, byteSize(entry.meta, {}));
    if (begin < 0 || end < begin || end - begin != bytes.count())
        return damagedFile("the offsets do not fit the shape");
    entry.begin = static_cast<std::uint64_t>(begin);
    entry.end = static_cast<std::uint64_t>(end);
    return entry;
}

struct Header
{
    std::vector<Entry> entries; // in the order of their bytes
    Metadata metadata;
};

Result<Header> readHeader(std::string_view header, std::uint64_t dataSize)
{
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(header));
    STAGECRAFT_ASSIGN(members, document.root().members());
    STAGECRAFT_ASSIGN(metadata, readMetadata(document.root()["__metadata__"]));
    std::vector<Entry> entries;
    for (const auto& [name, json] : members) {
        if (name == "__metadata__")
            continue;
        Result<Entry> entry = readEntry(name, json, metadata);
        if (!entry.has_value())
            return inside(std::string(name), entry.error());
        entries.push_back(std::move(*entry));
    }
    std::ranges::sort(entries, {}, [](const Entry& entry) { return std::pair(entry.begin, entry.end); });
    std::uint64_t covered = 0;
    for (const Entry& entry : entries) {
        if (entry.begin != covered)
            return damagedFile("its tensors overlap or leave gaps at " + entry.name);
        covered = entry.end;
    }
    if (covered != dataSize)
        return Error{ErrorCode::BadFormat, "its tensors take " + std::to_string(covered) +
                                               " bytes, the file has " + std::to_string(dataSize) +
                                               "; it may be cut short"};
    return Header{std::move(entries), std::move(metadata)};
}

} // namespace

SafetensorsType safetensorsType(DType dtype)
{
    return std::ranges::find(storedTypes, dtype, &StoredType::dtype)->stored; // all are there
}

Result<void> addSafetensors(const OwnedBytes& file, WeightStore& weights)
{
    std::uint64_t headerSize = 0;
    if (file.bytes.size() < sizeof headerSize)
        return damagedFile("it is too short");
    std::memcpy(&headerSize, file.bytes.data(), sizeof headerSize);
    const std::span<const std::byte> rest = file.bytes.subspan(sizeof headerSize);
    if (headerSize > maxHeader || headerSize > rest.size())
        return damagedFile("its header has no such length");
    const std::span<const std::byte> data = rest.subspan(headerSize);
    STAGECRAFT_ASSIGN(header, readHeader(file.text().substr(sizeof headerSize, headerSize), data.size()));
    for (const Entry& entry : header.entries) {
        if (weights.find(entry.name))
            return Error{ErrorCode::BadFormat, "the tensor " + entry.name + " is there twice"};
        const OwnedBytes bytes = aligned({data.subspan(entry.begin, entry.end - entry.begin), file.owner});
        const StorageKey storage = weights.addStorage(bytes.bytes, bytes.owner);
        STAGECRAFT_TRY(weights.addTensor(entry.name, entry.meta, storage));
    }
    for (const auto& [alias, name] :
         header.metadata.texts) { // as the safetensors library's save_model() has it
        const std::optional<StoredTensor> tensor = weights.find(name);
        if (tensor && alias != "format" && !weights.find(alias))
            STAGECRAFT_TRY(weights.addTensor(alias, tensor->meta, tensor->storage));
    }
    return {};
}

Result<WeightStore> readSafetensors(const std::vector<std::filesystem::path>& files)
{
    WeightStore weights;
    for (const std::filesystem::path& path : files) {
        STAGECRAFT_ASSIGN(file, MappedFile::open(path));
        const Result<void> read = addSafetensors({file->bytes(), file}, weights);
        STAGECRAFT_TRY(file->unchanged());
        if (!read.has_value())
            return inside(path.string(), read.error());
        weights.addFile(std::move(file));
    }
    return weights;
}

} // namespace stagecraft
