// Words that the printer and the parser of the text form share.
#pragma once

#include "core/graph/dtype.h"
#include "core/graph/graph.h"

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace stagecraft::graph_text {

constexpr std::array<std::pair<MemoryFormat, std::string_view>, 4> memoryFormats{
    {{MemoryFormat::Contiguous, "contiguous"},
     {MemoryFormat::ChannelsLast, "channels_last"},
     {MemoryFormat::ChannelsLast3d, "channels_last_3d"},
     {MemoryFormat::Preserve, "preserve"}}};

constexpr std::array<std::pair<TensorLayout, std::string_view>, 7> layouts{
    {{TensorLayout::Strided, "strided"},
     {TensorLayout::Coo, "coo"},
     {TensorLayout::Csr, "csr"},
     {TensorLayout::Csc, "csc"},
     {TensorLayout::Bsr, "bsr"},
     {TensorLayout::Bsc, "bsc"},
     {TensorLayout::Mkldnn, "mkldnn"}}};

// Inputs; SizeScalar inputs are written `input` too.
constexpr std::array<std::pair<ValueKind, std::string_view>, 5> inputKinds{{{ValueKind::UserInput, "input"},
                                                                            {ValueKind::Parameter, "param"},
                                                                            {ValueKind::Buffer, "buffer"},
                                                                            {ValueKind::Constant, "const"},
                                                                            {ValueKind::Opaque, "opaque"}}};

// Characters that a bare name or path may have beside letters, digits and underscores.
constexpr std::string_view nameCharacters = ".";
constexpr std::string_view targetCharacters = ".:";

// "cuda:1"
inline Device parseDevice(const std::string& text)
{
    const std::size_t colon = text.rfind(':');
    int index = 0;
    if (colon != std::string::npos) {
        const char* const end = text.data() + text.size();
        const auto [read, status] = std::from_chars(text.data() + colon + 1, end, index);
        if (status == std::errc() && read == end)
            return {text.substr(0, colon), index};
    }
    return {text, std::nullopt};
}

template <class Names, class T>
std::string_view nameOf(const Names& names, T meaning)
{
    for (const auto& [known, name] : names)
        if (known == meaning)
            return name;
    return "";
}

template <class Names>
auto meaningOf(const Names& names, std::string_view name) -> std::optional<decltype(names[0].first)>
{
    for (const auto& [meaning, known] : names)
        if (known == name)
            return meaning;
    return std::nullopt;
}

} // namespace stagecraft::graph_text
