// DType, MemoryFormat, TensorLayout, Device: the small vocabulary of tensor metadata.
//
// Numbers of these enums are ours. Each file format and each library keeps its own table from its numbers
// to ours, next to its reader or writer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

enum class DType : std::uint8_t {
    U8,
    I8,
    I16,
    I32,
    I64,
    F16,
    F32,
    F64,
    C32,
    C64,
    C128,
    Bool,
    BF16,
    U16,
    U32,
    U64,
    F8E4M3FN,
    F8E5M2,
    F8E4M3FNUZ,
    F8E5M2FNUZ,
    F8E8M0FNU,
};

// Bytes of one element: 1, 2, 4, 8 or 16.
std::int64_t itemSize(DType dtype);
// Real or complex floating point: what a gradient can flow through.
bool isDifferentiable(DType dtype);
bool isComplex(DType dtype);
// "f32", "i64", "bool", "bf16": the text form's and the window's name.
std::string_view shortName(DType dtype);
// "torch.float32": the name in Python code.
std::string_view torchName(DType dtype);
std::optional<DType> dtypeFromShortName(std::string_view name);

enum class MemoryFormat : std::uint8_t { Contiguous, ChannelsLast, ChannelsLast3d, Preserve };
enum class TensorLayout : std::uint8_t { Strided, Coo, Csr, Csc, Bsr, Bsc, Mkldnn };

// Where a tensor was when the model was exported: "cpu", "cuda" with index 1, "meta".
struct Device
{
    std::string type = "cpu";
    std::optional<int> index;

    friend bool operator==(const Device&, const Device&) = default;
};

} // namespace stagecraft
