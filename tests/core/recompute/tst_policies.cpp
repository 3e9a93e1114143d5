// Plans by name: which blocks they find, and that every one can be run.
#include "core/profile/oracle.h"
#include "core/recompute/policies.h"
#include "core/script/open_model_file.h"
#include "tests/core/recompute/open_file.h"

#include <QTest>

#include <algorithm>
#include <array>

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
    void convolutionsOfTracedFilesAreKept();
    void stagesDoAsTheOthersAgain();
    void readsWhatItPrints_data();
    void readsWhatItPrints();
    void refusesWhatIsNoPolicy_data();
    void refusesWhatIsNoPolicy();
    void aStageIsNamedOnce();
    void laterPartsReplaceEarlierOnes();
    void stagesHaveTheirOwnRegions();
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

// They are named as torch.jit names them, "aten::_convolution".
void TestPolicies::convolutionsOfTracedFilesAreKept()
{
    const Result<Model> opened =
        openModelFile(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/skip-traced.pt");
    QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
    const Model& model = *opened;
    OperatorSchemas schemas;
    const auto convolvedAgain = [&](RecomputeKind kind) {
        std::ptrdiff_t count = 0;
        for (const RecomputeRegion& region : policyPlan(model, {.kind = kind}, schemas).plan.regions)
            count += std::ranges::count_if(region.nodes, [&](NodeId node) {
                return model.graph[node].target.starts_with("aten::_convolution") &&
                       !std::ranges::binary_search(region.kept, node);
            });
        return count;
    };
    QVERIFY(convolvedAgain(RecomputeKind::Full) > 0);
    QCOMPARE(convolvedAgain(RecomputeKind::Operators), 0);
}

void TestPolicies::stagesDoAsTheOthersAgain()
{
    const RecomputePolicy policy = parsePolicy("auto,0-3:full,5:none").value();
    QCOMPARE(printPolicy(withoutStages(policy, 1, 2)), std::string("auto,0:full,3:full,5:none"));
    QCOMPARE(printPolicy(withoutStages(policy, 4, 4)), printPolicy(policy));
    QCOMPARE(printPolicy(withoutStages(policy, 0, 9)), std::string("auto"));
    // Regions that came of what stages did go with it, those that are given stay.
    RecomputePolicy made = policy;
    made.regions.regions = {{{NodeId(1), NodeId(2)}, {}}};
    QVERIFY(withoutStages(made, 5, 5).regions.regions.empty());
    QVERIFY(withoutStages(made, 4, 4) == made);
    RecomputePolicy given = made;
    given.kind = RecomputeKind::Plan;
    QVERIFY(withoutStages(given, 5, 5).regions == made.regions);
}

void TestPolicies::readsWhatItPrints_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("printed");
    const auto row = [](const char* text, const char* printed) { QTest::newRow(text) << text << printed; };
    row("full", "full");
    row("every=3", "every 3");
    row("ops aten::mm,aten::bmm", "ops aten::mm,aten::bmm");
    row("auto,0-1:full,3:none", "auto,0-1:full,3:none");
    row("ops aten::mm,aten::bmm,3:every 2,5:ops aten::mm,aten::addmm,6:full",
        "ops aten::mm,aten::bmm,3:every 2,5:ops aten::mm,aten::addmm,6:full");
    row("3:full,0:ops", "none,0:ops,3:full");
    row("none,2-2:auto", "none,2:auto");
}

void TestPolicies::readsWhatItPrints()
{
    QFETCH(QString, text);
    QFETCH(QString, printed);
    const Result<RecomputePolicy> policy = parsePolicy(text.toStdString());
    QVERIFY2(policy.has_value(), policy.has_value() ? "" : policy.error().message.c_str());
    QCOMPARE(QString::fromStdString(printPolicy(*policy)), printed);
    QVERIFY(parsePolicy(printPolicy(*policy)).value() == *policy);
}

void TestPolicies::refusesWhatIsNoPolicy_data()
{
    QTest::addColumn<QString>("text");
    for (const char* text :
         {"", "half", "every 0", "full 2", "full,", "2:", "2:plan", "2:model", "1-0:full", "-1:full",
          "full,2:none x", "model,1:full", "plan,1:auto", "99999999999999999999:full"})
        QTest::newRow(text) << text;
}

void TestPolicies::refusesWhatIsNoPolicy()
{
    QFETCH(QString, text);
    QVERIFY(!parsePolicy(text.toStdString()).has_value());
}

void TestPolicies::aStageIsNamedOnce()
{
    const auto said = [](const char* text) { return parsePolicy(text).error().message; };
    QCOMPARE(said("0:full,0:none"),
             std::string("'0:full,0:none' says twice what stage 0 does; name it once"));
    QCOMPARE(said("auto,0-3:full,5:none,2-5:ops"),
             std::string("'auto,0-3:full,5:none,2-5:ops' says twice what stage 2 does; name it once"));
}

void TestPolicies::laterPartsReplaceEarlierOnes()
{
    const auto onto = [](const char* before, const char* text) {
        return printPolicy(parsePolicy(text, parsePolicy(before).value()).value());
    };
    QCOMPARE(onto("auto,1-4:full", "2:none"), "auto,1:full,2:none,3-4:full");
    QCOMPARE(onto("auto,1:full", "0-2:none"), "auto,0-2:none");
    QCOMPARE(onto("auto,1:full", "ops,2:none"), "ops,2:none");
    QCOMPARE(onto("model", "2:full"), "none,2:full");
    QCOMPARE(printPolicy(withinStages(parsePolicy("full,1-4:none,6:auto").value(), 3)), "full,1-2:none");
    const RecomputePolicy policy = parsePolicy("every 3,1-2:ops aten::mm").value();
    QCOMPARE(printPolicy(policyOf(policy, 2)), "ops aten::mm");
    QCOMPARE(printPolicy(policyOf(policy, 3)), "every 3");
}

void TestPolicies::stagesHaveTheirOwnRegions()
{
    const Model model = openFile("models/tiny/gpt2-tiny.pt2");
    OperatorSchemas schemas;
    NodeStages stages(model.graph.nodeCount(), 0);
    for (const NodeId node : model.graph.nodes())
        stages[node] = static_cast<std::uint32_t>(node.index() * 3 / model.graph.nodeCount());
    const auto regionsUnder = [&](const char* policy, std::uint32_t stage) {
        RecomputePlan plan = policyPlan(model, parsePolicy(policy).value(), schemas, &stages).plan;
        std::erase_if(plan.regions,
                      [&](const RecomputeRegion& r) { return stages[r.nodes.front()] != stage; });
        return plan.regions;
    };
    for (const std::uint32_t stage : {0U, 1U, 2U}) {
        QVERIFY(!regionsUnder("full", stage).empty());
        QVERIFY(regionsUnder("full,1:none,2:ops", stage) ==
                regionsUnder(std::array{"full", "none", "ops"}[stage], stage));
        QVERIFY(regionsUnder("none,1:full", stage) == regionsUnder(stage == 1 ? "full" : "none", stage));
    }
    const RecomputePlan mixed =
        policyPlan(model, parsePolicy("full,1:none,2:ops").value(), schemas, &stages).plan;
    QVERIFY(checkPlan(model, mixed, schemas, &stages).has_value());
}

QTEST_GUILESS_MAIN(TestPolicies)
#include "tst_policies.moc"
