#include "core/base/progress.h"

#include <QtTest>

using namespace stagecraft;

class TestProgress : public QObject
{
    Q_OBJECT

private slots:
    void stopsOnceAsked()
    {
        std::stop_source source;
        const Progress progress(source.get_token());
        QVERIFY(progress.step("working", 0, 10).has_value());
        source.request_stop();
        const Result<void> stopped = progress.step("working", 1, 10);
        QVERIFY(!stopped.has_value());
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }

    void reportsSeldomButAlwaysTheEnd()
    {
        std::vector<double> fractions;
        const Progress progress({}, [&](std::string_view, std::optional<double> fraction) {
            fractions.push_back(fraction.value());
        });
        for (std::size_t i = 0; i <= 100000; ++i)
            QVERIFY(progress.step("working", i, 100000).has_value());
        QVERIFY(fractions.size() < 1000);
        QCOMPARE(fractions.back(), 1.0);
    }

    // Late is not stopped: who can do with less asks.
    void isLateBehindTheEarlierEnd()
    {
        const auto now = std::chrono::steady_clock::now();
        const Progress progress;
        QVERIFY(!progress.isLate());
        const Progress ample = progress.until(now + std::chrono::hours(1));
        QVERIFY(!ample.isLate());
        const Progress late = ample.until(now - std::chrono::seconds(1));
        QVERIFY(late.isLate());
        QVERIFY(late.until(now + std::chrono::hours(1)).isLate());
        QVERIFY(late.step("working", 0, 10).has_value());
    }

    void aSilentOneStopsLikeItsOwn()
    {
        std::stop_source source;
        int reports = 0;
        const Progress progress(source.get_token(),
                                [&](std::string_view, std::optional<double>) { ++reports; });
        const Progress silent = progress.silent();
        QVERIFY(silent.step("inside", 1, 1).has_value());
        QCOMPARE(reports, 0);
        source.request_stop();
        QVERIFY(silent.stopRequested());
    }

    void anEmptyTaskIsDone()
    {
        std::optional<double> seen;
        const Progress progress({},
                                [&](std::string_view, std::optional<double> fraction) { seen = fraction; });
        QVERIFY(progress.step("nothing to do", 0, 0).has_value());
        QCOMPARE(seen, 1.0);
    }

    // Each is told, however soon after another, for nothing more may come for long.
    void whatNobodyKnowsTheLengthOfHasNoFraction()
    {
        std::stop_source source;
        std::vector<std::string> said;
        const Progress progress(source.get_token(),
                                [&](std::string_view activity, std::optional<double> fraction) {
                                    said.push_back(std::string(activity) + (fraction ? " so far" : ""));
                                });
        QVERIFY(progress.step("counting", 1, 2).has_value());
        QVERIFY(progress.begin("weighing").has_value());
        QVERIFY(progress.silent().begin("inside").has_value());
        QCOMPARE(said, (std::vector<std::string>{"counting so far", "weighing"}));
        source.request_stop();
        const Result<void> stopped = progress.begin("weighing");
        QVERIFY(!stopped.has_value());
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
    }
};

QTEST_GUILESS_MAIN(TestProgress)
#include "tst_progress.moc"
