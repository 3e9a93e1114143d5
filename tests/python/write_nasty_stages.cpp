// Writes the code of models in which every text is out to be taken for code:  write_nasty_stages FOLDER COUNT
// SEED
//
// FOLDER/I holds the export of model I, or `refusal` where it is refused, and the code that a window would
// show in `shown_J.py` all the same.
#include "core/base/output_file.h"
#include "core/graph/graph_builder.h"
#include "core/stage/cut.h"
#include "core/stage/export.h"
#include "core/stage/python_code.h"

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>

using namespace stagecraft;

namespace {

const std::vector<std::string> nastyTexts{"x",
                                          "a\nopen('PWN1', 'w')\n",
                                          "a\r        open('PWN2', 'w')\r        #",
                                          "\"\"\"\nopen('PWN3', 'w')\n\"\"\"",
                                          "'); open('PWN4', 'w'); ('",
                                          "\\",
                                          "\\'+open('PWN5','w')#",
                                          "{open('PWN6','w')}",
                                          "a\u2028open('PWN7','w')\u2029",
                                          "\u0085open('PWN8','w')",
                                          "\x0c open('PWN9','w')",
                                          std::string("a\0open('PWN10','w')", 19),
                                          "\xff\xfe\"",
                                          "\xed\xa0\x80",
                                          "\u202eopen",
                                          "'''",
                                          "\"",
                                          "self",
                                          "torch",
                                          "lambda",
                                          "__class__",
                                          "__debug__",
                                          "None",
                                          "exec",
                                          "place",
                                          "train",
                                          "_modules",
                                          "_",
                                          "__x",
                                          "rows",
                                          "named",
                                          "max",
                                          "v_self",
                                          "x_1",
                                          "_x_body_0",
                                          "*",
                                          "**{}",
                                          "a=open('PWN11','w')",
                                          "a:=1",
                                          "#",
                                          ";open('PWN12','w')",
                                          "\t",
                                          "1",
                                          "",
                                          "a.b",
                                          "a-b",
                                          "M\u00f6hre",
                                          "\u540d",
                                          "\U0001f600",
                                          "Tensors",
                                          "inf",
                                          "device",
                                          std::string(3000, 'y')};

const std::vector<std::string> targets{"aten::relu.default",      "aten::add.Tensor", "aten::random_.from",
                                       "mylib::gate.default",     "_operator::add",   "_operator::not_",
                                       "higher_order::something", "torch::sym_max",   "math::trunc"};

class NastyModel
{
public:
    explicit NastyModel(unsigned seed) : m_random(seed) {}

    Result<Model> make()
    {
        Model model{
            .name = text(), .graph = someGraph().value(), .signature = {}, .weights = {}, .provenance = {}};
        STAGECRAFT_ASSIGN(graph, graphOf(0, &model.signature));
        model.graph = std::move(graph);
        model.provenance.torchVersion = text();
        for (const ValueId value : model.graph.values())
            if (model.graph[value].isStored())
                model.weights.addShape(model.graph[value].target, *model.graph[value].meta);
        return model;
    }

private:
    static Result<Graph> someGraph() { return GraphBuilder("none").finish(); }

    std::size_t below(std::size_t count)
    {
        return std::uniform_int_distribution<std::size_t>(0, count - 1)(m_random);
    }
    bool isOneIn(std::size_t count) { return below(count) == 0; }
    std::string text()
    {
        std::string made = nastyTexts[below(nastyTexts.size())];
        return isOneIn(3) ? made + nastyTexts[below(nastyTexts.size())] : made;
    }
    // As the names of weights are: a file with others is not read.
    std::string validText()
    {
        std::string made = text();
        while (made.find_first_of("\xff\xed") != made.npos)
            made = text();
        return made;
    }
    // One that the graph does not have yet; empty ones are no names.
    std::string name(std::set<std::string>& taken)
    {
        std::string made = text();
        while (made.empty() || !taken.insert(made).second)
            made += "_";
        return made;
    }
    SymInt size()
    {
        if (isOneIn(12))
            return SymInt::opaque(text(), 4);
        return isOneIn(4) ? SymInt::symbol("s0", 4) : SymInt(4);
    }
    TensorMeta meta()
    {
        TensorMeta made = contiguousMeta(DType::F32, {size(), 4});
        made.device.type = isOneIn(4) ? text() : "cpu";
        return made;
    }

    Value valueOf(const std::string& called)
    {
        Value value;
        value.name = called;
        value.meta = meta();
        return value;
    }

    Argument literal()
    {
        switch (below(12)) {
        case 0:
            return std::vector<std::string>{text(), text()};
        case 1:
            return Device{text(), 1};
        case 2:
            return MemoryFormat::ChannelsLast;
        case 3:
            return std::vector<double>{1e300, -std::numeric_limits<double>::infinity()};
        case 4:
            return OperatorArgument{isOneIn(4) ? text() : targets[below(targets.size())]};
        case 5:
            return isOneIn(4) ? Argument(RawArgument{"{\"as_x\": 1}" + text(), {}}) : Argument(true);
        case 6:
            return std::complex<double>(1, -2);
        case 7:
            return std::int64_t(-3);
        case 8:
            return IntListArgument{{std::int64_t(-1)}};
        default:
            return text();
        }
    }

    std::string target()
    {
        if (!isOneIn(30))
            return targets[below(targets.size())];
        return isOneIn(2) ? text() : text() + "::" + text() + "." + text();
    }

    Context context()
    {
        Context made;
        if (isOneIn(2))
            made.gradEnabled = isOneIn(2);
        if (isOneIn(2))
            made.autocast = Autocast{text(), {}, true, true};
        if (isOneIn(3))
            made.recomputeRegions = {static_cast<int>(below(3))};
        return made;
    }

    Result<Graph> graphOf(int depth, Signature* signature)
    {
        GraphBuilder builder(text());
        std::set<std::string> taken;
        std::set<std::string> nodes;
        std::vector<ValueId> values;
        const std::size_t inputs = 1 + below(4);
        for (std::size_t i = 0; i < inputs; ++i)
            values.push_back(addInput(builder, InputSpec::Kind::User, name(taken), signature));
        for (std::size_t i = 0; signature && i < 3; ++i)
            values.push_back(addInput(builder,
                                      isOneIn(2) ? InputSpec::Kind::Parameter : InputSpec::Kind::Buffer,
                                      name(taken), signature));
        const std::size_t count = 2 + below(6);
        for (std::size_t i = 0; i < count; ++i)
            STAGECRAFT_TRY(addNode(builder, depth, taken, nodes, values));
        builder.addOutput(values.back());
        builder.addOutput(text());
        if (signature)
            addTrees(*signature, inputs);
        return std::move(builder).finish();
    }

    ValueId addInput(GraphBuilder& builder, InputSpec::Kind kind, const std::string& called,
                     Signature* signature)
    {
        Value value = valueOf(called);
        value.kind = ValueKind::UserInput;
        if (kind != InputSpec::Kind::User) {
            value.kind = kind == InputSpec::Kind::Parameter ? ValueKind::Parameter : ValueKind::Buffer;
            value.target = "w" + std::to_string(m_tensors++) + "." + validText();
            if (!isOneIn(8))
                value.meta = contiguousMeta(DType::F32, {4, 4});
        }
        const std::string path = value.target;
        const ValueId id = builder.addInput(std::move(value));
        if (signature)
            signature->inputs.push_back({kind, called, id, path, true, {}});
        return id;
    }

    Result<void> addNode(GraphBuilder& builder, int depth, std::set<std::string>& taken,
                         std::set<std::string>& nodes, std::vector<ValueId>& values)
    {
        Node node;
        node.name = name(nodes);
        node.target = target();
        const ValueId made = builder.addValue(valueOf(name(taken)));
        const auto any = [&] { return values[below(values.size())]; };
        if (depth < 2 && isOneIn(5)) {
            const bool isLoop = isOneIn(2);
            node.target = isLoop ? "higher_order::while_loop" : "higher_order::cond";
            for (std::size_t i = 0; i < 2; ++i) {
                STAGECRAFT_ASSIGN(inner, graphOf(depth + 1, nullptr));
                node.subgraphs.push_back(std::make_shared<const Graph>(std::move(inner)));
            }
            if (!isLoop)
                node.arguments.push_back({"", any()});
            node.arguments.push_back({"", SubgraphId(0)});
            node.arguments.push_back({"", SubgraphId(1)});
            node.arguments.push_back({"", TensorListArgument{{any(), any()}}});
        } else {
            node.arguments.push_back({"self", any(), ArgumentPassing::Positional});
            for (std::size_t i = below(4); i > 0; --i)
                node.arguments.push_back({text() + std::to_string(i), literal(), ArgumentPassing::Keyword});
        }
        node.outputs = {{NodeOutput::Kind::Value, {made}}};
        node.context = isOneIn(3) ? builder.addContext(context()) : ContextId(0);
        node.module = builder.addModule(text(), text());
        node.source = builder.addSource({{text(), 1, text(), text()}});
        node.metadata.emplace_back(text(), text());
        builder.addNode(std::move(node));
        values.push_back(made);
        return {};
    }

    // Positional ones, some in a dict, and the last as a keyword; different keys, as a dict has them.
    void addTrees(Signature& signature, std::size_t inputs)
    {
        std::vector<Pytree> positional;
        for (std::size_t i = 0; i + 1 < inputs; ++i) {
            positional.push_back(isOneIn(2) ? leafPytree() : dictPytree({text()}, {leafPytree()}));
            signature.forwardArgumentNames.push_back(text());
        }
        std::string keyword = text();
        signature.inputTree = tuplePytree({tuplePytree(positional), dictPytree({keyword}, {leafPytree()})});
        signature.forwardArgumentNames.push_back(keyword);
        signature.outputs = {{OutputSpec::Kind::User, {}}, {OutputSpec::Kind::User, {}}};
        const std::string key = text();
        signature.outputTree = dictPytree({key, key + "2"}, {leafPytree(), leafPytree()});
    }

    std::mt19937 m_random;
    int m_tensors = 0;
};

Result<void> writeModel(const Model& model, const std::filesystem::path& folder)
{
    Partition partition{2, Table<NodeId, StageId>(model.graph.nodeCount(), StageId(0))};
    for (const NodeId node : model.graph.nodes())
        partition.stageOf[node] = StageId(node.index() * 2 / model.graph.nodeCount());
    partition = withInseparableNodesTogether(model, std::move(partition));
    const auto report =
        exportStages(model, partition, {.folder = folder / "export", .formats = {StageFormat::Python}});
    if (!report.has_value())
        STAGECRAFT_TRY(writeTextFile(folder / "refusal", report.error().message));
    const auto programs = cutStages(model, partition);
    if (!programs.has_value())
        return {}; // a buffer that is written in one stage and read in another
    for (const StageProgram& program : *programs)
        STAGECRAFT_TRY(writeTextFile(folder / ("shown_" + std::to_string(program.stage.index()) + ".py"),
                                     stageCode(model, program).text));
    return {};
}

Result<void> run(int count, char** arguments)
{
    if (count != 4)
        return Error{ErrorCode::BadUsage, "usage: write_nasty_stages FOLDER COUNT SEED"};
    for (int i = 0; i < std::atoi(arguments[2]); ++i) {
        const std::filesystem::path folder = std::filesystem::path(arguments[1]) / std::to_string(i);
        std::filesystem::create_directories(folder);
        STAGECRAFT_ASSIGN(model, NastyModel(static_cast<unsigned>(std::atoi(arguments[3]) + i)).make());
        STAGECRAFT_TRY(writeModel(model, folder));
    }
    return {};
}

} // namespace

int main(int count, char** arguments)
{
    const Result<void> done = run(count, arguments);
    if (!done.has_value())
        std::fprintf(stderr, "%s\n", done.error().message.c_str());
    return done.has_value() ? 0 : 1;
}
