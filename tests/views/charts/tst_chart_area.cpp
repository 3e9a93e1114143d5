#include "views/charts/chart_area.h"

#include <QtTest>

#include <random>

using namespace stagecraft;

class TestChartArea : public QObject
{
    Q_OBJECT

private slots:
    void wideStepsAreOneColumnEach();
    void stepsThatShareAPixelKeepTheFarthestFromZero();
    void columnsTouchAndStayInside();
    void whatIsOutOfSightIsLeftOut();
    void nothingForNothing();
    void labelsKeepInsideTheirRoom();
    void theLabelOfTheLastColumnStandsBesideTheChart();
};

namespace {

using Columns = std::vector<AreaColumn>;

} // namespace

void TestChartArea::wideStepsAreOneColumnEach()
{
    QCOMPARE(areaColumns(std::vector<double>{0, 1, 3}, std::vector<double>{5, 7}, 10, 100, 0, 1000),
             (Columns{{100, 110, 5}, {110, 130, 7}}));
}

void TestChartArea::stepsThatShareAPixelKeepTheFarthestFromZero()
{
    const std::vector<double> edges{0, 0.2, 0.4, 1, 2};
    QCOMPARE(areaColumns(edges, std::vector<double>{1, -9, 2, 4}, 1, 0, 0, 10),
             (Columns{{0, 1, -9}, {1, 2, 4}}));
    QCOMPARE(areaColumns(edges, std::vector<double>{1, -9, 2, 4}, 1, 0, 0, 10, Keep::Nearest),
             (Columns{{0, 1, 1}, {1, 2, 4}}));
}

// Whatever the steps: no gap, no overlap, and the highest value is somewhere.
void TestChartArea::columnsTouchAndStayInside()
{
    std::mt19937 random(7);
    for (int round = 0; round < 300; ++round) {
        std::vector<double> edges{0};
        std::vector<double> values;
        for (std::size_t count = 1 + random() % 60; count > 0; --count) {
            edges.push_back(edges.back() + static_cast<double>(random() % 1000) / 100);
            values.push_back(static_cast<double>(random() % 100));
        }
        const double scale = 100 / std::max(1.0, edges.back());
        const auto columns = areaColumns(edges, values, scale, 20, 20, 120);
        QVERIFY(!columns.empty());
        int end = 20;
        double highest = 0;
        for (const AreaColumn& column : columns) {
            QCOMPARE(column.left, end);
            QVERIFY(column.right > column.left && column.right <= 120);
            end = column.right;
            highest = std::max(highest, column.value);
        }
        if (edges.back() >= 1)
            QCOMPARE(highest, *std::ranges::max_element(values));
    }
}

void TestChartArea::whatIsOutOfSightIsLeftOut()
{
    std::vector<double> edges;
    for (int i = 0; i <= 100; ++i)
        edges.push_back(i);
    std::vector<double> values(100, 1);
    values[50] = 2;
    const auto columns = areaColumns(edges, values, 10, -495, 0, 20); // ops 49.5 to 51.5
    QCOMPARE(columns, (Columns{{0, 5, 1}, {5, 15, 2}, {15, 20, 1}}));
}

void TestChartArea::nothingForNothing()
{
    QVERIFY(areaColumns(std::vector<double>{0}, {}, 1, 0, 0, 10).empty());
    QVERIFY(areaColumns(std::vector<double>{0, 1}, std::vector<double>{1}, 0, 0, 0, 10).empty());
}

// Above their room stands what is said of the op that is pointed at.
void TestChartArea::labelsKeepInsideTheirRoom()
{
    const QRectF room(0, 18, 200, 32);
    const QSizeF size(40, 12);
    QCOMPARE(labelBeside({100, 40}, size, 4, room), QRectF(106, 34, 40, 12));
    QCOMPARE(labelBeside({190, 40}, size, 4, room), QRectF(144, 34, 40, 12));
    QCOMPARE(labelBeside({100, 20}, size, 4, room), QRectF(106, 18, 40, 12));
    QCOMPARE(labelBeside({100, 60}, size, 4, room), QRectF(106, 38, 40, 12));
}

// Where columns are nearly as high as its strokes, and close together.
void TestChartArea::theLabelOfTheLastColumnStandsBesideTheChart()
{
    QCustomPlot plot;
    plot.axisRect()->setAutoMargins(QCP::msNone);
    plot.axisRect()->setMargins(QMargins(20, 10, CutMarks::rightOf("122 ms", QFont()), 20));
    plot.xAxis->setRange(0, 40);
    plot.yAxis->setRange(0, 1.5);
    std::vector<double> edges{0};
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) {
        edges.push_back(i + 1);
        values.push_back(i == 39 ? 1.35 : 1);
    }
    auto* area = new StepArea(plot.xAxis, plot.yAxis, edges, values);
    area->setBrush(QColor(Qt::blue));
    area->setPen(Qt::NoPen);
    const QImage bare = plot.toPixmap(600, 200).toImage();
    auto* marks = new CutMarks(plot.xAxis, plot.yAxis, {{39.5, 1.2, "122 ms"}}, Qt::white);
    marks->setPen(QPen(Qt::red));
    const QImage marked = plot.toPixmap(600, 200).toImage();
    const int end = plot.axisRect()->right();
    int beside = 0;
    int onColumns = 0;
    for (int y = 0; y < 200; ++y)
        for (int x = 0; x < 600; ++x) {
            const bool isChanged = bare.pixel(x, y) != marked.pixel(x, y);
            beside += isChanged && x > end + 5 ? 1 : 0;
            onColumns += isChanged && x < end - 15 ? 1 : 0; // left of the strokes
        }
    QVERIFY(beside > 20); // the label is there
    QCOMPARE(onColumns, 0);
}

QTEST_MAIN(TestChartArea)
#include "tst_chart_area.moc"
