// Published instances: the optima of two independent exact programs, and bad files.
#include "core/plan/evaluate.h"
#include "core/plan/sources/instance.h"
#include "core/search/search.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>

using namespace stagecraft;
using Json = nlohmann::json;

namespace {

const QString folder = QStringLiteral(STAGECRAFT_TEST_DATA "/partition");

Json readJson(const QString& file)
{
    std::ifstream stream(QDir(folder).filePath(file).toStdString());
    return Json::parse(stream);
}

PartitionOptions optionsFor(const std::string& model, std::size_t stages)
{
    PartitionOptions options;
    options.stageCount = stages;
    options.objective = model == "compute" ? Objective::Compute : Objective::Sum;
    options.send = model == "direct" ? SendKind::Direct : SendKind::Relay;
    return options;
}

Result<Instance> open(const QString& file, const PartitionOptions& options)
{
    return readInstance(QDir(folder).filePath(file).toStdString(), options);
}

} // namespace

class TestInstance : public QObject
{
    Q_OBJECT

private slots:
    void optima_data();
    void optima();
    void memoryLimits_data() { optima_data(); }
    void memoryLimits();
    void witnessCosts_data() { optima_data(); }
    void witnessCosts();
    void fiveRunsAreEqual();
    void badFiles_data();
    void badFiles();
};

void TestInstance::optima_data()
{
    QTest::addColumn<QString>("file");
    const QStringList files = QDir(folder).entryList({QStringLiteral("*.json")});
    QCOMPARE(files.size(), 11);
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << file;
}

void TestInstance::optima()
{
    QFETCH(QString, file);
    const Json oracle = readJson(file)["oracle"]["optimum"];
    for (const std::string model : {"compute", "relay", "direct"}) {
        for (const auto& [stages, optimum] : oracle[model]["exact_program"].items()) {
            const auto instance = open(file, optionsFor(model, std::stoul(stages)));
            QVERIFY(instance.has_value());
            const auto solution = solve(instance->problem);
            QVERIFY(solution.has_value());
            const double best = optimum.get<double>();
            const QByteArray where = QByteArray::fromStdString(model + " K=" + stages);
            QVERIFY2(std::abs(solution->cost.bottleneckTime.value() - best) <= 1e-4 * best,
                     where.constData());
            QVERIFY2(solution->bound.value.value() <= best * (1 + 1e-6), where.constData());
            QVERIFY2(solution->proven(), where.constData());
        }
    }
}

void TestInstance::memoryLimits()
{
    QFETCH(QString, file);
    const Json oracle = readJson(file)["oracle"];
    if (!oracle.contains("optimum_with_memory_limit"))
        QSKIP("the file has none");
    for (const auto& [stages, entry] : oracle["optimum_with_memory_limit"].items()) {
        for (const std::string model : {"compute", "direct"}) {
            PartitionOptions options = optionsFor(model, std::stoul(stages));
            options.memoryLimits = {Bytes(entry["limit"].get<std::int64_t>())};
            const auto instance = open(file, options);
            QVERIFY(instance.has_value());
            const auto solution = solve(instance->problem);
            const QByteArray where = QByteArray::fromStdString(model + " K=" + stages);
            QVERIFY2(solution.has_value() == !entry[model].is_null(), where.constData());
            if (!solution.has_value())
                continue;
            const double best = entry[model].get<double>();
            QVERIFY2(std::abs(solution->cost.bottleneckTime.value() - best) <= 1e-4 * best,
                     where.constData());
            QVERIFY2(solution->bound.value.value() <= best * (1 + 1e-6), where.constData());
            QVERIFY(solution->cost.fits());
        }
    }
}

// A split that another program found, and what it costs there.
void TestInstance::witnessCosts()
{
    QFETCH(QString, file);
    const Json json = readJson(file);
    const Json& witness = json["oracle"]["witness"];
    const std::size_t stages = witness["stages"].size();
    const auto instance = open(file, optionsFor("direct", stages));
    QVERIFY(instance.has_value());
    std::map<int, std::size_t> indexOf;
    for (const Json& node : json["nodes"])
        indexOf.emplace(node["id"].get<int>(), indexOf.size());
    Partition plan{stages, Table<NodeId, StageId>(indexOf.size(), StageId(0))};
    for (std::size_t stage = 0; stage < stages; ++stage) {
        for (const Json& id : witness["stages"][stage])
            plan.stageOf[NodeId(indexOf.at(id.get<int>()))] = StageId(stage);
    }
    const auto legal = checkPartition(instance->problem, plan);
    QVERIFY2(legal.has_value(), legal.has_value() ? "" : legal.error().message.c_str());
    const PlanCost cost = evaluate(instance->problem, plan);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const double expected = witness["loads"][stage].get<double>();
        QVERIFY(std::abs(cost.stages[StageId(stage)].load.value() - expected) <= 1e-6 * expected);
    }
}

void TestInstance::fiveRunsAreEqual()
{
    const auto instance = open(QStringLiteral("bert3-ops-training.json"), optionsFor("direct", 4));
    QVERIFY(instance.has_value());
    const auto first = solve(instance->problem);
    for (int run = 0; run < 4; ++run)
        QVERIFY(solve(instance->problem)->partition == first->partition);
}

void TestInstance::badFiles_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    const auto nodes = [](const char* rest) {
        return QStringLiteral(
                   "{\"nodes\": [{\"id\": 1, \"time\": 1}, {\"id\": 2, \"time\": 2}], \"edges\": [%1]}")
            .arg(QLatin1String(rest));
    };
    QTest::newRow("text") << "hello"
                          << "is not JSON: what stands at line 1, column 1 does not belong there";
    QTest::newRow("deep") << "{\"nodes\": [{\"id\": 1, \"time\": 1, \"colocation\": " +
                                 QString(1'000'000, u'[')
                          << "is nested too deeply at line 1, column 544";
    QTest::newRow("other") << "{}"
                           << "is not a partition instance: it has no lists 'nodes' and 'edges'";
    QTest::newRow("negative") << "{\"nodes\": [{\"id\": 1, \"time\": -1}], \"edges\": []}"
                              << "node 1 has a negative 'time': -1";
    QTest::newRow("no time") << "{\"nodes\": [{\"id\": 1}], \"edges\": []}"
                             << "node 1 has no number 'time'";
    QTest::newRow("twice")
        << "{\"nodes\": [{\"id\": 1, \"time\": 1}, {\"id\": 1, \"time\": 1}], \"edges\": []}"
        << "node 1 is there twice";
    QTest::newRow("from nowhere") << nodes("{\"from\": 7, \"to\": 1, \"bytes_time\": 0}")
                                  << "an edge has 'from' 7, which is no node";
    QTest::newRow("cycle")
        << nodes("{\"from\": 1, \"to\": 2, \"bytes_time\": 0}, {\"from\": 2, \"to\": 1, \"bytes_time\": 0}")
        << "its edges form a cycle, at or before node '1'";
}

void TestInstance::badFiles()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    QTemporaryDir temporary;
    const QString path = temporary.filePath(QStringLiteral("bad.json"));
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text.toUtf8());
    file.close();
    const auto instance = readInstance(path.toStdString(), PartitionOptions{.stageCount = 2});
    QVERIFY(!instance.has_value());
    QCOMPARE(QString::fromStdString(instance.error().message), path + QStringLiteral(": ") + message);
}

QTEST_GUILESS_MAIN(TestInstance)
#include "tst_instance.moc"
