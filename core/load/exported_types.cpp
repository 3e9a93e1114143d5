#include "core/load/exported_types.h"

#include "core/graph/sympy_text.h"

#include <array>

namespace stagecraft {

namespace {

template <class T>
struct Numbered
{
    std::int64_t number;
    T meaning;
};

constexpr std::array<Numbered<DType>, 21> dtypes{{
    {1, DType::U8},         {2, DType::I8},   {3, DType::I16},         {4, DType::I32},
    {5, DType::I64},        {6, DType::F16},  {7, DType::F32},         {8, DType::F64},
    {9, DType::C32},        {10, DType::C64}, {11, DType::C128},       {12, DType::Bool},
    {13, DType::BF16},      {28, DType::U16}, {29, DType::F8E4M3FN},   {30, DType::F8E5M2},
    {34, DType::U32},       {35, DType::U64}, {31, DType::F8E4M3FNUZ}, {32, DType::F8E5M2FNUZ},
    {33, DType::F8E8M0FNU},
}};

constexpr std::array<Numbered<MemoryFormat>, 4> memoryFormats{{{1, MemoryFormat::Contiguous},
                                                               {2, MemoryFormat::ChannelsLast},
                                                               {3, MemoryFormat::ChannelsLast3d},
                                                               {4, MemoryFormat::Preserve}}};

constexpr std::array<Numbered<TensorLayout>, 7> layouts{{{1, TensorLayout::Coo},
                                                         {2, TensorLayout::Csr},
                                                         {3, TensorLayout::Csc},
                                                         {4, TensorLayout::Bsr},
                                                         {5, TensorLayout::Bsc},
                                                         {6, TensorLayout::Mkldnn},
                                                         {7, TensorLayout::Strided}}};

template <class Table>
auto meaning(const Table& table, std::int64_t number) -> std::optional<decltype(table[0].meaning)>
{
    for (const auto& row : table)
        if (row.number == number)
            return row.meaning;
    return std::nullopt;
}

template <class Table, class T>
std::int64_t number(const Table& table, T meaning)
{
    for (const auto& row : table)
        if (row.meaning == meaning)
            return row.number;
    return 0; // unreachable: every meaning has its row
}

} // namespace

std::optional<DType> dtypeFromSchema(std::int64_t number)
{
    return meaning(dtypes, number);
}

std::optional<MemoryFormat> memoryFormatFromSchema(std::int64_t number)
{
    return meaning(memoryFormats, number);
}

std::optional<TensorLayout> layoutFromSchema(std::int64_t number)
{
    return meaning(layouts, number);
}

std::int64_t schemaNumber(DType dtype)
{
    return number(dtypes, dtype);
}

std::int64_t schemaNumber(MemoryFormat format)
{
    return number(memoryFormats, format);
}

std::int64_t schemaNumber(TensorLayout layout)
{
    return number(layouts, layout);
}

Result<Device> readDevice(const JsonView& json)
{
    STAGECRAFT_ASSIGN(type, json["type"].string());
    Device device{std::string(type), std::nullopt};
    if (!json["index"].isNull()) {
        STAGECRAFT_ASSIGN(index, json["index"].integer());
        device.index = static_cast<int>(index);
    }
    return device;
}

// What cannot be read stays as it is, and is read as nothing known.
std::string SizeReader::sreprOf(std::string_view text) const
{
    const std::optional<std::string> srepr = m_form == SizeForm::Text ? sreprOfText(text) : std::nullopt;
    return srepr.value_or(std::string(text));
}

void SizeReader::collectHint(const JsonView& size)
{
    const JsonView expression = size["as_expr"];
    const JsonView hint = expression["hint"]["as_int"];
    const Result<std::string_view> text = expression["expr_str"].string();
    const std::string srepr = text.has_value() ? sreprOf(*text) : std::string();
    if (!hint.isInteger() || !srepr.starts_with("Symbol("))
        return;
    std::set<std::string> names;
    parseSrepr(srepr, std::nullopt).collectSymbols(names);
    if (names.size() == 1)
        m_symbolHints.emplace(*names.begin(), *hint.integer());
}

Result<SymInt> SizeReader::readSize(const JsonView& json)
{
    if (const JsonView number = json["as_int"]; !number.isNull()) {
        STAGECRAFT_ASSIGN(value, number.integer());
        return SymInt(value);
    }
    const JsonView expression = json["as_expr"];
    if (!expression.isObject())
        return json.wrong("a size");
    STAGECRAFT_ASSIGN(text, expression["expr_str"].string());
    std::optional<std::int64_t> hint;
    if (const JsonView number = expression["hint"]["as_int"]; number.isInteger())
        hint = *number.integer();
    const auto [known, isNew] = m_known.try_emplace({std::string(text), hint}, 0);
    if (isNew)
        known->second = parseSrepr(sreprOf(text), hint, m_symbolHints);
    return known->second;
}

Result<std::vector<SymInt>> SizeReader::readSizes(const JsonView& json)
{
    STAGECRAFT_ASSIGN(elements, json.elements());
    std::vector<SymInt> sizes;
    sizes.reserve(elements.size());
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(size, readSize(element));
        sizes.push_back(std::move(size));
    }
    return sizes;
}

Result<TensorMeta> SizeReader::readTensorMeta(const JsonView& json)
{
    TensorMeta meta;
    STAGECRAFT_ASSIGN(dtypeNumber, json["dtype"].integer());
    const std::optional<DType> dtype = dtypeFromSchema(dtypeNumber);
    if (!dtype)
        return Error{ErrorCode::Unsupported,
                     "the element type " + std::to_string(dtypeNumber) + " is not known to this program"};
    meta.dtype = *dtype;
    STAGECRAFT_ASSIGN(sizes, readSizes(json["sizes"]));
    STAGECRAFT_ASSIGN(strides, readSizes(json["strides"]));
    meta.sizes = std::move(sizes);
    meta.strides = std::move(strides);
    if (!json["storage_offset"].isNull()) {
        STAGECRAFT_ASSIGN(offset, readSize(json["storage_offset"]));
        meta.storageOffset = std::move(offset);
    }
    if (!json["layout"].isNull()) {
        STAGECRAFT_ASSIGN(layoutNumber, json["layout"].integer());
        meta.layout = layoutFromSchema(layoutNumber).value_or(TensorLayout::Strided);
    }
    if (meta.layout == TensorLayout::Strided && meta.strides.size() != meta.sizes.size())
        return Error{ErrorCode::BadFormat, "a tensor has " + std::to_string(meta.sizes.size()) +
                                               " sizes but " + std::to_string(meta.strides.size()) +
                                               " strides"};
    STAGECRAFT_ASSIGN(device, readDevice(json["device"]));
    meta.device = std::move(device);
    if (json["requires_grad"].isBool())
        meta.requiresGrad = *json["requires_grad"].boolean();
    return meta;
}

} // namespace stagecraft
