#include "core/stage/safetensors_writer.h"

#include "core/load/safetensors.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace stagecraft {

namespace {

static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");

constexpr std::size_t alignment = 8;

std::vector<std::int64_t> numbers(const std::vector<SymInt>& sizes)
{
    std::vector<std::int64_t> numbers;
    for (const SymInt& size : sizes)
        numbers.push_back(size.constant());
    return numbers;
}

std::size_t elementsOf(const std::vector<std::int64_t>& sizes)
{
    std::size_t count = 1;
    for (const std::int64_t size : sizes)
        count *= static_cast<std::size_t>(size);
    return count;
}

bool isRowMajor(const std::vector<std::int64_t>& sizes, const std::vector<std::int64_t>& strides)
{
    std::int64_t expected = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        if (sizes[i] != 1 && strides[i] != expected)
            return false;
        expected *= sizes[i];
    }
    return true;
}

// Copies the elements below dimension `dimension` in row-major order, and moves `target` behind them.
void copyRows(const std::byte* source, const std::vector<std::int64_t>& sizes,
              const std::vector<std::int64_t>& strides, std::size_t itemBytes, std::size_t dimension,
              std::byte*& target)
{
    if (dimension == sizes.size()) {
        std::memcpy(target, source, itemBytes);
        target += itemBytes;
        return;
    }
    for (std::int64_t i = 0; i < sizes[dimension]; ++i)
        copyRows(source + i * strides[dimension] * static_cast<std::int64_t>(itemBytes), sizes, strides,
                 itemBytes, dimension + 1, target);
}

} // namespace

std::size_t dataSize(const NamedTensor& named)
{
    if (!named.aliasOf.empty())
        return 0;
    return elementsOf(numbers(named.tensor.meta.sizes)) *
           static_cast<std::size_t>(itemSize(named.tensor.meta.dtype));
}

std::span<const std::byte> rowMajorBytes(const StoredTensor& tensor, std::vector<std::byte>& scratch)
{
    const std::vector<std::int64_t> sizes = numbers(tensor.meta.sizes);
    const std::vector<std::int64_t> strides = numbers(tensor.meta.strides);
    const auto itemBytes = static_cast<std::size_t>(itemSize(tensor.meta.dtype));
    const std::size_t byteCount = elementsOf(sizes) * itemBytes;
    if (byteCount == 0)
        return {};
    const std::size_t offset = static_cast<std::size_t>(tensor.meta.storageOffset.constant()) * itemBytes;
    if (isRowMajor(sizes, strides))
        return tensor.bytes.subspan(offset, byteCount);
    scratch.resize(byteCount);
    std::byte* target = scratch.data();
    copyRows(tensor.bytes.data() + offset, sizes, strides, itemBytes, 0, target);
    return scratch;
}

std::string safetensorsHeader(const std::vector<NamedTensor>& tensors,
                              const std::map<std::string, std::string>& metadata)
{
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    nlohmann::ordered_json texts = metadata;
    nlohmann::ordered_json unnamedTypes = nlohmann::ordered_json::object();
    header["__metadata__"] = nullptr; // stands first
    std::size_t begin = 0;
    for (const NamedTensor& named : tensors) {
        if (!named.aliasOf.empty()) {
            texts[named.name] = named.aliasOf;
            continue;
        }
        const DType dtype = named.tensor.meta.dtype;
        const SafetensorsType type = safetensorsType(dtype);
        std::vector<std::int64_t> sizes = numbers(named.tensor.meta.sizes);
        if (type.isPaired)
            sizes.push_back(2);
        if (!type.isNamed)
            unnamedTypes[named.name] = torchName(dtype).substr(sizeof("torch.") - 1);
        const std::size_t end = begin + dataSize(named);
        header[named.name] = {{"dtype", type.name}, {"shape", sizes}, {"data_offsets", {begin, end}}};
        begin = end;
    }
    if (!unnamedTypes.empty())
        texts[std::string(safetensorsTypesKey)] =
            unnamedTypes.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    header["__metadata__"] = std::move(texts);
    std::string json = header.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    json.resize((json.size() + alignment - 1) / alignment * alignment, ' ');
    const std::uint64_t length = json.size();
    std::array<char, sizeof length> lengthBytes{};
    std::memcpy(lengthBytes.data(), &length, sizeof length);
    return std::string(lengthBytes.data(), lengthBytes.size()) + json;
}

std::size_t safetensorsSize(const std::vector<NamedTensor>& tensors,
                            const std::map<std::string, std::string>& metadata)
{
    std::size_t size = safetensorsHeader(tensors, metadata).size();
    for (const NamedTensor& tensor : tensors)
        size += dataSize(tensor);
    return size;
}

Result<void> writeSafetensors(OutputFile& file, const std::vector<NamedTensor>& tensors,
                              const std::map<std::string, std::string>& metadata, const Progress& progress)
{
    STAGECRAFT_TRY(file.write(safetensorsHeader(tensors, metadata)));
    std::vector<std::byte> scratch;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        STAGECRAFT_TRY(progress.step("Writing weights", i, tensors.size()));
        if (tensors[i].aliasOf.empty())
            STAGECRAFT_TRY(file.write(rowMajorBytes(tensors[i].tensor, scratch)));
    }
    return {};
}

} // namespace stagecraft
