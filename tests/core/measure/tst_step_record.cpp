#include "core/measure/step_record.h"

#include <QTemporaryDir>
#include <QTest>
#include <zlib.h>

#include <fstream>

using namespace stagecraft;

namespace {

const PlannedRun planned{.microbatches = 2, .schedule = "1f1b", .stageOfNode = {{"linear", 0}, {"relu", 1}}};

const char* const bothRanks =
    R"({"format": 1, "schedule": "1f1b", "microbatches": 2, "device": "cpu", "step_s": 0.1,
 "nodes": {"linear": {"stage": 0, "forward": 1e-4, "backward": 2e-4}, "relu": {"forward": 1e-4, "backward": 0}},
 "ranks": [
  {"rank": 0, "stages": [0], "wait_s": 0.02, "slots": [
   {"stage": 0, "microbatch": 1, "action": "F", "start_s": 0.25, "end_s": 0.5}]},
  {"rank": 1, "stages": [1], "wait_s": 0.02, "slots": [
   {"stage": 1, "microbatch": 0, "action": "I", "start_s": 0.5, "end_s": 0.75},
   {"stage": 1, "microbatch": 0, "action": "W", "start_s": 0.75, "end_s": 1}]}],
 "sends": [{"from": 0, "to": 1, "forward_bytes": 400, "backward_bytes": 100, "forward_s": 0.125}]})";

class StepFiles
{
public:
    std::filesystem::path add(const std::string& name, const std::string& text)
    {
        const std::filesystem::path path = m_folder.path().toStdString() + "/" + name;
        std::ofstream(path) << text;
        m_paths.push_back(path);
        return path;
    }
    void addPacked(const std::string& name, const std::string& text)
    {
        m_paths.emplace_back(m_folder.path().toStdString() + "/" + name);
        const gzFile file = gzopen(m_paths.back().c_str(), "wb");
        gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
        gzclose(file);
    }
    Result<StepRecord> read(const PlannedRun& run = planned) const { return readStepRecord(m_paths, run); }
    // Without the folder.
    QString refusal(const PlannedRun& run = planned) const
    {
        const Result<StepRecord> record = read(run);
        return record.has_value()
                   ? QString()
                   : QString::fromStdString(record.error().message).remove(m_folder.path() + "/");
    }

private:
    QTemporaryDir m_folder;
    std::vector<std::filesystem::path> m_paths;
};

QString refusalOf(const std::string& text, const PlannedRun& run = planned)
{
    StepFiles files;
    files.add("times.json", text);
    return files.refusal(run);
}

// The text with one of its parts replaced.
std::string with(const std::string& part, const std::string& other)
{
    std::string text = bothRanks;
    const std::size_t place = text.find(part);
    return place == std::string::npos ? "" : text.replace(place, part.size(), other);
}

std::string entry(const std::string& category, const std::string& name, double start, double duration,
                  const std::string& more = "{}")
{
    return R"({"ph": "X", "cat": ")" + category + R"(", "name": ")" + name +
           R"(", "pid": 1, "tid": 2, "ts": )" + std::to_string(start) + R"(, "dur": )" +
           std::to_string(duration) + R"(, "args": )" + more + "}";
}

std::string trace(const std::string& events, int rank = 0, const std::string& base = "1790857026000000000")
{
    return R"({"schemaVersion": 1, "distributedInfo": {"backend": "gloo", "rank": )" + std::to_string(rank) +
           R"(, "pg_config": [{"pg_name": "0", "rank": 77}]}, "baseTimeNanoseconds": )" + base +
           R"(, "traceEvents": [)" + events + "]}";
}

} // namespace

class TestStepRecord : public QObject
{
    Q_OBJECT

private slots:
    void readsWhatTheRunTimeWrites()
    {
        StepFiles files;
        files.addPacked("times.json.gz", bothRanks);
        const StepRecord record = files.read().value();
        QCOMPARE(record.ranks.size(), 2U);
        QCOMPARE(record.ranks[1].rank, 1U);
        QVERIFY(record.ranks[1].source.ends_with("times.json.gz: rank 1"));
        QCOMPARE(record.ranks[1].actions.size(), 2U);
        const MeasuredSlot& slot = record.ranks[1].actions[1];
        QVERIFY((slot.action == Action{ActionKind::BackwardWeight, 1, 0, false}));
        QCOMPARE(slot.start, Seconds(0.75));
        QCOMPARE(slot.end, Seconds(1));
        QCOMPARE(record.whole, Seconds(0.1));
        QCOMPARE(record.sends->size(), 1U);
        QCOMPARE(record.sends->front().forward, Seconds(0.125));
        QCOMPARE(record.sends->front().backward, Seconds(0.125 / 4)); // by its bytes
    }

    void severalFilesShareTheRanksOut()
    {
        const std::string text = bothRanks;
        const std::size_t first = text.find("{\"rank\": 0"), second = text.find("{\"rank\": 1");
        StepFiles files;
        files.add("first.json", text.substr(0, second - 4) + text.substr(text.find("],\n \"sends\"")));
        files.add("second.json", text.substr(0, first) + text.substr(second));
        QCOMPARE(files.refusal(), "");
        const Result<StepRecord> record = files.read();
        QCOMPARE(record.value().ranks.size(), 2U);
        files.add("again.json", text.substr(0, first) + text.substr(second));
        QCOMPARE(files.refusal(),
                 "again.json: rank 1: is of the same rank as second.json: rank 1; give one file a rank");
    }

    void whatIsNotOfThePlanIsRefused()
    {
        PlannedRun other = planned;
        other.microbatches = 4;
        QCOMPARE(refusalOf(bothRanks, other), "times.json: is of 2 microbatches, but the plan has 4");
        other = planned;
        other.schedule = "gpipe";
        QCOMPARE(refusalOf(bothRanks, other), "times.json: ran schedule 1f1b, but the plan has gpipe");
        other.schedule = "";
        QCOMPARE(refusalOf(bothRanks, other), "");
        QCOMPARE(refusalOf(with("\"relu\"", "\"gelu\"")),
                 "times.json: has node 'gelu', which the model does not have: it is of another model");
        QCOMPARE(refusalOf(with("{\"stage\": 0, \"forward\"", "{\"stage\": 1, \"forward\"")),
                 "times.json: ran node 'linear' in stage 1, but the plan has it in stage 0: it is of another "
                 "plan");
    }

    void wrongEntriesAreNamed_data()
    {
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("other");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* part, const char* other, const char* said) {
            QTest::newRow(other) << part << other << said;
        };
        row("\"format\": 1", "\"format\": 2", "'format' is not 1, the form that this version reads");
        row("\"microbatches\": 2", "\"microbatches\": -2", "'microbatches' is not a whole number, 0 or more");
        row("\"action\": \"I\"", "\"action\": \"FB\"",
            "'ranks[1].slots[0].action' is not one of F, B, I and W");
        row("\"start_s\": 0.75", "\"start_s\": \"0.75\"", "'ranks[1].slots[1].start_s' is not a number");
        row("\"end_s\": 0.5}", "\"ends\": 0.5}", "'ranks[0].slots[0].end_s' is missing; it must be a number");
        row("\"stage\": 0, \"m", "\"stage\": 0.5, \"m",
            "'ranks[0].slots[0].stage' is not a whole number, 0 or more");
        row("\"step_s\": 0.1", "\"step_s\": []", "'step_s' is not a number");
        row("\"from\": 0", "\"from\": null", "'sends[0].from' is not a whole number, 0 or more");
        row("\"ranks\": [", "\"ranks\": 3, \"x\": [", "'ranks' is not a list");
        row("\"ranks\": [", "\"rank\": [",
            "has neither \"ranks\", as pipeline.py --profile writes them, nor \"traceEvents\"");
    }
    void wrongEntriesAreNamed()
    {
        QFETCH(const QString, part);
        QFETCH(const QString, other);
        QFETCH(const QString, said);
        QCOMPARE(refusalOf(with(part.toStdString(), other.toStdString())), "times.json: " + said);
    }

    void brokenFilesAreRefused()
    {
        QVERIFY(refusalOf("").startsWith("times.json: "));
        QVERIFY(refusalOf("node,forward\nlinear,1").startsWith("times.json: "));
        QVERIFY(refusalOf(std::string(bothRanks).substr(0, 400)).startsWith("times.json: "));
        QCOMPARE(
            refusalOf("{}"),
            "times.json: has neither \"ranks\", as pipeline.py --profile writes them, nor \"traceEvents\"");
        StepFiles none;
        QCOMPARE(none.refusal(), "no file says what a step took");
    }

    void readsMarksOfTraces()
    {
        StepFiles files;
        files.add("a.json", trace(entry("user_annotation", "stagecraft:F:0:1", 4521856419077.5, 1000) + "," +
                                  entry("cpu_op", "aten::relu", 4521856419078, 10)));
        // A clock that counts from a second later.
        files.add("b.json", trace(entry("user_annotation", "stagecraft:W:11:12", 4521855419077.5, 500), 5,
                                  "1790857027000000000"));
        const StepRecord record = files.read().value();
        QCOMPARE(record.ranks.size(), 2U);
        QCOMPARE(record.ranks[1].rank, 5U);
        const MeasuredSlot& first = record.ranks[0].actions.front();
        const MeasuredSlot& second = record.ranks[1].actions.front();
        QVERIFY((first.action == Action{ActionKind::Forward, 0, 1, false}));
        QVERIFY((second.action == Action{ActionKind::BackwardWeight, 11, 12, false}));
        QVERIFY(std::abs((first.end - first.start).value() - 1e-3) < 1e-8);
        QVERIFY(std::abs((second.start - first.start).value()) < 1e-8);
        QVERIFY(!record.sends && !record.whole);
    }

    void theLastStepOfATraceCounts()
    {
        StepFiles files;
        files.add("a.json", trace(entry("user_annotation", "ProfilerStep#1", 0, 100) + "," +
                                  entry("user_annotation", "stagecraft:F:0:0", 10, 20) + "," +
                                  entry("user_annotation", "ProfilerStep#2", 100, 100) + "," +
                                  entry("user_annotation", "stagecraft:F:0:0", 120, 30)));
        const StepRecord record = files.read().value();
        QCOMPARE(record.ranks[0].actions.size(), 1U);
        QVERIFY(std::abs(record.ranks[0].actions[0].start.value() - 120e-6) < 1e-12);
    }

    // Launched inside a mark, by whatever thread; they run when the GPU comes to them.
    void kernelsAreTheTimesOfSlots()
    {
        const auto launch = [](int number, double start) {
            return entry("cuda_runtime", "cudaLaunchKernel", start, 2,
                         R"({"correlation": )" + std::to_string(number) + "}");
        };
        const auto kernel = [](int number, double start, double duration) {
            return entry("kernel", "gemm", start, duration,
                         R"({"correlation": )" + std::to_string(number) + "}");
        };
        StepFiles files;
        files.add("a.json",
                  trace(entry("user_annotation", "stagecraft:F:0:0", 10, 20) + "," +
                        entry("user_annotation", "stagecraft:F:0:1", 40, 20) + "," +
                        entry("user_annotation", "stagecraft:B:0:0", 70, 5) + "," + launch(1, 12) + "," +
                        launch(2, 29) + "," + launch(3, 35) + "," + launch(4, 45) + "," + kernel(1, 100, 50) +
                        "," + kernel(2, 160, 40) + "," + kernel(3, 200, 500) + "," + kernel(4, 700, 10)));
        const std::vector<MeasuredSlot> ran = files.read().value().ranks[0].actions;
        const auto is = [](Seconds time, double microseconds) {
            return std::abs(time.value() - microseconds * 1e-6) < 1e-12;
        };
        QVERIFY(is(ran[0].start, 100) && is(ran[0].end, 200));
        QVERIFY(is(ran[1].start, 700) && is(ran[1].end, 710));
        QVERIFY(is(ran[2].start, 710) && is(ran[2].end, 710)); // nothing ran there
    }

    void tracesWithoutSlotsAreRefused()
    {
        QCOMPARE(
            refusalOf(trace(entry("cpu_op", "aten::relu", 1, 10))),
            "times.json: has no slots: no record_function() of a name like stagecraft:F:0:3, which stages "
            "exported by this version have");
        for (const char* const name :
             {"stagecraft:X:0:0", "stagecraft:F:0", "stagecraft:F:0:-1", "stagecraft:F::1",
              "stagecraft:F:0:1:2", "stagecraft:F:0:99999999999999999999"})
            QCOMPARE(refusalOf(trace(entry("user_annotation", name, 1, 10))),
                     QString("times.json: '%1' marks no slot; that would be stagecraft:F:0:3").arg(name));
    }
};

QTEST_APPLESS_MAIN(TestStepRecord)
#include "tst_step_record.moc"
