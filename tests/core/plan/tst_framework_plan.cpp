// Plans in the terms of other frameworks; tests/long/check_frameworks.py has them read by those.
#include "core/graph/graph_builder.h"
#include "core/plan/framework_plan.h"

#include <QTest>

using namespace stagecraft;

namespace {

// A chain of nodes, one for each name of a module; of "" outside of any.
Graph chain(const std::vector<std::string>& modules)
{
    GraphBuilder builder("chain");
    Value x;
    x.name = "x";
    x.meta = contiguousMeta(DType::F32, {4});
    ValueId last = builder.addInput(std::move(x));
    for (std::size_t i = 0; i < modules.size(); ++i) {
        Value value;
        value.name = "v" + std::to_string(i);
        value.meta = contiguousMeta(DType::F32, {4});
        Node node;
        node.name = "n" + std::to_string(i);
        node.target = "t::f";
        node.arguments = {{"", last, ArgumentPassing::Positional}};
        last = builder.addValue(std::move(value));
        node.outputs = {{NodeOutput::Kind::Value, {last}}};
        node.module = builder.addModule(modules[i]);
        builder.addNode(std::move(node));
    }
    builder.addOutput(last);
    return std::move(builder).finish().value();
}

Graph decoder()
{
    return chain({"model.embed", "", "model.layers.0.attention", "model.layers.0.mlp.experts.1",
                  "model.layers.1.attention", "model.layers.1.mlp.experts.1", "model.layers.2.mlp",
                  "model.norm", "head"});
}

Partition planOf(const std::vector<std::uint32_t>& stages)
{
    Partition plan{.stageCount = stages.back() + std::size_t(1), .stageOf = {}};
    for (const std::uint32_t stage : stages)
        plan.stageOf.add(StageId(stage));
    return plan;
}

std::string textOf(Framework framework, const Graph& graph, const Partition& plan,
                   ScheduleKind schedule = ScheduleKind::OneFOneB, std::size_t perDevice = 1)
{
    const PartitionOptions options{
        .stageCount = plan.stageCount, .microbatches = 8, .schedule = schedule, .stagesPerDevice = perDevice};
    const Result<std::string> text = frameworkText(framework, graph, plan, options);
    return text.has_value() ? *text : "refused: " + text.error().message;
}

const std::vector<std::uint32_t> atLayers{0, 0, 0, 0, 1, 1, 1, 1, 1};

} // namespace

class TestFrameworkPlan : public QObject
{
    Q_OBJECT

private slots:
    void modulesThatRunWhole()
    {
        std::vector<std::string> names;
        const auto modules = wholeModules(Framework::Fqns, decoder());
        QVERIFY(modules.has_value());
        for (const NamedNodes& module : *modules)
            names.push_back(module.name);
        QCOMPARE(names, (std::vector<std::string>{"model.embed", "model.layers.0", "model.layers.1",
                                                  "model.layers.2", "model.norm", "head"}));
    }

    void whatRunsAgainIsSaidToBeLeftOut()
    {
        PartitionOptions options;
        QCOMPARE(unsaidRecomputation(Framework::Torchtitan, options), std::string());
        options.recompute.regions.regions.push_back({{NodeId(0)}, {}});
        QVERIFY(unsaidRecomputation(Framework::Torchtitan, options).find("activation_checkpoint.mode") !=
                std::string::npos);
        for (const auto& entry : frameworkNames.entries)
            QVERIFY(!unsaidRecomputation(entry.kind, options).empty());
    }

    void whatModulesDoNotTellOfAModelIsSaid()
    {
        GraphBuilder builder("beside");
        const auto tensor = [&](const std::string& name, ValueKind kind) {
            Value value;
            value.name = name;
            value.kind = kind;
            value.target = kind == ValueKind::Parameter ? name : "";
            value.meta = contiguousMeta(DType::F32, {4});
            return value;
        };
        const auto make = [&](const std::string& module, std::vector<ValueId> read) {
            Node node;
            node.name = "n" + std::to_string(builder.nodeCount());
            node.target = "t::f";
            for (const ValueId value : read)
                node.arguments.push_back({"", value, ArgumentPassing::Positional});
            const ValueId made = builder.addValue(tensor(node.name, ValueKind::Activation));
            node.outputs = {{NodeOutput::Kind::Value, {made}}};
            node.module = builder.addModule(module);
            builder.addNode(std::move(node));
            return made;
        };
        const ValueId x = builder.addInput(tensor("x", ValueKind::UserInput));
        const ValueId tied = builder.addInput(tensor("embed.weight", ValueKind::Parameter));
        const ValueId scale = builder.addInput(tensor("scale", ValueKind::Parameter));
        const ValueId norm = builder.addInput(tensor("norm.weight", ValueKind::Parameter));
        const ValueId embedded = make("embed", {x, tied});
        const ValueId once = make("norm", {embedded, norm});
        const ValueId middle = make("middle", {once});
        const ValueId twice = make("norm", {middle, norm});
        const ValueId other = make("other", {x});
        const ValueId scaled = make("", {twice, other, scale});
        builder.addOutput(make("head", {scaled, tied}));
        const Graph graph = std::move(builder).finish().value();

        const auto said = [&](Framework framework, const Partition& plan) {
            std::string text;
            for (const std::string& line : unsaidOfModel(framework, graph, plan))
                text += line.substr(0, line.find(';')) + "\n";
            return text;
        };
        const Partition apart = planOf({0, 0, 0, 0, 0, 0, 1}), together = planOf({0, 0, 0, 0, 0, 0, 0});
        QCOMPARE(
            said(Framework::Torchtitan, apart),
            std::string("read in several parts: 'embed.weight'\nread outside of all modules: 'scale'\n"));
        QCOMPARE(said(Framework::DeepSpeed, together),
                 std::string("read outside of all modules: 'scale'\nrun again behind other modules: 'norm'\n"
                             "takes nothing of the module before it: 'other'\n"));
        QCOMPARE(said(Framework::TorchCsv, apart), std::string());
        QVERIFY(unsaidOfModel(Framework::DeepSpeed, decoder(), planOf(atLayers)).empty());
    }

    void texts()
    {
        const Graph graph = decoder();
        const Partition plan = planOf(atLayers);
        QCOMPARE(textOf(Framework::Fqns, graph, plan),
                 std::string("[\n  [\"model.embed\",\"model.layers.0\"],\n"
                             "  [\"model.layers.1\",\"model.layers.2\",\"model.norm\",\"head\"]\n]\n"));
        QCOMPARE(textOf(Framework::Megatron, graph, plan),
                 std::string("--pipeline-model-parallel-size 2\n"
                             "--pipeline-model-parallel-layout \"Et|ttL\"\n"));
        QCOMPARE(textOf(Framework::Megatron, graph, plan, ScheduleKind::Interleaved, 2),
                 std::string("--pipeline-model-parallel-size 1\n"
                             "--pipeline-model-parallel-layout \"Et|ttL\"\n"));
        const std::string deepSpeed = textOf(Framework::DeepSpeed, graph, plan);
        QVERIFY(deepSpeed.find("\"parts\": [\n    0,\n    2,\n    6\n  ]") != std::string::npos);
        const std::string titan = textOf(Framework::Torchtitan, graph, plan, ScheduleKind::ZeroBubbleV, 2);
        QVERIFY(
            titan.find("pipeline_parallel_degree = 1\npipeline_parallel_schedule = \"ZBVZeroBubble\"\n") !=
            std::string::npos);
        QCOMPARE(textOf(Framework::GraphPp, graph, plan, ScheduleKind::ZeroBubbleV, 2), titan);
        QVERIFY(textOf(Framework::TorchCsv, graph, plan).starts_with("0F0,0F1,"));
    }

    void longRunsOfLayersAreCounted()
    {
        const Graph graph = chain({"layers.0", "layers.1", "layers.2", "layers.3"});
        QCOMPARE(textOf(Framework::Megatron, graph, planOf({0, 0, 0, 1})),
                 std::string("--pipeline-model-parallel-size 2\n"
                             "--pipeline-model-parallel-layout \"Et*3|tL\"\n"));
    }

    void namesWhatIsInTheWay()
    {
        const Graph graph = decoder();
        const Partition divided = planOf({0, 0, 0, 0, 0, 1, 1, 1, 1});
        QCOMPARE(textOf(Framework::Fqns, graph, divided),
                 std::string("refused: fqns cannot divide 'model.layers.1', which is in stages 1 to 2"));
        QCOMPARE(
            textOf(Framework::Megatron, graph, planOf({0, 0, 0, 0, 0, 0, 0, 0, 1})),
            std::string("refused: megatron cannot divide 'model.norm, head', which is in stages 1 to 2"));
        QCOMPARE(textOf(Framework::DeepSpeed, graph, planOf(atLayers), ScheduleKind::GPipe),
                 std::string("refused: deepspeed runs 1f1b, not gpipe"));
        QCOMPARE(
            textOf(Framework::GraphPp, graph, planOf(atLayers)),
            std::string("refused: graphpp runs interleaved, looped-bfs, zb1p, zbv, dualpipev, not 1f1b"));
        QCOMPARE(textOf(Framework::Fqns, chain({"", ""}), planOf({0, 1})),
                 std::string("refused: the model has no modules that could be given out to stages"));
        QCOMPARE(textOf(Framework::Fqns, chain({"", "a"}), planOf({0, 1})),
                 std::string("refused: stage 1 runs no module as a whole, which fqns cannot say"));
        QCOMPARE(
            textOf(Framework::Megatron, chain({"encoder.0", "decoder.0"}), planOf({0, 1})),
            std::string("refused: a layout of Megatron is of one list of layers; this model has several: "
                        "'decoder' and 'encoder'"));
        QCOMPARE(textOf(Framework::Megatron, chain({"layers.0", "norm", "layers.1"}), planOf({0, 0, 1})),
                 std::string("refused: a layout of Megatron has nothing but layers between the first and the "
                             "last; here 'norm' runs among them"));
    }
};

QTEST_GUILESS_MAIN(TestFrameworkPlan)
#include "tst_framework_plan.moc"
