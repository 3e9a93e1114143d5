// PipelineRuntime: what runs the stages of a plan, as far as it holds memory of its own.
#pragma once

#include "core/base/named.h"

#include <cstdint>

namespace stagecraft {

enum class PipelineRuntime : std::uint8_t {
    Ideal,    // nothing but what autograd keeps
    Torch214, // torch.distributed.pipelining of PyTorch up to 2.14
    Torch215, // from PyTorch 2.15 on
    Exported, // that of exports, on PyTorch up to 2.14: on 2.15 it is Torch215
};

inline constexpr NameTable<PipelineRuntime, 4> pipelineRuntimes{
    "run-time",
    {{{PipelineRuntime::Ideal, "ideal", "None"},
      {PipelineRuntime::Torch214, "torch-2.14", "PyTorch up to 2.14"},
      {PipelineRuntime::Torch215, "torch-2.15", "PyTorch from 2.15"},
      {PipelineRuntime::Exported, "exported", "As exported"}}}};

} // namespace stagecraft
