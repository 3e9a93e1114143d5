#include "core/base/work_clock.h"

#include "core/base/work_budget.h"

#include <QProcess>
#include <QTest>

using namespace stagecraft;

class TestWorkClock : public QObject
{
    Q_OBJECT

private slots:
    // As on a machine whose processors others have.
    void waitingIsHardlyWork()
    {
        const WorkClock clock;
        QTest::qSleep(500);
        const Seconds counted = clock.elapsed();
        const Seconds passed = clock.passed();
        QVERIFY(passed >= Seconds(0.5));
        QVERIFY2(counted <= passed * 0.5, qPrintable(QString::number(counted.value())));
        QVERIFY(!clock.hasPassed(passed * 0.5));
        QVERIFY(clock.hasPassed(Seconds(0.125))); // in any case
    }

    void workCounts()
    {
        const WorkClock clock;
        while (!clock.hasPassed(Seconds(0.02)))
            ;
        QVERIFY(clock.elapsed() >= Seconds(0.02));
        QVERIFY(clock.passed() >= clock.elapsed() - Seconds(1e-3));
    }

    void aChildThatWaitsHardlyWorks()
    {
        QProcess child;
        child.start("sleep", {"600"});
        QVERIFY(child.waitForStarted());
        const WorkClock clock = WorkClock::ofProcess(static_cast<pid_t>(child.processId()));
        QTest::qSleep(500);
        const Seconds counted = clock.elapsed();
        QVERIFY2(counted <= clock.passed() * 0.5, qPrintable(QString::number(counted.value())));
        child.kill();
        QVERIFY(child.waitForFinished());
    }

    void aBudgetIsNotSpentByWaiting()
    {
        const Progress progress;
        WorkBudget budget(Seconds(1), progress);
        QTest::qSleep(1100);
        QVERIFY(!budget.isSpent());
        QVERIFY(!budget.wasCutShort());
        QVERIFY(budget.fractionSpent() < 1);
        QVERIFY(budget.spend(2'000'000'000));
    }
};

QTEST_GUILESS_MAIN(TestWorkClock)
#include "tst_work_clock.moc"
