#include "core/trace/kept_results.h"

#include <ATen/core/Tensor.h>
#include <ATen/core/ivalue.h>

#include <stdexcept>

namespace stagecraft {

struct KeptResults::Result
{
    c10::IValue plain; // what is no tensor
    std::vector<std::unique_ptr<KeptTensor>> tensors;
    bool isList = false;
};

KeptResults::KeptResults() = default;
KeptResults::~KeptResults() = default;

void KeptResults::put(const std::vector<c10::IValue>& stack, std::size_t count, const Keep& keep)
{
    std::vector<Result>& results = m_results.emplace_back();
    for (std::size_t i = stack.size() - count; i < stack.size(); ++i) {
        Result& result = results.emplace_back();
        result.isList = stack[i].isTensorList();
        if (result.isList)
            for (const at::Tensor& tensor : stack[i].toTensorVector())
                result.tensors.push_back(keep(tensor));
        else if (stack[i].isTensor() && stack[i].toTensor().defined())
            result.tensors.push_back(keep(stack[i].toTensor()));
        else
            result.plain = stack[i];
    }
}

void KeptResults::take(std::vector<c10::IValue>& stack, std::size_t count)
{
    if (m_results.empty() || m_results.front().size() != count)
        throw std::runtime_error("a checkpoint region runs other kept operators when it is run again");
    for (const Result& result : m_results.front()) {
        if (result.isList) {
            c10::List<at::Tensor> list;
            for (const std::unique_ptr<KeptTensor>& kept : result.tensors)
                list.push_back(kept->tensor());
            stack.emplace_back(std::move(list));
        } else {
            stack.push_back(result.tensors.empty() ? result.plain
                                                   : c10::IValue(result.tensors.front()->tensor()));
        }
    }
    m_results.pop_front();
}

} // namespace stagecraft
