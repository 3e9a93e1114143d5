// Fused recurrent cells and cuDNN's recurrent layers. The CPU has none of them: shapes are those of PyTorch's
// own meta functions.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::IntArrayRef;
using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

// --- cells -----------------------------------------------------------------------------------------------

// Hidden state, cell state, and the activated gates for the backward pass.
std::tuple<Tensor, Tensor, Tensor> lstmCell(const Tensor& inputGates, const Tensor&, const Tensor& cell,
                                            const OptionalTensor&, const OptionalTensor&)
{
    return {rowMajorLike(cell), rowMajorLike(cell), rowMajorLike(inputGates)};
}

std::tuple<Tensor, Tensor, Tensor> lstmCellBackward(const OptionalTensor&, const OptionalTensor&,
                                                    const Tensor& cell, const Tensor&,
                                                    const Tensor& workspace, bool hasBias)
{
    return {rowMajorLike(workspace), rowMajorLike(cell),
            hasBias ? at::empty({workspace.size(1)}, workspace.options()) : Tensor()};
}

// The workspace holds five gates of the hidden size.
std::tuple<Tensor, Tensor> gruCell(const Tensor&, const Tensor&, const Tensor& hidden, const OptionalTensor&,
                                   const OptionalTensor&)
{
    return {rowMajorLike(hidden), at::empty({hidden.size(0), hidden.size(1) * 5}, hidden.options())};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> gruCellBackward(const Tensor& gradHidden, const Tensor&,
                                                                   bool hasBias)
{
    const std::int64_t gates = gradHidden.size(1) * 3;
    const auto rows = [&] { return at::empty({gradHidden.size(0), gates}, gradHidden.options()); };
    const auto bias = [&] { return hasBias ? at::empty({gates}, gradHidden.options()) : Tensor(); };
    return {rows(), rows(), rowMajorLike(gradHidden), bias(), bias()};
}

// --- cuDNN -----------------------------------------------------------------------------------------------

// What the backward pass cannot do without: of every step, layer and direction the activated gates, the cell
// state, and the outputs that the next layer reads. cuDNN's own reserve, whose size it alone knows, is
// larger.
std::int64_t reserveBytes(std::int64_t rows, std::int64_t mode, std::int64_t hiddenSize, std::int64_t layers,
                          std::int64_t directions, std::int64_t itemSize)
{
    constexpr std::int64_t lstm = 2, gru = 3;
    const std::int64_t gates = mode == lstm ? 4 + 1 : mode == gru ? 3 + 1 : 1;
    return rows * directions * hiddenSize * (gates * layers + layers - 1) * itemSize;
}

// Output, last hidden and cell state, reserve, packed weights.
std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor>
cudnnRnn(const Tensor& input, at::TensorList, std::int64_t, const OptionalTensor& packed,
         const Tensor& hidden, const OptionalTensor& cell, std::int64_t mode, std::int64_t hiddenSize,
         std::int64_t projectedSize, std::int64_t layers, bool batchFirst, double, bool trains,
         bool bidirectional, IntArrayRef batchSizes, const OptionalTensor&)
{
    const std::int64_t directions = bidirectional ? 2 : 1;
    const std::int64_t width = projectedSize != 0 ? projectedSize : hiddenSize;
    const bool isPacked = !batchSizes.empty();
    const std::int64_t batch = isPacked ? batchSizes[0] : input.size(batchFirst ? 0 : 1);
    std::vector<std::int64_t> sizes{input.size(0)};
    if (!isPacked)
        sizes.push_back(input.size(1));
    sizes.push_back(width * directions);
    const bool hasCell = cell && cell->defined();
    const std::int64_t rows = input.size(-1) > 0 ? input.numel() / input.size(-1) : 0;
    const std::int64_t reserve =
        trains ? reserveBytes(rows, mode, hiddenSize, layers, directions, input.element_size()) : 0;
    return {at::empty(sizes, input.options()),
            at::empty({layers * directions, batch, width}, hidden.options()),
            hasCell ? at::empty({layers * directions, batch, hiddenSize}, cell->options())
                    : at::empty({0}, input.options()),
            at::empty({reserve}, input.options().dtype(at::kByte)), packed.value_or(Tensor())};
}

std::tuple<Tensor, Tensor, Tensor, std::vector<Tensor>>
cudnnRnnBackward(const Tensor& input, at::TensorList weights, std::int64_t, const Tensor&,
                 const Tensor& hidden, const OptionalTensor& cell, const Tensor&, const OptionalTensor&,
                 const OptionalTensor&, const OptionalTensor&, std::int64_t, std::int64_t, std::int64_t,
                 std::int64_t, bool, double, bool, bool, IntArrayRef, const OptionalTensor&, const Tensor&,
                 std::array<bool, 4>)
{
    std::vector<Tensor> gradients;
    for (const Tensor& weight : weights)
        gradients.push_back(rowMajorLike(weight));
    return {rowMajorLike(input), rowMajorLike(hidden),
            cell && cell->defined() ? rowMajorLike(*cell) : Tensor(), std::move(gradients)};
}

} // namespace

void registerRecurrent(torch::Library& library)
{
    implement(library, "_thnn_fused_lstm_cell", &lstmCell);
    implement(library, "_thnn_fused_lstm_cell_backward_impl", &lstmCellBackward);
    implement(library, "_thnn_fused_gru_cell", &gruCell);
    implement(library, "_thnn_fused_gru_cell_backward", &gruCellBackward);
    implement(library, "_cudnn_rnn", &cudnnRnn);
    implement(library, "_cudnn_rnn_backward", &cudnnRnnBackward);
}

} // namespace stagecraft::kernels
