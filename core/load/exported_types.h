// Tensor metadata of exported programs: the numbers and unions of PyTorch's schema (major 8).
#pragma once

#include "core/graph/tensor_meta.h"
#include "core/load/json_view.h"

#include <map>
#include <string>
#include <unordered_map>

namespace stagecraft {

// The schema's numbers, which are not those of c10. None for a number this program does not know.
std::optional<DType> dtypeFromSchema(std::int64_t number);
std::optional<MemoryFormat> memoryFormatFromSchema(std::int64_t number);
std::optional<TensorLayout> layoutFromSchema(std::int64_t number);
std::int64_t schemaNumber(DType dtype);
std::int64_t schemaNumber(MemoryFormat format);
std::int64_t schemaNumber(TensorLayout layout);

Result<Device> readDevice(const JsonView& json);

// Reads sizes; each distinct expression is parsed once.
// How a file writes the sizes that vary.
enum class SizeForm : std::uint8_t {
    Srepr, // "Mul(Integer(2), Symbol('s0', ...))"
    Text,  // "2*s0": schema 7, PyTorch 2.5
};

class SizeReader
{
public:
    explicit SizeReader(SizeForm form = SizeForm::Srepr) : m_form(form) {}

    // Remembers the hints of symbols that stand alone in `sizes`, for those inside expressions.
    void collectHint(const JsonView& size);
    const Bindings& symbolHints() const { return m_symbolHints; }

    // {"as_int": 8} or {"as_expr": {"expr_str": ..., "hint": ...}}
    Result<SymInt> readSize(const JsonView& json);
    Result<std::vector<SymInt>> readSizes(const JsonView& json);
    Result<TensorMeta> readTensorMeta(const JsonView& json);

private:
    std::string sreprOf(std::string_view text) const;

    SizeForm m_form;
    Bindings m_symbolHints;
    std::map<std::pair<std::string, std::optional<std::int64_t>>, SymInt> m_known;
};

} // namespace stagecraft
