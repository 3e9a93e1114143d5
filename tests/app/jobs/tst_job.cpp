#include "app/jobs/job.h"

#include "tests/patience.h"

#include <QSignalSpy>

#include <atomic>
#include <stdexcept>
#include <thread>

using namespace stagecraft;

namespace {

// Runs until it is asked to stop.
Result<int> endless(const Progress& progress)
{
    while (!progress.stopRequested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return cancelled();
}

} // namespace

class TestJob : public QObject
{
    Q_OBJECT

private slots:
    void theResultComesOnTheGuiThread()
    {
        JobQueue queue;
        Job<int> job(queue);
        std::optional<int> result;
        QThread* workThread = nullptr;
        QThread* doneThread = nullptr;
        job.start(
            "work",
            [&](const Progress&) -> Result<int> {
                workThread = QThread::currentThread();
                return 42;
            },
            [&](Result<int> value) {
                doneThread = QThread::currentThread();
                result = value.value();
            });
        QVERIFY(job.isRunning());
        QTRY_COMPARE(result, 42);
        QVERIFY(!job.isRunning());
        QCOMPARE(doneThread, QThread::currentThread());
        QVERIFY(workThread != doneThread);
        QVERIFY(!queue.isBusy());
    }

    void onlyTheNewestStartCounts()
    {
        JobQueue queue;
        Job<int> job(queue);
        std::vector<int> results;
        const auto done = [&](Result<int> value) { results.push_back(value.value()); };
        job.start("old", endless, done);
        QTest::qWait(10); // so that it runs
        job.start(
            "new", [](const Progress&) -> Result<int> { return 2; }, done);
        QTRY_VERIFY(!queue.isBusy());
        QTest::qWait(20); // time for a late result to come
        QCOMPARE(results, std::vector<int>{2});
    }

    void aResultThatWasReadyIsDroppedToo()
    {
        JobQueue queue;
        Job<int> job(queue);
        std::atomic<bool> worked = false;
        bool delivered = false;
        job.start(
            "quick",
            [&](const Progress&) -> Result<int> {
                worked = true;
                return 1;
            },
            [&](const Result<int>&) { delivered = true; });
        while (!worked)
            std::this_thread::yield();
        std::this_thread::sleep_for(std::chrono::milliseconds(20)); // it is in this thread's event queue now
        job.cancel();
        QTest::qWait(20);
        QVERIFY(!delivered);
    }

    void cancelAllEndsJobsAtOnceAndSaysSo()
    {
        JobQueue queue;
        Job<int> running(queue);
        Job<int> waiting(queue);
        std::vector<ErrorCode> codes;
        const auto done = [&](const Result<int>& value) { codes.push_back(value.error().code); };
        running.start("running", endless, done);
        waiting.start("waiting", endless, done);
        QTest::qWait(10);
        queue.cancelAll();
        QCOMPARE(codes.size(), std::size_t{2}); // before any event was handled
        QCOMPARE(codes[0], ErrorCode::Cancelled);
        QCOMPARE(codes[1], ErrorCode::Cancelled);
        QVERIFY(!running.isRunning());
    }

    void whatStartsAnewAsAllEndsRuns()
    {
        JobQueue queue;
        Job<int> first(queue);
        Job<int> second(queue);
        std::vector<int> results;
        const auto take = [&](const Result<int>& value) {
            results.push_back(value.has_value() ? value.value() : -1);
        };
        first.start("first", endless, [&](const Result<int>&) {
            second.start(
                "anew", [](const Progress&) -> Result<int> { return 7; }, take);
        });
        second.start("second", endless, take);
        queue.cancelAll();
        QVERIFY(second.isRunning());
        QTRY_VERIFY(!queue.isBusy());
        QCOMPARE(results, std::vector<int>{7});
        QVERIFY(!second.isRunning());
    }

    void jobsOfOneQueueRunOneAfterAnother()
    {
        JobQueue queue;
        Job<int> first(queue);
        Job<int> second(queue);
        std::atomic<int> inside = 0;
        std::atomic<int> most = 0;
        int done = 0;
        const auto work = [&](const Progress&) -> Result<int> {
            most = std::max(most.load(), ++inside);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            --inside;
            return 0;
        };
        first.start("first", work, [&](const Result<int>&) { ++done; });
        second.start("second", work, [&](const Result<int>&) { ++done; });
        QCOMPARE(queue.currentName(), "first");
        QTRY_COMPARE(done, 2);
        QCOMPARE(most.load(), 1);
    }

    void progressIsTold()
    {
        JobQueue queue;
        Job<int> job(queue);
        QSignalSpy told(&queue, &JobQueue::progressed);
        job.start(
            "work",
            [](const Progress& progress) -> Result<int> {
                STAGECRAFT_TRY(progress.step("Counting", 1, 4));
                return 0;
            },
            [](const Result<int>&) {});
        QTRY_COMPARE(told.size(), 1);
        QCOMPARE(told[0][0].toString(), "Counting");
        QCOMPARE(told[0][1].value<std::optional<double>>(), std::optional(0.25));
    }

    void anExceptionIsAnError()
    {
        JobQueue queue;
        Job<int> job(queue);
        std::string message;
        job.start(
            "work", [](const Progress&) -> Result<int> { throw std::runtime_error("no more room"); },
            [&](const Result<int>& value) { message = value.error().message; });
        QTRY_COMPARE(QString::fromStdString(message), "no more room");
    }

    void restComesWhenTheThreadHasNoticed()
    {
        JobQueue queue;
        Job<int> job(queue);
        std::atomic<bool> mayEnd = false;
        job.start(
            "deaf",
            [&](const Progress&) -> Result<int> {
                while (!mayEnd)
                    std::this_thread::yield();
                return 0;
            },
            [](const Result<int>&) {});
        QSignalSpy rest(&queue, &JobQueue::cameToRest);
        queue.abandonAll();
        QVERIFY(!queue.isBusy());
        QVERIFY(!queue.isAtRest());
        mayEnd = true;
        QTRY_COMPARE(rest.size(), 1);
        QVERIFY(queue.isAtRest());
    }

    void destroyingAJobDropsItsResult()
    {
        JobQueue queue;
        bool delivered = false;
        {
            Job<int> job(queue);
            job.start("work", endless, [&](const Result<int>&) { delivered = true; });
        }
        QTRY_VERIFY(!queue.isBusy());
        QTest::qWait(20);
        QVERIFY(!delivered);
    }
};

QTEST_GUILESS_MAIN(TestJob)
#include "tst_job.moc"
