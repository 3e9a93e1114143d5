#include "core/trace/gradient_sums.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/record_function.h>
#include <torch/csrc/autograd/node.h>

#include <memory>

namespace stagecraft {

namespace {

thread_local int watches = 0;
thread_local int formulas = 0; // that are running

std::unique_ptr<at::ObserverContext> formulaBegins(const at::RecordFunction&)
{
    ++formulas;
    return nullptr;
}

void formulaEnds(const at::RecordFunction&, at::ObserverContext*)
{
    --formulas;
}

// The engine's buffer holds it, the stack does, and nobody else; and it has elements to add to, which the
// zeros that derivatives such as sign's give do not have.
bool isLastReference(const at::Tensor& tensor)
{
    return tensor.use_count() <= 2 && tensor.has_storage() && !tensor._is_zerotensor() &&
           tensor.storage().use_count() == 1 && tensor.is_non_overlapping_and_dense();
}

} // namespace

GradientSums::GradientSums()
    : m_watch(at::addThreadLocalCallback(at::RecordFunctionCallback(&formulaBegins, &formulaEnds)
                                             .scopes({at::RecordScope::BACKWARD_FUNCTION})))
{
    ++watches;
}

GradientSums::~GradientSums()
{
    --watches;
    at::removeCallback(m_watch);
}

bool inPlaceSum(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack)
{
    if (watches == 0 || formulas > 0 || at::GradMode::is_enabled() || !torch::autograd::get_current_node() ||
        op.schema().name() != "aten::add" || op.schema().overload_name() != "Tensor")
        return false;
    const std::size_t first = stack.size() - 3;
    if (!isLastReference(stack[first].toTensor()))
        return false;
    at::Tensor sum = stack[first].toTensor();
    sum.add_(stack[first + 1].toTensor());
    stack.resize(first);
    stack.emplace_back(std::move(sum));
    return true;
}

} // namespace stagecraft
