#include "tests/views/sample_plan.h"

#include "core/graph/graph_builder.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <string>

namespace stagecraft::sample {

namespace {

// Adds ops one after another, each reading the one before unless it is told otherwise.
class ModelBuilder
{
public:
    explicit ModelBuilder() : m_builder("sample")
    {
        m_last = m_builder.addInput(
            {.name = "tokens", .kind = ValueKind::UserInput, .meta = contiguousMeta(DType::I64, {8, 1024})});
    }

    ValueId parameter(const std::string& name, std::vector<SymInt> sizes)
    {
        std::string valueName = "p_" + name;
        std::ranges::replace(valueName, '.', '_');
        return m_builder.addInput({.name = valueName,
                                   .kind = ValueKind::Parameter,
                                   .meta = contiguousMeta(DType::BF16, std::move(sizes)),
                                   .target = name});
    }

    ValueId op(const std::string& name, const std::string& target, const std::string& module,
               const std::string& className, const std::vector<ValueId>& inputs, std::int64_t width)
    {
        const ValueId result =
            m_builder.addValue({.name = name, .meta = contiguousMeta(DType::BF16, {8, 1024, width})});
        Node node{.name = name,
                  .target = "aten::" + target,
                  .outputs = {{NodeOutput::Kind::Value, {result}}},
                  .module = m_builder.addModule(module, className),
                  .source = m_builder.addSource(
                      {{"/models/model.py", 10 + m_line++, "forward", "x = self." + module + "(x)"}})};
        for (std::size_t i = 0; i < inputs.size(); ++i)
            node.arguments.push_back({i == 0 ? "self" : "other" + std::to_string(i), inputs[i]});
        m_builder.addNode(std::move(node));
        return m_last = result;
    }

    ValueId last() const { return m_last; }

    void block(std::size_t index)
    {
        const std::string at = "layers." + std::to_string(index);
        const std::string suffix = "_" + std::to_string(index);
        m_builder.addModule(at, "model.DecoderLayer");
        const ValueId skip = m_last;
        op("norm1" + suffix, "rms_norm.default", at + ".norm1", "torch.nn.modules.RMSNorm", {skip}, 2048);
        op("qkv" + suffix, "linear.default", at + ".attn.qkv", "torch.nn.modules.linear.Linear",
           {m_last, parameter(at + ".attn.qkv.weight", {6144, 2048})}, 6144);
        op("sdpa" + suffix, "scaled_dot_product_attention.default", at + ".attn", "model.Attention", {m_last},
           2048);
        const ValueId added =
            op("add1" + suffix, "add.Tensor", at, "model.DecoderLayer", {m_last, skip}, 2048);
        op("norm2" + suffix, "rms_norm.default", at + ".norm2", "torch.nn.modules.RMSNorm", {added}, 2048);
        op("up" + suffix, "linear.default", at + ".mlp.up", "torch.nn.modules.linear.Linear",
           {m_last, parameter(at + ".mlp.up.weight", {8192, 2048})}, 8192);
        op("down" + suffix, "linear.default", at + ".mlp.down", "torch.nn.modules.linear.Linear",
           {m_last, parameter(at + ".mlp.down.weight", {2048, 8192})}, 2048);
        op("add2" + suffix, "add.Tensor", at, "model.DecoderLayer", {m_last, added}, 2048);
    }

    Graph finish() &&
    {
        m_builder.addOutput(m_last);
        auto graph = std::move(m_builder).finish();
        assert(graph.has_value());
        return std::move(graph).value();
    }

private:
    GraphBuilder m_builder;
    ValueId m_last{0};
    int m_line = 0;
};

Seconds timeOf(const Node& node, Bytes output)
{
    const bool matrix = node.target.find("linear") != std::string::npos;
    const bool attention = node.target.find("attention") != std::string::npos;
    return Seconds(output.asDouble() / (matrix ? 2.4e11 : attention ? 1.6e11 : 1.6e12));
}

void addMemory(const Graph& graph, Profile& profile)
{
    Bytes live;
    for (const NodeId node : graph.nodes()) {
        live += profile.nodes[node].savedBytes;
        const Bytes peak = live + profile.nodes[node].outputBytes;
        profile.memory.samples.push_back(
            {.phase = Phase::Forward, .node = node, .op = graph[node].target, .live = live, .peak = peak});
    }
    profile.totals.liveAfterForward = live;
    for (std::size_t i = graph.nodeCount(); i-- > 0;) {
        const NodeId node(i);
        const Bytes peak = live + profile.nodes[node].temporaryPeak;
        live -= profile.nodes[node].savedBytes;
        profile.memory.samples.push_back(
            {.phase = Phase::Backward, .node = node, .op = graph[node].target, .live = live, .peak = peak});
    }
    const auto highest = std::ranges::max_element(profile.memory.samples, {}, &MemorySample::peak);
    profile.memory.peakSample = static_cast<std::size_t>(highest - profile.memory.samples.begin());
    profile.totals.peak = highest->peak;
}

} // namespace

std::shared_ptr<const Graph> transformer(std::size_t blocks)
{
    ModelBuilder builder;
    builder.op("embed", "embedding.default", "embed", "torch.nn.modules.sparse.Embedding",
               {builder.parameter("embed.weight", {32000, 2048}), builder.last()}, 2048);
    for (std::size_t block = 0; block < blocks; ++block)
        builder.block(block);
    builder.op("head", "linear.default", "head", "torch.nn.modules.linear.Linear",
               {builder.last(), builder.parameter("head.weight", {32000, 2048})}, 32000);
    return std::make_shared<const Graph>(std::move(builder).finish());
}

std::shared_ptr<const Profile> profileOf(const Graph& graph)
{
    auto profile = std::make_shared<Profile>();
    profile->nodes = Table<NodeId, NodeCost>(graph.nodeCount());
    profile->valueBytes = Table<ValueId, Bytes>(graph.valueCount());
    profile->needsGradient = Table<ValueId, char>(graph.valueCount(), 1);
    for (const ValueId value : graph.values())
        if (graph[value].isTensor())
            profile->valueBytes[value] = *byteSize(*graph[value].meta, {});
    for (const NodeId id : graph.nodes()) {
        NodeCost& cost = profile->nodes[id];
        cost.outputBytes = profile->valueBytes[graph[id].results.front()];
        cost.savedBytes = cost.outputBytes;
        cost.temporaryPeak = cost.outputBytes * 2;
        for (const ValueId input : graph[id].inputs)
            if (graph[input].kind == ValueKind::Parameter)
                cost.parameterBytes += profile->valueBytes[input];
        cost.forward.time = timeOf(graph[id], cost.outputBytes);
        cost.forward.flops = Flops(cost.forward.time.value() * 6e14);
        cost.backwardInput.time = cost.forward.time;
        cost.backwardWeight.time = cost.parameterBytes > Bytes(0) ? cost.forward.time : Seconds(0);
        profile->totals.parameterBytes += cost.parameterBytes;
        profile->totals.timeForward += cost.forward.time;
        profile->totals.timeBackward += cost.backward().time;
    }
    addMemory(graph, *profile);
    return profile;
}

std::shared_ptr<const Partition> evenPartition(const Graph& graph, std::size_t stages)
{
    auto partition = std::make_shared<Partition>();
    partition->stageCount = stages;
    for (const NodeId node : graph.nodes())
        partition->stageOf.add(StageId(node.index() * stages / graph.nodeCount()));
    return partition;
}

std::shared_ptr<const PlanCost> costOf(const Graph& graph, const Profile& profile, const Partition& partition,
                                       Bytes limit)
{
    auto plan = std::make_shared<PlanCost>();
    plan->stages = Table<StageId, StageCost>(partition.stageCount);
    plan->boundaries = Table<BoundaryId, BoundaryCost>(partition.stageCount - 1);
    for (const NodeId node : graph.nodes()) {
        StageCost& stage = plan->stages[partition.stageOf[node]];
        const NodeCost& cost = profile.nodes[node];
        ++stage.nodeCount;
        stage.forward += cost.forward.time;
        stage.backwardInput += cost.backwardInput.time;
        stage.backwardWeight += cost.backwardWeight.time;
        stage.parameterBytes += cost.parameterBytes;
        stage.savedBytes += cost.savedBytes;
        stage.transientBytes = std::max(stage.transientBytes, cost.temporaryPeak);
    }
    for (const ValueId value : graph.values()) {
        if (!graph[value].producer || graph[value].users.empty())
            continue;
        const std::size_t from = partition.stageOf[*graph[value].producer].index();
        for (std::size_t at = from; at < partition.stageOf[graph[value].users.back()].index(); ++at) {
            BoundaryCost& boundary = plan->boundaries[BoundaryId(at)];
            boundary.values.push_back(value);
            boundary.forwardBytes += profile.valueBytes[value];
            boundary.backwardBytes += profile.valueBytes[value];
            boundary.time += Seconds(2 * profile.valueBytes[value].asDouble() / 4.5e11);
        }
    }
    for (const StageId id : plan->stages.ids()) {
        StageCost& stage = plan->stages[id];
        if (id.index() > 0)
            stage.receive = plan->boundaries[BoundaryId(id.index() - 1)].time;
        if (id.index() + 1 < partition.stageCount)
            stage.send = plan->boundaries[BoundaryId(id.index())].time;
        stage.load = stage.total();
        stage.stateBytes = stage.parameterBytes * 8;
        stage.inFlight = static_cast<int>(partition.stageCount - id.index());
        stage.peakMemory = stage.stateBytes + stage.savedBytes * stage.inFlight + stage.transientBytes;
        stage.memoryLimit = limit;
        if (stage.total() > plan->bottleneckTime) {
            plan->bottleneck = id;
            plan->bottleneckTime = stage.total();
        }
    }
    for (const BoundaryCost& boundary : plan->boundaries)
        plan->bytesSent += boundary.forwardBytes + boundary.backwardBytes;
    const auto stages = static_cast<double>(partition.stageCount);
    plan->iteration = plan->bottleneckTime * (8 + stages - 1);
    plan->bubble = (stages - 1) / (8 + stages - 1);
    return plan;
}

PlanView plan(std::size_t blocks, std::size_t stages)
{
    PlanView view;
    view.graph = transformer(blocks);
    view.profile = profileOf(*view.graph);
    return withPartition(view, evenPartition(*view.graph, stages));
}

PlanView withPartition(const PlanView& plan, std::shared_ptr<const Partition> partition)
{
    PlanView view = plan;
    view.partition = std::move(partition);
    view.cost = costOf(*view.graph, *view.profile, *view.partition);
    Seconds sum;
    for (const StageCost& stage : view.cost->stages)
        sum += stage.total();
    view.bound = Bound{sum / static_cast<double>(view.partition->stageCount), "area", {}};
    return view;
}

std::shared_ptr<const ComparedPlan> slowerPlan(const PlanView& plan)
{
    auto profile = std::make_shared<Profile>(*plan.profile);
    for (NodeCost& cost : profile->nodes) {
        cost.forward.time = cost.forward.time * 2.0;
        cost.savedBytes = Bytes(cost.savedBytes.count() / 2);
    }
    auto other = std::make_shared<ComparedPlan>();
    other->partition = evenPartition(*plan.graph, 5);
    other->cost = costOf(*plan.graph, *profile, *other->partition);
    other->profile = std::move(profile);
    return other;
}

std::shared_ptr<const StageProgram> programOf(const PlanView& plan, StageId stage)
{
    auto program = std::make_shared<StageProgram>();
    program->stage = stage;
    program->nodes = nodesByStage(*plan.partition)[stage.index()];
    if (stage.index() > 0)
        for (const ValueId value : plan.cost->boundaries[BoundaryId(stage.index() - 1)].values)
            program->inputs.push_back({StageInput::Source::Previous, value});
    else
        program->inputs.push_back({StageInput::Source::Model, plan.graph->inputs().front()});
    if (stage.index() + 1 < plan.partition->stageCount)
        program->outputs = plan.cost->boundaries[BoundaryId(stage.index())].values;
    return program;
}

std::shared_ptr<const StageCode> codeOf(const PlanView& plan, StageId stage)
{
    auto code = std::make_shared<StageCode>();
    const auto line = [&](const std::string& text, std::optional<NodeId> node = {}) {
        code->text += text + "\n";
        code->nodesOfLine.push_back(node ? std::vector{*node} : std::vector<NodeId>());
    };
    const auto program = programOf(plan, stage);
    const std::string number = std::to_string(stage.index());
    line("import torch");
    line("");
    line("");
    line("class Stage" + number + "(Stage):");
    line("    \"\"\"Stage " + number + " of a transformer.\"\"\"");
    line("");
    line("    def forward(self, " + (*plan.graph)[program->inputs.front().value].name + "):");
    for (const NodeId node : program->nodes) {
        const Node& op = (*plan.graph)[node];
        std::string arguments;
        for (const ValueId input : op.inputs) {
            const Value& value = (*plan.graph)[input];
            arguments += (arguments.empty() ? "" : ", ") +
                         (value.kind == ValueKind::Parameter ? "self." + value.target : value.name);
        }
        std::string target = op.target;
        target.replace(target.find("::"), 2, ".");
        line("        " + op.name + " = torch.ops." + target + "(" + arguments + ")  # bf16[8, 1024, 2048]",
             node);
    }
    line("        return " + (*plan.graph)[program->nodes.back()].name);
    return code;
}

} // namespace stagecraft::sample
