#include "app/window/spread_calls.h"

#include <QtTest>

using namespace stagecraft;

class TestSpreadCalls : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_called.clear(); }

    void eachPartHasATurnOfItsOwn()
    {
        SpreadCalls calls(parts(), nullptr);
        calls.callAll();
        QVERIFY(m_called.isEmpty());
        QStringList seen;
        while (calls.isWaiting()) {
            QCoreApplication::processEvents();
            seen << m_called;
        }
        QVERIFY2(seen.contains("a") && seen.contains("ab"), qPrintable(seen.join(' ')));
        QCOMPARE(m_called, "abc");
        QTest::qWait(5);
        QCOMPARE(m_called, "abc");
    }

    // However often it is asked, the last part has its turn, and what was asked last reaches all of them.
    void noneWaitsForEver()
    {
        SpreadCalls calls(parts(), nullptr);
        for (int i = 0; i < 200 && !m_called.contains('c'); ++i) {
            calls.callAll();
            QCoreApplication::processEvents();
        }
        QVERIFY(m_called.contains('c'));
        m_called.clear();
        calls.callAll();
        QTRY_VERIFY(!calls.isWaiting());
        QCOMPARE(QSet<QChar>(m_called.begin(), m_called.end()).size(), 3);
    }

    void whatIsDroppedIsNotCalled()
    {
        SpreadCalls calls(parts(), nullptr);
        calls.callAll();
        calls.drop();
        QTest::qWait(5);
        QVERIFY(m_called.isEmpty());
        calls.callAll();
        QTRY_COMPARE(m_called, "abc");
    }

private:
    std::vector<std::function<void()>> parts()
    {
        return {[this] { m_called += 'a'; }, [this] { m_called += 'b'; }, [this] { m_called += 'c'; }};
    }

    QString m_called;
};

QTEST_MAIN(TestSpreadCalls)
#include "tst_spread_calls.moc"
