#include "core/stage/python_scope.h"

#include "core/base/unique_names.h"

namespace stagecraft {

PythonScope pythonScope(const Graph& graph)
{
    PythonScope scope{&graph, Table<ValueId, PythonText>(graph.valueCount()),
                      [](ValueId value) { return value; }};
    const Table<ValueId, std::string> names = pythonNames(graph);
    for (const ValueId value : graph.values())
        scope.expressions[value] = pythonVariable(names[value]);
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
