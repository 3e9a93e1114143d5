// The text form of a graph: for bug reports, golden files, `stagecraft-cli print`, and for tests, which also
// read it (tests/core/graph_text).
//
//     graph mlp
//       symbol s0 hint 8 range 2..64
//       module fc1 "torch.nn.Linear"
//       context 1 grad off
//       input  %x : f32[s0, 64]
//       param  %w0 "fc1.weight" : f32[256, 64]
//       buffer %mean "bn.mean" : f32[256]
//       const  %c "c" : i64[]
//       opaque %token "token"
//       %linear : f32[s0, 256] = aten::linear.default(input %x, weight %w0) @fc1
//       %n : size(s0) = aten::sym_size.int(self %x, dim 0)
//       %values : f32[s0, 4], %indices : i64[s0, 4] = aten::topk.default(self %linear, k 4) named topk
//       [%a : f32[s0, 2], %b : f32[s0, 2]] = aten::split.Tensor(self %values, split_size 2, dim=1) in 1
//       aten::_assert_async.default(self %a) named check
//       %y : f32[s0, 2] = higher_order::cond(%n, graph(0), graph(1), [%b]) after check
//         graph yes
//           ...
//           return %r
//         graph no
//           ...
//       return %y, none, 3
//
// An argument is written `name value` if it was passed by position, `name=value` by keyword, `name? value`
// where the file does not say, and without a name if it has none. Values: %x, none, true, 3, 3.0, inf,
// "text", f32, complex(1.0, 2.0), [1, %n], [%a, none], [1.0, 2.0], memory_format(channels_last),
// layout(strided), device(cuda:0), graph(0), operator("aten::add.Tensor"), raw("{...}", %x). An empty list
// says of what: tensors[], floats[], bools[], strings[]; [] is of integers.
//
// A tensor is row-major, starts at offset 0 of its storage and lies on the graph's device (`device meta` in
// the head, or the CPU) unless `strides [1, 64]`, `offset 8`, `on cuda:0` say otherwise. A parameter requires
// its gradient unless it is `frozen`; nothing else does unless it says `grad`. A node is called as its first
// result unless it says `named`; `@path` is its module, `in 1` its context, `after a, b` its order edges.
//
// Left out: source frames and the file's own notes.
#pragma once

#include "core/graph/graph.h"

#include <string>

namespace stagecraft {

std::string printGraph(const Graph& graph);
// One node as it stands in the text form, without its subgraphs, and without line break.
std::string printNode(const Graph& graph, NodeId id);

} // namespace stagecraft
