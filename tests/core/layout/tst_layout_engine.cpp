#include "layout_test.h"

using namespace stagecraft;

namespace {

bool isInner(const LayoutItem& item)
{
    return item.kind != ItemKind::Stage;
}

bool overlap(const Rect& a, const Rect& b)
{
    return a.x < b.right() && b.x < a.right() && a.y < b.bottom() && b.y < a.bottom();
}

Layout layoutOf(LayoutEngine& engine, std::shared_ptr<const Graph> graph, std::shared_ptr<const RunTree> tree,
                const Expansion& expansion)
{
    Result<Layout> layout = engine.layout(std::move(graph), std::move(tree), expansion);
    if (!layout.has_value())
        qFatal("%s", layout.error().message.c_str());
    return std::move(*layout);
}

// Boxes hold what is inside them, siblings do not touch one another.
void checkPlaces(const Layout& layout)
{
    std::map<std::optional<ItemId>, std::vector<ItemId>> children;
    for (const ItemId id : layout.items.ids()) {
        const LayoutItem& item = layout.items[id];
        QVERIFY(item.rect.width > 0 && item.rect.height > 0);
        QVERIFY(item.rect.x >= 0 && item.rect.right() <= layout.size.width + 0.5);
        if (item.parent) {
            QVERIFY2(layout.items[*item.parent].rect.contains(item.rect), "a box must hold what is inside");
            QVERIFY(*item.parent < id);
        }
        children[item.parent].push_back(id);
    }
    for (const auto& [parent, ids] : children)
        for (std::size_t i = 0; i < ids.size(); ++i)
            for (std::size_t k = i + 1; k < ids.size(); ++k)
                QVERIFY2(!overlap(layout.items[ids[i]].rect, layout.items[ids[k]].rect), "items overlap");
}

// Straight lines with all of one stage above and all of the next below; values flow downwards.
void checkBoundaries(const Layout& layout)
{
    QCOMPARE(layout.boundaries.size(), layout.tree->partition.stageCount - 1);
    for (const BoundaryLine& line : layout.boundaries) {
        for (const LayoutItem& item : layout.items) {
            if (isInner(item) && item.parent && item.stage.index() <= line.boundary.index())
                QVERIFY(item.rect.bottom() < line.y);
            else if (isInner(item) && item.parent)
                QVERIFY(item.rect.y > line.y);
        }
        QCOMPARE(layout.placeY[line.position], line.y);
    }
    QCOMPARE(layout.placeY.size(), layout.graph->nodeCount() + 1);
    for (std::size_t i = 1; i < layout.placeY.size(); ++i)
        QVERIFY2(layout.placeY[i] > layout.placeY[i - 1], qPrintable(QString::number(i)));
}

void checkEdges(const Layout& layout)
{
    for (const LayoutEdge& edge : layout.edges) {
        QCOMPARE(edge.path.size() % 3, 1u);
        QVERIFY(!edge.values.empty());
        QVERIFY2(edge.path.front().y < edge.path.back().y, "values flow downwards");
        const auto touches = [&](const std::optional<ItemId>& end, Point point, bool isTail) {
            if (!end)
                return true;
            const Rect& rect = layout.items[*end].rect;
            const bool isOwner = end == edge.owner;
            const double y = isTail != isOwner ? rect.bottom() : rect.y;
            return std::abs(point.y - y) < 0.6 && point.x >= rect.x - 0.6 && point.x <= rect.right() + 0.6;
        };
        QVERIFY2(touches(edge.tail, edge.path.front(), true), "an edge begins at its tail's border");
        QVERIFY2(touches(edge.head, edge.path.back(), false), "an edge ends at its head's border");
    }
}

void checkNodes(const Layout& layout)
{
    for (const NodeId node : layout.graph->nodes()) {
        QCOMPARE(layout.itemOf[node].has_value(), !layout.tree->isHidden(node));
        if (!layout.itemOf[node])
            continue;
        const LayoutItem& item = layout.items[*layout.itemOf[node]];
        QVERIFY(item.kind == ItemKind::Op || item.kind == ItemKind::ClosedBox);
        QCOMPARE(item.stage, layout.tree->partition.stageOf[node]);
    }
}

} // namespace

class TestLayoutEngine : public QObject
{
    Q_OBJECT

private slots:
    void everyModelIsLaidOutProperly_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : galleryFiles())
            QTest::newRow(
                qPrintable(QFileInfo(file).path().section('/', -1) + "/" + QFileInfo(file).baseName()))
                << file;
    }

    void everyModelIsLaidOutProperly()
    {
        QFETCH(QString, file);
        const auto graph = openGraph(file);
        if (!graph)
            QSKIP("cannot be opened");
        for (const std::size_t stages : {1u, 3u}) {
            if (graph->nodeCount() < stages)
                continue;
            const auto tree = treeOf(*graph, equalParts(graph->nodeCount(), stages));
            LayoutEngine engine;
            for (const Expansion& expansion :
                 {Expansion(), expansionToDepth(*graph, *tree, 2), fullExpansion(*tree)}) {
                const Layout layout = layoutOf(engine, graph, tree, expansion);
                QVERIFY2(layout.notes.empty(), layout.notes.empty() ? "" : layout.notes.front().c_str());
                checkPlaces(layout);
                checkBoundaries(layout);
                checkEdges(layout);
                checkNodes(layout);
                if (QTest::currentTestFailed())
                    return;
            }
        }
    }

    void equalBoxesAreDrawnOnce()
    {
        const auto graph = graphOf(layeredText(30));
        const auto tree =
            treeOf(*graph, singleStage(graph->nodeCount()), {.folding = RunTreeOptions::Folding::ShowEach});
        LayoutEngine engine;
        layoutOf(engine, graph, tree, fullExpansion(*tree));
        // fc, layer, the list of layers, the stage.
        QVERIFY2(engine.drawingsMade() <= 5, qPrintable(QString::number(engine.drawingsMade())));
        const std::size_t before = engine.drawingsMade();
        layoutOf(engine, graph, tree, fullExpansion(*tree));
        QCOMPARE(engine.drawingsMade(), before);
    }

    void drawingsNobodyAsksForAreForgotten()
    {
        const auto graph = graphOf(layeredText(6));
        const auto first = treeOf(*graph, partitionOf({10, 16}));
        const auto other = treeOf(*graph, partitionOf({4, 22}));
        LayoutEngine engine;
        layoutOf(engine, graph, first, fullExpansion(*first));
        for (std::size_t i = 0; i < LayoutEngine::layoutsRemembered; ++i)
            layoutOf(engine, graph, other, fullExpansion(*other));
        const std::size_t before = engine.drawingsMade();
        layoutOf(engine, graph, first, fullExpansion(*first));
        QCOMPARE(engine.drawingsMade(), before);
        for (std::size_t i = 0; i <= LayoutEngine::layoutsRemembered; ++i)
            layoutOf(engine, graph, other, fullExpansion(*other));
        layoutOf(engine, graph, first, fullExpansion(*first));
        QVERIFY(engine.drawingsMade() > before);
    }

    void theWayToALayoutDoesNotShow()
    {
        const auto graph = graphOf(layeredText(6));
        const auto tree = treeOf(*graph, partitionOf({10, 16}));
        LayoutEngine fresh;
        LayoutEngine used;
        layoutOf(used, graph, tree, {});
        layoutOf(used, graph, tree, expansionToDepth(*graph, *tree, 1));
        const Layout a = layoutOf(fresh, graph, tree, fullExpansion(*tree));
        const Layout b = layoutOf(used, graph, tree, fullExpansion(*tree));
        QCOMPARE(a.items.size(), b.items.size());
        for (const ItemId item : a.items.ids())
            QCOMPARE(a.items[item].rect, b.items[item].rect);
        for (std::size_t i = 0; i < a.edges.size(); ++i)
            QCOMPARE(a.edges[i].path, b.edges[i].path);
    }

    void withoutDotThereAreRowsAndANote()
    {
        const auto graph = graphOf(layeredText(6));
        const auto tree = treeOf(*graph, partitionOf({10, 16}));
        LayoutEngine engine({}, "no-such-program-as-dot");
        const Layout layout = layoutOf(engine, graph, tree, fullExpansion(*tree));
        QCOMPARE(layout.notes.size(), 1u);
        QVERIFY(QString::fromStdString(layout.notes.front()).contains("install Graphviz"));
        checkPlaces(layout);
        checkBoundaries(layout);
        checkNodes(layout);
    }

    void aCancelledLayoutIsNone()
    {
        const auto graph = graphOf(layeredText(6));
        const auto tree = treeOf(*graph, singleStage(graph->nodeCount()));
        std::stop_source stop;
        stop.request_stop();
        LayoutEngine engine;
        const Result<Layout> layout = engine.layout(graph, tree, {}, Progress(stop.get_token()));
        QVERIFY(!layout.has_value());
        QCOMPARE(layout.error().code, ErrorCode::Cancelled);
    }

    void aValueThatSkipsAStageIsAPairOfStubs()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, partitionOf({5, 4, 5}));
        LayoutEngine engine;
        const Layout layout = layoutOf(engine, graph, tree, {});
        const ValueId mask = *graph->findValue("mask");
        int stubs = 0;
        for (const LayoutItem& item : layout.items) {
            const bool isStub = item.kind == ItemKind::PortalIn || item.kind == ItemKind::PortalOut;
            stubs += isStub && item.value == mask ? 1 : 0;
            if (isStub)
                for (const BoundaryLine& line : layout.boundaries)
                    QVERIFY(item.rect.bottom() < line.y || item.rect.y > line.y);
        }
        QCOMPARE(stubs, 2);
    }

    void anEmptyStageHasAPlaceToo()
    {
        const auto graph = graphOf(layeredText(1));
        const auto tree = treeOf(*graph, partitionOf({6, 0, 0}));
        LayoutEngine engine;
        const Layout layout = layoutOf(engine, graph, tree, fullExpansion(*tree));
        QCOMPARE(layout.boundaries.size(), 2u);
        QVERIFY(layout.boundaries[0].y < layout.boundaries[1].y);
    }

    void anUnknownShapeOfGraphIsFine()
    {
        const auto empty = graphOf("graph empty\n  input %x : f32[4]\n  return %x\n");
        LayoutEngine engine;
        const auto tree = treeOf(*empty, singleStage(0));
        const Layout layout = layoutOf(engine, empty, tree, {});
        QCOMPARE(layout.placeY.size(), 1u);
    }
};

QTEST_GUILESS_MAIN(TestLayoutEngine)
#include "tst_layout_engine.moc"
