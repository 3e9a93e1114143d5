// How long work will go on, by what of it is done.
#include "core/base/time_left.h"

#include <QTest>

using namespace stagecraft;

class TestTimeLeft : public QObject
{
    Q_OBJECT

private:
    TimeLeft m_left;

    // Rounded; -1: not known yet.
    int after(double seconds, const char* activity, double fraction)
    {
        const auto now =
            TimeLeft::Clock::time_point() + std::chrono::milliseconds(std::lround(seconds * 1000));
        const std::optional<Seconds> left = m_left.after(activity, fraction, now);
        return left ? static_cast<int>(std::lround(left->value())) : -1;
    }

private slots:
    void isTheRestAtTheSamePace()
    {
        QCOMPARE(after(100, "Running", 0), -1);
        QCOMPARE(after(102, "Running", 0.5), -1); // too early to tell
        QCOMPARE(after(110, "Running", 0.5), 10);
        QCOMPARE(after(130, "Running", 0.75), 10);
        QCOMPARE(after(140, "Running", 1), -1);
    }

    void anotherActivityCountsAnew()
    {
        QCOMPARE(after(200, "Gradients", 0.2), -1);
        QCOMPARE(after(210, "Gradients", 0.21), -1); // too little
        QCOMPARE(after(240, "Gradients", 0.6), 40);  // 0.4 of it in 40 s
        QCOMPARE(after(250, "Gradients", 0.1), -1);  // a second round
        QCOMPARE(after(260, "Gradients", 0.55), 10);
    }

    void isSaidRoughly()
    {
        for (const auto& [seconds, text] : std::initializer_list<std::pair<double, const char*>>{
                 {0.1, "1 s"}, {7.4, "7 s"}, {44, "40 s"}, {150, "3 min"}, {5400, "90 min"}, {8000, "2 h"}})
            QCOMPARE(QString::fromStdString(roughTimeText(Seconds(seconds))), QString(text));
    }
};

QTEST_GUILESS_MAIN(TestTimeLeft)
#include "tst_time_left.moc"
