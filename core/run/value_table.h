// ValueTable: what the values of a graph hold while it runs: tensors, numbers, lists.
//
// Users include ATen themselves; this header only names its types.
#pragma once

#include "core/graph/graph.h"

#include <memory>

namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
}

namespace stagecraft {

class ValueTable
{
public:
    explicit ValueTable(const Graph& graph);
    ~ValueTable();
    ValueTable(ValueTable&&) noexcept;
    ValueTable& operator=(ValueTable&&) noexcept;

    void set(ValueId id, c10::IValue value);
    void setTensor(ValueId id, const at::Tensor& tensor);
    void release(ValueId id);

    // Does the value hold anything? A value is empty before its node ran and after its last use.
    bool holds(ValueId id) const;
    // None where the value is empty.
    const c10::IValue& operator[](ValueId id) const;
    // The tensor; undefined where the value is empty or holds something else.
    at::Tensor tensor(ValueId id) const;

private:
    struct Slots;
    std::unique_ptr<Slots> m_slots;
};

// What an output of a graph is after a run: a value of the table, a number, a text, or None.
c10::IValue outputValue(const Argument& output, const ValueTable& values);

} // namespace stagecraft
