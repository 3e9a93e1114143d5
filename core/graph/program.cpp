#include "core/graph/program.h"

namespace stagecraft {

Program::Program(std::string name, DType dtype) : m_builder(std::move(name)), m_dtype(dtype) {}

Value Program::nextValue(const std::string& name, ValueKind kind, const Sizes& sizes, DType dtype)
{
    Value value{.name = m_names.make(name), .kind = kind};
    value.meta = contiguousMeta(dtype, {sizes.begin(), sizes.end()});
    value.meta->requiresGrad = kind == ValueKind::Parameter;
    if (value.isStored())
        value.target = name;
    return value;
}

ValueId Program::input(const Sizes& sizes, DType dtype)
{
    return m_builder.addInput(nextValue("x", ValueKind::UserInput, sizes, dtype));
}

ValueId Program::param(const std::string& target, const Sizes& sizes)
{
    return m_builder.addInput(nextValue(target, ValueKind::Parameter, sizes, m_dtype));
}

ValueId Program::buffer(const std::string& target, const Sizes& sizes)
{
    return m_builder.addInput(nextValue(target, ValueKind::Buffer, sizes, m_dtype));
}

ValueId Program::op(const std::string& operatorName, const Sizes& result, std::vector<Argument> arguments)
{
    const std::size_t dot = operatorName.find('.');
    const std::string overload = dot == std::string::npos ? ".default" : "";
    Value made = nextValue(operatorName.substr(0, dot), ValueKind::Activation, result, m_dtype);
    Node node{.name = made.name, .target = "aten::" + operatorName + overload};
    for (Argument& argument : arguments)
        node.arguments.push_back({"", std::move(argument), ArgumentPassing::Positional});
    const ValueId value = m_builder.addValue(std::move(made));
    node.outputs.push_back({NodeOutput::Kind::Value, {value}});
    m_builder.addNode(std::move(node));
    return value;
}

ValueId Program::chain(ValueId value, const Sizes& sizes, std::initializer_list<const char*> operators)
{
    for (const char* name : operators)
        value = op(name, sizes, {value});
    return value;
}

Graph Program::returning(ValueId result)
{
    m_builder.addOutput(result);
    return std::move(m_builder).finish().value();
}

Argument ints(const Program::Sizes& numbers)
{
    return IntListArgument{{numbers.begin(), numbers.end()}};
}

} // namespace stagecraft
