// Reads what torch.save writes, without running any of it.
//
// A pickle is a program that builds objects by calling Python functions. Here a handful of functions that
// rebuild tensors are understood, and every other one becomes an Object: a name with its arguments. Depth,
// counts and sizes are bounded, and what would contain itself is refused, so that walking a value ends.
#pragma once

#include "core/graph/tensor_meta.h"
#include "core/load/zip_archive.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct PickleValue;
using PickleNode = std::shared_ptr<const PickleValue>;

struct PickledTensor
{
    TensorMeta meta;
    std::optional<std::size_t> storage; // index into TorchSave::storages; none: a shape without data
};

struct PickleValue
{
    enum class Kind : std::uint8_t {
        None,
        Bool,
        Int,
        Float,
        Text,
        List,
        Tuple,
        Dict,
        Tensor,
        Storage,
        Object
    };

    Kind kind = Kind::None;
    bool truth = false;
    std::int64_t integer = 0; // of an Int; the index of a Storage
    double number = 0;
    std::string text;         // of a Text; an Object's name "torch.nn.Linear"; a Storage's location "cuda:0"
    DType dtype = DType::F32; // of a Storage's elements
    // Of a List, Tuple or Dict (key, value, key, value); of an Object the tuple of its arguments, and then
    // what its attributes were set to, if they were.
    std::vector<PickleNode> elements;
    std::optional<PickledTensor> tensor;

    bool isSequence() const { return kind == Kind::List || kind == Kind::Tuple; }
};

// Finds the storage of `byteSize` bytes called `key`, giving its index.
using StorageFinder = std::function<Result<std::size_t>(const std::string& key, std::int64_t byteSize)>;

// Reads one pickle of protocol 2 to 5.
Result<PickleNode> unpickle(std::span<const std::byte> bytes, const StorageFinder& findStorage);

// A file written by torch.save.
struct TorchSave
{
    PickleNode root;
    std::vector<OwnedBytes> storages; // in place where stored
};

// Fails where the bytes are no zip of torch.save, or the pickle is beyond what is understood.
Result<TorchSave> readTorchSave(OwnedBytes zip);

} // namespace stagecraft
