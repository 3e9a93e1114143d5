#include "views/base/format.h"

#include <QtTest>

using namespace stagecraft;

class TestFormat : public QObject
{
    Q_OBJECT

private slots:
    void percentages();
    void changes();
    void gaps();
    void aPlanOverTheLimitIsNotCalledOptimal();
    void shortNames();
    void estimatesSayHowFarOffTheyAre();
};

void TestFormat::percentages()
{
    QCOMPARE(percentText(0), QString("0 %"));
    QCOMPARE(percentText(0.5), QString("50 %"));
    QCOMPARE(percentText(0.0123), QString("1.2 %"));
    QCOMPARE(percentText(0.0003), QString("0.03 %"));
    QCOMPARE(percentText(1e-7), QString("< 0.01 %"));
}

void TestFormat::changes()
{
    QCOMPARE(changeText(Seconds(1), Seconds(1.031)), QString("+3.1 %"));
    QCOMPARE(changeText(Seconds(1), Seconds(0.88)), QString("\u221212 %"));
    QCOMPARE(changeText(Seconds(1), Seconds(1.0001)), QString());
    QCOMPARE(changeText(Seconds(0), Seconds(1)), QString());
    QCOMPARE(changeText(Bytes(0), Bytes(24 << 20)), QString("+24.0 MiB"));
    QCOMPARE(changeText(Bytes(24 << 20), Bytes(0)), QString("\u221224.0 MiB"));
    QCOMPARE(changeText(Bytes(5), Bytes(5)), QString());
}

void TestFormat::gaps()
{
    QCOMPARE(gapText(Seconds(1), {.value = Seconds(1)}), QString("proven optimal"));
    QCOMPARE(gapText(Seconds(1), {.value = Seconds(0.99995)}), QString("proven optimal"));
    QCOMPARE(gapText(Seconds(1), {.value = Seconds(0.988)}), QString("proven within 1.2 % of optimal"));
    QCOMPARE(gapText(Seconds(0), {.value = Seconds(0)}), QString());
    const QString help = gapHelp(Seconds(0.1), {.value = Seconds(0.09), .kind = "area"});
    QVERIFY(help.contains("100 ms") && help.contains("90.0 ms") && help.contains("area"));
}

void TestFormat::aPlanOverTheLimitIsNotCalledOptimal()
{
    PlanCost cost;
    cost.bottleneckTime = Seconds(1);
    cost.devices = {{.peakMemory = Bytes(10), .memoryLimit = Bytes(10)}};
    const Bound bound{.value = Seconds(1)};
    QCOMPARE(qualityText(cost, bound, {}), QString("proven optimal"));
    cost.devices.front().peakMemory = Bytes(11);
    QCOMPARE(qualityText(cost, bound, {}), QString("does not fit into memory"));
    QCOMPARE(qualityText(cost, std::nullopt, {}), QString("does not fit into memory"));
}

void TestFormat::shortNames()
{
    QCOMPARE(shortTarget("aten::linear.default"), QString("linear"));
    QCOMPARE(shortTarget("_operator::add"), QString("add"));
    QCOMPARE(shortTarget("higher_order::cond"), QString("cond"));
    QCOMPARE(shortClass("torch.nn.modules.linear.Linear"), QString("Linear"));
    QCOMPARE(shortClass(""), QString());
    QCOMPARE(opCountText(1), QString("1 op"));
    QCOMPARE(opCountText(2068), QString("2,068 ops"));
}

void TestFormat::estimatesSayHowFarOffTheyAre()
{
    Profile profile;
    profile.nodes = Table<NodeId, NodeCost>(2);
    const std::vector<NodeId> all{NodeId(0), NodeId(1)};
    QCOMPARE(originText(profile, all), QString("estimated, not checked against measurements"));
    QCOMPARE(estimateHelp(profile), QString("Times: estimated, not checked against measurements"));
    profile.options.device.accuracy = {{.what = "operators", .cases = 664, .usualError = 0.206}};
    QCOMPARE(originText(profile, all), QString("estimated, usually within 21 %"));
    QVERIFY(estimateHelp(profile).contains("664 operators in float32"));
    profile.options.device.accuracy.push_back({.what = "whole models", .cases = 12, .usualError = 0.08});
    QCOMPARE(estimateHelp(profile), QString("Times: estimated, usually within 8 %\nBy 12 whole models"));
    profile.options.device.accuracy.back().of = "GPT pipelines in float16";
    QVERIFY(
        estimateHelp(profile).endsWith("By 12 whole models (GPT pipelines in float16); others are outside of "
                                       "what was checked"));
    for (NodeCost& cost : profile.nodes)
        cost.origin = CostOrigin::Imported;
    QCOMPARE(originText(profile, all), QString("imported"));
    QCOMPARE(estimateHelp(profile), QString());
}

QTEST_GUILESS_MAIN(TestFormat)
#include "tst_format.moc"
