// Words of the text form.
#pragma once

#include "core/graph/dtype.h"
#include "core/graph/graph.h"

#include <array>
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

template <class Names, class T>
std::string_view nameOf(const Names& names, T meaning)
{
    for (const auto& [known, name] : names)
        if (known == meaning)
            return name;
    return "";
}

} // namespace stagecraft::graph_text
