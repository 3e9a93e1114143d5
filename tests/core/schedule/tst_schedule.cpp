// Action tables against those of torch.distributed.pipelining (tests/data/schedules), and their CSV form.
#include "core/base/resources.h"
#include "core/schedule/schedule.h"
#include "core/schedule/schedule_csv.h"

#include <QDir>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <ranges>

using namespace stagecraft;

class TestSchedule : public QObject
{
    Q_OBJECT

private slots:
    void equalsTorch_data();
    void equalsTorch();
    void everyShapeRuns();
    void inFlightFormulas();
    void csvRoundTrip();
    void tablesWithCommunication_data();
    void tablesWithCommunication();
    void versionsOfTables();
    void readsOverlappedPairs();
    void badShapes_data();
    void badShapes();
    void badCsv_data();
    void badCsv();
    void exportedAsNamedHere();
};

void TestSchedule::equalsTorch_data()
{
    QTest::addColumn<QString>("path");
    const QDir folder(QStringLiteral(STAGECRAFT_TEST_DATA "/schedules"));
    const QStringList files = folder.entryList({QStringLiteral("*.csv")});
    QVERIFY(files.size() >= 16);
    for (const QString& file : files)
        QTest::newRow(qPrintable(file)) << folder.filePath(file);
}

void TestSchedule::equalsTorch()
{
    QFETCH(QString, path);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QStringList parts = QFileInfo(path).completeBaseName().split(QLatin1Char('-'));
    const std::size_t microbatches = parts.takeLast().toULong();
    const std::size_t devices = parts.takeLast().toULong();
    const std::size_t stages = parts.takeLast().toULong();
    const auto kind = parseSchedule(parts.join(QLatin1Char('-')).toStdString());
    QVERIFY(kind.has_value());
    const auto schedule = makeSchedule(*kind, stages, devices, microbatches);
    QVERIFY2(schedule.has_value(), schedule.has_value() ? "" : schedule.error().message.c_str());
    QCOMPARE(QString::fromStdString(printScheduleCsv(*schedule)), QString::fromUtf8(file.readAll()));
}

void TestSchedule::everyShapeRuns()
{
    for (const ScheduleKind kind : std::views::transform(scheduleTable, &ScheduleTraits::kind)) {
        for (std::size_t devices = 1; devices <= 6; ++devices) {
            for (std::size_t chunks = 1; chunks <= 3; ++chunks) {
                for (std::size_t microbatches = 1; microbatches <= 14; ++microbatches) {
                    const auto schedule = makeSchedule(kind, devices * chunks, devices, microbatches);
                    if (!schedule.has_value())
                        continue;
                    const auto checked = checkSchedule(*schedule);
                    QVERIFY2(
                        checked.has_value(),
                        checked.has_value()
                            ? ""
                            : (std::string(scheduleName(kind)) + ": " + checked.error().message).c_str());
                    const auto again = parseScheduleCsv(printScheduleCsv(*schedule));
                    QVERIFY(again.has_value());
                    QVERIFY(again->devices == schedule->devices);
                    QCOMPARE(again->microbatches, microbatches);
                }
            }
        }
    }
}

void TestSchedule::inFlightFormulas()
{
    for (std::size_t stages = 1; stages <= 8; ++stages) {
        for (std::size_t microbatches = 1; microbatches <= 12; ++microbatches) {
            const auto all = peakInFlight(*makeSchedule(ScheduleKind::GPipe, stages, stages, microbatches));
            const auto few =
                peakInFlight(*makeSchedule(ScheduleKind::OneFOneB, stages, stages, microbatches));
            for (std::size_t stage = 0; stage < stages; ++stage) {
                QCOMPARE(all[stage], microbatches);
                QCOMPARE(few[stage], std::min(microbatches, stages - stage));
            }
        }
    }
}

void TestSchedule::csvRoundTrip()
{
    const auto schedule = makeSchedule(ScheduleKind::ZeroBubbleV, 8, 4, 9);
    const std::string text = printScheduleCsv(*schedule);
    const auto again = parseScheduleCsv(text);
    QVERIFY(again.has_value());
    QCOMPARE(again->stageCount, schedule->stageCount);
    QCOMPARE(again->microbatches, schedule->microbatches);
    QVERIFY(again->deviceOfStage == schedule->deviceOfStage);
    QVERIFY(again->devices == schedule->devices);
    const auto padded = parseScheduleCsv("0F0,, 0F1 ,0B0,0B1\n,1F0,1B0,1F1,1B1\r\n");
    QVERIFY(padded.has_value());
    QCOMPARE(padded->devices[1].size(), std::size_t(4));
}

void TestSchedule::tablesWithCommunication_data()
{
    QTest::addColumn<QString>("form");
    QTest::addColumn<CsvWaits>("waits");
    QTest::newRow("2.13") << QStringLiteral("with-communication") << CsvWaits::Implied;
    QTest::newRow("2.15") << QStringLiteral("with-waits") << CsvWaits::Written;
}

// As torch's _dump_csv writes them: read, and written again to the byte.
void TestSchedule::tablesWithCommunication()
{
    QFETCH(QString, form);
    QFETCH(CsvWaits, waits);
    const QDir folder(QStringLiteral(STAGECRAFT_TEST_DATA "/schedules"));
    const QStringList names = QDir(folder.filePath(form)).entryList(QDir::Files);
    QCOMPARE(names.size(), 7);
    for (const QString& name : names) {
        QFile plain(folder.filePath(name));
        QFile full(folder.filePath(form + QLatin1Char('/') + name));
        QVERIFY(plain.open(QIODevice::ReadOnly) && full.open(QIODevice::ReadOnly));
        const QByteArray text = full.readAll();
        QVERIFY(text.contains("SEND_F") && text.contains("RECV_B"));
        QCOMPARE(text.contains("WAIT_"), waits == CsvWaits::Written);
        const auto expected = parseScheduleCsv(plain.readAll().toStdString());
        const auto schedule = parseScheduleCsv(text.toStdString());
        QVERIFY2(schedule.has_value(), schedule.has_value() ? "" : schedule.error().message.c_str());
        QCOMPARE(schedule->devices, expected->devices);
        QCOMPARE(schedule->deviceOfStage, expected->deviceOfStage);
        QCOMPARE(QString::fromStdString(printScheduleCsv(*schedule, CsvForm::ComputeComms, waits)),
                 QString::fromUtf8(text));
    }
}

void TestSchedule::readsOverlappedPairs()
{
    const auto schedule = parseScheduleCsv("0F0,(0F1;0B0)OVERLAP_F_B,,0B1\n");
    QVERIFY(schedule.has_value());
    QCOMPARE(schedule->devices[0].size(), std::size_t(4));
    QCOMPARE(printScheduleCsv(*schedule), std::string("0F0,(0F1;0B0)OVERLAP_F_B,0B1\r\n"));
}

void TestSchedule::versionsOfTables()
{
    for (const char* version : {"2.6", "2.14.1", "2.14.1+cpu", "1.99"})
        QVERIFY(csvWaitsOf(version).value() == CsvWaits::Implied);
    for (const char* version : {"2.15", "2.15.0+cu132", "2.16", "3.0"})
        QVERIFY(csvWaitsOf(version).value() == CsvWaits::Written);
    for (const char* version : {"", "2", "2.", "two.13", "2.15x"})
        QVERIFY(!csvWaitsOf(version).has_value());
}

void TestSchedule::badShapes_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("stages");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microbatches");
    QTest::addColumn<QString>("message");
    QTest::newRow("none") << int(ScheduleKind::GPipe) << 0 << 0 << 1
                          << "a schedule needs at least one stage, one device and one microbatch";
    QTest::newRow("1f1b") << int(ScheduleKind::OneFOneB) << 4 << 2 << 8
                          << "schedule 1f1b runs one stage a device: 4 stages cannot go on 2 devices";
    QTest::newRow("zbv") << int(ScheduleKind::ZeroBubbleV) << 3 << 1 << 8
                         << "schedule zbv runs two stages a device: 3 stages cannot go on 1 device";
    QTest::newRow("uneven") << int(ScheduleKind::LoopedBfs) << 5 << 2 << 8
                            << "schedule looped-bfs runs as many stages on each device: 5 stages cannot be "
                               "divided among 2 devices";
    QTest::newRow("dualpipev")
        << int(ScheduleKind::DualPipeV) << 8 << 4 << 7
        << "schedule dualpipev needs at least as many microbatches as stages: 7 cannot "
           "fill 8 stages";
    QTest::newRow("rounds") << int(ScheduleKind::Interleaved) << 4 << 2 << 7
                            << "schedule interleaved on 2 devices needs a number of microbatches that is a "
                               "multiple of 3, not 7";
}

void TestSchedule::badShapes()
{
    QFETCH(int, kind);
    QFETCH(int, stages);
    QFETCH(int, devices);
    QFETCH(int, microbatches);
    QFETCH(QString, message);
    const auto schedule = makeSchedule(static_cast<ScheduleKind>(kind), std::size_t(stages),
                                       std::size_t(devices), std::size_t(microbatches));
    QVERIFY(!schedule.has_value());
    QCOMPARE(QString::fromStdString(schedule.error().message), message);
}

void TestSchedule::badCsv_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("message");
    QTest::newRow("empty") << ""
                           << "the schedule has no actions";
    QTest::newRow("word") << "F0"
                          << "row 1, column 1: 'F0' is not a stage, a letter and a microbatch, such as 0F3";
    QTest::newRow("letter") << "0F0,0B0,0X0"
                            << "row 1, column 3: '0X0' has an action that is none of F, B, I, W";
    QTest::newRow("tail") << "\n0F0,,0F0x"
                          << "row 2, column 3: '0F0x' has no number of a microbatch at its end";
    QTest::newRow("huge") << "0F99999999"
                          << "row 1, column 1: '0F99999999' counts beyond a million";
    QTest::newRow("few")
        << "0F0,0B0,0F7"
        << "row 1, column 3: up to here there are 1 stages and 8 microbatches, which need at "
           "least two actions each; the file has 3";
    QTest::newRow("twice") << "0F0,0F0,0B0"
                           << "row 1, column 2: 0F0 is there twice";
    QTest::newRow("half") << "0F0,0I0"
                          << "row 1: 0B0 must be there once, whole or as I and W";
    QTest::newRow("missing") << "0F0,0B0\n1B0,1W0,1I0"
                             << "row 2: 1F0 is missing";
    QTest::newRow("stuck") << ",0B0,0F0"
                           << "row 1, column 2: deadlock at 0B0: what it waits for never comes";
    QTest::newRow("send") << "0SEND_X0"
                          << "row 1, column 1: '0SEND_X0' has an action that is none of F, B, I, W";
    QTest::newRow("pair") << "(0F0;0B0"
                          << "row 1, column 1: '(0F0;0B0' does not end in )OVERLAP_F_B";
    QTest::newRow("inner") << "((0F0);0B0)OVERLAP_F_B"
                           << "row 1, column 1: '((0F0);0B0)OVERLAP_F_B' does not end in )OVERLAP_F_B";
    QTest::newRow("place") << "0F0,0B0,1F0\n0UNSHARD,1B0"
                           << "row 2, column 2: 1B0 stands on device 1, but its stage is on device 0";
    QTest::newRow("long") << QString(1000, QLatin1Char('9'))
                          << "row 1, column 1: '" + QString(40, QLatin1Char('9')) +
                                 "...' is not a stage, a letter and a microbatch, such as 0F3";
}

void TestSchedule::badCsv()
{
    QFETCH(QString, text);
    QFETCH(QString, message);
    const auto schedule = parseScheduleCsv(text.toStdString());
    QVERIFY(!schedule.has_value());
    QCOMPARE(QString::fromStdString(schedule.error().message), message);
}

// The run-time of exports, which cannot ask, calls every schedule as it is called here, and knows which take
// one stage.
void TestSchedule::exportedAsNamedHere()
{
    QFile file(
        QString::fromStdString((resourceFolder() / "python/stagecraft_runtime/schedules.py").string()));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString program = QString::fromUtf8(file.readAll());
    const auto isListed = [&](const QString& list, const QString& name) {
        const qsizetype begin = program.indexOf(list + QStringLiteral(" = ("));
        return program.mid(begin, program.indexOf(QLatin1Char(')'), begin) - begin).contains(name);
    };
    for (const ScheduleTraits& traits : scheduleTable) {
        QCOMPARE(&traitsOf(traits.kind), &traits);
        const QString name = QStringLiteral("\"%1\"").arg(QString::fromUtf8(traits.name));
        const QString entry = name + QStringLiteral(": \"%1\"").arg(QString::fromUtf8(traits.torchClass));
        QVERIFY2(program.contains(entry), qPrintable(entry));
        QCOMPARE(isListed(QStringLiteral("ONE_STAGE_A_RANK"), name), traits.fixedStages == std::size_t{1});
        QCOMPARE(isListed(QStringLiteral("IN_ROUNDS"), name), traits.runsRounds);
        QCOMPARE(isListed(QStringLiteral("IN_A_V"), name), traits.turnsBack);
    }
    QCOMPARE(QString::fromUtf8(std::string(scheduleName(ScheduleKind::ZeroBubble1))), QStringLiteral("zb1p"));
}

QTEST_GUILESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
