// Small graphs whose costs a person can work out.
#include "oracle.h"

#include "core/profile/memory/memory_trace_json.h"
#include "core/profile/model/largest_batch.h"
#include "core/profile/profile_json.h"
#include "text_profile.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

const NodeCost& costOf(const Model& model, const Profile& profile, const char* node)
{
    return profile.nodes[*model.graph.findNode(node)];
}

// 6 channels, each with a 3x3 kernel of its own, on 8x8: 2 * 2*6*8*8 * 9 FLOPs.
const char* depthwise = R"(graph depthwise
  input %x : f32[2, 6, 8, 8]
  param %w0 "first.weight" : f32[6, 6, 1, 1]
  param %w "conv.weight" : f32[6, 1, 3, 3]
  %first : f32[2, 6, 8, 8] = aten::conv2d.default(%x, %w0)
  %conv : f32[2, 6, 8, 8] = aten::conv2d.default(%first, %w, none, [1, 1], [1, 1], [1, 1], 6)
  return %conv
)";

} // namespace

class TestProfileModel : public QObject
{
    Q_OBJECT

private slots:
    void linearLayersSplitTheirGradients();
    void depthwiseConvolutionCostsItsOwnGroups();
    void inferenceKeepsNothing();
    void bytesOfValuesAndGradients();
    void modulesSumTheirNodes();
    void whatSeveralKeepCountsInEachGroup();
    void partsThatAreSentCountAlone();
    void jsonHasTheAgreedForm();
    void csvHasOneLineARow();
    void timeIsRooflinePlusLaunch();
    void measuredTypesStandInForOthers();
    void memoryOfANodeByStorage();
    void compositesHaveParts();
    void blocksAreOneRow();
    void blocksAreMeasuredAsOne();
    void blocksAreTimedAsOne();
    void containersDoNotCountAsDepth();
    void traceEventsStackTheCategories();
    void theLargestBatchFitsAndOneMoreDoesNot();
};

void TestProfileModel::linearLayersSplitTheirGradients()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const NodeCost& first = costOf(model, profile, "linear");
    const NodeCost& second = costOf(model, profile, "linear_1");
    QCOMPARE(first.forward.flops.value(), 2.0 * 8 * 16 * 32);
    QCOMPARE(first.backwardWeight.flops.value(), 2.0 * 8 * 16 * 32);
    QCOMPARE(first.backwardInput.flops.value(), 0.0); // the input needs no gradient
    QCOMPARE(second.backwardInput.flops.value(), 2.0 * 8 * 32 * 4);
    QCOMPARE(second.backwardWeight.flops.value(), 2.0 * 8 * 32 * 4);
    QCOMPARE(first.parameterBytes.count(), 4 * (32 * 16 + 32));
    QCOMPARE(profile.totals.gradientBytes.count(), 4 * (32 * 16 + 32 + 4 * 32));
}

void TestProfileModel::depthwiseConvolutionCostsItsOwnGroups()
{
    const Model model = modelOf(depthwise);
    const Profile profile = profileOf(model);
    const NodeCost& cost = costOf(model, profile, "conv");
    const double once = 2.0 * (2 * 6 * 8 * 8) * 9;
    QCOMPARE(cost.forward.flops.value(), once);
    QCOMPARE(cost.backwardInput.flops.value(), once);
    QCOMPARE(cost.backwardWeight.flops.value(), once); // FlopCounterMode says six times that
}

void TestProfileModel::inferenceKeepsNothing()
{
    const Model model = modelOf(mlp);
    ProfileOptions options = plainOptions(LoweringKind::Math);
    options.mode = TrainingMode::Infer;
    const Profile profile = profileOf(model, options);
    QCOMPARE(profile.totals.savedBytes.count(), 0);
    QCOMPARE(profile.totals.flopsBackward.value(), 0.0);
    QCOMPARE(profile.totals.gradientBytes.count(), 0);
    QCOMPARE(profile.totals.flopsForward.value(), 2.0 * 8 * 16 * 32 + 2.0 * 8 * 32 * 4);
    QCOMPARE(profile.totals.peak.count(), 2 * 4 * 8 * 32); // relu's input and result
}

void TestProfileModel::bytesOfValuesAndGradients()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const auto value = [&](const char* name) { return *model.graph.findValue(name); };
    QCOMPARE(profile.valueBytes[value("x")].count(), 4 * 8 * 16);
    QCOMPARE(profile.valueBytes[value("relu")].count(), 4 * 8 * 32);
    QVERIFY(!profile.needsGradient[value("x")]);
    QVERIFY(profile.needsGradient[value("relu")]);
    QVERIFY(profile.needsGradient[value("linear_1")]);
}

void TestProfileModel::whatSeveralKeepCountsInEachGroup()
{
    const Model model = modelOf(mlp);
    Profile profile = profileOf(model);
    const NodeId linear(0), relu(1), last(2);
    profile.nodes[linear].savedBytes = Bytes(100); // 84 of them also kept by the last
    profile.nodes[relu].savedBytes = Bytes(10);
    profile.nodes[last].savedBytes = Bytes(1);
    profile.keptTogether = {{Bytes(84), {linear, last}}};
    const std::vector<NodeGroup> groups{{"a", {linear}}, {"b", {relu}}, {"c", {last}}, {"d", {linear, last}}};
    const auto rows = summarizeGroups(model.graph, profile, groups);
    QCOMPARE(rows[0].cost.savedBytes, Bytes(100));
    QCOMPARE(rows[1].cost.savedBytes, Bytes(10));
    QCOMPARE(rows[2].cost.savedBytes, Bytes(85));
    QCOMPARE(rows[3].cost.savedBytes, Bytes(101));
}

// Thirds of one product: two are kept by the first multiplication, the last by the second.
void TestProfileModel::partsThatAreSentCountAlone()
{
    const std::string text = R"(graph thirds
  input %x : f32[2, 4]
  param %w "w" : f32[12, 4]
  %y : f32[2, 12] = aten::linear.default(%x, %w)
  [%q : f32[2, 4], %k : f32[2, 4], %v : f32[2, 4]] = aten::chunk.default(%y, 3, 1) named parts
  %a : f32[2, 4] = aten::mul.Tensor(%q, %k)
  %b : f32[2, 4] = aten::mul.Tensor(%a, %v)
)";
    const auto keptFrom = [&](const Model& model, std::size_t first) {
        std::vector<NodeId> nodes;
        for (const NodeId node : model.graph.nodes())
            if (node.index() >= first)
                nodes.push_back(node);
        return keptByStage(profileOf(model), nodes).count();
    };
    const Model inside = modelOf((text + "  return %b\n").c_str());
    QCOMPARE(keptFrom(inside, 0), 96 + 32);
    QCOMPARE(keptFrom(inside, 1), 96 + 32); // is sent all
    QCOMPARE(keptFrom(inside, 2), 96 + 32); // is sent three parts
    QCOMPARE(keptFrom(inside, 3), 32 + 32);
    const Model returned = modelOf((text + "  return %b, %v\n").c_str()); // with its gaps
    QCOMPARE(keptFrom(returned, 3), 96 + 32);
}

void TestProfileModel::modulesSumTheirNodes()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const auto rows = summarize(model.graph, profile, SummaryKind::Module);
    QStringList names;
    for (const SummaryRow& row : rows)
        names += QString("%1:%2").arg(QString::fromStdString(row.name)).arg(row.nodes);
    QCOMPARE(names.join(' '), QString(":3 fc1:1 act:1 head:1 head.fc2:1"));
    QCOMPARE(rows.front().cost.forward.flops.value(), profile.totals.flopsForward.value());
    QCOMPARE(rows.back().cost.forward.flops.value(), 2.0 * 8 * 32 * 4);
    QCOMPARE(summarize(model.graph, profile, SummaryKind::Module, 1).size(), std::size_t(4));
    QCOMPARE(summarize(model.graph, profile, SummaryKind::Op).size(), std::size_t(2));
}

void TestProfileModel::jsonHasTheAgreedForm()
{
    const Model model = modelOf(mlp);
    const std::string text = profileJson(model, profileOf(model), {});
    const QJsonObject json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    QCOMPARE(json["model"].toString(), QString("test"));
    QCOMPARE(json["device"].toString(), QString("plain"));
    QCOMPARE(json["mode"].toString(), QString("train"));
    const QJsonObject totals = json["totals"].toObject();
    for (const char* name :
         {"parameters", "parameter_bytes", "buffer_bytes", "flops_forward", "flops_backward", "saved_bytes",
          "live_after_forward_bytes", "peak_bytes", "time_forward_s", "time_backward_s"})
        QVERIFY2(totals[name].isDouble(), name);
    const QJsonArray nodes = json["nodes"].toArray();
    QCOMPARE(nodes.size(), 3);
    QCOMPARE(nodes[0]["name"].toString(), QString("linear"));
    QCOMPARE(nodes[0]["target"].toString(), QString("aten::linear.default"));
    QCOMPARE(nodes[0]["module"].toString(), QString("fc1"));
    QCOMPARE(nodes[0]["flops_forward"].toDouble(), 2.0 * 8 * 16 * 32);
}

void TestProfileModel::csvHasOneLineARow()
{
    const Model model = modelOf(mlp);
    const QStringList lines = QString::fromStdString(profileCsv(model, profileOf(model), {})).split("\r\n");
    QCOMPARE(lines.size(), 5); // a head, three nodes, the end
    for (int i = 1; i < 4; ++i)
        QCOMPARE(lines[i].count(','), lines[0].count(','));
    QVERIFY(lines[1].startsWith("linear,aten::linear.default,1,"));
}

void TestProfileModel::timeIsRooflinePlusLaunch()
{
    const Model model = modelOf(mlp);
    ProfileOptions options = plainOptions(LoweringKind::Math);
    options.device.launchOverhead = Seconds(1e-3);
    const Profile profile = profileOf(model, options);
    const NodeCost& relu = costOf(model, profile, "relu");
    // It reads and writes 1 KiB at 100 GB/s; one launch.
    QCOMPARE(relu.forward.bytesRead.count(), 1024);
    QCOMPARE(relu.forward.bytesWritten.count(), 1024);
    QCOMPARE(relu.forward.time.value(), 2048 / 1e11 + 1e-3);
}

void TestProfileModel::measuredTypesStandInForOthers()
{
    const Model model = modelOf(R"(graph half
  input %x : f16[64, 64]
  %y : f16[64, 64] = aten::mm.default(%x, %x)
  return %y
)");
    ProfileOptions options = plainOptions(LoweringKind::Math);
    options.device.launchOverhead = Seconds(4e-6);
    options.device.peakFlops = {{DType::F32, 1e12}, {DType::F16, 1e13}, {DType::BF16, 2e13}};
    const auto measured = [](double seconds) {
        return OperatorTimes(std::vector<ShapeTime>{{{64, 64, 64, 1}, Seconds(seconds)}});
    };
    const auto time = [&] { return costOf(model, profileOf(model, options), "y").forward.time.value(); };
    options.device.operators = {{"aten::mm", measured(14e-6)}};
    QCOMPARE(time(), 5e-6); // a launch, and a tenth of the rest
    options.device.operators.emplace("aten::mm, of bf16", measured(9e-6));
    QCOMPARE(time(), 14e-6); // a launch, and twice the rest
    options.device.operators.emplace("aten::mm, of f16", measured(7e-6));
    QCOMPARE(time(), 7e-6);
    options.device.operators = {{"aten::mm", measured(3e-6)}}; // sooner than any addition
    QCOMPARE(time(), 3e-6);
}

void TestProfileModel::memoryOfANodeByStorage()
{
    const Model model = modelOf(R"(graph gelu
  input %x : f32[8, 16]
  param %w "fc.weight" : f32[32, 16]
  %linear : f32[8, 32] = aten::linear.default(%x, %w)
  %gelu : f32[8, 32] = aten::gelu.default(%linear)
  %norm : f32[8, 32] = aten::layer_norm.default(%gelu, [32])
  return %norm
)");
    const Profile profile = profileOf(model);
    const auto infoOf = [&](const char* node) { return profile.nodeMemory[*model.graph.findNode(node)]; };
    const Bytes matrix(4 * 8 * 32), rows(4 * 8), weight(4 * 32 * 16);
    const NodeMemory linear = infoOf("linear"), gelu = infoOf("gelu"), norm = infoOf("norm");
    // It saves x, which is an input; its result is saved by gelu.
    QCOMPARE(linear.forwardIn.count(), 0);
    QCOMPARE(linear.forwardOut.count(), matrix.count());
    QCOMPARE(linear.forwardOutSaved.count(), matrix.count());
    QCOMPARE(linear.parameters.count(), weight.count());
    QCOMPARE(linear.backwardOut.count(), weight.count());
    QCOMPARE(gelu.forwardIn.count(), matrix.count());
    QCOMPARE(gelu.forwardTemporary.count(), 0);
    QCOMPARE(gelu.backwardOut.count(), matrix.count());
    // A mean and a deviation a row.
    QCOMPARE(norm.forwardTemporary.count(), 2 * rows.count());
    QCOMPARE(norm.forwardIn.count(), matrix.count());
    QCOMPARE(norm.forwardOutSaved.count(), 0);
    QCOMPARE(norm.forwardPeak.count(), (matrix + rows + rows).count());
    QCOMPARE(norm.parameters.count(), 0);
}

void TestProfileModel::compositesHaveParts()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    QStringList parts;
    Table<NodeId, NodeCost> sums(model.graph.nodeCount());
    for (const OpPart& part : profile.parts) {
        sums[part.node].forward += part.cost;
        if (part.phase == Phase::Forward)
            parts += QString::fromStdString(model.graph[part.node].name + "=" + part.op) +
                     (part.isBias ? "(bias)" : "");
    }
    QCOMPARE(parts.join(' '), QString("linear=aten::mm linear=aten::add(bias) relu=aten::relu "
                                      "linear_1=aten::mm"));
    for (const NodeId node : model.graph.nodes()) {
        const NodeCost& cost = profile.nodes[node];
        QCOMPARE(sums[node].forward.flops.value(), (cost.forward.flops + cost.backward().flops).value());
        QCOMPARE(sums[node].forward.time.value(), cost.time().value());
    }
    // The bias is read by the addition, and the product once more.
    const OpPart& addition = profile.parts[1];
    QCOMPARE(addition.cost.bytesRead.count(), 4 * (8 * 32 + 32));
    QCOMPARE(addition.cost.bytesWritten.count(), 4 * 8 * 32);
}

void TestProfileModel::blocksAreOneRow()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const std::vector<std::string> blocks{"head", "nowhere"};
    const auto modules = summarize(model.graph, profile, SummaryKind::Module, INT_MAX, blocks);
    QStringList names;
    for (const SummaryRow& row : modules)
        names += QString::fromStdString(row.name);
    QCOMPARE(names.join(' '), QString(" fc1 act head"));
    const auto nodes = summarize(model.graph, profile, SummaryKind::Node, INT_MAX, blocks);
    QCOMPARE(nodes.size(), std::size_t(3));
    QCOMPARE(nodes.back().name, std::string("head"));
    QCOMPARE(nodes.back().nodes, std::size_t(1));
    QCOMPARE(unknownBlocks(model.graph.modules(), blocks), std::vector<std::string>{"nowhere"});
}

// In float32: what goes in is x, 8 x 16; linear and relu are 8 x 32, the output is 8 x 4.
void TestProfileModel::blocksAreMeasuredAsOne()
{
    const Model model = modelOf(mlp);
    const Profile profile = profileOf(model);
    const NodeId linear(0), relu(1), last(2);
    const std::vector<NodeGroup> groups{
        {"first", {linear, relu}}, {"relu", {relu}}, {"last", {last}}, {"ends", {linear, last}}};
    const auto rows = summarizeGroups(model.graph, profile, groups);
    const auto figures = [](const SummaryRow& row) {
        return QString("%1 %2 %3")
            .arg(row.block->input.count())
            .arg(row.block->output.count())
            .arg(row.block->forwardPeak.count());
    };
    QCOMPARE(figures(rows[0]), QString("512 1024 2048")); // not linear's result, which relu alone reads
    QCOMPARE(figures(rows[1]), QString("1024 1024 1024"));
    QCOMPARE(figures(rows[2]), QString("1024 128 128"));
    QCOMPARE(figures(rows[3]), QString("1536 1152 1024")); // two pieces
    QCOMPARE(rows[0].cost.outputBytes, Bytes(1024));
    // Relu's result and its gradient are there and go; the gradients of linear's result and of the first
    // weight and bias come.
    QCOMPARE(rows[0].block->backwardPeak.count(), 1024 + 2048 + 128 - 2 * 1024);
    const auto modules = summarize(model.graph, profile, SummaryKind::Module);
    QCOMPARE(figures(modules.front()).section(' ', 0, 1), QString("512 128"));
    QCOMPARE(modules.front().block->forwardPeak, profile.totals.peakForward);
    QVERIFY(!summarize(model.graph, profile, SummaryKind::Op).front().block);
}

// Small operators behind a long one are handed over by the time that it ends; alone they are waited for.
void TestProfileModel::blocksAreTimedAsOne()
{
    const Model model =
        modelOf("graph waiting\n  input %x : f32[2048, 2048]\n  param %w \"w\" : f32[2048, 2048]\n"
                "  %long : f32[2048, 2048] = aten::mm.default(%x, %w)\n"
                "  %row : f32[2048] = aten::sum.dim_IntList(%long, [0])\n"
                "  %abs : f32[2048] = aten::abs.default(%row) @small\n"
                "  %neg : f32[2048] = aten::neg.default(%abs) @small\n  return %neg\n");
    const auto rowsOn = [&](const char* kind) {
        ProfileOptions options = plainOptions(LoweringKind::Math);
        options.device.kind = kind;
        options.device.launchOverhead = Seconds(2e-6);
        options.device.dispatchOverhead = Seconds(1e-5);
        options.device.backwardDispatch = Seconds(2e-5);
        options.device.host.gradient = {};
        return summarize(model.graph, profileOf(model, options), SummaryKind::Module);
    };
    const auto isLate = [](Seconds time, Seconds dispatch, Seconds run) {
        return time > 2 * dispatch + run && time < 2 * dispatch + 2 * run;
    };
    const auto gpu = rowsOn("cuda");
    QCOMPARE(gpu[1].name, std::string("small"));
    QVERIFY(gpu[1].cost.forward.time < Seconds(1e-5)); // both run, as they are
    QVERIFY(isLate(gpu[1].block->forwardTime, Seconds(1e-5), Seconds(2e-6)));
    QVERIFY(gpu[1].block->backwardTime > Seconds(4e-5));
    QCOMPARE(gpu[0].block->forwardTime, gpu[0].cost.forward.time);
    const auto cpu = rowsOn("cpu");
    for (const SummaryRow& row : cpu)
        QVERIFY(qFuzzyCompare(row.block->forwardTime.value(), row.cost.forward.time.value()));
}

void TestProfileModel::containersDoNotCountAsDepth()
{
    const Model model = modelOf("graph stacked\n"
                                "  input %x : f32[8]\n"
                                "  %abs : f32[8] = aten::abs.default(%x) @body.layers.0.act\n"
                                "  %neg : f32[8] = aten::neg.default(%abs) @body.layers.1\n"
                                "  %cos : f32[8] = aten::cos.default(%neg) @head.norm\n"
                                "  return %cos\n");
    const Profile profile = profileOf(model);
    const auto listed = [&](int depth) {
        QStringList names;
        for (const SummaryRow& row : summarize(model.graph, profile, SummaryKind::Module, depth))
            names += QString::fromStdString(row.name);
        return names.join(' ');
    };
    QCOMPARE(listed(0), QString());
    QCOMPARE(listed(1), QString(" body head"));
    // `head` has no class either, but what it holds has a name.
    QCOMPARE(listed(2), QString(" body body.layers body.layers.0 body.layers.1 head head.norm"));
    QCOMPARE(listed(3),
             QString(" body body.layers body.layers.0 body.layers.0.act body.layers.1 head head.norm"));
}

void TestProfileModel::traceEventsStackTheCategories()
{
    const Model model = modelOf(mlp);
    ProfileOptions options = plainOptions(LoweringKind::Math);
    options.optimizer = OptimizerKind::AdamW;
    const Profile profile = profileOf(model, options);
    const std::string text = memoryTraceJson(model.graph, profile);
    const QJsonArray events =
        QJsonDocument::fromJson(QByteArray::fromStdString(text)).object()["traceEvents"].toArray();
    double highest = 0;
    int counters = 0;
    for (const QJsonValue event : events) {
        if (event["ph"] != "C")
            continue;
        ++counters;
        double sum = 0;
        for (const QJsonValue bytes : event["args"].toObject())
            sum += bytes.toDouble();
        highest = std::max(highest, sum);
    }
    QCOMPARE(counters, static_cast<int>(profile.memory.samples.size()));
    QCOMPARE(highest, profile.totals.peakWithModel.asDouble());
}

// A batch that the file fixes is scaled as a symbolic one is traced; one more does not fit.
void TestProfileModel::theLargestBatchFitsAndOneMoreDoesNot()
{
    const auto network = [](const std::string& head, const std::string& batch) {
        Model model = modelOf((head + "  input %x : f32[" + batch +
                               ", 64]\n  param %w \"w\" : f32[256, 64]\n  param %v \"v\" : f32[64, 256]\n"
                               "  %a : f32[" +
                               batch +
                               ", 256] = aten::linear.default(%x, %w)\n"
                               "  %g : f32[" +
                               batch +
                               ", 256] = aten::gelu.default(%a)\n"
                               "  %y : f32[" +
                               batch + ", 64] = aten::linear.default(%g, %v)\n  return %y\n")
                                  .c_str());
        model.signature.inputs.push_back(
            {.kind = InputSpec::Kind::User, .name = "x", .value = model.graph.inputs().front()});
        return model;
    };
    ProfileOptions options = plainOptions(LoweringKind::Device);
    options.device.kind = "cuda";
    options.device.computeCapability = 80;
    options.device.memory = Bytes(300 << 20);
    const Model symbolic = network("graph g\n  symbol s0 hint 8 range 1..1000000000\n", "s0");
    const LargestBatch traced = **largestBatch(symbolic, options);
    QCOMPARE(traced.basis, LargestBatch::Basis::Traced);
    const auto fits = [&](std::int64_t batch) {
        options.bindings["s0"] = batch;
        return profileOf(symbolic, options).stepMemory.fits;
    };
    QVERIFY(traced.batch > 10000);
    QVERIFY(fits(traced.batch));
    QVERIFY(!fits(traced.batch + 1));
    const LargestBatch scaled = **largestBatch(network("graph g\n", "8"), options);
    QCOMPARE(scaled.basis, LargestBatch::Basis::Scaled);
    QCOMPARE(scaled.batch, traced.batch);
    QCOMPARE(scaled.total, traced.total);
    options.device.memory = Bytes(1 << 10);
    QCOMPARE((*largestBatch(symbolic, options))->batch, std::int64_t{0});
}

QTEST_GUILESS_MAIN(TestProfileModel)
#include "tst_profile_model.moc"
