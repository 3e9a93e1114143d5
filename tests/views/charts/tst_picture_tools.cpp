#include "tests/views/sample_plan.h"
#include "views/charts/charts.h"
#include "views/charts/picture_tools.h"
#include "views/charts/schedule_view.h"

#include <QAction>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

QByteArray written(const QWidget& view, const char* name)
{
    const QTemporaryDir folder;
    const QString path = folder.filePath(name);
    const Result<void> done = view.findChild<PictureTools*>()->writeTo(path);
    QFile file(path);
    return done.has_value() && file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestPictureTools : public QObject
{
    Q_OBJECT

private slots:
    void chartsAreLinesAndLetters()
    {
        Selection selection;
        ExecutionCharts charts(&selection);
        charts.resize(700, 400);
        charts.setPlan(sample::plan(2, 3));
        charts.show();
        QVERIFY(QTest::qWaitForWindowExposed(&charts));
        const QByteArray svg = written(charts, "charts.svg");
        QVERIFY(svg.count("<path") + svg.count("<rect") + svg.count("<polyline") > 20);
        QVERIFY(svg.contains("<text") && !svg.contains("<image"));
        QVERIFY(written(charts, "charts.pdf").startsWith("%PDF-"));
        const QImage image = QImage::fromData(written(charts, "charts.png"));
        QCOMPARE(image.size(), QSize(1400, 800));
        QVERIFY(written(charts, "charts.bmp").isEmpty()); // told why
        QCOMPARE(charts.actions().size(), 3);
    }

    void seriesHaveALineForEachOp()
    {
        Selection selection;
        ExecutionCharts charts(&selection);
        const PlanView plan = sample::plan(2, 3);
        charts.setPlan(plan);
        const QList<QByteArray> lines = written(charts, "charts.csv").split('\n');
        QCOMPARE(lines.size(), 18 + 2);
        const QList<QByteArray> first = lines[1].trimmed().split(',');
        QCOMPARE(first.size(), 6);
        QCOMPARE(first[0], QByteArray("embed"));
        QCOMPARE(first[1], QByteArray("1"));
        QCOMPARE(first[3].toDouble(), plan.profile->nodes[NodeId(0)].forward.time.value());
    }

    void aScheduleHasALineForEachAction()
    {
        Selection selection;
        ScheduleView view(&selection);
        view.resize(600, 200);
        QVERIFY(written(view, "schedule.svg").contains("<svg"));
        QCOMPARE(
            written(view, "schedule.csv"), // of no plan: the titles alone
            QByteArray("Step,Device,Stage,Action,Microbatch,Receives [s],Start [s],End [s],Sent [s]\r\n"));
    }
};

QTEST_MAIN(TestPictureTools)
#include "tst_picture_tools.moc"
