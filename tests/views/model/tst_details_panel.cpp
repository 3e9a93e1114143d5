#include "views/model/details_panel.h"

#include "core/graph/graph_builder.h"
#include "core/profile/block_figures.h"
#include "tests/views/sample_plan.h"
#include "views/model/details_html.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QTextBrowser>
#include <QtTest>

#include <array>

using namespace stagecraft;

class TestDetailsPanel : public QObject
{
    Q_OBJECT

private slots:
    void oneOpShowsAllThatIsKnown();
    void aCompositeOpShowsItsParts();
    void severalOpsShowTheirSum();
    void aTinyShareIsRead();
    void missingPartsAreLeftOut();
    void textOfTheModelIsQuoted();
    void linksSelectAndNameTheSource();
    void nothingSelectedSaysSo();

private:
    const Theme m_theme = themeOf(lightPalette());
};

namespace {

QString plain(const QString& html)
{
    QTextDocument document;
    document.setHtml(html);
    return document.toPlainText();
}

} // namespace

void TestDetailsPanel::oneOpShowsAllThatIsKnown()
{
    const PlanView plan = sample::plan(2, 2);
    const QString text = plain(nodeDetails(plan, m_theme, NodeId(2))); // qkv_0
    for (const char* part : {"qkv_0", "aten::linear.default", "layers.0.attn.qkv", "3 of 18", "Linear",
                             "bf16[8, 1024, 6144]", "(6291456, 6144, 1)", "96.0 MiB", "estimated", "norm1_0",
                             "sdpa_0", "model.py:12", "x = self.layers.0.attn.qkv(x)"})
        QVERIFY2(text.contains(part), qPrintable(QString(part) + " is missing in\n" + text));
    QVERIFY(text.contains("layers.0.attn.qkv.weight")); // a parameter by its own name
}

void TestDetailsPanel::aCompositeOpShowsItsParts()
{
    PlanView plan = sample::plan(2, 2);
    auto profile = std::make_shared<Profile>(*plan.profile);
    const auto add = [&](Phase phase, const char* op, double gigaflops) {
        OpPart part{.node = NodeId(2), .phase = phase, .op = op};
        part.cost.flops = Flops(gigaflops * 1e9);
        profile->parts.push_back(part);
    };
    add(Phase::Forward, "aten::mm", 12);
    add(Phase::Forward, "aten::add.Tensor", 1);
    profile->parts.back().isBias = true;
    plan.profile = profile;
    QString text = plain(nodeDetails(plan, m_theme, NodeId(2)));
    QVERIFY(text.indexOf("Parts") < text.indexOf("mm"));
    QVERIFY(text.contains("add (bias)"));
    QVERIFY(text.contains(QString::fromStdString(formatFlops(Flops(12e9)))));
    QVERIFY(!plain(nodeDetails(plan, m_theme, NodeId(3))).contains("Parts"));
    add(Phase::Backward, "aten::mm", 24);
    text = plain(nodeDetails(plan, m_theme, NodeId(2)));
    QVERIFY(text.indexOf("add (bias)") < text.lastIndexOf("mm"));
}

void TestDetailsPanel::severalOpsShowTheirSum()
{
    const PlanView plan = sample::plan(2, 2);
    const QString text = plain(groupDetails(plan, m_theme, {NodeId(1), NodeId(2), NodeId(6), NodeId(7)}));
    QVERIFY(text.contains("4 ops"));
    Bytes parameters;
    for (const std::size_t node : {1, 2, 6, 7})
        parameters += plan.profile->nodes[NodeId(node)].parameterBytes;
    QVERIFY(text.contains(QString::fromStdString(formatBytes(parameters))));
    QVERIFY(text.indexOf("linear") < text.indexOf("rms_norm")); // the commonest kind first
    const std::array<NodeId, 4> nodes{NodeId(1), NodeId(2), NodeId(6), NodeId(7)};
    const Bytes read = BlockMeter(*plan.graph, *plan.profile).figuresOf(nodes).input; // each once
    QVERIFY2(text.contains("Reads " + QString::fromStdString(formatBytes(read)) + ", gives "),
             qPrintable(text));
}

void TestDetailsPanel::aTinyShareIsRead()
{
    PlanView plan = sample::plan(2, 2);
    auto profile = std::make_shared<Profile>(*plan.profile);
    profile->nodes[NodeId(1)].forward.time = Seconds(1e-9);
    profile->nodes[NodeId(1)].backwardInput.time = Seconds(0);
    profile->nodes[NodeId(1)].backwardWeight.time = Seconds(0);
    profile->totals.timeForward = Seconds(1);
    plan.profile = profile;
    QVERIFY(plain(nodeDetails(plan, m_theme, NodeId(1))).contains("< 0.01 % of the model, estimated"));
    profile->nodes[NodeId(1)].origin = CostOrigin::Inexact;
    QVERIFY(plain(groupDetails(plan, m_theme, {NodeId(1), NodeId(2)})).contains("of the model, not exact"));
}

void TestDetailsPanel::missingPartsAreLeftOut()
{
    PlanView plan = sample::plan(1, 1);
    plan.profile = nullptr;
    plan.partition = nullptr;
    const QString text = plain(nodeDetails(plan, m_theme, NodeId(0)));
    QVERIFY(text.contains("embed"));
    QVERIFY(!text.contains("Time"));
    QVERIFY(!text.contains("Stage"));
}

void TestDetailsPanel::textOfTheModelIsQuoted()
{
    GraphBuilder builder("sample");
    const ValueId x = builder.addInput({.name = "x", .kind = ValueKind::UserInput});
    const ValueId y = builder.addValue({.name = "y"});
    builder.addNode({.name = "less<b>",
                     .target = "aten::lt<i>",
                     .arguments = {{"self", x}},
                     .outputs = {{NodeOutput::Kind::Value, {y}}},
                     .source = builder.addSource({{"m.py", 1, "<module>", "if a<b and c>d:"}})});
    PlanView plan;
    plan.graph = std::make_shared<const Graph>(std::move(builder).finish().value());
    const QString text = plain(nodeDetails(plan, m_theme, NodeId(0)));
    for (const char* part : {"less<b>", "aten::lt<i>", "<module>", "if a<b and c>d:"})
        QVERIFY2(text.contains(part), part);
}

void TestDetailsPanel::linksSelectAndNameTheSource()
{
    Selection selection;
    DetailsPanel panel(&selection);
    panel.setPlan(sample::plan(2, 2));
    selection.setNodes({NodeId(2)});
    auto* browser = panel.findChild<QTextBrowser*>();
    QSignalSpy reveals(&selection, &Selection::revealRequested);
    emit browser->anchorClicked(QUrl("node:3"));
    QCOMPARE(selection.nodes(), (std::vector{NodeId(3)}));
    QCOMPARE(reveals.count(), 1);
    QVERIFY(browser->toPlainText().contains("sdpa_0"));

    emit browser->anchorClicked(QUrl("source:12:/models/model.py"));
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("/models/model.py:12"));
}

void TestDetailsPanel::nothingSelectedSaysSo()
{
    Selection selection;
    DetailsPanel panel(&selection);
    auto* browser = panel.findChild<QTextBrowser*>();
    QVERIFY(browser->toPlainText().startsWith("Select"));
    selection.setNodes({NodeId(400)}); // of a model that is not there
    QVERIFY(browser->toPlainText().startsWith("Select"));
}

QTEST_MAIN(TestDetailsPanel)
#include "tst_details_panel.moc"
