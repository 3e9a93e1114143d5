#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QtTest>

using namespace stagecraft::test;

class TestCliInfo : public QObject
{
    Q_OBJECT

private slots:
    // Node and parameter counts that were counted independently, in Python.
    void countsAgreeWithTheOracle_data()
    {
        QTest::addColumn<QJsonObject>("oracle");
        QFile file(QString(STAGECRAFT_TEST_DATA) + "/oracle/profile.json");
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QJsonArray rows = QJsonDocument::fromJson(file.readAll()).object()["rows"].toArray();
        QCOMPARE(rows.size(), 10);
        for (const QJsonValue& row : rows)
            QTest::newRow(qPrintable(row["name"].toString())) << row.toObject();
    }
    void countsAgreeWithTheOracle()
    {
        QFETCH(QJsonObject, oracle);
        const CliRun run = runCli({"info", "--json", example(oracle["name"].toString())});
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const QJsonObject info = run.json();
        QCOMPARE(info["nodes"].toInteger(), oracle["graph_nodes"].toInteger());
        const QJsonObject signature = oracle["signature"].toObject();
        QCOMPARE(info["parameters"].toInteger(), signature["used_parameter_elements"].toInteger());
        QCOMPARE(info["parameter_bytes"].toInteger(), signature["used_parameter_bytes"].toInteger());
        QCOMPARE(info["parameter_tensors"].toInteger(), signature["used_parameters"].toInteger());
        QCOMPARE(info["buffers"].toInteger(), signature["buffers"].toInteger());
        QVERIFY(info["structure_only"].toBool());
    }

    void everyModelWithWeightsOpens_data()
    {
        QTest::addColumn<QString>("model");
        for (const QString& model : modelsWithWeights())
            QTest::newRow(qPrintable(model)) << model;
        QCOMPARE(modelsWithWeights().size(), 20);
    }
    void everyModelWithWeightsOpens()
    {
        QFETCH(QString, model);
        const CliRun run = runCli({"info", "--json", testModel(model)});
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        QVERIFY(!run.json()["structure_only"].toBool());
        QVERIFY(run.json()["parameters"].toInteger() > 0);
    }

    void theTextNamesInputsAndOutputs()
    {
        const CliRun run = runCli({"info", testModel("small/torch-2.14/with-loss-dynamic.pt2")});
        QCOMPARE(run.status, 0);
        QVERIFY2(run.output.contains("ids  i64[s23, 12]"), run.output);
        QVERIFY2(run.output.contains("symbol      s23 from 2 to 4096"), run.output);
    }

    void ofSeveralProgramsOneIsAskedFor()
    {
        const QString file = testModel("made/package/programs.pt2");
        const CliRun which = runCli({"info", file});
        QCOMPARE(which.status, 1);
        QVERIFY2(which.errors.contains("(encoder, decoder); say which"), which.errors);
        for (const char* command : {"info", "print", "graph", "profile", "partition", "analyse"}) {
            QStringList arguments{command, file, "--program", "decoder"};
            if (QByteArray(command) == "partition")
                arguments << "--stages"
                          << "2";
            const CliRun run = runCli(arguments);
            QVERIFY2(run.status == 0, run.errors);
            QVERIFY2(run.output.contains("tanh") || run.output.contains("programs-decoder") ||
                         QByteArray(command) == "partition",
                     run.output);
        }
        QTemporaryDir folder;
        const QString out = folder.filePath("out");
        QCOMPARE(runCli({"export", file, "--program", "encoder", "--stages", "2", "-o", out}).status, 0);
        QCOMPARE(runCli({"verify", file, out, "--program", "encoder"}).status, 0);
        QVERIFY(runCli({"verify", file, out, "--program", "decoder"}).status != 0);
    }

    void sizesThatAreGivenStandEverywhere()
    {
        const QString model = testModel("made/sizes.pt2");
        const CliRun info = runCli({"info", "--json", model, "--bind", "s77=10", "--bind", "s86=3"});
        QCOMPARE(info.status, 0);
        QCOMPARE(info.json()["symbols"].toObject().keys(), QStringList{"u0"});
        QVERIFY2(info.output.contains("f32[40, 2]"), info.output);
        QVERIFY2(!info.output.contains("s77"), info.output);
        const CliRun print = runCli({"print", model, "--bind", "s77=10"});
        QVERIFY2(print.output.contains("f32[s86*5]") || print.output.contains("f32[5*s86]"), print.output);
        const CliRun graph = runCli({"graph", model, "--bind", "s77=10", "--format", "json"});
        QVERIFY2(graph.output.contains("f32[10, 4]"), graph.output);
    }

    // A size that is odd is said in each answer, and in its JSON among the notes.
    void sizesThatAreOddAreNotes()
    {
        const QString model = testModel("small/torch-2.6/skip-dynamic.pt2");
        const QString note = "s0=1 is outside of what the file was exported for";
        const QTemporaryDir folder;
        const QList<QStringList> commands{{"info", model},
                                          {"print", model},
                                          {"profile", model},
                                          {"partition", model, "--stages", "2"},
                                          {"render", model, "-o", folder.filePath("graph.svg")}};
        for (const QStringList& command : commands) {
            const CliRun text = runCli(command + QStringList{"--bind", "s0=1"});
            QCOMPARE(text.status, 0);
            QVERIFY2((text.output + text.errors).contains(note.toUtf8()), qPrintable(command.first()));
            const CliRun json = runCli(command + QStringList{"--bind", "s0=1", "--json"});
            QVERIFY2(QJsonDocument(json.json()["notes"].toArray()).toJson().contains(note.toUtf8()),
                     qPrintable(command.first()));
        }
        const CliRun graph = runCli({"graph", model, "--bind", "s0=1", "--format", "json"});
        QVERIFY(graph.errors.contains(note.toUtf8()));
    }

    void printsTheGraphOfOneModule()
    {
        const CliRun whole = runCli({"print", example("gpt2-tiny")});
        QCOMPARE(whole.status, 0);
        QVERIFY(whole.output.startsWith("graph \"gpt2-tiny\"\n"));
        const CliRun noted = runCli({"print", "--json", testModel("marks/pipe-split-inside.pt2")});
        const QJsonArray notes = QJsonDocument::fromJson(noted.output).object()["notes"].toArray();
        QCOMPARE(notes.size(), 1);
        QVERIFY(notes[0].toString().startsWith("2 pipe_split() stand inside the body"));
        const CliRun part = runCli({"print", example("gpt2-tiny"), "--module", "no.such.module"});
        QCOMPARE(part.status, 2);
        QVERIFY(part.isOneLineError());
    }

    void printsWhatAQueryFinds()
    {
        const CliRun found = runCli({"print", example("gpt2-tiny"), "--find", "op:layer_norm -/_[1-9]$/"});
        QCOMPARE(found.status, 0);
        QVERIFY(found.output.count('\n') > 0);
        QCOMPARE(found.output.count("layer_norm.default"), found.output.count('\n'));
        const CliRun unknown = runCli({"print", example("gpt2-tiny"), "--find", "ops:linear"});
        QCOMPARE(unknown.status, 2);
        QVERIFY(unknown.isOneLineError());
        const CliRun costly =
            runCli({"profile", example("gpt2-tiny"), "--find", "op:layer_norm time>1ns", "--csv"});
        QCOMPARE(costly.status, 0);
        QVERIFY(costly.output.count('\n') > 2);
        const CliRun none = runCli({"profile", example("gpt2-tiny"), "--find", "op:linear time>1h"});
        QCOMPARE(none.status, 2);
        QVERIFY(none.isOneLineError());
    }
};

QTEST_GUILESS_MAIN(TestCliInfo)
#include "tst_cli_info.moc"
