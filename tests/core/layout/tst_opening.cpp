#include "core/layout/opening.h"

#include "core/layout/flow_drawing.h"
#include "layout_test.h"

#include <algorithm>
#include <cmath>

using namespace stagecraft;

namespace {

struct Page
{
    Opening opening;
    std::shared_ptr<const RunTree> tree;
    Layout layout;
};

Page pageOf(const std::shared_ptr<const Graph>& graph, std::size_t stages, Size view)
{
    const GroupTree groups = makeGroupTree(*graph, pageGroups);
    const Partition partition = equalParts(graph->nodeCount(), stages);
    const Table<NodeId, double> weights(graph->nodeCount(), 1.0);
    Page page{.opening = chooseOpening(*graph, groups, partition, weights, {}, view)};
    page.tree = std::make_shared<const RunTree>(
        makeRunTree(*graph, groups, partition, {.dissolved = page.opening.dissolved}));
    LayoutEngine engine;
    page.layout = *engine.layout(graph, page.tree, Expansion(), {}, page.opening.shape);
    return page;
}

double zoomOf(const Page& page, Size view)
{
    return std::min({view.width / page.layout.size.width, view.height / page.layout.size.height,
                     page_rules::largestZoom});
}

// Masks and positions in between what matters: %p2 runs after the embedding.
constexpr std::string_view maskedText = R"(graph masked
  input %ids : i64[1, 8]
  param %w "w" : f32[100, 16]
  param %v "v" : f32[16, 16]
  %p0 : i64[8] = aten::arange.default(end 8) @model
  %x : f32[1, 8, 16] = aten::embedding.default(weight %w, indices %ids) @model
  %p1 : i64[1, 8] = aten::unsqueeze.default(self %p0, dim 0) @model
  %y : f32[1, 8, 16] = aten::linear.default(input %x, weight %v) @model
  %p2 : bool[1, 8] = aten::ge.Scalar(self %p1, other 4) @model
  %z : f32[1, 8, 16] = aten::mul.Tensor(self %y, other %p2) @model
  return %z
)";

} // namespace

class TestOpening : public QObject
{
    Q_OBJECT

private slots:
    void everyPageFitsItsView_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : galleryFiles())
            QTest::newRow(qPrintable(file.section('/', -3))) << file;
    }
    void everyPageFitsItsView()
    {
        QFETCH(QString, file);
        const std::shared_ptr<const Graph> graph = openGraph(file);
        if (!graph)
            QSKIP("cannot be opened");
        for (const std::size_t stages : {1, 4, 8}) {
            if (stages > graph->nodeCount() / 4)
                continue;
            // Beside docks, of 1280x720 and 1600x1000; the first below a note of three lines.
            for (const Size view : {Size{376, 268}, Size{730, 310}, Size{650, 500}}) {
                if (view.width < 400 && stages > 4)
                    continue; // no page of eight stages can be read in so little
                const Page page = pageOf(graph, stages, view);
                const double zoom = zoomOf(page, view);
                const QString which = QString("%1 stages, zoom %2").arg(stages).arg(zoom);
                QVERIFY2(11 * zoom >= 9, qPrintable(which));
                QVERIFY2(zoom * page.layout.size.width >= view.width / 2, qPrintable(which));
                QVERIFY2(zoom * page.layout.size.height >= view.height / 2, qPrintable(which));
            }
        }
    }

    void repeatedLayersAreOneBoxOfAPage()
    {
        const auto graph = graphOf(layeredText(12));
        const Page page = pageOf(graph, 1, {700, 400});
        std::vector<std::string> titles;
        for (const RunBox& box : page.tree->boxes)
            if (box.depth == 2)
                titles.push_back(box.title + " x" + std::to_string(box.copies));
        QVERIFY(std::ranges::find(titles, "layers.0-11 x12") != titles.end());
    }

    void bookkeepingIsOneBoxBeforeAllElse()
    {
        const auto graph = graphOf(maskedText);
        GroupTreeOptions options = pageGroups;
        options.minLoose = 0;
        const GroupTree groups = makeGroupTree(*graph, options);
        const RunTree tree = makeRunTree(*graph, groups, equalParts(graph->nodeCount(), 1));
        const auto box = std::ranges::find_if(
            tree.boxes, [](const RunBox& candidate) { return candidate.title.ends_with("bookkeeping"); });
        QVERIFY(box != tree.boxes.end());
        QCOMPARE(box->children.size(), 3u);
        QCOMPARE(box->scattered.size(), 3u);
        const BoxId id(static_cast<std::size_t>(box - tree.boxes.begin()));
        QCOMPARE(tree.nodesOf(id), (std::vector<NodeId>{NodeId(0), NodeId(2), NodeId(4)}));
        // What the model computes from its input stands where it was.
        QCOMPARE(tree.boxOf[NodeId(1)], tree.boxOf[NodeId(3)]);
    }

    void linesOfAPageDoNotOverlap()
    {
        DotProblem problem;
        for (int i = 0; i < 9; ++i)
            problem.nodes.push_back({i % 3 == 2 ? Size{60, 20} : Size{200, 60}, {}});
        for (std::size_t i = 0; i + 1 < problem.nodes.size(); ++i)
            problem.edges.push_back({{.index = i}, {.index = i + 1}});
        problem.edges.push_back({{.index = 0}, {.index = 8}});
        const PageShape shape{.lineWidth = 700};
        const DotDrawing drawing = flowDrawing(problem, shape);
        QCOMPARE(drawing.size, flowSize(problem, shape));
        QVERIFY(drawing.size.width <= 700);
        QCOMPARE(drawing.edges.size(), problem.edges.size());
        for (std::size_t i = 0; i < problem.nodes.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                const bool apart = drawing.nodes[k].x + problem.nodes[k].size.width <= drawing.nodes[i].x ||
                                   drawing.nodes[i].x + problem.nodes[i].size.width <= drawing.nodes[k].x ||
                                   drawing.nodes[k].y + problem.nodes[k].size.height <= drawing.nodes[i].y ||
                                   drawing.nodes[i].y + problem.nodes[i].size.height <= drawing.nodes[k].y;
                QVERIFY(apart);
            }
        for (const std::vector<Point>& path : drawing.edges)
            QCOMPARE(path.size() % 3, 1u);
    }
};

QTEST_GUILESS_MAIN(TestOpening)
#include "tst_opening.moc"
