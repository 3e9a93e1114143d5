// The first look at a model explains it: whatever the model, it opens as a page that fits the view and fills
// it, of which every word can be read and every boundary seen. And from further away or nearer, something
// always can.
#include "views/graph/graph_paint.h"
#include "window_fixture.h"

#include "views/base/colors.h"
#include "views/model/module_tree_view.h"

#include <QDir>
#include <QHash>
#include <QTreeView>

#include <set>

using namespace stagecraft;

namespace {

constexpr double smallestText = 11; // pixels at scale 1
constexpr double leastReadable = 9;

QStringList modelsIn(const QString& folder)
{
    QStringList paths;
    for (const QFileInfo& file :
         QDir(folder).entryInfoList({QStringLiteral("*.pt2")}, QDir::Files, QDir::Name))
        paths << file.filePath();
    return paths;
}

// Those of the gallery and of the tests, and of the folders that STAGECRAFT_MORE_MODELS names.
QStringList modelFolders()
{
    QStringList folders{QStringLiteral(STAGECRAFT_RESOURCES "/examples")};
    for (const char* folder : {"/architectures", "/models/tiny", "/models/custom", "/models/marks",
                               "/models/small/torch-2.14", "/times", "/oracle/models"})
        folders << QStringLiteral(STAGECRAFT_TEST_DATA) + folder;
    return folders + qEnvironmentVariable("STAGECRAFT_MORE_MODELS").split(':', Qt::SkipEmptyParts);
}

// What is wrong with the page that the graph shows; empty if nothing is.
QString faultsOf(const GraphView& graph)
{
    const auto& layout = graph.graphLayout();
    if (!layout)
        return QStringLiteral("nothing is drawn");
    QStringList faults;
    const QSize view = graph.viewport()->size();
    const double wide = layout->size.width * graph.zoom() / view.width();
    const double high = layout->size.height * graph.zoom() / view.height();
    if (smallestText * graph.zoom() < leastReadable)
        faults << QStringLiteral("text of %1 pixels").arg(smallestText * graph.zoom());
    if (wide < 0.5 || wide > 1)
        faults << QStringLiteral("fills %1 of the width").arg(wide);
    if (high < 0.5 || high > 1)
        faults << QStringLiteral("fills %1 of the height").arg(high);
    for (std::size_t i = 0; i < layout->boundaries.size(); ++i)
        if (!QRect(QPoint(), view).contains(graph.boundaryHandle(BoundaryId(i))->center()))
            faults << QStringLiteral("boundary %1 is out of sight").arg(i);
    std::set<double> axes;
    for (const LayoutItem& item : layout->items)
        if (item.kind == ItemKind::Stage)
            axes.insert(item.rect.centerX());
    if (axes.size() != 1)
        faults << QStringLiteral("stages on %1 axes").arg(axes.size());
    return faults.join(QStringLiteral(", "));
}

// Cards that overlap, or stand outside of their stage.
QString overlapsOf(const Layout& layout)
{
    std::vector<QRectF> cards;
    for (const LayoutItem& item : layout.items) {
        if (item.depth != 1)
            continue;
        const QRectF rect = toRect(item.rect);
        if (!toRect(layout.items[*item.parent].rect).contains(rect))
            return QStringLiteral("a card outside of its stage");
        for (const QRectF& other : cards)
            if (other.intersects(rect))
                return QStringLiteral("two cards at one place");
        cards.push_back(rect);
    }
    return {};
}

struct Seen
{
    int colours = 0; // that stand out of the ground: of things that can be told from it
    int ink = 0;     // pixels that contrast as text must
};

Seen seenIn(const QImage& image, const QColor& ground)
{
    QHash<QRgb, int> counts; // a picture has few colours, and contrasts take long
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ++counts[image.pixel(x, y)];
    Seen seen;
    for (const auto& [rgb, count] : counts.asKeyValueRange()) {
        const double contrast = contrastRatio(QColor(rgb), ground);
        seen.colours += count >= 20 && contrast >= 1.25 ? 1 : 0;
        seen.ink += contrast >= 4.5 ? count : 0;
    }
    return seen;
}

// What cannot be read where the graph shows that position at that zoom; empty if something can.
QString unreadableAt(GraphView& graph, double zoom, std::size_t position)
{
    const QColor ground = applicationTheme().surface;
    graph.zoomBy(zoom / graph.zoom(), graph.viewport()->rect().center());
    graph.goTo(position);
    const QImage image = graph.viewport()->grab(graph.viewport()->rect().adjusted(44, 0, 0, 0)).toImage();
    const QString at = QStringLiteral(" at %1, position %2").arg(zoom).arg(position);
    const Seen seen = seenIn(image, ground);
    return seen.colours == 0 ? "no colour" + at : seen.ink <= 40 ? "no name" + at : "";
}

} // namespace

class TestFirstLook : public QObject
{
    Q_OBJECT

private slots:
    void everyModelOpensAsAPageAndCanBeRead_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& folder : modelFolders())
            for (const QString& path : modelsIn(folder))
                QTest::newRow(qPrintable(QFileInfo(folder).fileName() + '/' + QFileInfo(path).fileName()))
                    << path;
    }
    void everyModelOpensAsAPageAndCanBeRead()
    {
        QFETCH(QString, path);
        WindowFixture f({}, Seconds(0.05));
        f.window->resize(1280, 720);
        QVERIFY(f.open(path));
        GraphView& graph = *f.window->findChild<GraphView*>();
        QTRY_VERIFY2(faultsOf(graph).isEmpty(), qPrintable("1280x720: " + faultsOf(graph)));
        QCOMPARE(overlapsOf(*graph.graphLayout()), QString());
        for (const QSize& size : {QSize(1600, 1000), QSize(1920, 1080)}) { // and 3840x2160 at scale 2
            f.window->resize(size);
            f.window->actionTable().resetLayout->trigger();
            QTest::qWait(200);
            QVERIFY(f.settle());
            const QString at = QStringLiteral("%1 wide: ").arg(size.width());
            QTRY_VERIFY2(faultsOf(graph).isEmpty(), qPrintable(at + faultsOf(graph)));
            QCOMPARE(overlapsOf(*graph.graphLayout()), QString());
        }
        // Nor is there, in the model with all boxes open, a hole between the names of boxes and of cards.
        graph.expandAll();
        QVERIFY(f.settle());
        for (const double zoom : {0.15, 0.22, 0.3, 0.4, 0.5})
            for (const std::size_t position : {std::size_t(0), graph.graphLayout()->graph->nodeCount() / 2})
                QCOMPARE(unreadableAt(graph, zoom, position), QString());
    }

    void anyNumberOfStagesFits_data()
    {
        QTest::addColumn<int>("stages");
        for (const int stages : {1, 2, 3, 6, 8, 12, 16})
            QTest::addRow("%d", stages) << stages;
    }
    void anyNumberOfStagesFits()
    {
        QFETCH(int, stages);
        WindowFixture f({}, Seconds(0.05));
        PlanRequest request = f.document().request();
        request.plan.stageCount = static_cast<std::size_t>(stages);
        f.document().setRequest(request);
        QVERIFY(f.open(QStringLiteral(STAGECRAFT_RESOURCES "/examples/gpt2.pt2")));
        const GraphView& graph = *f.window->findChild<GraphView*>();
        QTRY_COMPARE(graph.graphLayout()->boundaries.size(), static_cast<std::size_t>(stages) - 1);
        QTRY_VERIFY2(faultsOf(graph).isEmpty(), qPrintable(faultsOf(graph)));
    }

    // What stands alone in what stands alone says little: the table opens where the model parts.
    void theTableOfModulesOpensWhereThereAreSeveral()
    {
        const WindowFixture f({}, Seconds(0.05));
        QVERIFY(f.open(tinyModel));
        const auto* table = f.window->views().modules->findChild<QTreeView*>();
        QModelIndex row = table->model()->index(0, 0);
        QCOMPARE(table->model()->rowCount(row), 1); // the example that is all of the model
        for (; table->model()->rowCount(row) == 1; row = table->model()->index(0, 0, row))
            QVERIFY2(table->isExpanded(row), qPrintable(row.data().toString()));
        QVERIFY2(table->isExpanded(row), qPrintable(row.data().toString()));
        for (int inside = 0; inside < table->model()->rowCount(row); ++inside)
            QVERIFY(!table->isExpanded(table->model()->index(inside, 0, row)));
    }

    // At every zoom something with a name and a colour can be read.
    void somethingCanBeReadAtEveryZoom()
    {
        WindowFixture f({}, Seconds(0.05));
        QVERIFY(f.open(QStringLiteral(STAGECRAFT_RESOURCES "/examples/gpt2.pt2")));
        auto* graph = f.window->findChild<GraphView*>();
        graph->expandAll();
        QVERIFY(f.settle());
        for (const double zoom : {0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.27, 0.35, 0.5, 0.75, 1.0, 2.0})
            QCOMPARE(unreadableAt(*graph, zoom, 0), QString());
    }
};

QTEST_MAIN(TestFirstLook)
#include "tst_first_look.moc"
