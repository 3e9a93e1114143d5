#include "app/jobs/answer.h"

#include "tests/patience.h"

#include <atomic>
#include <thread>

using namespace stagecraft;

class TestAnswer : public QObject
{
    Q_OBJECT

private slots:
    void itIsAboutWhatWasAskedAlone()
    {
        seekLength("four");
        QVERIFY(m_answer.isRunning());
        QVERIFY(!m_answer.about("four"));
        QTRY_COMPARE(m_changes, 1);
        QVERIFY(!m_answer.isRunning());
        QCOMPARE(*m_answer.about("four"), 4);
        QVERIFY(!m_answer.about("five"));
    }

    void whatWasFoundStaysWhileSomethingElseIsSought()
    {
        seekLength("four");
        QTRY_COMPARE(m_changes, 1);
        seekLength("seven");
        QCOMPARE(m_answer.sought(), std::optional<std::string>("seven"));
        QCOMPARE(*m_answer.about("four"), 4);
        QTRY_COMPARE(m_changes, 2);
        QVERIFY(!m_answer.about("four"));
        QCOMPARE(*m_answer.about("seven"), 5);
    }

    void afterAFailureItIsKnownWhatWasSought()
    {
        m_answer.seek("fail", "three", [](const Progress&) -> Result<int> {
            return Error{ErrorCode::Failed, "no"};
        });
        QTRY_COMPARE(m_changes, 1);
        QCOMPARE(m_failure, std::string("no"));
        QCOMPARE(m_answer.sought(), std::optional<std::string>("three"));
        QVERIFY(!m_answer.about("three") && !m_answer.found());
    }

    void partsAreShownWhileItGoesOn()
    {
        std::atomic<bool> isSeen = false;
        m_answer.seek("grow", "parts", [&](const Progress&, const auto& tell) -> Result<int> {
            tell(1);
            while (!isSeen)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return 2;
        });
        QTRY_COMPARE(m_changes, 1);
        QCOMPARE(*m_answer.about("parts"), 1);
        QVERIFY(m_answer.isRunning());
        isSeen = true;
        QTRY_COMPARE(m_changes, 2);
        QCOMPARE(*m_answer.about("parts"), 2);
    }

    void aPartThatComesTooLateIsNotShown()
    {
        m_answer.seek("grow", "parts", [](const Progress& progress, const auto& tell) -> Result<int> {
            tell(1);
            while (!progress.stopRequested())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return cancelled();
        });
        QTest::qSleep(20); // the part is on its way
        m_answer.drop();
        seekLength("four");
        QTRY_COMPARE(m_changes, 1);
        QCOMPARE(*m_answer.about("four"), 4);
    }

    void whatIsDroppedIsForgotten()
    {
        seekLength("four");
        QTRY_COMPARE(m_changes, 1);
        m_answer.drop();
        QVERIFY(!m_answer.found() && !m_answer.sought());
        seekLength("five");
        m_answer.drop();
        m_queue.waitUntilDone();
        QCoreApplication::processEvents();
        QCOMPARE(m_changes, 1);
    }

    void init()
    {
        m_answer.drop();
        m_changes = 0;
    }

private:
    void seekLength(const std::string& word)
    {
        m_answer.seek("count", word,
                      [word](const Progress&) -> Result<int> { return static_cast<int>(word.size()); });
    }

    int m_changes = 0;
    std::string m_failure;
    JobQueue m_queue;
    Answer<int, std::string> m_answer{m_queue, [this] { ++m_changes; },
                                      [this](const Error& error) { m_failure = error.message; }};
};

QTEST_GUILESS_MAIN(TestAnswer)
#include "tst_answer.moc"
