// What a measurement of a model's nodes says while it runs.
#include "core/load/open_model.h"
#include "core/measure/measure.h"

#include <QtTest>

using namespace stagecraft;

class TestMeasureProgress : public QObject
{
    Q_OBJECT

private slots:
    // Two activities that take turns have no time left to tell: each counts anew (time_left.h).
    void nodesAreOneActivity()
    {
        const Model model = *openModel(STAGECRAFT_TEST_DATA "/times/mlp.pt2");
        MeasureOptions options;
        options.repeats = 200;
        options.enoughPerNode = Seconds(0.2);
        QStringList said;
        const Progress progress({}, [&](std::string_view activity, double) {
            const QString text = QString::fromUtf8(activity.data(), qsizetype(activity.size()));
            if (said.isEmpty() || said.last() != text)
                said << text;
        });
        QVERIFY(measureModel(model, options, progress).has_value());
        QCOMPARE(said.count("Measuring"), 1);
    }
};

QTEST_GUILESS_MAIN(TestMeasureProgress)
#include "tst_measure_progress.moc"
