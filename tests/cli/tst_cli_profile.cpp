#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QtEndian>
#include <QtTest>

#include <algorithm>

using namespace stagecraft::test;

namespace {

QJsonArray oracleRows()
{
    QFile file(QString(STAGECRAFT_TEST_DATA) + "/oracle/profile.json");
    if (!file.open(QIODevice::ReadOnly))
        return {};
    return QJsonDocument::fromJson(file.readAll()).object()["rows"].toArray();
}

} // namespace

class TestCliProfile : public QObject
{
    Q_OBJECT

private slots:
    // Counts made independently in Python, to the unit: three attention routes of ten models.
    void totalsEqualTheOracle_data()
    {
        QTest::addColumn<QJsonObject>("oracle");
        QTest::addColumn<QString>("route");
        for (const QString route : {"math", "efficient", "cpu"})
            for (const QJsonValue& row : oracleRows())
                if (row["exported"].toObject().contains(route))
                    QTest::addRow("%s by %s", qPrintable(row["name"].toString()), qPrintable(route))
                        << row.toObject() << route;
    }
    void totalsEqualTheOracle()
    {
        QFETCH(QJsonObject, oracle);
        QFETCH(QString, route);
        const CliRun run = runCli({"profile", "--json", "--optimizer", "none", "--lowering", route,
                                   example(oracle["name"].toString())});
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const QJsonObject totals = run.json()["totals"].toObject();
        const QJsonObject expected = oracle["exported"].toObject()[route].toObject();
        const QJsonObject flops = expected["flops_exact"].toObject();
        const QJsonObject memory = expected["memory"].toObject();
        const double forward = flops["forward"].toDouble();
        QCOMPARE(totals["flops_forward"].toDouble(), forward);
        QCOMPARE(totals["flops_backward"].toDouble(), flops["total"].toDouble() - forward);
        QCOMPARE(totals["saved_bytes"].toInteger(), memory["saved_bytes"].toInteger());
        QCOMPARE(totals["live_after_forward_bytes"].toInteger(), memory["live_after_forward"].toInteger());
        QCOMPARE(totals["peak_forward_bytes"].toInteger(), memory["peak_forward"].toInteger());
        QCOMPARE(totals["peak_backward_bytes"].toInteger(), memory["peak_backward"].toInteger());
        QCOMPARE(totals["peak_bytes"].toInteger(), memory["peak"].toInteger());
        QCOMPARE(totals["gradient_bytes"].toInteger(), memory["gradient_bytes"].toInteger());
        QCOMPARE(totals["parameter_bytes"].toInteger(),
                 oracle["signature"].toObject()["used_parameter_bytes"].toInteger());
    }

    // Every choice of what is trained how, and the sum of what is alive at the peak.
    void choicesChangeTheStep_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::newRow("adafactor") << QStringList{"--optimizer", "adafactor", "--optimizer-variant",
                                                  "foreach"};
        QTest::newRow("master weights") << QStringList{"--precision", "bf16", "--master-weights"};
        QTest::newRow("autocast") << QStringList{"--precision", "autocast-fp16", "--optimizer", "sgd"};
        QTest::newRow("kept gradients") << QStringList{"--gradients", "kept", "--optimizer-variant", "fused"};
    }
    void choicesChangeTheStep()
    {
        QFETCH(QStringList, flags);
        const QString model = testModel("tiny/gpt2-tiny.pt2");
        const QJsonObject plain = runCli({"profile", "--json", model}).json();
        const CliRun run = runCli(QStringList{"profile", "--json", "--parts", model} + flags);
        QCOMPARE(run.errors, QByteArray());
        const QJsonObject peak = run.json()["memory_at_peak"].toObject();
        qint64 sum = 0;
        for (const QString& name : peak.keys())
            if (name.endsWith("_bytes") && name != "total_bytes")
                sum += peak[name].toInteger();
        QCOMPARE(sum, peak["total_bytes"].toInteger());
        QCOMPARE(sum, run.json()["totals"].toObject()["peak_with_model_bytes"].toInteger());
        QVERIFY(peak != plain["memory_at_peak"].toObject());
        qsizetype parts = 0;
        for (const QJsonValue node : run.json()["nodes"].toArray())
            parts += node["parts"].toArray().size();
        QVERIFY(parts > run.json()["nodes"].toArray().size());
    }
    // analyse takes the same loss as profile and export.
    void aStepGoesBackFromTheLossThatIsNamed()
    {
        const QString model = testModel("small/torch-2.14/with-loss-static.pt2");
        const CliRun usual = runCli({"analyse", "--json", model}),
                     sum = runCli({"analyse", "--json", model, "--loss-output", "all"}),
                     wrong = runCli({"analyse", "--json", model, "--loss-output", "loss"});
        QVERIFY2(usual.status == 0 && sum.status == 0, sum.errors);
        QVERIFY(usual.json()["loss"].toDouble() != sum.json()["loss"].toDouble());
        QVERIFY2(usual.output.contains("loss: output '0', the only scalar"), usual.output.right(500));
        QVERIFY(sum.output.contains("loss: as asked for, a step goes back from the sum"));
        QCOMPARE(wrong.status, 1);
        QVERIFY2(wrong.isOneLineError() && wrong.errors.contains("there is '0', '1'"), wrong.errors);
    }

    // What goes back first: ones, random numbers by the seed, or a tensor of one's own by the output's name.
    void aStepGoesBackWithTheGradientThatIsGiven()
    {
        const QTemporaryDir folder;
        const auto fileOf = [&](const QString& output) {
            const QString path = folder.filePath(output + ".safetensors");
            const QJsonObject tensor{
                {"dtype", "F32"}, {"shape", QJsonArray{32, 8}}, {"data_offsets", QJsonArray{0, 1024}}};
            const QByteArray head =
                QJsonDocument(QJsonObject{{output, tensor}}).toJson(QJsonDocument::Compact);
            QByteArray bytes(8, '\0');
            qToLittleEndian(qint64(head.size()), bytes.data());
            bytes += head + QByteArray("\0\0\0\x40", 4).repeated(256); // 2.0
            QFile file(path);
            return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() ? path : QString();
        };
        const auto run = [](const QStringList& more) {
            return runCli(QStringList{"analyse", "--json", QString(STAGECRAFT_TEST_DATA) + "/times/mlp.pt2"} +
                          more);
        };
        const auto first = [](const CliRun& of) {
            return of.json()["values"].toArray().last()["backward"].toObject();
        };
        QCOMPARE(first(run({}))["mean"].toDouble(), 1.0);
        const CliRun given = run({"--output-gradients", fileOf("linear_1")});
        QVERIFY(given.output.contains("with the gradients that were given") &&
                !given.output.contains("the sum of"));
        const QJsonObject own = first(given);
        QCOMPARE(own["mean"].toDouble(), 2.0);
        QCOMPARE(own["standard_deviation"].toDouble(), 0.0);
        const QStringList random{"--output-gradients", "random", "--seed"};
        QVERIFY(first(run(random + QStringList{"1"}))["standard_deviation"].toDouble() > 0.5);
        QVERIFY(first(run(random + QStringList{"1"})) != first(run(random + QStringList{"2"})));
        const CliRun other = run({"--output-gradients", fileOf("logits")}),
                     none = run({"--output-gradients", folder.filePath("none")});
        QVERIFY2(other.status == 1 && other.isOneLineError() && other.errors.contains("linear_1"),
                 other.errors);
        QVERIFY2(none.status == 1 && none.isOneLineError() && none.errors.contains("No such file"),
                 none.errors);
    }

    void blocksAndTraceAreWritten()
    {
        const QTemporaryDir folder;
        const QString trace = folder.filePath("memory.json");
        const CliRun run = runCli({"profile", "--csv", "--by", "node", "--block", "model.transformer.h.0",
                                   "--memory-trace", trace, example("gpt2")});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.contains("\r\nmodel.transformer.h.0,"));
        QVERIFY(QFileInfo(trace).size() > 0);
        QCOMPARE(runCli({"profile", "--block", "nothing", example("gpt2")}).status, 2);
    }

    // What no machine could hold costs no more to profile than what any machine can.
    void anyBatchCanBeAsked_data()
    {
        QTest::addColumn<QString>("family");
        for (const char* family : {"gpt", "llama", "mixtral", "resnet"})
            QTest::newRow(family) << family;
    }
    void anyBatchCanBeAsked()
    {
        QFETCH(QString, family);
        const QTemporaryDir folder;
        const QString model = folder.filePath("model.pt2");
        QCOMPARE(runCli({"new", family, "-o", model}).status, 0);
        const auto saved = [&](const QString& batch) {
            const CliRun run = runCli({"profile", "--json", model, "--bind", "batch=" + batch});
            return run.status == 0 ? run.json()["totals"].toObject()["saved_bytes"].toDouble() : -1;
        };
        const double small = saved("1000");
        const double large = saved("10000000");
        QVERIFY(small > 0);
        QVERIFY2(large > 9000 * small && large < 11000 * small,
                 qPrintable(QString("%1 %2").arg(small).arg(large)));
    }

    void whatCannotBeCountedIsRefused()
    {
        const QTemporaryDir folder;
        const QString model = folder.filePath("model.pt2");
        QCOMPARE(runCli({"new", "llama", "--layers", "2", "-o", model}).status, 0);
        const CliRun run =
            runCli({"profile", model, "--bind", "batch=16777216", "--bind", "sequence=1048576"});
        QCOMPARE(run.status, 1);
        QVERIFY2(run.isOneLineError(), run.errors);
        QVERIFY2(run.errors.contains("over 8.00 EiB together"), run.errors);
    }

    void nodesAddUpToTheTotals()
    {
        const QJsonObject profile =
            runCli({"profile", "--json", "--by", "module", example("bert-base")}).json();
        double forward = 0, backward = 0;
        for (const QJsonValue& node : profile["nodes"].toArray()) {
            forward += node["flops_forward"].toDouble();
            backward += node["flops_backward"].toDouble();
        }
        QCOMPARE(forward, profile["totals"]["flops_forward"].toDouble());
        QCOMPARE(backward, profile["totals"]["flops_backward"].toDouble());
        QCOMPARE(profile["modules"].toArray().first()["flops_forward"].toDouble(), forward);
    }

    void tablesForSpreadsheets()
    {
        const CliRun run = runCli({"profile", "--csv", "--by", "op", example("resnet50")});
        QCOMPARE(run.status, 0);
        QVERIFY(run.output.startsWith("name,detail,nodes,flops_forward,"));
        QVERIFY(run.output.contains("\r\naten::conv2d.default,"));
    }

    void anUnknownOperatorIsNotExactAndALibraryMakesItSo()
    {
        const CliRun unknown = runCli({"profile", "--json", testModel("custom/scan.pt2")});
        QCOMPARE(unknown.status, 0);
        QCOMPARE(unknown.json()["exact"].toBool(), false);
        const CliRun text = runCli({"profile", testModel("custom/scan.pt2")});
        QVERIFY(text.output.contains("not exact    all of the above: 1 of 4 operators"));
        const CliRun known =
            runCli({"profile", "--json", testModel("custom/scan.pt2"), "--op-library", STAGECRAFT_OPERATORS});
        QCOMPARE(known.errors, QByteArray());
        QCOMPARE(known.json()["exact"].toBool(), true);
        // The product inside the operator: 2 x 10 x 16 x 12, and its gradients.
        const double more = known.json()["totals"].toObject()["flops_forward"].toDouble() -
                            unknown.json()["totals"].toObject()["flops_forward"].toDouble();
        QCOMPARE(more, 3840.0);
    }

    void aLibraryThatIsNoneIsRefusedInOneLine()
    {
        for (const QString& file : {QString("/no/such.so"), testModel("custom/scan.pt2")}) {
            const CliRun run = runCli({"--op-library", file, "info", testModel("custom/scan.pt2")});
            QCOMPARE(run.status, 1);
            QVERIFY2(run.isOneLineError(), run.errors.constData());
        }
    }

    void substitutesComeFromAFile()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("s.json"));
        QVERIFY(file.open(QFile::WriteOnly));
        file.write(
            "{\"operators\": {\"stagecraft_test::scan\": {\"forward\": {\"flops\": \"1e12 * width\"}}}}");
        file.close();
        const CliRun run =
            runCli({"profile", "--json", testModel("custom/scan.pt2"), "--substitutes", file.fileName()});
        QVERIFY(run.json()["totals"].toObject()["flops_forward"].toDouble() > 12e12);
        QCOMPARE(run.json()["exact"].toBool(), false);
        const QString notes = QJsonDocument(run.json()["notes"].toArray()).toJson();
        QVERIFY2(notes.contains("'scan' costs what its substitute says"), qPrintable(notes));
        QVERIFY(!notes.contains("is for nothing"));
        const CliRun other =
            runCli({"profile", testModel("tiny/gpt2-tiny.pt2"), "--substitutes", file.fileName()});
        QVERIFY2(other.errors.contains("the model has no operator stagecraft_test::scan"), other.errors);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("{\"operators\": {\"stagecraft_test::scan\": {\"forward\": {\"flops\": \"widht\"}}}}");
        file.close();
        const CliRun wrong =
            runCli({"profile", "--json", testModel("custom/scan.pt2"), "--substitutes", file.fileName()});
        QVERIFY2(wrong.isOneLineError(), wrong.errors.constData());
        QVERIFY(wrong.errors.contains("'widht' at 1: there is no 'widht'"));
    }

    void aDeviceThatWasCalibratedCanBeUsed()
    {
        QTemporaryDir folder;
        const QString file = folder.filePath("here.json");
        const CliRun run = runCli({"calibrate", "-o", file, "--spend", "0.0005", "--name", "here"});
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const CliRun profile =
            runCli({"profile", "--json", "--device", file, testModel("tiny/gpt2-tiny.pt2")});
        QCOMPARE(profile.json()["device"].toString(), QString("here"));
        QVERIFY(profile.json()["totals"].toObject()["time_forward_s"].toDouble() > 0);
        const CliRun shown = runCli({"devices", file});
        QVERIFY(shown.output.contains("fitted: square products"));
    }

    // The table names no file of its own, but the folder that it lies in.
    void aTableIsNotWrittenOver()
    {
        QTemporaryDir folder;
        const QString table = folder.filePath("table.json");
        QFile file(table);
        QVERIFY(file.open(QFile::WriteOnly));
        file.write("{}");
        file.close();
        const CliRun over = runCli({"calibrate", "--from", folder.path(), "-o", table});
        QCOMPARE(over.status, 2);
        QVERIFY2(over.errors.contains("would be written over"), over.errors);
        const CliRun none = runCli({"calibrate", "--from", folder.filePath("none"), "-o", table});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.errors.contains("there is no"), none.errors);
    }

    void aGraphIsNotAskedForRows()
    {
        const QString model = testModel("tiny/gpt2-tiny.pt2");
        const QStringList graph{"profile", model, "--format", "csv"};
        for (const QStringList& more : {QStringList{"--by", "op"}, QStringList{"--largest-batch"},
                                        QStringList{"--parts"}, QStringList{"--depth", "1"}})
            QCOMPARE(runCli(graph + more).status, 2);
        QCOMPARE(runCli(graph + QStringList{"--by", "node"}).status, 0);
        QCOMPARE(runCli({"profile", model, "--csv", "-o", "/tmp/never.csv"}).status, 2);
    }

    void aGraphIsWrittenAsTheFileIsNamed()
    {
        const QString model = testModel("tiny/gpt2-tiny.pt2");
        QTemporaryDir folder;
        const auto written = [&](const QStringList& command, const QString& name) {
            const QString path = folder.filePath(name);
            QFile file(path);
            const CliRun run = runCli(command + QStringList{model, "-o", path});
            return run.status == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : run.errors;
        };
        QVERIFY(!QJsonDocument::fromJson(written({"graph"}, "g.JSON")).isNull());
        QVERIFY(!QJsonDocument::fromJson(written({"profile"}, "p.json")).isNull());
        QVERIFY(written({"graph"}, "g.dot").startsWith("digraph"));
        QVERIFY(written({"graph"}, "g.graphml").contains("<graphml"));
        QVERIFY(written({"graph", "--format", "graphml"}, "odd.json").contains("<graphml"));
        QVERIFY(written({"graph"}, "g.txt").contains("its ending is that of no format"));
        QVERIFY(!QFile::exists(folder.filePath("g.txt")));
    }

    void stagesOfAPlanAreRows()
    {
        QTemporaryDir folder;
        const QString plan = folder.filePath("plan.stagecraft"), model = testModel("tiny/gpt2-tiny.pt2");
        QCOMPARE(runCli({"partition", model, "--stages", "3", "-o", plan}).status, 0);
        const QJsonObject profile =
            runCli({"profile", "--json", "--by", "stage", "--plan", plan, model}).json();
        // The last layer's weights are those of the first, and each stage has its own copy.
        const QJsonArray inPlan =
            runCli({"partition", "--json", "--plan", plan, model}).json()["stages"].toArray();
        double nodes = 0, flops = 0;
        QStringList names;
        for (const QJsonValue& stage : profile["stages"].toArray()) {
            QCOMPARE(stage["parameter_bytes"], inPlan[names.size()].toObject()["parameter_bytes"]);
            names << stage["name"].toString();
            nodes += stage["nodes"].toDouble();
            flops += stage["flops_forward"].toDouble();
        }
        QCOMPARE(names.join(", "), QString("stage 0, stage 1, stage 2"));
        QCOMPARE(nodes, double(profile["nodes"].toArray().size()));
        QCOMPARE(flops, profile["totals"]["flops_forward"].toDouble());
        QVERIFY(runCli({"profile", "--by", "stage", "--plan", plan, model}).output.contains("\nstage 3 "));
        const CliRun without = runCli({"profile", "--by", "stage", model});
        QCOMPARE(without.status, 2);
        QVERIFY(without.errors.contains("--by stage needs a plan: --plan FILE.stagecraft"));
    }

    void theLargestBatchIsInTheJson()
    {
        const CliRun run = runCli({"profile", "--json", "--largest-batch", testModel("tiny/gpt2-tiny.pt2")});
        const QJsonObject found = run.json()["largest_batch"].toObject();
        QVERIFY(found["batch"].toDouble() > 1000);
        QCOMPARE(found["basis"].toString(), QString("scaled"));
        QVERIFY(found["total_bytes"].toDouble() < 80.0 * (1 << 30));
    }

    void measuredTimesAreKeptByTheInputsOfAScript()
    {
        QTemporaryDir folder;
        qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
        const auto restore = qScopeGuard([] { qunsetenv("XDG_CACHE_HOME"); });
        const auto wasKept = [](const char* input) {
            const CliRun run = runCli({"profile", testModel("small/torch-2.14/branches-scripted.pt"),
                                       "--json", "--measure", "--threads", "1", "--input", input});
            return run.json()["notes"].toArray().last().toString().startsWith("measured before");
        };
        QVERIFY(!wasKept("f32[2,4,16]"));
        QVERIFY(!wasKept("f32[3,4,16]"));
        QVERIFY(wasKept("f32[2,4,16]"));
    }

    void measuredTimesAreKeptByTheContentOfTheFile()
    {
        QTemporaryDir folder;
        qputenv("XDG_CACHE_HOME", folder.path().toUtf8());
        const auto restore = qScopeGuard([] { qunsetenv("XDG_CACHE_HOME"); });
        const QString model = folder.filePath("copy.pt2");
        QVERIFY(QFile::copy(QString(STAGECRAFT_TEST_DATA) + "/times/mlp.pt2", model));
        const auto measure = [&](const char* flag) {
            const CliRun run = runCli({"profile", "--json", flag, "--threads", "1", model});
            return run.json();
        };
        const QJsonObject first = measure("--measure");
        QCOMPARE(first["nodes"].toArray().at(0)["origin"].toString(), QString("measured"));
        QVERIFY(std::ranges::any_of(first["notes"].toArray(), [](const QJsonValue& note) {
            return note.toString().startsWith("measured node by node; the whole step");
        }));
        const QJsonObject second = measure("--measure");
        QCOMPARE(second["nodes"], first["nodes"]);
        QVERIFY(second["notes"].toArray().last().toString().startsWith("measured before, and kept in "));
        QVERIFY(
            !measure("--measure-again")["notes"].toArray().last().toString().startsWith("measured before"));

        QFile file(model); // other content: the end of a zip archive may carry a comment
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.seek(file.size() - 2));
        file.write(QByteArray("\1\0x", 3));
        file.close();
        QVERIFY(!measure("--measure")["notes"].toArray().last().toString().startsWith("measured before"));
        QCOMPARE(QDir(folder.filePath("stagecraft/measured")).entryList(QDir::Files).size(), 2);
    }

    void timesComeFromAFileAlsoForPlans()
    {
        const QString data = QString(STAGECRAFT_TEST_DATA) + "/times/";
        const CliRun run =
            runCli({"profile", "--json", data + "mlp.pt2", "--times", data + "mlp-operators.json"});
        QCOMPARE(run.json()["nodes"].toArray().at(0)["origin"].toString(), QString("imported"));
        const CliRun plan = runCli({"partition", "--json", "--stages", "2", data + "mlp.pt2", "--times",
                                    data + "mlp-operators.json"});
        QCOMPARE(plan.status, 0);
        QVERIFY2(plan.errors.contains("matched by the order of operators: 4 of 4"), plan.errors.constData());
        const CliRun none = runCli({"profile", data + "mlp.pt2", "--times", data + "mlp.pt2"});
        QVERIFY2(none.isOneLineError(), none.errors.constData());
    }
};

QTEST_GUILESS_MAIN(TestCliProfile)
#include "tst_cli_profile.moc"
