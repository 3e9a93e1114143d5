// How a received tensor gets back the strides that it has in the model.
//
// What crosses a boundary is row-major. What is made of it may rely on other strides: a view that joins two
// dimensions, an operator that keeps the order of its input, a reshape that gives a view or a copy.
//
//     x: f32[6, 4] in the model with strides (1, 6)         sent row-major, strides (4, 1)
//     copied to an empty tensor of strides (1, 6)           what the next stage reads
//
// A dimension of stride 0 (an expanded one) holds one element many times: one is copied, and expanded again.
//
// A part of a larger tensor (a third of a common projection of queries, keys and values) has gaps between its
// elements, where the other parts lie. What is received is that part alone, so its gaps are closed, and the
// order of its dimensions in memory is kept: mostly what is received is then as it should be. Whatever view
// can be made of strides with gaps can be made without them. But with gaps a reshape copies where without it
// may give a view: whether what is written afterwards is seen through it must be as in the model. So must be
// the strides of what the model returns.
#pragma once

#include "core/graph/graph.h"
#include "core/graph/tensor_meta.h"

#include <optional>
#include <vector>

namespace stagecraft {

struct ReceivedLayout
{
    ValueId value;
    std::vector<std::int64_t> expanded; // dimensions with stride 0, ascending
    // Where all sizes are numbers: the strides, as many as dimensions.
    std::vector<std::int64_t> strides;
    // Else the dimensions from the outermost to the innermost in memory; there are no gaps.
    std::vector<std::int64_t> order;

    friend bool operator==(const ReceivedLayout&, const ReceivedLayout&) = default;
};

// Are these the strides of a row-major tensor? Those of dimensions of size 1 count too: they decide what
// PyTorch takes for channels-last.
bool isRowMajor(const TensorMeta& meta);

// Of tensors that are parts of larger ones.
enum class LayoutGaps : std::uint8_t { Closed, Kept };

// How the row-major `value` gets the strides of `meta`. None where that takes more than the tensor's own
// elements: where they overlap in memory (the windows of unfold), or where strides that are not numbers leave
// gaps. Such a tensor must be made from what it is a view of.
std::optional<ReceivedLayout> receivedLayout(ValueId value, const TensorMeta& meta,
                                             LayoutGaps gaps = LayoutGaps::Closed);

// Is a row-major tensor as it should be?
bool changesNothing(const ReceivedLayout& layout, const TensorMeta& meta);

// Can a received tensor be given the strides of this one? Where nothing is known of them, they are none that
// matter.
bool isSendable(const Value& value);

// The inverse of a permutation: where each dimension comes to stand.
std::vector<std::int64_t> inverseOrder(const std::vector<std::int64_t>& order);

} // namespace stagecraft
