// A plan that was saved: whoever opens it sees the figures that it was saved with, or what is otherwise.
#include "cli/saved_plans.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QtTest>

using namespace stagecraft::test;

class TestCliPlanFiles : public QObject
{
    Q_OBJECT

private:
    // For two kinds of devices and nothing that is usual.
    static CliRun save(const QString& plan)
    {
        return savePlan(plan, {"--json", "--device", "h100-sxm", "--stage-device", "2=t4", "--precision",
                               "bf16", "--optimizer", "sgd", "--master-weights", "--microbatches", "6"});
    }
    // Figures that depend on what the plan was made for; no times of the search.
    static QJsonObject figures(const CliRun& run)
    {
        QJsonObject json = run.json();
        for (const char* name :
             {"solve_s", "cut_short", "bound_s", "bound_kind", "gap", "proven", "iteration_bound_s", "notes"})
            json.remove(name);
        return json;
    }
    static void change(const QString& plan, const QByteArray& from, const QByteArray& to)
    {
        QByteArray text = contentOf(plan);
        QVERIFY(text.contains(from));
        QFile file(plan);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text.replace(from, to));
    }

private slots:
    void aPlanIsOpenedWithItsFigures()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        const CliRun saved = save(plan);
        QVERIFY2(saved.status == 0, saved.errors);
        const CliRun opened = runCli({"partition", "--json", plannedModel(), "--plan", plan});
        QVERIFY2(opened.status == 0, opened.errors);
        QVERIFY2(!opened.errors.contains("the plan was made"), opened.errors);
        QVERIFY(!figures(saved)["stages"].toArray().isEmpty());
        QCOMPARE(figures(opened), figures(saved));
    }

    void whatIsGivenHoldsAndIsSaid()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        const CliRun saved = save(plan);
        const CliRun other = runCli({"partition", "--json", plannedModel(), "--plan", plan, "--device", "l4",
                                     "--precision", "exported"});
        QVERIFY2(other.status == 0, other.errors);
        QVERIFY2(other.errors.contains("note: --device l4 is taken; the plan was made for h100-sxm\n"),
                 other.errors);
        QVERIFY2(other.errors.contains("note: --precision exported is taken; the plan was made for bf16\n"),
                 other.errors);
        QVERIFY(figures(other) != figures(saved));
        // What it is without a plan file's word: the same stages for the same devices.
        const QString again = folder.filePath("again.stagecraft");
        QCOMPARE(runCli({"partition", plannedModel(), "--plan", plan, "--device", "l4", "--precision",
                         "exported", "-o", again})
                     .status,
                 0);
        QCOMPARE(figures(runCli({"partition", "--json", plannedModel(), "--plan", again})), figures(other));
        const CliRun same = runCli({"partition", "--json", plannedModel(), "--plan", plan, "--device",
                                    "h100-sxm", "--optimizer", "sgd"});
        QVERIFY2(!same.errors.contains("is taken"), same.errors);
        QCOMPARE(figures(same), figures(saved));
    }

    // Also its links, and the limit where all stages are back on one device.
    void anotherDeviceIsTakenWhole()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        const QStringList cut{"partition", "--json", example("gpt2"), "--split-before",
                              "model.transformer.h.6"};
        QCOMPARE(runCli(cut + QStringList{"-o", plan}).status, 0);
        const QStringList opened{"partition", "--json", example("gpt2"), "--plan", plan};
        const CliRun small = runCli(opened + QStringList{"--device", "t4"});
        QVERIFY2(small.status == 0, small.errors);
        QCOMPARE(figures(small), figures(runCli(cut + QStringList{"--device", "t4"})));
        const QString kinds = folder.filePath("kinds.stagecraft");
        QCOMPARE(runCli(opened + QStringList{"--stage-device", "1=t4", "-o", kinds}).status, 0);
        const CliRun back = runCli(
            {"partition", "--json", example("gpt2"), "--plan", kinds, "--stage-device", "1=a100-sxm-80gb"});
        QVERIFY2(back.status == 0, back.errors);
        QCOMPARE(figures(back), figures(runCli(cut)));
    }

    void anotherScheduleHasItsObjective()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(runCli({"partition", plannedModel(), "--stages", "4", "-o", plan}).status, 0);
        const auto objective = [&](const QStringList& more) {
            return runCli(QStringList{"partition", "--json", plannedModel(), "--plan", plan} + more)
                .json()["objective"]
                .toString();
        };
        QCOMPARE(objective({"--schedule", "zbv"}), QString("iteration"));
        QCOMPARE(objective({"--schedule", "zbv", "--objective", "sum"}), QString("sum"));
        QCOMPARE(objective({}), QString("sum"));
    }

    void autoIsChosenForTheLimitThatIsGiven()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(saveAutoPlan(plan).status, 0);
        const auto again = [&](const QStringList& more) {
            const CliRun run =
                runCli(QStringList{"partition", "--json", plannedModel(), "--plan", plan} + more);
            const bool isNew = run.errors.contains("is chosen anew");
            double seconds = 0;
            for (const QJsonValue stage : run.json()["stages"].toArray())
                seconds += stage["recomputed_s"].toDouble();
            return QString(seconds > 0 ? "recomputes" : "nothing") + (isNew ? ", said" : "");
        };
        QCOMPARE(again({"--memory-limit", "80GB"}), QString("nothing, said"));
        QCOMPARE(again({"--memory-limit", "80GB", "--recompute", "plan"}), QString("recomputes"));
        QCOMPARE(again({"--memory-limit", "80GB", "--recompute", "auto"}), QString("nothing"));
        QCOMPARE(again({"--memory-limit", "4000000"}), QString("recomputes"));
    }

    void regionsOfNoPlanAreRefused()
    {
        for (const char* policy : {"plan", "plan,1:full"}) {
            const CliRun run = runCli({"partition", plannedModel(), "--stages", "3", "--recompute", policy});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.errors.contains("there is no plan whose regions are meant"), run.errors);
        }
    }

    void anUnknownDeviceIsSaid()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(save(plan).status, 0);
        change(plan, "\"h100-sxm\"", "\"acme-x1\"");
        const CliRun opened = runCli({"partition", "--json", plannedModel(), "--plan", plan});
        QVERIFY2(opened.status == 0, opened.errors);
        QVERIFY2(opened.errors.contains("('acme-x1'), which is not known here: its figures are those of "
                                        "NVIDIA A100 SXM 80GB ('a100-sxm-80gb') instead"),
                 opened.errors);
        change(plan, "\"acme-x1\"", "\"h100-sxm\"");
        change(plan, "\"t4\"", "\"acme-x2\"");
        const CliRun kinds = runCli({"partition", "--json", plannedModel(), "--plan", plan});
        QVERIFY2(
            kinds.errors.contains("note: stage 3 ran on NVIDIA T4 16GB ('acme-x2'), which is not known here"),
            kinds.errors);
    }

    void profilesAndSchedulesAreOfThePlan()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(save(plan).status, 0);
        const QJsonObject profile =
            runCli({"profile", "--json", "--by", "stage", "--plan", plan, plannedModel()}).json();
        const QJsonObject asked = runCli({"profile", "--json", "--device", "h100-sxm", "--precision", "bf16",
                                          "--optimizer", "sgd", "--master-weights", plannedModel()})
                                      .json();
        QCOMPARE(profile["device"], asked["device"]);
        QCOMPARE(profile["totals"], asked["totals"]);
        const CliRun given = runCli(
            {"profile", "--json", "--by", "stage", "--plan", plan, "--optimizer", "adamw", plannedModel()});
        QVERIFY2(given.errors.contains("note: --optimizer adamw is taken; the plan was made for sgd"),
                 given.errors);
        QVERIFY(given.json()["totals"] != asked["totals"]);
        const double step =
            runCli({"partition", "--json", "--plan", plan, plannedModel()}).json()["iteration_s"].toDouble();
        const CliRun schedule = runCli({"schedule", "--json", plannedModel(), plan});
        const double simulated = schedule.json()["otherData"].toObject()["step_s"].toDouble();
        QVERIFY2(qAbs(simulated - step) < 1e-6 * step, qPrintable(QString::number(simulated)));
    }

    // As a shell gives one: `--plan <(...)`.
    void aPlanMayComeThroughAPipe()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        QCOMPARE(save(plan).status, 0);
        for (const QStringList& command :
             {QStringList{"export", plannedModel(), "-o", folder.filePath("stages")},
              QStringList{"partition", plannedModel()},
              QStringList{"profile", plannedModel(), "--by", "stage"},
              QStringList{"report", plannedModel(), "-o", folder.filePath("report.html")}}) {
            QProcess process;
            process.setStandardInputFile("/dev/null");
            process.start("/bin/bash", QStringList{"-c", "plan=$1; shift; \"$@\" --plan <(cat \"$plan\")",
                                                   "bash", plan, STAGECRAFT_CLI} +
                                           command);
            QVERIFY(process.waitForFinished(600'000));
            QVERIFY2(process.exitCode() == 0, process.readAllStandardError());
        }
    }

    // What the stages do is made from the policy, unless the file's own regions are asked for.
    void regionsThatWereChangedByHandAreNotLostUnsaid()
    {
        const QTemporaryDir folder;
        const QString plan = folder.filePath("p.stagecraft");
        const QString again = folder.filePath("again.stagecraft");
        const auto sizes = [](const QString& file) {
            QList<qsizetype> counts;
            for (const QJsonValue& region :
                 QJsonDocument::fromJson(contentOf(file)).object()["recompute_regions"].toArray())
                counts << region["nodes"].toArray().size();
            return counts;
        };
        QCOMPARE(savePlan(plan, {"--recompute", "full,0:none"}).status, 0);
        const QList<qsizetype> planned = sizes(plan);
        const char* const said =
            "the plan's recompute_regions are not those of its policy (full,0:none), which "
            "makes them anew; --recompute plan keeps them";
        const CliRun unchanged = runCli({"partition", plannedModel(), "--plan", plan, "-o", again});
        QVERIFY2(unchanged.status == 0 && !unchanged.errors.contains(said), unchanged.errors);
        QCOMPARE(sizes(again), planned);

        QJsonObject json = QJsonDocument::fromJson(contentOf(plan)).object();
        QJsonArray regions = json["recompute_regions"].toArray();
        QVERIFY(!regions.isEmpty());
        regions.removeLast();
        json["recompute_regions"] = regions;
        QFile file(plan);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(json).toJson());
        file.close();
        const CliRun anew = runCli({"partition", plannedModel(), "--plan", plan, "-o", again});
        QVERIFY2(anew.errors.contains(said), anew.errors);
        QCOMPARE(sizes(again), planned);
        const CliRun kept =
            runCli({"partition", plannedModel(), "--plan", plan, "--recompute", "plan", "-o", again});
        QVERIFY2(kept.status == 0 && !kept.errors.contains(said), kept.errors);
        QCOMPARE(sizes(again), planned.first(planned.size() - 1));
    }

    void stagesOnAnotherDeviceAreSlower()
    {
        const auto stages = [](const QStringList& more) {
            const CliRun run = runCli(QStringList{"partition", "--json", example("gpt2"), "--device",
                                                  "h100-sxm", "--split-before", "model.transformer.h.1"} +
                                      more);
            return run.json()["stages"].toArray();
        };
        const QJsonArray alike = stages({});
        const QJsonArray kinds = stages({"--stage-device", "1=t4"});
        QCOMPARE(alike.size(), 2);
        QCOMPARE(kinds[0].toObject()["forward_s"], alike[0].toObject()["forward_s"]);
        const auto step = [](const QString& device) {
            double sum = 0;
            const CliRun run = runCli({"profile", "--json", example("gpt2"), "--device", device});
            for (const QJsonValue& node : run.json()["nodes"].toArray())
                sum += node["time_forward_s"].toDouble() + node["time_backward_s"].toDouble();
            return sum;
        };
        const double ratio = step("t4") / step("h100-sxm");
        const double slower =
            kinds[1].toObject()["forward_s"].toDouble() / alike[1].toObject()["forward_s"].toDouble();
        QVERIFY2(ratio > 1.02 && qAbs(slower - ratio) < 1e-6 * ratio, qPrintable(QString::number(slower)));
        for (const char* wrong : {"4=t4", "t4", "1=", "1=nothing"}) {
            const CliRun run =
                runCli({"partition", plannedModel(), "--stages", "2", "--stage-device", wrong});
            QCOMPARE(run.status, 2);
            QVERIFY2(run.isOneLineError() && run.errors.contains("--stage-device"), run.errors);
        }
    }
};

QTEST_GUILESS_MAIN(TestCliPlanFiles)
#include "tst_cli_plan_files.moc"
