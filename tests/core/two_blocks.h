// Two blocks of linear, relu, linear, each a checkpoint region of the model or both one, and a skip by them.
#pragma once

#include "tests/core/text_model.h"

#include <QByteArray>

namespace stagecraft::test {

// SECOND is the region of the second half.
inline constexpr const char* textOfTwoBlocks = R"(graph blocks
  context 1 recompute 0
  context 2 recompute 1
  input %x : f32[64, 32]
  param %w0 "w0" : f32[32, 32]
  param %w1 "w1" : f32[128, 32]
  param %w2 "w2" : f32[32, 128]
  param %w3 "w3" : f32[128, 32]
  param %w4 "w4" : f32[32, 128]
  %a : f32[64, 32] = aten::linear.default(%x, %w0)
  %b : f32[64, 128] = aten::linear.default(%a, %w1) in 1
  %c : f32[64, 128] = aten::relu.default(%b) in 1
  %d : f32[64, 32] = aten::linear.default(%c, %w2) in 1
  %e : f32[64, 128] = aten::linear.default(%d, %w3) in SECOND
  %f : f32[64, 128] = aten::gelu.default(%e) in SECOND
  %g : f32[64, 32] = aten::linear.default(%f, %w4) in SECOND
  %h : f32[64, 32] = aten::add.Tensor(%g, %a)
  return %h
)";

// `second`: its region, "1" with the first half or "2".
inline Model twoBlocks(const char* second)
{
    return modelOf(QByteArray(textOfTwoBlocks).replace("SECOND", second).constData());
}

} // namespace stagecraft::test
