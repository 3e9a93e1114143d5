// Small graphs whose costs a person can work out.
#include "oracle.h"

#include "core/graph/graph_text.h"
#include "core/profile/profile_json.h"

#include <QTest>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

Model modelOf(const char* text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return {.name = "test", .graph = std::move(graph).value()};
}

Profile profileOf(const Model& model, const ProfileOptions& options)
{
    Result<Profile> profile = profileModel(model, options);
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return std::move(profile).value();
}

Profile profileOf(const Model& model)
{
    return profileOf(model, plainOptions(LoweringKind::Math));
}

const NodeCost& costOf(const Model& model, const Profile& profile, const char* node)
{
    return profile.nodes[*model.graph.findNode(node)];
}

const char* mlp = R"(graph mlp
  input %x : f32[8, 16]
  param %w1 "fc1.weight" : f32[32, 16]
  param %b1 "fc1.bias" : f32[32]
  param %w2 "fc2.weight" : f32[4, 32]
  %linear : f32[8, 32] = aten::linear.default(%x, %w1, %b1) @fc1
  %relu : f32[8, 32] = aten::relu.default(%linear) @act
  %linear_1 : f32[8, 4] = aten::linear.default(%relu, %w2) @head.fc2
  return %linear_1
)";

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
    void jsonHasTheAgreedForm();
    void csvHasOneLineARow();
    void timeIsRooflinePlusLaunch();
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
    const std::string text = profileJson(model, profileOf(model), SummaryKind::Node);
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
    const QStringList lines =
        QString::fromStdString(profileCsv(model, profileOf(model), SummaryKind::Node)).split("\r\n");
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

QTEST_GUILESS_MAIN(TestProfileModel)
#include "tst_profile_model.moc"
