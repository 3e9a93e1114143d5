#include "core/stage/python_code.h"

#include "core/base/contains.h"
#include "core/base/unique_names.h"
#include "core/load/operator_schema.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_body.h"
#include "core/stage/python_text.h"

#include <algorithm>
#include <array>
#include <unordered_set>

namespace stagecraft {

namespace {

// Names that the code itself uses.
constexpr std::array<std::string_view, 14> reservedNames{"self",   "torch",   "math",        "inf",    "nan",
                                                         "device", "getattr", "dict",        "zip",    "rows",
                                                         "row",    "complex", "collections", "Tensors"};

constexpr std::string_view tensorsClass = R"(class Tensors(torch.nn.Module):
    """Holds tensors under the names they have in the model: self.h[0].attn.weight."""

    def __getitem__(self, name):
        return getattr(self, str(name))

    def place(self, path, sizes, dtype, device, strides=None, trainable=None, persistent=True):
        *parts, name = path.split(".")
        module = self
        for part in parts:
            if part not in module._modules:
                module.add_module(part, Tensors())
            module = module._modules[part]
        tensor = torch.empty_strided(sizes, strides, dtype=dtype, device=device) if strides else \
            torch.empty(sizes, dtype=dtype, device=device)
        if trainable is None:
            module.register_buffer(name, tensor, persistent=persistent)
        else:
            module.register_parameter(name, torch.nn.Parameter(tensor, requires_grad=trainable))
)";

bool isReserved(std::string_view name)
{
    return contains(reservedNames, name);
}

std::string identifier(std::string_view name)
{
    std::string made;
    for (const char c : name)
        made += std::isalnum(static_cast<unsigned char>(c)) && static_cast<unsigned char>(c) < 128 ? c : '_';
    if (made.empty() || !isPythonIdentifier(made) || isReserved(made))
        made = "v_" + made;
    return made;
}

std::string sizesText(const std::vector<SymInt>& sizes)
{
    std::string text = "(";
    for (const SymInt& size : sizes)
        text += size.text() + ", ";
    if (sizes.size() > 1)
        text.resize(text.size() - 2);
    else if (sizes.size() == 1)
        text.resize(text.size() - 1);
    return text + ")";
}

std::string oneLine(std::string text)
{
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\')
            c = ' ';
    return text;
}

// Writes one stage.
class StageWriter
{
public:
    StageWriter(const Model& model, const StageProgram& program)
        : m_model(model),
          m_graph(model.graph),
          m_program(program),
          m_interface(modelInterface(model)),
          m_scope(pythonScope(model.graph)),
          m_body(m_scope, m_schemas, m_lines)
    {
        m_scope.resolve = [&program](ValueId value) { return program.resolve(value); };
        for (const auto* tensors : {&program.parameters, &program.buffers, &program.constants})
            for (const ValueId tensor : *tensors)
                m_scope.expressions[tensor] = pythonAttribute(m_graph[tensor].target);
        if (hasTensorNamed("device"))
            m_scope.device = "self.stage_device";
    }

    StageCode write() &&
    {
        writeHead();
        writeClassHead();
        writeConstructor();
        writeForward();
        return std::move(m_lines).take();
    }

private:
    const std::string& nameOf(ValueId value) const { return m_body.read(value); }

    bool hasTensorNamed(std::string_view component) const
    {
        const auto starts = [&](ValueId id) {
            const std::string_view path = m_graph[id].target;
            return path.substr(0, path.find('.')) == component;
        };
        return std::ranges::any_of(m_program.parameters, starts) ||
               std::ranges::any_of(m_program.buffers, starts) ||
               std::ranges::any_of(m_program.constants, starts);
    }

    void writeText(std::string_view text)
    {
        for (std::size_t begin = 0; begin < text.size();) {
            const std::size_t end = std::min(text.find('\n', begin), text.size());
            m_lines.add(text.substr(begin, end - begin));
            begin = end + 1;
        }
    }

    void writeHead();
    void writeClassHead();
    void writeConstructor();
    void placeTensor(ValueId tensor, const std::string& options);
    void writeForward();
    std::string parameters() const;
    std::string stageZeroParameters() const;
    void unpackArguments(std::vector<ValueId>& given);
    void unpack(const Pytree& tree, const std::string& expression, std::size_t& leaf,
                std::vector<ValueId>& given);
    void writeCopiesAndSizes();
    void writeUpdates();
    void writeReturn();
    std::string returned(const Pytree& tree, std::size_t& leaf) const;
    std::vector<ValueId> keptValues() const;
    std::string described(ValueId value) const;

    const Model& m_model;
    const Graph& m_graph;
    const StageProgram& m_program;
    const ModelInterface m_interface;
    PythonScope m_scope;
    OperatorSchemas m_schemas;
    PythonLines m_lines;
    PythonBody m_body;
};

std::string StageWriter::described(ValueId value) const
{
    const Value& known = m_graph[value];
    return nameOf(value) + ": " + (known.meta ? metaText(*known.meta) : "number");
}

void StageWriter::writeHead()
{
    // People count from 1, files and classes from 0.
    m_lines.add("\"\"\"Stage " + std::to_string(std::size_t{m_program.stage.index()} + 1) + " of " +
                std::to_string(m_program.stageCount) + " of " + oneLine(m_model.name) +
                ". Written by Stagecraft; needs PyTorch alone.\"\"\"");
    m_lines.add("import collections");
    m_lines.add("import math");
    m_lines.add("from math import inf, nan");
    m_lines.add("");
    m_lines.add("import torch");
    m_lines.add("import torch.utils.checkpoint");
    m_lines.add("");
    m_lines.add("");
    writeText(tensorsClass);
    m_lines.add("");
    m_lines.add("");
}

void StageWriter::writeClassHead()
{
    m_lines.add("class " + stageClassName(m_program.stage) + "(Tensors):");
    m_lines.indent();
    m_lines.add("\"\"\"Takes");
    for (const StageInput& input : m_program.inputs)
        m_lines.addDeclaration(
            "    " + described(input.value) +
                (input.source == StageInput::Source::Previous ? "  from the stage before" : "  of the model"),
            input.value);
    m_lines.add(m_program.isLast() ? "and returns what the model returns." : "and returns");
    if (!m_program.isLast())
        for (const ValueId output : m_program.outputs) {
            const bool isRelay = contains(m_program.relays, output);
            m_lines.add("    " + described(output) + (isRelay ? "  relayed" : ""));
        }
    m_lines.add("\"\"\"");
    m_lines.add("");
}

void StageWriter::placeTensor(ValueId tensor, const std::string& options)
{
    const TensorMeta& meta = *m_graph[tensor].meta;
    std::string line = "self.place(" + pythonString(m_graph[tensor].target) + ", " + sizesText(meta.sizes) +
                       ", " + std::string(torchName(meta.dtype)) + ", device" + options;
    if (contiguousMeta(meta.dtype, meta.sizes).strides != meta.strides)
        line += ", strides=" + sizesText(meta.strides);
    m_lines.addDeclaration(line + ")", tensor);
}

void StageWriter::writeConstructor()
{
    m_lines.add("def __init__(self, device='cpu'):");
    m_lines.indent();
    m_lines.add("super().__init__()");
    m_lines.add(m_scope.device + " = torch.device(device)");
    for (const ValueId tensor : m_program.parameters)
        placeTensor(tensor, m_graph[tensor].meta->requiresGrad ? ", trainable=True" : ", trainable=False");
    for (const ValueId tensor : m_program.buffers) {
        const auto spec = std::ranges::find(m_model.signature.inputs, tensor, &InputSpec::value);
        const bool isPersistent = spec == m_model.signature.inputs.end() || spec->persistent;
        placeTensor(tensor, isPersistent ? "" : ", persistent=False");
    }
    for (const ValueId tensor : m_program.constants)
        placeTensor(tensor, ", persistent=False");
    m_lines.outdent();
    m_lines.add("");
}

// ---------------------------------------------------------------- forward
std::string StageWriter::stageZeroParameters() const
{
    std::size_t leaf = 0;
    std::string text;
    // A literal was fixed when the model was exported; it may be left out where Python allows it.
    std::size_t lastRequired = 0;
    for (std::size_t i = 0, at = 0; i < m_interface.positional.size();
         at += leafCount(m_interface.positional[i++]))
        if (!m_interface.positional[i].isLeaf() || m_interface.arguments[at].value)
            lastRequired = i + 1;
    for (std::size_t i = 0; i < m_interface.positional.size(); ++i) {
        text += ", " + identifier(m_interface.positionalNames[i]);
        if (i >= lastRequired)
            text += "=" + m_body.expression(m_interface.arguments[leaf].literal);
        leaf += leafCount(m_interface.positional[i]);
    }
    if (!m_interface.keyword.empty())
        text += ", *";
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i) {
        text += ", " + identifier(m_interface.keywordNames[i]);
        if (m_interface.keyword[i].isLeaf() && !m_interface.arguments[leaf].value)
            text += "=" + m_body.expression(m_interface.arguments[leaf].literal);
        leaf += leafCount(m_interface.keyword[i]);
    }
    return text;
}

std::string StageWriter::parameters() const
{
    if (m_program.isFirst())
        return stageZeroParameters();
    std::string text;
    bool isAnyKeyword = false;
    for (const StageInput& input : m_program.inputs) {
        if (input.source == StageInput::Source::Model && !isAnyKeyword) {
            text += ", *";
            isAnyKeyword = true;
        }
        text += ", " + nameOf(input.value);
    }
    return text;
}

// Nested arguments are taken apart, so that each leaf is a variable under its own name.
void StageWriter::unpack(const Pytree& tree, const std::string& expression, std::size_t& leaf,
                         std::vector<ValueId>& given)
{
    if (tree.isLeaf()) {
        const ModelArgument& argument = m_interface.arguments[leaf++];
        if (!argument.value)
            return;
        if (nameOf(*argument.value) != expression)
            m_lines.add(nameOf(*argument.value) + " = " + expression);
        given.push_back(*argument.value);
        return;
    }
    const std::vector<std::string> keys = tree.dictKeys();
    for (std::size_t i = 0; i < tree.children.size(); ++i)
        unpack(tree.children[i],
               expression + "[" + (i < keys.size() ? pythonString(keys[i]) : std::to_string(i)) + "]", leaf,
               given);
}

void StageWriter::unpackArguments(std::vector<ValueId>& given)
{
    std::size_t leaf = 0;
    for (std::size_t i = 0; i < m_interface.positional.size(); ++i)
        unpack(m_interface.positional[i], identifier(m_interface.positionalNames[i]), leaf, given);
    for (std::size_t i = 0; i < m_interface.keyword.size(); ++i)
        unpack(m_interface.keyword[i], identifier(m_interface.keywordNames[i]), leaf, given);
}

std::vector<ValueId> StageWriter::keptValues() const
{
    std::vector<ValueId> kept = m_program.outputs;
    for (const StateUpdate& update : m_program.updates) {
        kept.push_back(update.value);
        kept.push_back(update.target);
    }
    return kept;
}

void StageWriter::writeCopiesAndSizes()
{
    for (const ValueId value : m_program.cloned)
        m_lines.add(nameOf(value) + " = " + nameOf(value) + ".clone()  # is written to below");
    for (const SizeSource& source : m_program.sizes)
        m_lines.add(nameOf(source.scalar) + " = torch.ops.aten.sym_size.int(" + nameOf(source.tensor) + ", " +
                    std::to_string(source.dimension) + ")");
}

void StageWriter::writeForward()
{
    m_lines.add("def forward(self" + parameters() + "):");
    m_lines.indent();
    std::vector<ValueId> given;
    if (m_program.isFirst())
        unpackArguments(given);
    else
        for (const StageInput& input : m_program.inputs)
            given.push_back(input.value);
    writeCopiesAndSizes();
    std::vector<NodeId> steps = m_program.repeated;
    steps.insert(steps.end(), m_program.nodes.begin(), m_program.nodes.end());
    m_body.write(steps, given, keptValues());
    writeUpdates();
    writeReturn();
    m_lines.outdent();
}

void StageWriter::writeUpdates()
{
    if (m_program.updates.empty())
        return;
    m_lines.add("with torch.no_grad():");
    m_lines.indent();
    for (const StateUpdate& update : m_program.updates)
        m_lines.add(nameOf(update.target) + ".copy_(" + nameOf(update.value) + ")");
    m_lines.outdent();
}

std::string StageWriter::returned(const Pytree& tree, std::size_t& leaf) const
{
    if (tree.isLeaf())
        return m_body.expression(m_interface.returned[leaf++]);
    const std::vector<std::string> keys = tree.dictKeys();
    std::string items;
    for (std::size_t i = 0; i < tree.children.size(); ++i) {
        items += items.empty() ? "" : ", ";
        if (i < keys.size() && tree.type == "collections.OrderedDict")
            items += "(" + pythonString(keys[i]) + ", " + returned(tree.children[i], leaf) + ")";
        else
            items += (i < keys.size() ? pythonString(keys[i]) + ": " : "") + returned(tree.children[i], leaf);
    }
    if (tree.type == "collections.OrderedDict")
        return "collections.OrderedDict([" + items + "])";
    if (tree.type == "builtins.dict")
        return "{" + items + "}";
    if (tree.type == "builtins.list")
        return "[" + items + "]";
    return "(" + items + (tree.children.size() == 1 ? ",)" : ")");
}

void StageWriter::writeReturn()
{
    if (m_program.isLast()) {
        std::size_t leaf = 0;
        m_lines.add("return " + returned(withPlainTypes(m_interface.outputTree), leaf));
        return;
    }
    std::string items;
    for (const ValueId output : m_program.outputs) {
        items += items.empty() ? "" : ", ";
        items += nameOf(output);
        if (contains(m_program.madeContiguous, output))
            items += m_graph[output].meta && isComplex(m_graph[output].meta->dtype)
                         ? ".contiguous().resolve_conj()"
                         : ".contiguous()";
    }
    m_lines.add(m_program.outputs.size() == 1 ? "return " + items : "return (" + items + ")");
}

} // namespace

std::string stageClassName(StageId stage)
{
    return "Stage" + std::to_string(stage.index());
}

Table<ValueId, std::string> pythonNames(const Graph& graph)
{
    Table<ValueId, std::string> names(graph.valueCount());
    std::vector<ValueId> awkward;
    for (const ValueId value : graph.values()) {
        names[value] = graph[value].name;
        if (!isPythonIdentifier(names[value]) || isReserved(names[value]))
            awkward.push_back(value);
    }
    if (awkward.empty())
        return names;
    UniqueNames taken;
    for (const std::string& name : names)
        taken.take(name);
    for (const ValueId value : awkward)
        names[value] = taken.make(identifier(graph[value].name));
    return names;
}

StageCode stageCode(const Model& model, const StageProgram& program)
{
    return StageWriter(model, program).write();
}

} // namespace stagecraft
