#include "core/stage/python_scope.h"

#include "core/stage/writable.h"

namespace stagecraft {

namespace {

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

// "llama_rms_norm" of "LlamaRMSNorm".
std::string inSnakeCase(std::string_view name)
{
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const bool endsWord = i > 0 && !isUpper(name[i - 1]) && name[i - 1] != '_';
        const bool beginsWord =
            i > 0 && isUpper(name[i - 1]) && i + 1 < name.size() && name[i + 1] >= 'a' && name[i + 1] <= 'z';
        if (isUpper(name[i]) && (endsWord || beginsWord))
            text += '_';
        text += isUpper(name[i]) ? static_cast<char>(name[i] - 'A' + 'a') : name[i];
    }
    return text;
}

GraphTexts textsOf(const Graph& graph, OperatorSchemas& schemas)
{
    GraphTexts texts;
    for (const ValueId value : graph.values()) {
        const std::optional<TensorMeta>& meta = graph[value].meta;
        texts.shapes.add(meta ? pythonComment(metaText(*meta)) : PythonText());
    }
    for (const NodeId node : graph.nodes())
        if (const auto [known, isNew] = texts.operators.try_emplace(graph[node].target); isNew) {
            const Result<PythonText> text = pythonTarget(graph[node].target, schemas);
            if (text.has_value())
                known->second = *text;
            else
                texts.operators.erase(known);
        }
    return texts;
}

} // namespace

void ValueExpressions::takeAll(UniqueNames& taken) const
{
    for (const ValueId value : m_variables->ids())
        taken.take((*this)[value].text());
}

std::string_view lastPartOfClass(const Module& module)
{
    return std::string_view(module.className).substr(module.className.rfind('.') + 1);
}

std::string snakeCaseOfClass(const Module& module)
{
    return inSnakeCase(lastPartOfClass(module));
}

PythonText readText(const PythonScope& scope, ValueId tensor, const PythonText& attribute)
{
    return scope.readAsCopies.contains(tensor) ? "unwritten(" + attribute + ")" : attribute;
}

PythonScope pythonScope(const Graph& graph, OperatorSchemas& schemas)
{
    Table<ValueId, PythonText> variables;
    for (const std::string& name : pythonNames(graph))
        variables.add(pythonVariable(name));
    PythonScope scope{&graph,
                      ValueExpressions(std::move(variables)),
                      std::make_shared<const GraphTexts>(textsOf(graph, schemas)),
                      {},
                      [](ValueId value) { return value; }};
    for (const ValueId value : graph.values())
        if (graph[value].isTensor()) {
            scope.exportedDevice = graph[value].meta->device.type;
            break;
        }
    return scope;
}

Table<ValueId, std::string> pythonNames(const Graph& graph)
{
    Table<ValueId, std::string> names(graph.valueCount());
    std::vector<ValueId> awkward;
    for (const ValueId value : graph.values()) {
        names[value] = graph[value].name;
        if (pythonVariable(names[value]).text() != names[value])
            awkward.push_back(value);
    }
    if (awkward.empty())
        return names;
    UniqueNames taken;
    for (const std::string& name : names)
        taken.take(name);
    for (const ValueId value : awkward)
        names[value] = taken.make(pythonVariable(graph[value].name).text());
    return names;
}

} // namespace stagecraft
