// Losses and their gradients.
#include "core/trace/kernels/registration.h"

#include <ATen/ATen.h>
#include <ATen/core/Reduction.h>
#include <torch/library.h>

namespace stagecraft::kernels {

namespace {

using at::MemoryFormat;
using at::Tensor;
using OptionalTensor = std::optional<Tensor>;

Tensor& returned(const Tensor& like, Tensor& out)
{
    if (out.sizes() != like.sizes())
        out.resize_(like.sizes());
    return out;
}

// --- differences -----------------------------------------------------------------------------------------

Tensor meanSquareBackward(const Tensor& grad, const Tensor& self, const Tensor& target, std::int64_t)
{
    return followsMetaFunctions() ? elementwise({self, target, grad}) : rowMajorLike(self);
}

Tensor& smoothL1BackwardOut(const Tensor&, const Tensor& self, const Tensor&, std::int64_t, double,
                            Tensor& out)
{
    return returned(self, out);
}

Tensor huber(const Tensor& self, const Tensor&, std::int64_t reduction, double)
{
    return reduction == at::Reduction::None ? at::empty_like(self) : at::empty({}, self.options());
}

// --- cross entropies -------------------------------------------------------------------------------------

Tensor binaryCrossEntropy(const Tensor& self, const Tensor&, const OptionalTensor&, std::int64_t reduction)
{
    if (reduction != at::Reduction::None && followsMetaFunctions())
        return at::empty({}, self.options());
    // The reduced loss is written over the unreduced one and keeps its storage.
    Tensor loss = at::empty_like(self);
    return reduction == at::Reduction::None ? loss : loss.resize_({});
}

std::tuple<Tensor, Tensor> negativeLogLikelihood2d(const Tensor& self, const Tensor& target,
                                                   const OptionalTensor&, std::int64_t reduction,
                                                   std::int64_t)
{
    const auto sizes = reduction == at::Reduction::None ? target.sizes() : at::IntArrayRef{};
    return {at::empty(sizes, self.options()), at::empty({}, self.options())};
}

// --- margins ---------------------------------------------------------------------------------------------

// One loss a row, or one in all.
Tensor lossOfRows(const Tensor& self, std::int64_t reduction)
{
    const bool oneARow = reduction == at::Reduction::None && self.dim() == 2;
    return oneARow ? at::empty({self.size(0)}, self.options()) : at::empty({}, self.options());
}

Tensor multiMargin(const Tensor& self, const Tensor&, const at::Scalar&, const at::Scalar&,
                   const OptionalTensor&, std::int64_t reduction)
{
    return lossOfRows(self, reduction);
}

std::tuple<Tensor, Tensor> multilabelMargin(const Tensor& self, const Tensor& target, std::int64_t reduction)
{
    return {lossOfRows(self, reduction), at::empty(target.sizes(), self.options())};
}

// --- gated linear units: a loss only in that nobody else wanted them -------------------------------------

Tensor gluBackward(const Tensor&, const Tensor& self, std::int64_t)
{
    return followsMetaFunctions() ? at::empty_like(self, self.suggest_memory_format()) : rowMajorLike(self);
}

Tensor& huberBackwardOut(const Tensor&, const Tensor& self, const Tensor&, std::int64_t, double, Tensor& out)
{
    return returned(self, out);
}

} // namespace

void registerLosses(torch::Library& library)
{
    implement(library, "mse_loss_backward", &meanSquareBackward);
    implement(library, "smooth_l1_loss_backward.grad_input", &smoothL1BackwardOut);
    implement(library, "huber_loss", &huber);
    implement(library, "huber_loss_backward.out", &huberBackwardOut);
    implement(library, "binary_cross_entropy", &binaryCrossEntropy);
    implementLike(library, "binary_cross_entropy_backward", {1}, LaidOut::AsItIs);
    implement(library, "nll_loss2d_forward", &negativeLogLikelihood2d);
    implementLike(library, "nll_loss2d_backward", {1});
    implement(library, "multi_margin_loss", &multiMargin);
    implementLike(library, "multi_margin_loss_backward", {1});
    implement(library, "multilabel_margin_loss_forward", &multilabelMargin);
    implementLike(library, "multilabel_margin_loss_backward", {1});
    implement(library, "glu_backward", &gluBackward);
}

} // namespace stagecraft::kernels
