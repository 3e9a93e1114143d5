#include "core/run/value_table.h"

#include <ATen/core/ivalue.h>

namespace stagecraft {

struct ValueTable::Slots
{
    Table<ValueId, c10::IValue> values;
};

ValueTable::ValueTable(const Graph& graph) : m_slots(std::make_unique<Slots>())
{
    m_slots->values = Table<ValueId, c10::IValue>(graph.valueCount());
}

ValueTable::~ValueTable() = default;
ValueTable::ValueTable(ValueTable&&) noexcept = default;
ValueTable& ValueTable::operator=(ValueTable&&) noexcept = default;

void ValueTable::set(ValueId id, c10::IValue value)
{
    m_slots->values[id] = std::move(value);
}

void ValueTable::setTensor(ValueId id, const at::Tensor& tensor)
{
    m_slots->values[id] = tensor;
}

void ValueTable::release(ValueId id)
{
    m_slots->values[id] = c10::IValue();
}

bool ValueTable::holds(ValueId id) const
{
    return !m_slots->values[id].isNone();
}

const c10::IValue& ValueTable::operator[](ValueId id) const
{
    return m_slots->values[id];
}

at::Tensor ValueTable::tensor(ValueId id) const
{
    const c10::IValue& value = m_slots->values[id];
    return value.isTensor() ? value.toTensor() : at::Tensor();
}

} // namespace stagecraft
