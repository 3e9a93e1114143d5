#include "core/stage/python_body.h"

#include "core/stage/checkpoint_regions.h"
#include "core/stage/python_code.h"

#include <algorithm>
#include <limits>
#include <set>

namespace stagecraft {

namespace {

constexpr std::size_t notRead = std::numeric_limits<std::size_t>::max();

bool isHigherOrder(const Node& node)
{
    return node.target.starts_with("higher_order::");
}

} // namespace

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

PythonBody::PythonBody(const PythonScope& scope, OperatorSchemas& schemas, PythonLines& lines)
    : m_scope(scope),
      m_graph(*scope.graph),
      m_schemas(schemas),
      m_lines(lines),
      m_isRead(m_graph.valueCount(), 0),
      m_positions(m_graph.nodeCount(), 0),
      m_nodesOf(m_graph.modules().size(), 0)
{
}

PythonText PythonBody::ownName(const std::string& wanted)
{
    if (!std::exchange(m_hasTaken, true))
        for (const PythonText& expression : m_scope.expressions)
            m_taken.take(expression.text());
    return pythonVariable(m_taken.make(pythonVariable(wanted).text()));
}

// Not an attribute of the module.
bool PythonBody::isVariable(ValueId value) const
{
    return pythonWord(m_scope.expressions[value].text()).has_value();
}

void PythonBody::write(Steps nodes, std::span<const ValueId> given, std::span<const ValueId> kept)
{
    findLastUses(nodes, given, kept);
    writeInRegions(nodes, 0);
}

void PythonBody::findLastUses(Steps steps, std::span<const ValueId> given, std::span<const ValueId> kept)
{
    Table<ValueId, std::size_t> lastUse(m_graph.valueCount(), notRead);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        m_positions[steps[i]] = i;
        ++m_nodesOf[m_graph[steps[i]].module];
        for (const ValueId input : m_graph[steps[i]].inputs) {
            lastUse[m_scope.resolve(input)] = i;
            m_isRead[m_scope.resolve(input)] = 1;
        }
    }
    for (const ValueId value : kept) {
        lastUse[m_scope.resolve(value)] = notRead;
        m_isRead[m_scope.resolve(value)] = 1;
    }
    m_deletedAfter.assign(steps.size(), {});
    for (const ValueId value : given)
        if (lastUse[value] != notRead)
            m_deletedAfter[lastUse[value]].push_back(value);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const std::vector<ValueId>& results = m_graph[steps[i]].results;
        const bool isAnyRead = std::ranges::any_of(results, [&](ValueId id) { return m_isRead[id] != 0; });
        for (const ValueId result : results) {
            if (lastUse[result] != notRead)
                m_deletedAfter[lastUse[result]].push_back(result);
            else if (!m_isRead[result] && isAnyRead)
                m_deletedAfter[i].push_back(result);
        }
    }
}

// ---------------------------------------------------------------- regions
void PythonBody::writeInRegions(Steps steps, std::size_t depth)
{
    forEachRegion(m_graph, steps, depth, [&](Steps run, std::optional<int> region) {
        if (region)
            writeRecomputed(run, depth);
        else
            writeInContexts(run);
    });
}

// A function of what the nodes read that returns what later ones read, run by torch.utils.checkpoint.
void PythonBody::writeRecomputed(Steps steps, std::size_t depth)
{
    std::set<ValueId> made;
    std::vector<ValueId> taken;
    std::vector<ValueId> deleted;
    std::set<ValueId> gone;
    for (const NodeId id : steps) {
        for (const ValueId input : m_graph[id].inputs) {
            const ValueId value = m_scope.resolve(input);
            if (isVariable(value) && !made.contains(value) && std::ranges::find(taken, value) == taken.end())
                taken.push_back(value);
        }
        made.insert(m_graph[id].results.begin(), m_graph[id].results.end());
        std::vector<ValueId>& after = m_deletedAfter[m_positions[id]];
        for (const ValueId value : after)
            (made.contains(value) ? (void)gone.insert(value) : deleted.push_back(value));
        std::erase_if(after, [&](ValueId value) { return !made.contains(value); });
    }
    std::vector<ValueId> returned;
    for (const ValueId value : made)
        if (m_isRead[value] && !gone.contains(value))
            returned.push_back(value);
    const int region = m_graph.context(m_graph[steps.front()].context).recomputeRegions[depth];
    const PythonText name =
        ownName("_recomputed_" + std::to_string(region) + "_" + std::to_string(m_positions[steps.front()]));
    m_lines.add("def " + name + "(" + names(taken) + "):");
    m_lines.indent();
    writeInRegions(steps, depth + 1);
    const PythonText results = returned.empty() ? PythonText("()") : "(" + names(returned) + ",)";
    m_lines.add("return " + results);
    m_lines.outdent();
    const PythonText operands = taken.empty() ? PythonText() : ", " + names(taken);
    const PythonText call = "torch.utils.checkpoint.checkpoint(" + name + operands +
                            ", use_reentrant=False)" + deletions(deleted);
    m_lines.add(returned.empty() ? call : results + " = " + call);
}

void PythonBody::writeInContexts(Steps steps)
{
    for (std::size_t begin = 0; begin < steps.size();) {
        Context context = m_graph.context(m_graph[steps[begin]].context);
        const ContextId id = m_graph[steps[begin]].context;
        const PythonText managers = contextManagers(context);
        if (!managers.isEmpty()) {
            m_lines.add("with " + managers + ":");
            m_lines.indent();
        }
        while (begin < steps.size() && m_graph[steps[begin]].context == id)
            writeNode(steps[begin++]);
        if (!managers.isEmpty())
            m_lines.outdent();
    }
}

PythonText PythonBody::contextManagers(const Context& context) const
{
    std::vector<PythonText> managers;
    if (context.gradEnabled)
        managers.push_back("torch.set_grad_enabled(" + pythonBool(*context.gradEnabled) + ")");
    if (const std::optional<Autocast>& autocast = context.autocast) {
        const bool isModels = autocast->deviceType == m_scope.exportedDevice;
        PythonText text = "torch.autocast(" +
                          (isModels ? PythonText("self.device.type") : pythonString(autocast->deviceType));
        if (autocast->dtype)
            text += ", dtype=" + pythonName(*autocast->dtype);
        text += ", enabled=" + pythonBool(autocast->enabled);
        text += ", cache_enabled=" + pythonBool(autocast->cacheEnabled) + ")";
        managers.push_back(std::move(text));
    }
    return joined(managers);
}

// ---------------------------------------------------------------- nodes
// "# model.layers.4.mlp  LlamaMLP", where the nodes of a module begin. Those of modules that are one operator
// stand with their parent's.
void PythonBody::writeSection(const Node& node)
{
    const ModuleTree& modules = m_graph.modules();
    ModuleId section = node.module;
    if (modules[section].parent && modules[section].children.empty() && m_nodesOf[section] == 1)
        section = *modules[section].parent;
    if (std::exchange(m_section, section) == section)
        return;
    const Module& module = modules[section];
    const std::string kind = module.className.substr(module.className.rfind('.') + 1);
    const std::string path = module.path.empty() ? "the model itself" : module.path;
    m_lines.add("# " + pythonComment(kind.empty() ? path : path + "  " + kind));
}

void PythonBody::writeNode(NodeId id)
{
    const Node& node = m_graph[id];
    writeSection(node);
    writeSubgraphs(node);
    m_lines.setSubject("node '" + node.name + "'");
    m_lines.add(targets(node) + call(node) + deletions(m_deletedAfter[m_positions[id]]) + comment(node), id);
}

// "getitem, (a, b) = ": nothing where no result is read.
PythonText PythonBody::targets(const Node& node) const
{
    if (std::ranges::none_of(node.results, [&](ValueId id) { return m_isRead[id] != 0; }))
        return {};
    if (isHigherOrder(node)) // returns a tuple always
        return "(" + names(node.results) + ",) = ";
    std::vector<PythonText> parts;
    for (const NodeOutput& output : node.outputs) {
        if (output.kind == NodeOutput::Kind::Value)
            parts.push_back(m_scope.expressions[output.values.front()]);
        else if (output.values.empty())
            parts.push_back(PythonText("_"));
        else if (output.values.size() == 1)
            parts.push_back("(" + names(output.values) + ",)");
        else
            parts.push_back("(" + names(output.values) + ")");
    }
    return joined(parts) + " = ";
}

PythonText PythonBody::names(const std::vector<ValueId>& values) const
{
    std::vector<PythonText> texts;
    for (const ValueId value : values)
        texts.push_back(m_scope.expressions[value]);
    return joined(texts);
}

PythonText PythonBody::deletions(const std::vector<ValueId>& values) const
{
    return values.empty() ? PythonText() : ";  del " + names(values);
}

PythonText PythonBody::comment(const Node& node) const
{
    std::vector<PythonText> known;
    for (const ValueId result : node.results)
        if (const std::optional<TensorMeta>& meta = m_graph[result].meta; meta && m_isRead[result])
            known.push_back(pythonComment(metaText(*meta)));
    return known.empty() ? PythonText() : "  # " + joined(known);
}

// ---------------------------------------------------------------- subgraphs
void PythonBody::writeSubgraphs(const Node& node)
{
    for (std::size_t i = 0; i < node.subgraphs.size(); ++i) {
        const Graph& subgraph = *node.subgraphs[i];
        m_bodies[&subgraph] = ownName("_" + node.name + "_body_" + std::to_string(i));
        writeSubgraph(subgraph, m_bodies[&subgraph]);
    }
}

void PythonBody::writeSubgraph(const Graph& subgraph, const PythonText& name)
{
    PythonScope scope = pythonScope(subgraph);
    scope.exportedDevice = m_scope.exportedDevice;
    PythonBody body(scope, m_schemas, m_lines);
    const std::vector<ValueId> inputs(subgraph.inputs().begin(), subgraph.inputs().end());
    m_lines.add("def " + name + "(" + body.names(inputs) + "):");
    m_lines.indent();
    std::vector<NodeId> nodes;
    for (const NodeId node : subgraph.nodes())
        nodes.push_back(node);
    std::vector<ValueId> kept;
    std::vector<PythonText> returned;
    for (const Argument& output : subgraph.outputs()) {
        collectValues(output, kept);
        returned.push_back(body.expression(output));
    }
    body.write(nodes, inputs, kept);
    const bool isBare = subgraph.returnsBareValue() && returned.size() == 1;
    if (isBare)
        m_lines.add("return " + returned.front());
    else
        m_lines.add(returned.empty() ? PythonText("return ()") : "return (" + joined(returned) + ",)");
    m_lines.outdent();
}

} // namespace stagecraft
