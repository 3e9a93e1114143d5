#include "core/graph/dtype.h"

#include <array>

namespace stagecraft {

namespace {

struct DTypeRow
{
    std::int64_t itemSize;
    bool differentiable;
    std::string_view shortName;
    std::string_view torchName;
};

// In the order of the enum.
constexpr std::array<DTypeRow, 21> rows{{
    {1, false, "u8", "torch.uint8"},
    {1, false, "i8", "torch.int8"},
    {2, false, "i16", "torch.int16"},
    {4, false, "i32", "torch.int32"},
    {8, false, "i64", "torch.int64"},
    {2, true, "f16", "torch.float16"},
    {4, true, "f32", "torch.float32"},
    {8, true, "f64", "torch.float64"},
    {4, true, "c32", "torch.complex32"},
    {8, true, "c64", "torch.complex64"},
    {16, true, "c128", "torch.complex128"},
    {1, false, "bool", "torch.bool"},
    {2, true, "bf16", "torch.bfloat16"},
    {2, false, "u16", "torch.uint16"},
    {4, false, "u32", "torch.uint32"},
    {8, false, "u64", "torch.uint64"},
    {1, true, "f8e4m3fn", "torch.float8_e4m3fn"},
    {1, true, "f8e5m2", "torch.float8_e5m2"},
    {1, true, "f8e4m3fnuz", "torch.float8_e4m3fnuz"},
    {1, true, "f8e5m2fnuz", "torch.float8_e5m2fnuz"},
    {1, true, "f8e8m0fnu", "torch.float8_e8m0fnu"},
}};

const DTypeRow& row(DType dtype)
{
    return rows[static_cast<std::size_t>(dtype)];
}

} // namespace

std::int64_t itemSize(DType dtype)
{
    return row(dtype).itemSize;
}

bool isDifferentiable(DType dtype)
{
    return row(dtype).differentiable;
}

bool isComplex(DType dtype)
{
    return dtype == DType::C32 || dtype == DType::C64 || dtype == DType::C128;
}

std::string_view shortName(DType dtype)
{
    return row(dtype).shortName;
}

std::string_view torchName(DType dtype)
{
    return row(dtype).torchName;
}

std::optional<DType> dtypeFromShortName(std::string_view name)
{
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i].shortName == name)
            return static_cast<DType>(i);
    return std::nullopt;
}

} // namespace stagecraft
