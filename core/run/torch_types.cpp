#include "core/run/torch_types.h"

#include <c10/core/Layout.h>
#include <c10/core/MemoryFormat.h>
#include <c10/core/ScalarType.h>
#include <c10/util/Exception.h>

#include <array>

namespace stagecraft {

namespace {

// In the order of DType.
constexpr std::array<c10::ScalarType, 21> scalarTypes{
    c10::ScalarType::Byte,
    c10::ScalarType::Char,
    c10::ScalarType::Short,
    c10::ScalarType::Int,
    c10::ScalarType::Long,
    c10::ScalarType::Half,
    c10::ScalarType::Float,
    c10::ScalarType::Double,
    c10::ScalarType::ComplexHalf,
    c10::ScalarType::ComplexFloat,
    c10::ScalarType::ComplexDouble,
    c10::ScalarType::Bool,
    c10::ScalarType::BFloat16,
    c10::ScalarType::UInt16,
    c10::ScalarType::UInt32,
    c10::ScalarType::UInt64,
    c10::ScalarType::Float8_e4m3fn,
    c10::ScalarType::Float8_e5m2,
    c10::ScalarType::Float8_e4m3fnuz,
    c10::ScalarType::Float8_e5m2fnuz,
    c10::ScalarType::Float8_e8m0fnu,
};

} // namespace

std::int8_t scalarTypeNumber(DType dtype)
{
    return static_cast<std::int8_t>(scalarTypes[static_cast<std::size_t>(dtype)]);
}

std::optional<DType> dtypeOfNumber(std::int8_t scalarType)
{
    for (std::size_t i = 0; i < scalarTypes.size(); ++i)
        if (static_cast<std::int8_t>(scalarTypes[i]) == scalarType)
            return static_cast<DType>(i);
    return std::nullopt;
}

std::int8_t memoryFormatNumber(MemoryFormat format)
{
    static constexpr std::array numbers{c10::MemoryFormat::Contiguous, c10::MemoryFormat::ChannelsLast,
                                        c10::MemoryFormat::ChannelsLast3d, c10::MemoryFormat::Preserve};
    return static_cast<std::int8_t>(numbers[static_cast<std::size_t>(format)]);
}

std::int8_t layoutNumber(TensorLayout layout)
{
    static constexpr std::array numbers{
        c10::Layout::Strided,   c10::Layout::Sparse,    c10::Layout::SparseCsr, c10::Layout::SparseCsc,
        c10::Layout::SparseBsr, c10::Layout::SparseBsc, c10::Layout::Mkldnn};
    return static_cast<std::int8_t>(numbers[static_cast<std::size_t>(layout)]);
}

std::string exceptionReason(const std::exception& exception)
{
    const auto* torchError = dynamic_cast<const c10::Error*>(&exception);
    std::string reason = torchError ? torchError->what_without_backtrace() : exception.what();
    if (const std::size_t end = reason.find('\n'); end != std::string::npos)
        reason.resize(end);
    // What follows is advice to the makers of operators.
    if (const std::size_t end = reason.find(": attempted to run this operator with Meta tensors");
        end != std::string::npos)
        return reason.substr(0, end) + " needs data, and the meta device has none";
    // So is this, with a list of all backends.
    if (const std::size_t end =
            reason.find(" This could be because the operator doesn't exist for this backend");
        end != std::string::npos)
        reason.resize(end);
    if (reason.starts_with("derivative for ") && reason.ends_with(" is not implemented"))
        reason += ": save the export without run_decompositions(), or leave backward out (--mode infer)";
    if (reason.starts_with("the derivative for ") && reason.ends_with(" is not implemented."))
        reason.replace(reason.size() - 1, 1, ": leave backward out (--mode infer)");
    return reason;
}

} // namespace stagecraft
