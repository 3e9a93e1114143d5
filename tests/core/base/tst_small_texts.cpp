#include "core/base/text.h"

#include <QTest>

using namespace stagecraft;

class TestSmallTexts : public QObject
{
    Q_OBJECT

private slots:
    void nothingIsCutOff()
    {
        const std::string name(2000, 'x');
        QCOMPARE(formatted("%s: %d of %.1f", name.c_str(), 3, 4.5), name + ": 3 of 4.5");
        QCOMPARE(formatted("%s", ""), std::string());
    }

    void countsAreSaidInWords()
    {
        QCOMPARE(counted(1, "node"), std::string("1 node"));
        QCOMPARE(counted(2, "node"), std::string("2 nodes"));
    }
};

QTEST_GUILESS_MAIN(TestSmallTexts)
#include "tst_small_texts.moc"
