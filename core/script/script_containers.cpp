#include "core/script/script_containers.h"

#include <ATen/core/ivalue.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/ir/ir.h>

namespace stagecraft {

namespace {

using c10::IValue;
using Operands = std::vector<IValue>;

IValue madeList(const c10::TypePtr& type, Operands operands)
{
    c10::impl::GenericList list(type->expectRef<c10::ListType>().getElementType());
    for (IValue& element : operands)
        list.push_back(std::move(element));
    return list;
}

IValue madeTuple(const c10::TypePtr& type, Operands operands)
{
    const auto tuple = type->expect<c10::TupleType>();
    return tuple->schema() ? c10::ivalue::Tuple::createNamed(std::move(operands), tuple)
                           : c10::ivalue::Tuple::create(std::move(operands));
}

IValue madeDict(const c10::TypePtr& type, const Operands& operands)
{
    const auto& dictType = type->expectRef<c10::DictType>();
    c10::impl::GenericDict dict(dictType.getKeyType(), dictType.getValueType());
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2)
        dict.insert_or_assign(operands[i], operands[i + 1]);
    return dict;
}

IValue tuplePart(const IValue& tuple, std::int64_t begin, std::int64_t end)
{
    const auto& elements = tuple.toTupleRef().elements();
    TORCH_CHECK(begin >= 0 && begin <= end && end <= static_cast<std::int64_t>(elements.size()),
                "a tuple has no such part");
    Operands part;
    for (std::int64_t i = begin; i < end; ++i)
        part.push_back(elements[static_cast<std::size_t>(i)]);
    return c10::ivalue::Tuple::create(std::move(part));
}

IValue madeObject(const c10::TypePtr& type)
{
    const auto classType = type->expect<c10::ClassType>();
    TORCH_CHECK(!classType->is_module(), "it makes a module while it runs");
    return c10::ivalue::Object::create(c10::StrongTypePtr(classType->compilation_unit(), classType),
                                       classType->numAttributes());
}

} // namespace

IValue madeContainer(const torch::jit::Node& node, Operands operands)
{
    using namespace torch::jit;
    const c10::TypePtr type = node.output()->type();
    switch (node.kind()) {
    case prim::ListConstruct:
        return madeList(type, std::move(operands));
    case prim::TupleConstruct:
        return madeTuple(type, std::move(operands));
    case prim::DictConstruct:
        return madeDict(type, operands);
    case prim::TupleSlice:
        return tuplePart(operands.at(0), node.i(attr::beg), node.i(attr::end));
    default:
        return madeObject(type);
    }
}

} // namespace stagecraft
