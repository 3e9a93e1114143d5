// Plan files: there and back, on another version of the model, damaged; SHA-256 against its published
// vectors.
#include "core/base/sha256.h"
#include "core/plan/sources/plan_file.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTest>

#include <stop_token>

using namespace stagecraft;

namespace {

Graph chain(const std::string& third)
{
    const auto graph = parseGraph("graph chain\n"
                                  "  input %x : f32[4]\n"
                                  "  %a : f32[4] = aten::relu.default(self %x)\n"
                                  "  %b : f32[4] = aten::relu.default(self %a)\n"
                                  "  %" +
                                  third +
                                  " : f32[4] = aten::relu.default(self %b)\n"
                                  "  %d : f32[4] = aten::relu.default(self %" +
                                  third +
                                  ")\n"
                                  "  return %d\n");
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return *graph;
}

Partition twoAndTwo()
{
    return {2, Table<NodeId, StageId>({StageId(0), StageId(0), StageId(1), StageId(1)})};
}

} // namespace

class TestPlanFile : public QObject
{
    Q_OBJECT

private slots:
    void roundTrip();
    void anotherVersionOfTheModel();
    void anotherModel();
    void nothingIsRecomputedUnderNone();
    void checksGoWithWhatTheyLookAt();
    void keepsPlansLegal();
    void modelPathIsRelative();
    void badFiles_data();
    void badFiles();
    void unwritableFolder();
    void sha256_data();
    void sha256();
    void hashingAFileCanBeCancelled();
};

void TestPlanFile::roundTrip()
{
    QTemporaryDir folder;
    const Graph graph = chain("c");
    PartitionOptions options;
    options.stageCount = 2;
    options.microbatches = 12;
    options.schedule = ScheduleKind::GPipe;
    options.send = SendKind::Direct;
    options.objective = Objective::Overlap;
    options.speeds = {1, 0.5};
    options.links = {{25e9, Seconds(1e-6)}};
    options.memoryLimits = {Bytes(1000), Bytes::max()};
    options.pins = {{NodeId(1), StageId(0)}};
    options.keepTogether = {{NodeId(2), NodeId(3)}};
    options.neverCut = {*graph.findValue("a")};
    options.seed = 7;
    PlanFile plan = makePlanFile({"model.pt2", std::string(64, 'a')}, graph, twoAndTwo(), options);
    plan.viewState = R"({"zoom":2})";
    const auto path = std::filesystem::path(folder.filePath(QStringLiteral("plan.stagecraft")).toStdString());
    const auto written = writePlan(plan, path);
    QVERIFY2(written.has_value(), written.has_value() ? "" : written.error().message.c_str());
    const auto again = readPlan(path);
    QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
    QCOMPARE(again->model.sha256, plan.model.sha256);
    QCOMPARE(again->viewState, plan.viewState);
    const auto applied = applyPlan(*again, graph);
    QVERIFY(applied.has_value());
    QVERIFY(applied->partition == twoAndTwo());
    QVERIFY(applied->options == options);
    QVERIFY(applied->notes.empty());
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
}

void TestPlanFile::anotherVersionOfTheModel()
{
    const PlanFile plan = makePlanFile({"m.pt2"}, chain("c"), twoAndTwo(),
                                       {.stageCount = 2, .pins = {{NodeId(2), StageId(1)}}});
    const auto applied = applyPlan(plan, chain("renamed"));
    QVERIFY(applied.has_value());
    QCOMPARE(applied->partition.stageOf[NodeId(2)], StageId(0)); // with the node before it
    QCOMPARE(applied->partition.stageOf[NodeId(3)], StageId(1));
    QCOMPARE(applied->notes,
             (std::vector<std::string>{
                 "1 node of the model, 'renamed' the first, is not in the plan and went to the stage of "
                 "the node before",
                 "1 node of the plan are not in the model", "the pinned node 'c' is not in the model"}));
}

void TestPlanFile::anotherModel()
{
    PlanFile plan;
    plan.options.stageCount = 2;
    plan.stageOfNode = {{"x", 0}, {"y", 1}};
    plan.model.path = "models/other.pt2";
    const auto refused = [&] {
        const auto applied = applyPlan(plan, chain("c"));
        return applied.has_value() ? std::string() : applied.error().message;
    };
    QCOMPARE(refused(), std::string("the plan was made for another model ('other.pt2'): it knows 0 of the 4 "
                                    "nodes of this one, and not 'a'"));
    plan.stageOfNode = {{"a", 0}, {"y", 1}};
    QCOMPARE(refused(), std::string("the plan was made for another model ('other.pt2'): it knows 1 of the 4 "
                                    "nodes of this one, and not 'b'"));
    plan.stageOfNode = {{"a", 0}, {"d", 1}}; // as many as not
    QCOMPARE(refused(), std::string());
}

// Somebody changed the policy in the file.
void TestPlanFile::nothingIsRecomputedUnderNone()
{
    PlanFile plan;
    plan.options.stageCount = 2;
    plan.stageOfNode = {{"a", 0}, {"b", 0}, {"c", 1}, {"d", 1}};
    plan.regions = {{{"a", "b"}, {}}};
    plan.options.recompute.kind = RecomputeKind::Full;
    QCOMPARE(applyPlan(plan, chain("c")).value().options.recompute.regions.regions.size(), std::size_t{1});
    plan.options.recompute.kind = RecomputeKind::None;
    const AppliedPlan applied = applyPlan(plan, chain("c")).value();
    QVERIFY(applied.options.recompute.regions.regions.empty());
    QCOMPARE(applied.notes,
             std::vector<std::string>{"left out: 1 region to be recomputed, as the plan says 'none'"});
}

// Plans of earlier versions have them behind the boundary.
void TestPlanFile::checksGoWithWhatTheyLookAt()
{
    const auto graph = parseGraph("graph checked\n"
                                  "  input %x : f32[4]\n"
                                  "  %a : f32[4] = aten::neg.default(self %x)\n"
                                  "  aten::_assert_async.default(self %a) named check\n"
                                  "  %b : f32[4] = aten::neg.default(self %a)\n"
                                  "  return %b\n");
    QVERIFY(graph.has_value());
    PlanFile plan;
    plan.options.stageCount = 2;
    plan.stageOfNode = {{(*graph)[NodeId(0)].name, 0}, {"check", 1}, {(*graph)[NodeId(2)].name, 1}};
    const auto applied = applyPlan(plan, *graph);
    QVERIFY(applied.has_value());
    QVERIFY(applied->notes.empty());
    QVERIFY(applied->partition.stageOf == (Table<NodeId, StageId>({StageId(0), StageId(0), StageId(1)})));
}

void TestPlanFile::keepsPlansLegal()
{
    PlanFile plan;
    plan.options.stageCount = 2;
    plan.stageOfNode = {{"a", 0}, {"b", 1}, {"c", 0}, {"d", 1}};
    const auto applied = applyPlan(plan, chain("c"));
    QVERIFY(applied.has_value());
    QCOMPARE(applied->partition.stageOf[NodeId(2)], StageId(1));
    QCOMPARE(applied->notes, std::vector<std::string>{"1 node had to go to a later stage than in the plan"});
}

void TestPlanFile::modelPathIsRelative()
{
    QTemporaryDir folder;
    const std::filesystem::path root(folder.path().toStdString());
    std::filesystem::create_directories(root / "models");
    const PlanFile plan =
        makePlanFile({root / "models" / "m.pt2"}, chain("c"), twoAndTwo(), {.stageCount = 2});
    QVERIFY(writePlan(plan, root / "p.stagecraft").has_value());
    QFile file(folder.filePath(QStringLiteral("p.stagecraft")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().contains("\"models/m.pt2\""));
    QVERIFY(readPlan(root / "p.stagecraft")->model.path == root / "models" / "m.pt2");
}

void TestPlanFile::badFiles_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << ""
                           << "is not JSON, or breaks off before its end";
    QTest::newRow("other") << "{\"nodes\": 3}"
                           << "is not a plan";
    QTest::newRow("deep") << R"({"format": 1, "nodes": {}, "view": )" + QString(1'000'000, u'[') +
                                 QString(1'000'000, u']') + u'}'
                          << "is nested too deeply at line 1, column 535";
    QTest::newRow("format") << R"({"format": 9, "nodes": {}})"
                            << "has format 9; this program reads format 1";
    QTest::newRow("stages") << R"({"format": 1, "stages": 0, "nodes": {}})"
                            << "a plan needs at least one stage";
    QTest::newRow("type") << R"({"format": 1, "stages": 2, "nodes": {"a": "x"}})"
                          << "'nodes' is not an object of stage numbers";
    QTest::newRow("range") << R"({"format": 1, "stages": 2, "nodes": {"a": 5}})"
                           << "'a' is in stage 6 of 2";
    QTest::newRow("beyond ids") << R"({"format": 1, "stages": 2, "nodes": {"a": 9223372036854775807}})"
                                << "'nodes' is not an object of stage numbers";
    QTest::newRow("pin") << R"({"format": 1, "stages": 2, "nodes": {}, "pins": {"a": 4294967294}})"
                         << "'a' is in stage 4294967295 of 2";
    const auto row = [](const char* name, const char* fields, const char* message) {
        const QString text = QStringLiteral(R"({"format": 1, "stages": 2, "nodes": {}, %1})");
        QTest::newRow(name) << text.arg(QLatin1String(fields)) << message;
    };
    row("options", R"("options": [])", "'options' is not an object");
    row("model", R"("model": "gpt2.pt2")", "'model' is not an object");
    row("path of the model", R"("model": {"path": 3})", "'path' is not a text");
    row("link", R"("options": {"links": [{"bandwidth": "fast"}]})", "'bandwidth' is not a number");
    row("kept together", R"("keep_together": [["a", 1]])", "'keep_together' is not a list of names");
    row("never cut", R"("never_cut": [2])", "'never_cut' is not a list of names");
    row("no options", R"("options": null)", "'options' is not an object");
    row("no model", R"("model": null)", "'model' is not an object");
    row("no pins", R"("pins": null)", "'pins' is not an object");
    row("no regions", R"("recompute_regions": null)", "'recompute_regions' is not a list");
    row("nodes of a region", R"("recompute_regions": [{"nodes": null}])", "'nodes' is not a list of names");
    row("no view", R"("view": null)", "'view' is not an object");
    row("view", R"("view": [1])", "'view' is not an object");
    row("made for", R"("made_for": "h100")", "'made_for' is not an object");
    row("device", R"("made_for": {"device": null})", "'device' is not an object");
    row("empty stages", R"("options": {"empty_stages": "yes"})", "'empty_stages' is not true or false");
    row("microbatches", R"("options": {"microbatches": null})", "'microbatches' is not a whole number");
    row("schedule of no kind", R"("options": {"schedule": null})", "'schedule' is not a text");
    row("limits", R"("options": {"memory_limits": null})", "'memory_limits' is not a list");
    QTest::newRow("schedule")
        << R"({"format": 1, "stages": 2, "nodes": {}, "options": {"schedule": "zigzag"}})"
        << "'schedule' is not known (unknown schedule 'zigzag'; there are 1f1b, gpipe, "
           "interleaved, looped-bfs, zb1p, zbv, dualpipev)";
}

void TestPlanFile::badFiles()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("bad.stagecraft"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    file.close();
    const auto plan = readPlan(path.toStdString());
    QVERIFY(!plan.has_value());
    QCOMPARE(QString::fromStdString(plan.error().message), path + QStringLiteral(": ") + message);
}

void TestPlanFile::unwritableFolder()
{
    QTemporaryDir folder;
    const auto written =
        writePlan({}, folder.filePath(QStringLiteral("no/such/folder/p.stagecraft")).toStdString());
    QVERIFY(!written.has_value());
    QVERIFY(written.error().message.ends_with("p.stagecraft: cannot be written: No such file or directory"));
}

void TestPlanFile::sha256_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("hash");
    QTest::newRow("none") << QByteArray()
                          << QByteArray("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    QTest::newRow("abc") << QByteArray("abc")
                         << QByteArray("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    QTest::newRow("two blocks") << QByteArray("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                                << QByteArray(
                                       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    QTest::newRow("million") << QByteArray(1000000, 'a')
                             << QByteArray(
                                    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

void TestPlanFile::sha256()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, hash);
    Sha256 whole;
    whole.add(std::as_bytes(std::span(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
    QCOMPARE(QByteArray::fromStdString(whole.finish()), hash);
    Sha256 parts; // in uneven pieces
    for (qsizetype i = 0; i < bytes.size(); i += 777) {
        const QByteArray part = bytes.mid(i, 777);
        parts.add(std::as_bytes(std::span(part.constData(), static_cast<std::size_t>(part.size()))));
    }
    QCOMPARE(QByteArray::fromStdString(parts.finish()), hash);
}

void TestPlanFile::hashingAFileCanBeCancelled()
{
    QTemporaryFile file;
    QVERIFY(file.open());
    file.write("abc");
    file.flush();
    const std::filesystem::path path = file.fileName().toStdString();
    QCOMPARE(fileSha256(path).value(),
             std::string("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = fileSha256(path, Progress(stop.get_token()));
    QVERIFY(!stopped.has_value());
    QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
}

QTEST_GUILESS_MAIN(TestPlanFile)
#include "tst_plan_file.moc"
