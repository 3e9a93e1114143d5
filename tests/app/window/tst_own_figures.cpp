// A person's own figures in the window: opened, seen, gone with the model.
#include "app/window/exchange_controller.h"
#include "tests/app/window/window_fixture.h"
#include "views/graph/graph_colors.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_tooltip.h"
#include "views/graph/graph_view.h"
#include "views/model/module_tree_view.h"
#include "views/model/operators_model.h"
#include "views/model/operators_panel.h"

#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTreeView>

#include <set>

using namespace stagecraft;

namespace {

QString fileWith(const WindowFixture& fixture, const QByteArray& text)
{
    QFile file(fixture.folder.filePath("own.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("no test data");
    return file.fileName();
}

int headed(const QAbstractItemModel& model, const QString& title)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == title)
            return column;
    return -1;
}

} // namespace

class TestOwnFigures : public QObject
{
    Q_OBJECT

private slots:
    void areSeenUntilAnotherModelIsOpened()
    {
        WindowFixture fixture;
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        auto* graph = fixture.window->findChild<GraphView*>();
        QVERIFY(exchange && graph);
        QVERIFY(!exchange->findChild<QAction*>("openOverlay")->isEnabled());
        QVERIFY(fixture.open(tinyModel));
        QVERIFY(exchange->findChild<QAction*>("openOverlay")->isEnabled());
        QVERIFY(exchange->findChild<QAction*>("exportGraph")->isEnabled());

        const Graph& model = fixture.document().model()->graph;
        const NodeId node = model.findNode("linear").value();
        const QByteArray name = QByteArray::fromStdString(model[node].name);
        QSignalSpy changed(exchange, &ExchangeController::overlayChanged);
        exchange->open(fileWith(fixture, "{\"colour_by\": \"<heat>\", \"nodes\": {\"" + name +
                                             "\": {\"<heat>\": 41.5, \"note\": \"<b>\"}}}"));
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(graph->colorBy(), ColorBy::Own);
        const Overlay& overlay = *exchange->overlay();
        const GraphColors colors = graphColors(fixture.document().planView(), ColorBy::Own, {}, &overlay);
        QCOMPARE(colors.fill[node].name(), QString::fromStdString(colourText(overlayScale(overlay, 41.5))));
        QCOMPARE(colors.categories.size(), std::size_t{3});

        graph->expandAll(); // the op is in no closed box
        QVERIFY(fixture.settle());
        const std::shared_ptr<const Layout>& drawing = fixture.document().drawing();
        const std::optional<ItemId> item = drawing->itemOf[node];
        QVERIFY(item && drawing->items[*item].node == node);
        const QString tip = itemTooltip(*drawing, fixture.document().planView(), *item, &overlay);
        QVERIFY2(tip.contains("&lt;heat&gt;") && tip.contains("41.5") && !tip.contains("<b></td>"),
                 qPrintable(tip));

        QVERIFY(fixture.open(QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2")));
        QVERIFY(!exchange->overlay());
        QCOMPARE(graph->colorBy(), ColorBy::Stage);
    }

    void aClosedBoxHasTheColourOfWhatItsOpsHaveTogether()
    {
        WindowFixture fixture;
        QVERIFY(fixture.open(tinyModel));
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        auto* graph = fixture.window->findChild<GraphView*>();
        QJsonObject nodes;
        const Graph& model = fixture.document().model()->graph;
        for (const NodeId node : model.nodes())
            nodes.insert(QString::fromStdString(model[node].name), QJsonObject{{"heat", 1}});
        const QJsonObject heat{{"combine", "sum"}};
        const QJsonObject text{{"figures", QJsonObject{{"heat", heat}}},
                               {"colour_by", "heat"},
                               {"range", QJsonArray{0, 40}},
                               {"nodes", nodes}};
        QSignalSpy changed(exchange, &ExchangeController::overlayChanged);
        exchange->open(fileWith(fixture, QJsonDocument(text).toJson()));
        QTRY_COMPARE(changed.size(), 1);
        const Layout& drawing = *fixture.document().drawing();
        const QImage image = graph->viewport()->grab().toImage();
        std::set<QRgb> seen;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                seen.insert(image.pixel(x, y));
        std::set<QRgb> wanted;
        for (std::size_t i = 0; i < drawing.items.size(); ++i) {
            const LayoutItem& item = drawing.items[ItemId(i)];
            const std::vector<NodeId> inside = nodesShownBy(drawing, item);
            if (item.kind != ItemKind::ClosedBox || inside.size() < 2)
                continue;
            const OverlayColour colour =
                overlayScale(*exchange->overlay(), static_cast<double>(inside.size()));
            wanted.insert(qRgb(colour.red, colour.green, colour.blue));
        }
        QVERIFY(wanted.size() >= 2);
        for (const QRgb colour : wanted)
            QVERIFY2(seen.contains(colour), qPrintable(QColor(colour).name()));
    }

    void haveColumnsInTheTableOfModules()
    {
        const WindowFixture fixture;
        QVERIFY(fixture.open(tinyModel));
        auto* view = fixture.window->views().modules->findChild<QTreeView*>();
        const QAbstractItemModel& model = *view->model();
        const int before = model.columnCount();
        QList<QPersistentModelIndex> open;
        for (QModelIndex row = model.index(0, 0); row.isValid(); row = model.index(0, 0, row)) {
            view->expand(row);
            open << QPersistentModelIndex(row);
        }
        const Graph& graph = fixture.document().model()->graph;
        const Module& layer = graph.modules()[graph[*graph.findNode("linear")].module];
        const QByteArray path = QByteArray::fromStdString(layer.path);
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        QSignalSpy changed(exchange, &ExchangeController::overlayChanged);
        exchange->open(fileWith(fixture, "{\"figures\": {\"heat\": {\"unit\": \"K\"}}, \"modules\": {\"" +
                                             path + "\": {\"heat\": 41.5}}}"));
        QTRY_COMPARE(changed.size(), 1);
        QCOMPARE(model.columnCount(), before + 1);
        const int heat = headed(model, "heat");
        QVERIFY(heat >= 0);
        const QModelIndexList rows =
            model.match(model.index(0, 0), Qt::DisplayRole, QString::fromStdString(layer.name), -1,
                        Qt::MatchExactly | Qt::MatchRecursive);
        QVERIFY(!rows.isEmpty());
        QVERIFY(std::ranges::any_of(
            rows, [&](const QModelIndex& row) { return row.siblingAtColumn(heat).data() == "41.5 K"; }));
        const auto isOpen = [&](const QPersistentModelIndex& row) { return view->isExpanded(row); };
        QVERIFY(std::ranges::all_of(open, isOpen)); // as they were before

        view->horizontalScrollBar()->setValue(view->horizontalScrollBar()->maximum());
        QTest::mouseClick(view->header()->viewport(), Qt::LeftButton, {},
                          QPoint(view->header()->sectionViewportPosition(heat) + 4, 8));
        QCOMPARE(view->header()->sortIndicatorSection(), heat);
        QVERIFY(fixture.open(QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/mobilenet-tiny.pt2")));
        QCOMPARE(model.columnCount(), before);
        QVERIFY(!view->header()->isSortIndicatorShown());
    }

    void haveColumnsInTheTableOfOperators()
    {
        const WindowFixture fixture;
        QVERIFY(fixture.open(tinyModel));
        auto* panel = fixture.window->views().operators;
        fixture.window->findChild<QDockWidget*>("operators")->raise();
        auto* view = panel->findChild<QTreeView*>();
        QTRY_VERIFY(view->isVisible());
        auto* model = qobject_cast<OperatorsModel*>(view->model());
        QCOMPARE(model->columnCount(), operatorColumnCount);
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        exchange->open(fileWith(fixture,
                                R"({"figures": {"heat": {"unit": "K"}}, "colour_by": "heat", "nodes": {)"
                                R"("linear": {"heat": 41.5, "rank": 2}, "embedding": {"heat": 7}}})"));
        QTRY_COMPARE(model->columnCount(), operatorColumnCount + 2);
        const int heat = headed(*model, "heat");
        QVERIFY(heat >= operatorColumnCount);
        const NodeId node = fixture.document().model()->graph.findNode("linear").value();
        const QModelIndex cell = model->indexOf(node).siblingAtColumn(heat);
        QCOMPARE(cell.data().toString(), "41.5 K");
        QCOMPARE(cell.data(valueRole).toDouble(), 41.5);
        QVERIFY(cell.data(cellRole).value<CellContent>().swatch.isValid());
        model->sort(heat, Qt::DescendingOrder);
        QCOMPARE(model->nodeOf(model->index(0, 0)), node);
        QCOMPARE(model->index(1, heat).data().toString(), "7 K");
        QCOMPARE(model->index(2, heat).data().toString(), QString());
        exchange->findChild<QAction*>("closeOverlay")->trigger();
        QCOMPARE(model->columnCount(), operatorColumnCount);
        QCOMPARE(model->nodeOf(model->index(0, 0)), NodeId(0)); // nothing is left to sort by
    }

    void colourTheMap()
    {
        const WindowFixture fixture;
        QVERIFY(fixture.open(tinyModel));
        ModuleMap* map = fixture.window->views().map;
        map->resize(800, 400);
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        exchange->open(fileWith(fixture, "{\"modules\": {\"\": {\"colour\": \"#ff00ff\"}}}"));
        const auto colored = [&] {
            const QImage image = map->grab().toImage();
            for (int y = 0; y < image.height(); ++y)
                for (int x = 0; x < image.width(); ++x)
                    if (image.pixelColor(x, y) == QColor("#ff00ff"))
                        return true;
            return false;
        };
        QVERIFY(!colored());
        QTRY_VERIFY(exchange->overlay());
        QVERIFY(colored());
        auto* colors = map->findChildren<QComboBox*>().at(2);
        colors->setCurrentIndex(0); // stages
        QVERIFY(!colored());
        colors->setCurrentIndex(1);
        QVERIFY(colored());
        exchange->findChild<QAction*>("closeOverlay")->trigger();
        QVERIFY(!colored());
        QVERIFY(colors->isHidden()); // there is nothing to choose
    }

    void whatIsNoOverlayIsSaid()
    {
        WindowFixture fixture;
        auto* exchange = fixture.window->findChild<ExchangeController*>();
        QVERIFY(fixture.open(tinyModel));
        QSignalSpy failed(&fixture.document(), &Document::failed);
        exchange->open(fileWith(fixture, R"({"nodes": {"no such op": {"heat": 1}}})"));
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(failed[0][0].toString().contains("names nothing of this model"));
        QVERIFY(!exchange->overlay());
    }
};

QTEST_MAIN(TestOwnFigures)
#include "tst_own_figures.moc"
