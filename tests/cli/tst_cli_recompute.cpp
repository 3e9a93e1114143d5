// What backward runs again is said by every command, and is the same in all of them.
#include "cli/saved_plans.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace stagecraft::test;

class TestCliRecompute : public QObject
{
    Q_OBJECT

private:
    static QJsonValue dataOf(const QByteArray& page)
    {
        const QByteArray begin = "<script type=\"application/json\" id=\"report-data\">";
        const qsizetype from = page.indexOf(begin) + begin.size();
        return QJsonDocument::fromJson(page.mid(from, page.indexOf("</script>", from) - from)).object();
    }
    static double most(const QJsonArray& rows, const char* field)
    {
        double found = 0;
        for (const QJsonValue row : rows)
            found = std::max(found, row[field].toDouble());
        return found;
    }

private slots:
    void everyCommandSaysTheSame()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(saveAutoPlan(plan).status, 0);
        const QJsonObject partition = runCli(partitionOf({"--json", "--plan", plan})).json();
        const QJsonArray said = partition["recomputation"].toArray();
        const QJsonArray without =
            runCli(partitionOf({"--json", "--plan", plan, "--recompute", "none"})).json()["stages"].toArray();
        QCOMPARE(said.size(), 3);
        QVERIFY(most(said, "flops_recomputed") > 0);
        for (int i = 0; i < 3; ++i) {
            const QJsonValue stage = partition["stages"][i];
            QCOMPARE(said[i]["stage"].toInt(), i);
            for (const char* figure : {"saved_bytes", "in_flight", "recomputed_s"})
                QCOMPARE(said[i][figure], stage[figure]);
            QCOMPARE(said[i]["saved_without_bytes"], without[i]["saved_bytes"]);
            QVERIFY(said[i]["kept_nodes"].toInt() <= said[i]["region_nodes"].toInt());
        }
        const QJsonObject schedule = runCli({"schedule", "--json", plannedModel(), plan}).json();
        QCOMPARE(schedule["otherData"]["recomputation"].toArray(), said);
        const QString page = folder.filePath("r.html");
        QCOMPARE(runCli({"report", plannedModel(), "--plan", plan, "-o", page}).status, 0);
        QCOMPARE(dataOf(contentOf(page))["recomputation"].toArray(), said);
        const QJsonObject profile =
            runCli({"profile", "--json", plannedModel(), "--by", "stage", "--plan", plan}).json();
        const QJsonArray profiled = profile["recomputation"].toArray();
        QCOMPARE(profiled.size(), 3);
        for (int i = 0; i < 3; ++i) {
            for (const char* figure : {"regions", "region_nodes", "kept_nodes", "saved_bytes",
                                       "saved_without_bytes", "transient_bytes"})
                QCOMPARE(profiled[i][figure], said[i][figure]);
            const double time = said[i]["recomputed_s"].toDouble(); // of the stage alone, not of the model
            QVERIFY(qAbs(profiled[i]["recomputed_s"].toDouble() - time) <= 0.02 * time);
            QCOMPARE(profiled[i]["flops_recomputed"].toDouble(),
                     profile["stages"][i]["flops_recomputed"].toDouble());
        }
        const QJsonObject explained =
            runCli(partitionOf({"--json", "--plan", plan, "--explain"})).json()["recomputation"].toObject();
        QCOMPARE(explained["stages"].toArray(), said);
        QCOMPARE(explained["regions"].toArray().size(), [&] {
            int regions = 0;
            for (const QJsonValue stage : said)
                regions += stage["regions"].toInt();
            return regions;
        }());
    }

    // A checkpoint region of the file that a boundary cuts: each stage keeps the inputs of its part.
    void regionsOfTheFileAreCutForAllOfThem()
    {
        const QString file = QString(STAGECRAFT_TEST_DATA) + "/oracle/checkpoints/dropout.pt2";
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        const CliRun cut = runCli({"partition", "--json", file, "--split-before", "matmul_2", "-o", plan});
        QVERIFY2(cut.status == 0, cut.errors);
        QVERIFY2(cut.errors.contains("a checkpoint region is cut by a boundary"), cut.errors);
        QVERIFY2(!cut.errors.contains("counts whole"), cut.errors);
        const QJsonObject opened = runCli({"partition", "--json", file, "--plan", plan}).json();
        for (const char* figure : {"recomputation", "stages", "iteration_s"})
            QCOMPARE(opened[figure], cut.json()[figure]);
        const QJsonArray said = opened["recomputation"].toArray();
        QCOMPARE(said[0]["regions"].toInt() + said[1]["regions"].toInt(), 4); // of three
        const QJsonObject schedule = runCli({"schedule", "--json", file, plan}).json();
        QCOMPARE(schedule["otherData"]["recomputation"].toArray(), said);
        const QJsonObject profile =
            runCli({"profile", "--json", file, "--by", "stage", "--plan", plan}).json();
        const QString page = folder.filePath("r.html");
        QCOMPARE(runCli({"report", file, "--plan", plan, "-o", page}).status, 0);
        QCOMPARE(dataOf(contentOf(page))["recomputation"].toArray(), said);
        for (int i = 0; i < 2; ++i) {
            QCOMPARE(profile["stages"][i]["saved_bytes"], said[i]["saved_bytes"]);
            for (const char* figure :
                 {"regions", "saved_bytes", "saved_without_bytes", "transient_bytes", "flops_recomputed"})
                QCOMPARE(profile["recomputation"][i][figure], said[i][figure]);
        }
        const QJsonObject parted = runCli({"partition", "--json", file, "--plan", plan, "--explain"}).json();
        QCOMPARE(parted["recomputation"]["regions"].toArray().size(), 4);
    }

    // Where memory demands nothing, a plan under auto has no regions; it is a plan all the same.
    void plansThatChoseNothingAreProfiled()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        for (const char* policy : {"auto", "auto,1:none"}) {
            QCOMPARE(savePlan(plan, {"--recompute", policy, "--memory-limit", "80GB"}).status, 0);
            const QStringList profile{"profile", "--json", plannedModel(), "--by", "stage", "--plan", plan};
            const CliRun run = runCli(profile);
            QVERIFY2(run.status == 0, run.errors);
            QVERIFY(run.json()["recomputation"].isNull());
            QCOMPARE(run.json()["totals"],
                     runCli(profile + QStringList{"--recompute", "none"}).json()["totals"]);
        }
        const CliRun asked =
            runCli({"profile", plannedModel(), "--by", "stage", "--plan", plan, "--recompute", "auto"});
        QVERIFY2(asked.status == 2 && asked.errors.contains("needs a plan"), asked.errors);
    }

    void textsSayItWhereSomethingIs()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(saveAutoPlan(plan).status, 0);
        for (const QString policy : {"plan", "none"}) {
            const bool isSaid = policy == "plan";
            const QStringList commands[] = {
                partitionOf({"--plan", plan}),
                {"schedule", plannedModel(), plan},
                {"profile", plannedModel(), "--by", "stage", "--plan", plan},
            };
            for (const QStringList& command : commands) {
                const CliRun run = runCli(command + QStringList{"--recompute", policy});
                QVERIFY2(run.status == 0, run.errors);
                QVERIFY2(run.output.contains("FLOPs again") == isSaid, run.output);
                QVERIFY2(run.output.contains("instead of") == isSaid, run.output);
            }
            const QString page = folder.filePath("r.html");
            QCOMPARE(
                runCli({"report", plannedModel(), "--plan", plan, "-o", page, "--recompute", policy}).status,
                0);
            const QByteArray html = contentOf(page);
            QCOMPARE(html.contains("<table id=\"recomputed-table\""), isSaid);
            QCOMPARE(html.contains("FLOPs again"), isSaid);
        }
    }

    void nothingIsRecomputedWithoutABackwardPass()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(savePlan(plan, {"--recompute", "full"}).status, 0);
        const QStringList commands[] = {
            {"partition", plannedModel()},
            {"partition", plannedModel(), "--plan", plan},
            {"partition", plannedModel(), "--trade-offs", "--time-limit", "1"},
            {"partition", plannedModel(), "--curve", "--most-stages", "2", "--time-limit", "1"},
            {"profile", plannedModel()},
            {"profile", plannedModel(), "--by", "stage", "--plan", plan},
            {"schedule", plannedModel()},
            {"report", plannedModel(), "-o", folder.filePath("r.html")},
            {"export", plannedModel(), "-o", folder.filePath("stages")},
            {"export", plannedModel(), "-o", folder.filePath("planned"), "--plan", plan},
        };
        const QByteArray why = "is left out: without a backward pass (--mode infer) nothing is recomputed";
        for (const QStringList& command : commands) {
            for (const QString policy : {"full", "none"}) {
                const CliRun run = runCli(command + QStringList{"--mode", "infer", "--recompute", policy});
                QVERIFY2(run.status == 0, run.errors);
                QVERIFY2(run.errors.contains("note: --recompute full " + why) == (policy == "full"),
                         command.join(' ').toUtf8() + run.errors);
            }
        }
        const CliRun saved = runCli(partitionOf({"--plan", plan, "--mode", "infer"}));
        QVERIFY2(saved.errors.contains("the plan's recomputation (full) " + why), saved.errors);
        const auto peak = [&](const char* policy) {
            const QJsonValue bytes =
                runCli({"profile", "--json", plannedModel(), "--mode", "infer", "--recompute", policy})
                    .json()["totals"]
                    .toObject()["peak_bytes"];
            return bytes.toDouble();
        };
        QCOMPARE(peak("full"), peak("none"));
        QVERIFY(!contentOf(folder.filePath("stages/stage_0.py")).contains("checkpoint("));
        QCOMPARE(runCli({"profile", plannedModel(), "--mode", "infer", "--recompute", "ful"}).status, 2);
    }

    void tradeOffsAreWithAndWithout()
    {
        const QStringList asked{"--json", "--trade-offs", "--stages", "3", "--time-limit", "12"};
        const CliRun none = runCli(partitionOf(asked));
        QVERIFY2(none.status == 0, none.errors);
        for (const QString policy : {"auto", "full"}) {
            const CliRun run = runCli(partitionOf(asked + QStringList{"--recompute", policy}));
            QVERIFY2(run.status == 0, run.errors);
            const QJsonArray plans = run.json()["plans"].toArray();
            double least = 1e18;
            double fastest = 1e18;
            QStringList policies;
            for (const QJsonValue plan : plans) {
                policies << plan["recompute"].toString();
                QCOMPARE(plan["recomputed_share"].toDouble() > 0, policies.back() != "none");
                least = std::min(least, plan["peak_bytes"].toDouble());
                fastest = std::min(fastest, plan["iteration_s"].toDouble());
                QVERIFY(plan["iteration_bound_s"].toDouble() <= plan["iteration_s"].toDouble() * 1.000001);
                QVERIFY(plan["bound_s"].toDouble() <= plan["bottleneck_s"].toDouble() * 1.000001);
            }
            QVERIFY2(policies.contains("none") && policies.contains(policy), qPrintable(policies.join(' ')));
            double leastWithout = 1e18;
            for (const QJsonValue plan : none.json()["plans"].toArray()) {
                QVERIFY(plan["recompute"].isNull());
                leastWithout = std::min(leastWithout, plan["peak_bytes"].toDouble());
            }
            QVERIFY(least < leastWithout);
            const QByteArray text = runCli(partitionOf({"--trade-offs", "--stages", "3", "--time-limit", "6",
                                                        "--recompute", policy}))
                                        .output;
            QVERIFY2(text.contains("run again") && text.contains("nothing recomputed, "), text);
        }
    }

    // Also what no plan without recomputation fits into, and no plan with every block of it beats auto.
    void tradeOffsWithinALimitSayWhatDoesNotFit()
    {
        const CliRun run = runCli(partitionOf({"--json", "--trade-offs", "--stages", "3", "--time-limit",
                                               "12", "--memory-limit", "4000000", "--recompute", "auto"}));
        QVERIFY2(run.status == 0, run.errors);
        QVERIFY2(run.errors.contains("note: nothing recomputed: no plan was found in 3 stages"), run.errors);
        bool hasChosen = false;
        for (const QJsonValue plan : run.json()["plans"].toArray()) {
            QVERIFY(plan["peak_bytes"].toDouble() <= 4000000);
            hasChosen = hasChosen || plan["recompute"] == "auto";
        }
        QVERIFY(hasChosen);
    }

    void anExportChoosesAnewAndSaysWhatDoesNotFit()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(saveAutoPlan(plan).status, 0);
        const auto exported = [&](const QStringList& more) {
            const CliRun run = runCli(QStringList{"export", plannedModel(), "--plan", plan, "-o",
                                                  folder.filePath("stages"), "--formats", "python"} +
                                      more);
            return QString(run.status != 0                         ? "fails"
                           : run.errors.contains("is chosen anew") ? "anew"
                                                                   : "as it is") +
                   (run.errors.contains("does not fit into memory: stage 1 holds ") ? ", too large" : "");
        };
        QCOMPARE(exported({}), QString("as it is"));
        QCOMPARE(exported({"--microbatches", "8"}), QString("as it is"));
        QCOMPARE(exported({"--microbatches", "32"}), QString("anew, too large"));
        QCOMPARE(exported({"--memory-limit", "80GB"}), QString("anew"));
        QVERIFY(!contentOf(folder.filePath("stages/stage_0.py")).contains("checkpoint("));
        QCOMPARE(exported({"--microbatches", "32", "--recompute", "plan"}), QString("as it is"));
        QVERIFY(contentOf(folder.filePath("stages/stage_0.py")).contains("checkpoint("));
    }

    // 3.7 MB are too few for the cuts of the plan, whatever is recomputed in them.
    void limitsThatOtherCutsKeepAreKept()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(savePlan(plan, {"--device", "h100-sxm"}).status, 0);
        const QStringList improve{"--json", "--plan",       plan, "--improve",     "--recompute",
                                  "auto",   "--time-limit", "12", "--memory-limit"};
        const CliRun run = runCli(partitionOf(improve + QStringList{"3800000"}));
        QVERIFY2(run.status == 0, run.errors);
        QVERIFY(run.json()["fits"].toBool());
        QVERIFY(most(run.json()["stages"].toArray(), "peak_bytes") <= 3800000);
        const CliRun kept = runCli(partitionOf(improve + QStringList{"4000000", "--keep-boundary", "0"}));
        QVERIFY2(kept.status == 0, kept.errors);
        QVERIFY(kept.json()["fits"].toBool());
        const CliRun small = runCli(partitionOf(improve + QStringList{"2800000"}));
        QCOMPARE(small.status, 1);
        QVERIFY2(small.errors.contains("keeps the memory limits, whatever is recomputed"), small.errors);
    }

    void notesOnThePlanStay()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(savePlan(plan, {}).status, 0);
        const CliRun run =
            runCli(partitionOf({"--plan", plan, "--improve", "--recompute", "auto", "--device", "h100-sxm",
                                "--memory-limit", "3900000", "--time-limit", "6"}));
        QVERIFY2(run.status == 0, run.errors);
        QVERIFY2(run.errors.contains("--device h100-sxm is taken"), run.errors);
        QCOMPARE(run.errors.count("is taken"), 1);
    }
};

QTEST_GUILESS_MAIN(TestCliRecompute)
#include "tst_cli_recompute.moc"
