// Plans by name: which blocks they find, and that every one can be run.
#include "core/profile/oracle.h"
#include "core/recompute/policies.h"
#include "tests/core/recompute/open_file.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

ProfileTotals totalsOf(const Model& model, const RecomputePlan& plan)
{
    const Result<Profile> profile = profileModel(withPlan(model, plan), plainOptions(LoweringKind::Cpu));
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return profile->totals;
}

} // namespace

class TestPolicies : public QObject
{
    Q_OBJECT

private slots:
    void findsTheBlocks_data();
    void findsTheBlocks();
    void saveWhatTheySay_data();
    void saveWhatTheySay();
    void stagesPartBlocks();
    void operatorsThatAreNotThereAreSaid();
};

void TestPolicies::findsTheBlocks_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("count");
    QTest::addColumn<QString>("className");
    QTest::newRow("gpt2") << "models/tiny/gpt2-tiny.pt2" << 4 << "GPT2Block";
    QTest::newRow("llama") << "models/tiny/llama-tiny.pt2" << 4 << "LlamaDecoderLayer";
    QTest::newRow("gated") << "oracle/recompute/gated.pt2" << 6 << "Linear";
}

void TestPolicies::findsTheBlocks()
{
    QFETCH(QString, file);
    QFETCH(int, count);
    QFETCH(QString, className);
    const Model model = openFile(file);
    const std::vector<ModuleId> blocks = repeatedBlocks(model.graph);
    QCOMPARE(blocks.size(), static_cast<std::size_t>(count));
    for (const ModuleId block : blocks)
        QVERIFY(QString::fromStdString(model.graph.modules()[block].className).endsWith(className));
}

void TestPolicies::saveWhatTheySay_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : {"gpt2", "llama"})
        QTest::newRow(name) << QString("models/tiny/%1-tiny.pt2").arg(name);
}

// Full saves the most memory and takes the most time; each second block, and heavy operators kept, less.
void TestPolicies::saveWhatTheySay()
{
    QFETCH(QString, file);
    const Model model = openFile(file);
    OperatorSchemas schemas;
    const auto made = [&](std::size_t every, const std::vector<std::string>& operators) {
        const PolicyPlan policy = blocksPlan(model, every, operators, schemas);
        for (const std::string& reason : policy.leftOut)
            qFatal("%s", reason.c_str());
        if (!checkPlan(model, policy.plan, schemas).has_value())
            qFatal("a policy's plan is refused");
        return policy.plan;
    };
    const ProfileTotals none = totalsOf(model, {}), full = totalsOf(model, made(1, {}));
    const ProfileTotals second = totalsOf(model, made(2, {})),
                        selective = totalsOf(model, made(1, heavyOperators()));
    QVERIFY(full.savedBytes < second.savedBytes && second.savedBytes < none.savedBytes);
    QVERIFY(full.savedBytes < selective.savedBytes && selective.savedBytes < none.savedBytes);
    QCOMPARE(none.timeRecomputed.value(), 0.0);
    QVERIFY(selective.timeRecomputed < full.timeRecomputed && second.timeRecomputed < full.timeRecomputed);
    // What is left to run again is light.
    QVERIFY(selective.flopsRecomputed.value() < 0.05 * full.flopsRecomputed.value());
}

void TestPolicies::stagesPartBlocks()
{
    const Model model = openFile("models/tiny/gpt2-tiny.pt2");
    OperatorSchemas schemas;
    const std::size_t whole = blocksPlan(model, 1, {}, schemas).plan.regions.size();
    const std::vector<ModuleId> blocks = repeatedBlocks(model.graph);
    NodeStages stages(model.graph.nodeCount(), 0);
    std::vector<NodeId> first;
    for (const NodeId node : model.graph.nodes())
        if (model.graph.modules().contains(blocks[0], model.graph[node].module))
            first.push_back(node);
    for (const NodeId node : model.graph.nodes()) // the second half of the first block, and what is behind it
        stages[node] = node >= first[first.size() / 2] ? 1 : 0;
    const PolicyPlan parted = blocksPlan(model, 1, {}, schemas, &stages);
    QCOMPARE(parted.plan.regions.size(), whole + 1);
    QVERIFY(parted.leftOut.empty());
    QVERIFY(checkPlan(model, parted.plan, schemas, &stages).has_value());
}

void TestPolicies::operatorsThatAreNotThereAreSaid()
{
    const Model model = openFile("models/tiny/gpt2-tiny.pt2");
    OperatorSchemas schemas;
    const auto made = [&](std::vector<std::string> operators) {
        return policyPlan(model, {.kind = RecomputeKind::Operators, .operators = std::move(operators)},
                          schemas);
    };
    QVERIFY(made({}).leftOut.empty());
    QVERIFY(made({"aten::addmm"}).leftOut.empty());
    const PolicyPlan plan = made({"aten::addmm", "nonsense"});
    QCOMPARE(plan.leftOut.size(), std::size_t{1});
    QVERIFY(plan.leftOut.front().find("'nonsense'") != std::string::npos);
    QVERIFY(plan.plan == made({"aten::addmm"}).plan);
}

QTEST_GUILESS_MAIN(TestPolicies)
#include "tst_policies.moc"
