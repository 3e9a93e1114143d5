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

c10::IValue outputValue(const Argument& output, const ValueTable& values)
{
    if (const auto* id = std::get_if<ValueId>(&output))
        return values[*id];
    if (const auto* number = std::get_if<std::int64_t>(&output))
        return *number;
    if (const auto* number = std::get_if<double>(&output))
        return *number;
    if (const auto* truth = std::get_if<bool>(&output))
        return *truth;
    if (const auto* text = std::get_if<std::string>(&output))
        return *text;
    return {};
}

} // namespace stagecraft
