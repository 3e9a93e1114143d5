// Every Meta kernel against the CPU's eager operator: sizes, strides, dtype, storage and aliasing, forward
// and backward.
#include "meta_kernels/cases.h"

#include <QTest>

using namespace stagecraft::test;

class TestMetaKernels : public QObject
{
    Q_OBJECT

private slots:
    void equalsTheCpu_data();
    void equalsTheCpu();
};

void TestMetaKernels::equalsTheCpu_data()
{
    QTest::addColumn<QString>("name");
    for (const std::string& name : metaKernelCaseNames())
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

void TestMetaKernels::equalsTheCpu()
{
    QFETCH(QString, name);
    int compared = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const CaseReport report = checkMetaKernel(name.toStdString(), seed);
        compared += report.comparedForward ? 1 : 0;
        if (!report.difference.empty())
            QFAIL(
                qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(report.difference))));
    }
    QVERIFY2(compared >= 5, "the CPU refused nearly all arguments: the case tests nothing");
}

QTEST_GUILESS_MAIN(TestMetaKernels)
#include "tst_meta_kernels.moc"
