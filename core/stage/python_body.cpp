#include "core/stage/python_body.h"

#include "core/graph/called_operator.h"
#include "core/load/bare_return.h"
#include "core/stage/checkpoint_regions.h"

#include <algorithm>

namespace stagecraft {

namespace {

bool isHigherOrder(const Node& node)
{
    return node.target.starts_with("higher_order::");
}

bool haveSameModes(const Context& a, const Context& b)
{
    return a.gradEnabled == b.gradEnabled && a.autocast == b.autocast;
}

PythonText contextManagers(const Context& context, const std::string& exportedDevice)
{
    std::vector<PythonText> managers;
    if (context.gradEnabled)
        managers.push_back("torch.set_grad_enabled(" + pythonBool(*context.gradEnabled) + ")");
    if (const std::optional<Autocast>& autocast = context.autocast) {
        const bool isModels = autocast->deviceType == exportedDevice;
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

// "model.layers.4.mlp  LlamaMLP", without the path of the module around it; `own` of that itself.
PythonText sectionText(const Module& module, const std::string& around, const std::string& own)
{
    const std::string kind = module.className.substr(module.className.rfind('.') + 1);
    std::string path = own;
    if (module.path.size() > around.size())
        path = module.path.substr(around.empty() ? 0 : around.size() + 1);
    return pythonComment(kind.empty() ? path : path + "  " + kind);
}

// "getitem, (a, b) = ". Higher-order operators give a tuple in any case; that of an operator which is called
// on copies begins with what the operator itself returns, nothing (`_`) too.
PythonText targetsOf(const Node& node, const std::function<PythonText(std::span<const ValueId>)>& names)
{
    const bool isTuple = isHigherOrder(node) && !returnsBareTensor(node);
    if (isTuple && !isFunctionalized(node))
        return "(" + names(node.results) + ",) = ";
    std::vector<PythonText> parts;
    for (const NodeOutput& output : node.outputs) {
        if (output.kind != NodeOutput::Kind::Value && output.values.empty())
            parts.push_back(PythonText("_"));
        else if (output.kind == NodeOutput::Kind::Value)
            parts.push_back(names({&output.values.front(), 1}));
        else
            parts.push_back("(" + names(output.values) +
                            (output.values.size() == 1 ? PythonText(",)") : PythonText(")")));
    }
    return isTuple ? "(" + joined(parts) + ",) = " : joined(parts) + " = ";
}

// The innermost that all of them are in.
const Module& commonModule(const Graph& graph, std::span<const NodeId> nodes)
{
    const ModuleTree& modules = graph.modules();
    ModuleId common = graph[nodes.front()].module;
    for (const NodeId node : nodes)
        while (!modules.contains(common, graph[node].module))
            common = modules[common].parent.value_or(ModuleTree::root());
    return modules[common];
}

void writeSubgraph(const Graph& subgraph, const PythonText& name, const std::string& exportedDevice,
                   OperatorSchemas& schemas, PythonLines& lines)
{
    PythonScope scope = pythonScope(subgraph, schemas);
    scope.exportedDevice = exportedDevice;
    PythonBody body(scope, schemas, lines);
    const std::vector<ValueId> inputs(subgraph.inputs().begin(), subgraph.inputs().end());
    lines.add("def " + name + "(" + body.names(inputs) + "):");
    lines.indent();
    std::vector<NodeId> nodes;
    for (const NodeId node : subgraph.nodes())
        nodes.push_back(node);
    std::vector<ValueId> kept;
    std::vector<PythonText> returned;
    for (const Argument& output : subgraph.outputs()) {
        collectValues(output, kept);
        returned.push_back(body.expression(output));
    }
    body.write({nodes}, unrepeated(nodes.size()), inputs, kept);
    const bool isBare = subgraph.returnsBareValue() && returned.size() == 1;
    if (isBare)
        lines.add("return " + returned.front());
    else
        lines.add(returned.empty() ? PythonText("return ()") : "return (" + joined(returned) + ",)");
    lines.outdent();
}

} // namespace

void RegionMethods::writeNote(const BodyStep& call, const PythonNodes& stage, PythonLines& lines) const
{
    if (call.isCheckpointed && call.regions.empty())
        writeNote(stage.nodes[call.begin], lines);
}

// The shapes of those that are read.
PythonText shapesComment(const PythonScope& scope, const Table<ValueId, char>& isRead,
                         std::span<const ValueId> results)
{
    PythonText comment;
    for (const ValueId result : results)
        if (const PythonText& shape = scope.texts->shapes[result]; !shape.isEmpty() && isRead[result])
            (comment += comment.isEmpty() ? PythonLiteral("  # ") : PythonLiteral(", ")) += shape;
    return comment;
}

PythonText checkpointEnd(bool keepsSome)
{
    return keepsSome ? PythonText(", use_reentrant=False, context_fn=_keep.contexts)")
                     : PythonText(", use_reentrant=False)");
}

std::vector<NodeId> nodesRunBy(const PythonNodes& stage, const RepeatedBlock* block, std::size_t begin,
                               std::size_t end)
{
    const auto places = stage.nodes.subspan(begin, end - begin);
    if (!block)
        return {places.begin(), places.end()};
    std::vector<NodeId> nodes;
    for (const BlockCall& call : block->calls) {
        const std::span<const NodeId> run =
            stage.nodes.subspan(call.begin + begin - block->calls.front().begin, end - begin);
        nodes.insert(nodes.end(), run.begin(), run.end());
    }
    return nodes;
}

PythonText RegionMethods::nameFor(const Module& module)
{
    const std::string kind = snakeCaseOfClass(module);
    const PythonText wanted = pythonVariable("recompute_" + (kind.empty() ? "part" : kind));
    return pythonVariable(taken.make(wanted.text()));
}

void RegionMethods::writeNote(NodeId first, PythonLines& lines) const
{
    if (const auto note = notes.find(first); note != notes.end())
        lines.add("# " + pythonComment(note->second));
}

PythonBody::PythonBody(const PythonScope& scope, OperatorSchemas& schemas, PythonLines& lines,
                       RegionMethods* regions, const BlockScope* block)
    : m_scope(scope),
      m_graph(*scope.graph),
      m_schemas(schemas),
      m_lines(lines),
      m_regions(regions),
      m_block(block),
      m_nodesOf(m_graph.modules().size(), 0),
      m_section(block ? block->block->calls.front().module : ModuleTree::root())
{
}

PythonText PythonBody::ownName(const std::string& wanted)
{
    if (!std::exchange(m_hasTaken, true)) {
        if (m_block)
            for (const auto& [value, expression] : m_block->expressions)
                m_taken.take(expression.text());
        else
            m_scope.expressions.takeAll(m_taken);
    }
    return pythonVariable(m_taken.make(pythonVariable(wanted).text()));
}

const PythonText& PythonBody::nameOf(ValueId value) const
{
    if (m_block)
        if (const auto own = m_block->expressions.find(value); own != m_block->expressions.end())
            return own->second;
    return m_scope.expressions[value];
}

// Not an attribute of the module.
bool PythonBody::isVariable(ValueId value) const
{
    return isPythonWord(nameOf(value).text());
}

ModuleId PythonBody::moduleAround() const
{
    return m_block ? m_block->block->calls.front().module : ModuleTree::root();
}

void PythonBody::write(const PythonNodes& stage, std::span<const BodyItem> items,
                       std::span<const ValueId> given, std::span<const ValueId> kept)
{
    m_stage = stage;
    std::size_t depth = 0; // of checkpoint regions that the caller is in
    if (m_block) {
        const BlockCall& first = m_block->block->calls.front();
        depth = regionsAround(m_graph, stage.nodes, first.begin, m_block->block->end(first)).size();
    }
    m_steps = bodySteps(about(), items, depth, kept);
    m_uses = bodyUses(about(), m_steps, given, kept);
    for (const Step& step : m_steps)
        if (!step.block)
            ++m_nodesOf[nodeAt(step.begin).module];
    writeInRegions(m_steps, depth);
}

// ---------------------------------------------------------------- regions
void PythonBody::writeInRegions(Steps steps, std::size_t depth)
{
    const auto regionsOf = [&](std::size_t i) { return steps[i].regions; };
    forEachRegion(steps.size(), regionsOf, depth,
                  [&](std::size_t begin, std::size_t end, std::optional<int> region) {
                      const Steps run = steps.subspan(begin, end - begin);
                      if (region)
                          writeRecomputed(run, depth);
                      else
                          writeInContexts(run);
                  });
}

// A function of what the nodes read that returns what later ones read, run by torch.utils.checkpoint.
void PythonBody::writeRecomputed(Steps steps, std::size_t depth)
{
    FunctionUses uses =
        takeApart(about(), m_steps, steps, m_uses, [this](ValueId value) { return isVariable(value); });
    const PythonText name = m_regions
                                ? m_regions->nameFor(commonModule(m_graph, nodesOf(steps)))
                                : ownName("_recomputed_" + std::to_string(steps.front().regions[depth]) +
                                          "_" + std::to_string(indexOf(steps.front())));
    std::vector<PythonText> given{m_regions ? "self." + name : name};
    if (takesModule())
        given.push_back(m_block->module);
    if (!uses.taken.empty())
        given.push_back(names(uses.taken));
    RegionFunction function{name, steps, depth + 1, std::move(uses.taken), std::move(uses.returned)};
    if (!m_regions)
        writeFunction(function);
    if (m_regions && depth == 0)
        m_regions->writeNote(nodesOf(steps).front(), m_lines);
    const PythonText call = "torch.utils.checkpoint.checkpoint(" + joined(given) +
                            checkpointEnd(keepsSome(m_graph, nodesOf(steps), depth)) +
                            deletions(uses.deleted);
    m_lines.add(function.returned.empty() ? call : names(function.returned) + " = " + call);
    if (m_regions)
        m_waiting.push_back(std::move(function));
}

void PythonBody::writeFunction(const RegionFunction& function)
{
    std::vector<PythonText> parameters;
    if (m_regions)
        parameters.push_back(PythonText("self"));
    if (takesModule())
        parameters.push_back(m_block->module);
    for (const ValueId value : function.taken)
        parameters.push_back(nameOf(value));
    m_lines.add("def " + function.name + "(" + joined(parameters) + "):");
    m_lines.indent();
    if (m_regions) {
        const PythonText part = sectionText(commonModule(m_graph, nodesOf(function.steps)),
                                            m_graph.modules()[moduleAround()].path,
                                            m_block ? "the module itself" : "the model itself");
        m_lines.add("\"\"\"Runs again in backward: " + part + "\"\"\"");
    }
    writeInRegions(function.steps, function.depth);
    m_lines.add(function.returned.empty() ? PythonText("return ()") : "return " + names(function.returned));
    m_lines.outdent();
}

// Regions within regions come behind those that they are in.
void PythonBody::writeRegions()
{
    for (std::size_t i = 0; i < m_waiting.size(); ++i) {
        const RegionFunction function = m_waiting[i];
        m_lines.add("");
        m_section = ModuleTree::root();
        writeFunction(function);
    }
    m_waiting.clear();
}

void PythonBody::writeInContexts(Steps steps)
{
    static const Context none;
    const Context& around = m_block && m_block->block->modes ? *m_block->block->modes : none;
    for (std::size_t begin = 0; begin < steps.size();) {
        const Context& modes = *steps[begin].modes;
        const PythonText managers =
            haveSameModes(modes, around) ? PythonText() : contextManagers(modes, m_scope.exportedDevice);
        if (!managers.isEmpty()) {
            m_lines.add("with " + managers + ":");
            m_lines.indent();
        }
        std::size_t end = begin + 1;
        while (end < steps.size() && haveSameModes(*steps[end].modes, modes))
            ++end;
        writeSteps(steps.subspan(begin, end - begin));
        if (!managers.isEmpty())
            m_lines.outdent();
        begin = end;
    }
}

// What a region keeps stands in `with _keep:`; of a block in the block's method.
void PythonBody::writeSteps(Steps steps)
{
    bool isKeeping = false;
    for (const Step& step : steps) {
        const bool keeps = !step.block && isKept(*step.modes);
        if (keeps && !isKeeping) {
            m_lines.add("with _keep:");
            m_lines.indent();
        } else if (!keeps && isKeeping) {
            m_lines.outdent();
        }
        isKeeping = keeps;
        if (!step.block)
            writeNode(step);
        else if (step.rounds > 1)
            writeLoop(step);
        else
            writeCall(step);
    }
    if (isKeeping)
        m_lines.outdent();
}

// ---------------------------------------------------------------- nodes
// "# model.layers.4.mlp  LlamaMLP", where the nodes of a module begin; in a block without its own path.
void PythonBody::writeSection(ModuleId section)
{
    if (std::exchange(m_section, section) == section)
        return;
    const ModuleTree& modules = m_graph.modules();
    const char* own = m_block ? "the module itself" : "the model itself";
    m_lines.add("# " + sectionText(modules[section], modules[moduleAround()].path, own));
}

void PythonBody::writeNode(const Step& step)
{
    const Node& node = nodeAt(step.begin);
    // Those of modules that are one operator stand with their parent's.
    const Module& module = m_graph.modules()[node.module];
    const bool isOneOperator = module.parent && module.children.empty() && m_nodesOf[node.module] == 1 &&
                               node.module != moduleAround();
    writeSection(isOneOperator ? *module.parent : node.module);
    writeSubgraphs(node);
    m_lines.setSubject("node '" + node.name + "'");
    m_lines.add(targets(node) + call(node) + deletions(m_uses.deletedAfter[indexOf(step)]) +
                    shapesComment(m_scope, m_uses.isRead, node.results),
                nodesRun(step.begin, step.end));
}

// Nothing where no result is read.
PythonText PythonBody::targets(const Node& node) const
{
    if (std::ranges::none_of(node.results, [&](ValueId id) { return m_uses.isRead[id] != 0; }))
        return {};
    return targetsOf(node, [this](std::span<const ValueId> values) { return names(values); });
}

PythonText PythonBody::names(std::span<const ValueId> values) const
{
    std::vector<PythonText> texts;
    for (const ValueId value : values)
        texts.push_back(nameOf(value));
    return joined(texts);
}

PythonText PythonBody::deletions(const std::vector<ValueId>& values) const
{
    return values.empty() ? PythonText() : ";  del " + names(values);
}

// ---------------------------------------------------------------- subgraphs
void PythonBody::writeSubgraphs(const Node& node)
{
    for (std::size_t i = 0; i < node.subgraphs.size(); ++i) {
        const Graph& subgraph = *node.subgraphs[i];
        m_bodies[&subgraph] = ownName("_" + node.name + "_body_" + std::to_string(i));
        writeSubgraph(subgraph, m_bodies[&subgraph], m_scope.exportedDevice, m_schemas, m_lines);
    }
}

} // namespace stagecraft
