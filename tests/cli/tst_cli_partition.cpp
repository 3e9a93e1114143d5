#include "cli/cli_run.h"

#include <QFile>
#include <QJsonArray>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

using namespace stagecraft::test;

class TestCliPartition : public QObject
{
    Q_OBJECT

private slots:
    // One public instance end to end; the room's own tests hold all of them.
    void findsThePublishedOptimum_data()
    {
        QTest::addColumn<QStringList>("flags");
        QTest::addColumn<double>("optimum");
        QTest::newRow("compute") << QStringList{"--objective", "compute"} << 84.1055;
        QTest::newRow("direct") << QStringList{"--objective", "sum", "--send", "direct"} << 108.0442;
        QTest::newRow("relay") << QStringList{"--objective", "sum", "--send", "relay"} << 184.6108;
    }
    void findsThePublishedOptimum()
    {
        QFETCH(QStringList, flags);
        QFETCH(double, optimum);
        const CliRun run =
            runCli(QStringList{"partition", "--json", "--stages", "8", "--time-limit", "10",
                               QString(STAGECRAFT_TEST_DATA) + "/partition/bert12-ops-inference.json"} +
                   flags);
        QCOMPARE(run.errors, QByteArray());
        QCOMPARE(run.status, 0);
        const double found = run.json()["bottleneck_s"].toDouble();
        QVERIFY2(qAbs(found - optimum) < 1e-3, qPrintable(QString::number(found)));
        QVERIFY(run.json()["bound_s"].toDouble() <= found * (1 + 1e-9));
    }

    // A model that calls pipe_split() is cut there, unless something else is said.
    void marksOfTheModelAreBoundaries()
    {
        const QString model = testModel("marks/pipe-split.pt2");
        const CliRun usual = runCli({"partition", "--json", model});
        QVERIFY2(usual.status == 0, usual.errors);
        QVERIFY2(usual.errors.contains("split at the model's 2 marks"), usual.errors);
        const QJsonArray stages = usual.json()["stages"].toArray();
        QCOMPARE(stages.size(), 3);
        QCOMPARE(stages[1].toObject()["node_names"].toArray(), QJsonArray({"linear_2", "abs_1", "mean"}));
        QJsonObject asked = runCli({"partition", "--json", "--split-at-marks", model}).json();
        for (const auto& note : asked["notes"].toArray())
            QVERIFY2(!note.toString().contains("marks"), qPrintable(note.toString()));
        asked["notes"] = usual.json()["notes"];
        QCOMPARE(asked, usual.json());
        const CliRun beside =
            runCli({"partition", "--json", "--split-at-marks", "--split-before", "head", model});
        QCOMPARE(beside.json()["stages"].toArray().size(), 4);
        const CliRun searched = runCli({"partition", "--json", "--stages", "2", model});
        QCOMPARE(searched.json()["stages"].toArray().size(), 2);
        QVERIFY2(searched.errors.contains("the model's 2 marks (pipe_split) are not followed"),
                 searched.errors);
        const CliRun without = runCli({"partition", "--split-at-marks", testModel("tiny/gpt2-tiny.pt2")});
        QCOMPARE(without.status, 2);
        QVERIFY2(without.isOneLineError() && without.errors.contains("the model has no marks"),
                 without.errors);
    }

    // No stage ends in the body of a cond: such marks are left out, and that is said.
    void marksInsideAnOperatorAreToldOf()
    {
        const QString model = testModel("marks/pipe-split-inside.pt2");
        for (const char* command : {"partition", "info"}) {
            const CliRun run = runCli({command, "--json", model});
            QVERIFY2(run.status == 0, run.errors);
            QVERIFY2(
                (run.errors + run.output).contains("2 pipe_split() stand inside the body of an operator"),
                run.errors);
        }
        const CliRun run = runCli({"partition", "--json", model});
        QCOMPARE(run.json()["stages"].toArray().size(), 2);
    }

    // Whoever keeps the document alone still has what was said beside it.
    void notesAreInTheDocument_data()
    {
        QTest::addColumn<QString>("command");
        QTest::newRow("plan") << "partition --stages 2";
        QTest::newRow("advice") << "partition --stages 2 --explain";
        QTest::newRow("curve") << "partition --curve --most-stages 2 --recompute auto";
        QTest::newRow("trade-offs") << "partition --trade-offs --stages 2";
        QTest::newRow("profile") << "profile --by stage --plan PLAN --recompute full";
    }
    void notesAreInTheDocument()
    {
        QFETCH(QString, command);
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QStringList words = command.split(' ') + QStringList{"--json", "--time-limit", "5"};
        if (words.contains("PLAN")) {
            QCOMPARE(
                runCli({"partition", testModel("tiny/gpt2-tiny.pt2"), "--stages", "2", "-o", plan}).status,
                0);
            words =
                words.replaceInStrings("PLAN", plan).first(words.size() - 2) + QStringList{"--device", "t4"};
        } else {
            words << "--send"
                  << "direct"
                  << "--schedule"
                  << "gpipe";
        }
        const CliRun run = runCli(words + QStringList{testModel("tiny/gpt2-tiny.pt2")});
        QVERIFY2(run.status == 0, run.errors);
        QByteArray said;
        for (const QJsonValue note : run.json()["notes"].toArray())
            said += "note: " + note.toString().toUtf8() + '\n';
        QVERIFY2(!run.errors.isEmpty(), "the command is to say something");
        for (const QByteArray& line : run.errors.trimmed().split('\n'))
            QVERIFY2(said.contains(line + '\n'), line + " is not in " + said);
    }

    void aPlanTellsThatItsModelHasChanged()
    {
        const QTemporaryDir folder;
        const QString model = folder.filePath("m.pt2"), plan = folder.filePath("p.stagecraft");
        QVERIFY(QFile::copy(testModel("small/torch-2.6/skip-static.pt2"), model));
        QCOMPARE(runCli({"partition", model, "--stages", "2", "-o", plan}).status, 0);
        const QByteArray note = "is not what it was when the plan was saved";
        const QList<QStringList> readers{{"schedule", model, plan},
                                         {"export", model, "--plan", plan, "-o", folder.filePath("out")},
                                         {"profile", model, "--by", "stage", "--plan", plan}};
        const auto check = [&](bool changed) {
            for (const QStringList& reader : readers) {
                const CliRun run = runCli(reader);
                QVERIFY2(run.status == 0, run.errors);
                QVERIFY2(run.errors.count(note) == (changed ? 1 : 0), run.errors);
            }
        };
        check(false);
        // Exported again, by another version of PyTorch: the plan still fits.
        QFile::remove(model);
        QVERIFY(QFile::copy(testModel("small/torch-2.14/skip-static.pt2"), model));
        check(true);
        // Plans of earlier versions have the sum of the whole file alone.
        QFile saved(plan);
        QVERIFY(saved.open(QIODevice::ReadOnly));
        QJsonObject json = QJsonDocument::fromJson(saved.readAll()).object();
        saved.close();
        QJsonObject of = json["model"].toObject();
        QVERIFY(!of.take("fingerprint").toString().isEmpty());
        json["model"] = of;
        QVERIFY(saved.open(QIODevice::WriteOnly | QIODevice::Truncate));
        saved.write(QJsonDocument(json).toJson());
        saved.close();
        check(true);
    }

    void everyPlanOfAModelShowsItsGap()
    {
        const CliRun run = runCli({"partition", "--json", example("gpt2"), "--stages", "4"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonObject plan = run.json();
        QCOMPARE(plan["stages"].toArray().size(), 4);
        for (const char* field : {"bottleneck_s", "bound_s", "gap", "iteration_s", "bubble", "solve_s"})
            QVERIFY2(plan[field].isDouble(), field);
        QVERIFY(plan["bound_kind"].isString());
        QVERIFY(plan["gap"].toDouble() < 0.05);
    }

    // How many of the blocks of GPT-2 a plan cuts, by the names of their nodes.
    static int blocksCutBy(const QStringList& flags)
    {
        const CliRun run =
            runCli(QStringList{"partition", "--json", example("gpt2"), "--stages", "4"} + flags);
        if (run.status != 0)
            return -1;
        QHash<QString, qsizetype> stageOf;
        const QJsonArray stages = run.json()["stages"].toArray();
        for (qsizetype stage = 0; stage < stages.size(); ++stage) {
            for (const QJsonValue& name : stages[stage].toObject()["node_names"].toArray())
                stageOf[name.toString()] = stage;
        }
        int cut = 0;
        for (int block = 0; block < 12; ++block) {
            const CliRun printed =
                runCli({"print", example("gpt2"), "--module", QString("model.transformer.h.%1").arg(block)});
            QSet<qsizetype> used;
            for (const QString& line : QString::fromUtf8(printed.output).split('\n')) {
                static const QRegularExpression maker("^%(\\w+) :");
                const QRegularExpressionMatch match = maker.match(line);
                if (match.hasMatch() && stageOf.contains(match.captured(1)))
                    used.insert(stageOf[match.captured(1)]);
            }
            if (used.isEmpty())
                return -1;
            cut += used.size() > 1 ? 1 : 0;
        }
        return cut;
    }
    void modulesCanBeKeptWholeByClassAndDepth()
    {
        QVERIFY(blocksCutBy({}) > 0); // the best plan does not care for blocks
        QCOMPARE(blocksCutBy({"--keep-class", "GPT2Block"}), 0);
        QCOMPARE(blocksCutBy({"--keep-depth", "4"}), 0);
        QCOMPARE(blocksCutBy({"--keep-together", "model.transformer.h.2", "--keep-class", "GPT2Block"}), 0);
    }

    void theScheduleOfAPlanCanBeSeenAndTraced()
    {
        const QTemporaryDir folder;
        const QString plan = folder.path() + "/plan.stagecraft", trace = folder.path() + "/trace.json";
        QCOMPARE(runCli({"partition", example("gpt2"), "--stages", "4", "-o", plan}).status, 0);
        const CliRun run = runCli({"schedule", example("gpt2"), plan, "--trace", trace});
        QVERIFY2(run.status == 0, run.errors);
        QVERIFY(run.output.count('\n') >= 4);
        QFile file(trace);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(QJsonDocument::fromJson(file.readAll()).object()["traceEvents"].toArray().size() > 4 * 8);
        // The same cuts under another schedule; but not other cuts.
        const auto step = [&](const QStringList& more) {
            const CliRun other = runCli(QStringList{"schedule", "--json", example("gpt2"), plan} + more);
            return other.json()["otherData"].toObject()["step_s"].toDouble();
        };
        QVERIFY(step({"--microbatches", "16"}) > 1.5 * step({}));
        QVERIFY(step({"--schedule", "zb1p"}) < step({"--schedule", "gpipe"}));
        const CliRun both = runCli({"schedule", example("gpt2"), plan, "--stages", "2"});
        QCOMPARE(both.status, 2);
        QVERIFY2(both.isOneLineError() && both.errors.contains("already says where to cut"), both.errors);
    }

    void theScheduleGoesOutAndComesBackAsCsv()
    {
        const QTemporaryDir folder;
        const QString csv = folder.path() + "/schedule.csv";
        const QStringList plan{"schedule", example("gpt2"), "--stages", "4"};
        const CliRun out = runCli(plan + QStringList{"--schedule", "zb1p", "--export-csv", csv});
        QVERIFY2(out.status == 0, out.errors);
        QVERIFY(out.output.contains("critical path"));
        QVERIFY(out.output.contains("\ntimes: estimated, "));
        // The same plan under 1f1b, but run in the order of the file.
        const CliRun back = runCli(plan + QStringList{"--import-csv", csv});
        QVERIFY2(back.status == 0, back.errors);
        QCOMPARE(back.output.left(back.output.indexOf("critical")),
                 out.output.left(out.output.indexOf("critical")));
        const CliRun wrong = runCli({"schedule", example("gpt2"), "--stages", "3", "--import-csv", csv});
        QCOMPARE(wrong.status, 2);
        QVERIFY2(wrong.isOneLineError(), wrong.errors);
        const CliRun directory = runCli(plan + QStringList{"--import-csv", folder.path()});
        QCOMPARE(directory.status, 1);
        QVERIFY2(directory.isOneLineError(), directory.errors);
    }

    void stagesThatShareDevicesAddUp()
    {
        const CliRun run = runCli({"partition", "--json", example("gpt2"), "--stages", "8", "--schedule",
                                   "interleaved", "--stages-per-device", "2", "--time-limit", "2"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonArray stages = run.json()["stages"].toArray(), devices = run.json()["devices"].toArray();
        QCOMPARE(devices.size(), 4);
        double slowest = 0;
        for (int device = 0; device < 4; ++device) {
            const double load = stages[device].toObject()["load_s"].toDouble() +
                                stages[device + 4].toObject()["load_s"].toDouble();
            QVERIFY(qAbs(devices[device].toObject()["load_s"].toDouble() - load) < 1e-9);
            slowest = qMax(slowest, load);
        }
        QVERIFY(qAbs(run.json()["bottleneck_s"].toDouble() - slowest) < 1e-9);
        QVERIFY(run.json()["bound_s"].toDouble() <= slowest);
        const CliRun uneven = runCli({"partition", example("gpt2"), "--stages", "5", "--schedule", "zbv"});
        QCOMPARE(uneven.status, 2);
        QVERIFY2(uneven.isOneLineError(), uneven.errors);
    }

    // Stages = devices x stages per device, and both are in the answer.
    void devicesAreAskedForAndAnswered_data()
    {
        QTest::addColumn<QStringList>("asked");
        QTest::addColumn<int>("stages"); // 0: refused
        QTest::addColumn<int>("devices");
        const auto row = [](const char* asked, int stages, int devices) {
            QTest::newRow(asked) << QString(asked).split(' ') << stages << devices;
        };
        row("--schedule 1f1b", 4, 4);
        row("--schedule interleaved", 8, 4);
        row("--schedule zbv", 8, 4);
        row("--devices 2", 2, 2);
        row("--devices 2 --schedule looped-bfs", 4, 2);
        row("--devices 2 --schedule zb1p --stages-per-device 3", 6, 2);
        row("--devices 2 --stages 6 --schedule interleaved", 6, 2);
        row("--stages 4 --schedule interleaved", 4, 4);
        row("--devices 2 --stages 5 --schedule interleaved", 0, 0);
        row("--devices 2 --stages 4 --schedule 1f1b", 0, 0);
        row("--schedule zbv --stages-per-device 3", 0, 0);
        row("--devices 0", 0, 0);
    }
    void devicesAreAskedForAndAnswered()
    {
        QFETCH(QStringList, asked);
        QFETCH(int, stages);
        QFETCH(int, devices);
        const CliRun run =
            runCli(QStringList{"partition", "--json", example("gpt2-tiny"), "--time-limit", "0.2"} + asked);
        if (stages == 0) {
            QCOMPARE(run.status, 2);
            QVERIFY2(run.isOneLineError(), run.errors);
            return;
        }
        QVERIFY2(run.status == 0, run.errors);
        QCOMPARE(run.json()["stage_count"].toInt(), stages);
        QCOMPARE(run.json()["stages"].toArray().size(), stages);
        QCOMPARE(run.json()["device_count"].toInt(), devices);
        QCOMPARE(run.json()["devices"].toArray().size(), devices);
        QCOMPARE(run.json()["stages_per_device"].toInt(), stages / devices);
    }

    // Whose buffers the peaks count, and which way values go.
    void theRunTimeAndTheWayToSendAreNamed()
    {
        const QStringList command{"partition", "--json", example("gpt2-tiny"), "--stages", "2"};
        const QJsonObject usual = runCli(command).json();
        QCOMPARE(usual["runtime"].toString(), QString("torch-2.14"));
        QCOMPARE(usual["send"].toString(), QString("relay"));
        const QJsonObject other =
            runCli(command + QStringList{"--runtime", "torch-2.14", "--send", "direct"}).json();
        QCOMPARE(other["runtime"].toString(), QString("torch-2.14"));
        QCOMPARE(other["send"].toString(), QString("direct"));
        const QStringList timeline{"schedule", example("gpt2-tiny"), "--stages", "2"};
        QVERIFY(runCli(timeline).output.endsWith("buffers of run-time torch-2.14\n"));
        const CliRun ideal = runCli(timeline + QStringList{"--runtime", "ideal", "--json"});
        QCOMPARE(ideal.json()["otherData"].toObject()["runtime"].toString(), QString("ideal"));
    }

    // As in the window: what the device has beside its driver's context.
    void theLimitThatNobodyGaveIsTheDevices()
    {
        const CliRun devices = runCli({"devices", "--json", "a100-sxm-80gb"});
        QVERIFY2(devices.status == 0, devices.errors);
        const QJsonObject device = devices.json();
        const double beside = device["memory_bytes"].toDouble() - device["context_bytes"].toDouble();
        QVERIFY(device["context_bytes"].toDouble() > 0);
        const CliRun run = runCli({"partition", "--json", example("gpt2-tiny"), "--device", "a100-sxm-80gb"});
        QVERIFY2(run.status == 0, run.errors);
        QCOMPARE(run.json()["stages"][0]["limit_bytes"].toDouble(), beside);
        for (const char* limit : {"3000", "0", "1048575"}) {
            const CliRun few = runCli({"partition", example("gpt2-tiny"), "--memory-limit", limit});
            QCOMPARE(few.status, 2);
            QVERIFY2(few.isOneLineError() && few.errors.contains("GiB"), few.errors);
        }
        const CliRun bare = runCli({"partition", "--json", example("gpt2-tiny"), "--memory-limit", "30"});
        QVERIFY2(bare.status == 0, bare.errors);
        QCOMPARE(bare.json()["stages"][0]["limit_bytes"].toDouble(), 30.0 * 1024 * 1024 * 1024);
    }

    void theCurveHasAPointForEveryNumberOfStages()
    {
        const CliRun run = runCli({"partition", "--json", example("gpt2"), "--curve", "--most-stages", "5"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonArray points = run.json()["points"].toArray();
        QCOMPARE(points.size(), 5);
        for (int i = 0; i < 5; ++i) {
            const QJsonObject point = points[i].toObject();
            QCOMPARE(point["stages"].toInt(), i + 1);
            QVERIFY(point["bound_s"].toDouble() <= point["bottleneck_s"].toDouble() * (1 + 1e-9));
        }
        const CliRun four = runCli({"partition", "--json", example("gpt2"), "--stages", "4"});
        const double best = four.json()["bottleneck_s"].toDouble();
        QVERIFY(qAbs(points[3].toObject()["bottleneck_s"].toDouble() / best - 1) < 1e-3);
        const CliRun asked = runCli({"partition", example("gpt2-tiny"), "--curve", "--stages", "3"});
        QVERIFY2(
            asked.errors.contains("note: the curve is of every number of stages up to 16 (--most-stages); "
                                  "--stages 3 is left out\n"),
            asked.errors);
        const CliRun instance =
            runCli({"partition", QString(STAGECRAFT_TEST_DATA) + "/partition/gnmt-layers-inference.json",
                    "--curve", "--most-stages", "8"});
        QVERIFY2(instance.status == 0, instance.errors);
        QCOMPARE(runCli({"partition", example("gpt2"), "--curve", "-o", "plan.stagecraft"}).status, 2);
        QCOMPARE(runCli({"partition", example("gpt2"), "--curve", "--split-after", "model.transformer.h.3"})
                     .status,
                 2);
    }

    void explainsAPlanMadeByHand()
    {
        const CliRun run = runCli(
            {"partition", "--json", example("gpt2"), "--explain", "--split-after", "model.transformer.h.1"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonArray suggestions = run.json()["suggestions"].toArray();
        QVERIFY(suggestions.size() >= 3);
        QVERIFY(suggestions[0].toObject()["bottleneck_gain_s"].toDouble() > 0);
        QVERIFY(run.json()["reasons"].toArray().size() >= 2);
        const CliRun text = runCli({"partition", example("gpt2"), "--explain", "--stages", "2"});
        QVERIFY2(text.status == 0, text.errors);
        QVERIFY(text.output.contains("what would help") || text.output.contains("no single change helps"));
    }

    void improvesAPlanAroundWhatIsKept()
    {
        const QStringList plan{"partition",
                               "--json",
                               example("gpt2"),
                               "--split-after",
                               "model.transformer.h.1",
                               "--split-after",
                               "model.transformer.h.4"};
        const CliRun before = runCli(plan),
                     kept = runCli(plan + QStringList{"--improve", "--keep-stage", "0"}),
                     free = runCli(plan + QStringList{"--improve"});
        QVERIFY2(before.status == 0 && kept.status == 0 && free.status == 0, kept.errors);
        const auto time = [](const CliRun& run) { return run.json()["bottleneck_s"].toDouble(); };
        QVERIFY(time(free) < time(kept) && time(kept) < time(before));
        const auto first = [](const CliRun& run) -> QJsonValue {
            return run.json()["stages"].toArray()[0].toObject()["node_names"];
        };
        QCOMPARE(first(kept), first(before));
        QVERIFY(first(free) != first(before));
        QCOMPARE(runCli(plan + QStringList{"--keep-stage", "0"}).status, 2);
        QCOMPARE(runCli(plan + QStringList{"--improve", "--keep-stage", "7"}).status, 2);
    }

    void onlyAPlanThatIsThereIsImproved_data()
    {
        QTest::addColumn<QString>("words");
        QTest::addColumn<QString>("error");
        QTest::newRow("a search") << "--stages 2 --improve"
                                  << "--improve goes on from a plan that is there: name it with --plan";
        QTest::newRow("kept of none") << "--stages 2 --keep-boundary 0"
                                      << "say what --improve leaves alone";
        QTest::newRow("a curve") << "--curve --improve"
                                 << "excludes";
        QTest::newRow("trade-offs") << "--trade-offs --improve"
                                    << "excludes";
        QTest::newRow("trade-offs explained") << "--trade-offs --explain"
                                              << "excludes";
    }
    void onlyAPlanThatIsThereIsImproved()
    {
        QFETCH(QString, words);
        QFETCH(QString, error);
        const CliRun run = runCli(QStringList{"partition", example("gpt2-tiny")} + words.split(' '));
        QCOMPARE(run.status, 2);
        QVERIFY2(run.isOneLineError() && run.errors.contains(error.toUtf8()), run.errors);
    }

    void tradeOffsAreNotDominated()
    {
        const CliRun run = runCli(
            {"partition", "--json", example("gpt2"), "--trade-offs", "--stages", "4", "--time-limit", "4"});
        QVERIFY2(run.status == 0, run.errors);
        const QJsonArray plans = run.json()["plans"].toArray();
        QVERIFY(!plans.isEmpty());
        for (const QJsonValue& a : plans) {
            for (const QJsonValue& b : plans) {
                const auto noWorse = [&](const char* field) {
                    return a[field].toDouble() <= b[field].toDouble();
                };
                QVERIFY(a == b ||
                        !(noWorse("iteration_s") && noWorse("peak_bytes") && noWorse("bytes_sent")));
            }
        }
    }

    // What the message says would do is done.
    void aLimitThatIsTooLowNamesOneThatIsNot()
    {
        const QStringList plan{"partition", example("gpt2"), "--stages", "2", "--memory-limit"};
        const CliRun tight = runCli(plan + QStringList{"4GiB"});
        QCOMPARE(tight.status, 1);
        QVERIFY2(tight.isOneLineError(), tight.errors);
        const QRegularExpression said("a limit of ([0-9.]+ [A-Za-z]+)");
        const auto match =
            said.match(QString::fromUtf8(tight.errors.mid(tight.errors.lastIndexOf("; a limit of"))));
        QVERIFY2(match.hasMatch(), tight.errors);
        QCOMPARE(runCli(plan + QStringList{match.captured(1)}).status, 0);
    }

    void thePictureShowsTheStages()
    {
        const QTemporaryDir folder;
        const QString picture = folder.path() + "/graph.svg";
        const CliRun run = runCli({"render", example("gpt2"), "-o", picture, "--depth", "1"});
        QVERIFY2(run.status == 0, run.errors);
        QFile file(picture);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().contains("<svg"));
    }
};

QTEST_GUILESS_MAIN(TestCliPartition)
#include "tst_cli_partition.moc"
