#include "views/charts/module_map.h"

#include "tests/views/sample_plan.h"

#include <QtTest>

#include <array>
#include <cmath>
#include <set>

using namespace stagecraft;

namespace {

constexpr std::array allMeasures{MapMeasure::Time, MapMeasure::AtPeak, MapMeasure::Kept,
                                 MapMeasure::Parameters};

QWidget* drawingOf(ModuleMap& map)
{
    return map.focusProxy();
}

// The first box of that module.
std::size_t boxOf(const PlanView& plan, const ModuleMap& map, const ModuleShares& shares, const char* path)
{
    const ModuleId module = *plan.graph->modules().find(path);
    const auto& boxes = map.drawnBoxes();
    return static_cast<std::size_t>(
        std::ranges::find_if(
            boxes, [&](const ModuleBox& box) { return shares.shares[box.share].module == module; }) -
        boxes.begin());
}

QPoint centreOf(const ModuleBox& box)
{
    return {static_cast<int>(box.rect.centerX()), static_cast<int>(box.rect.y + 3)};
}

} // namespace

class TestModuleMap : public QObject
{
    Q_OBJECT

private slots:
    void init() { m_plan = sample::plan(4, 3); }

    void sharesAddUpToTheModel()
    {
        for (const MapMeasure measure : allMeasures) {
            const ModuleShares shares = moduleShares(m_plan, measure);
            double all = 0;
            for (const NodeCost& cost : m_plan.profile->nodes)
                all += measureOf(cost, measure);
            if (all == 0) {
                QVERIFY(shares.shares.empty());
                continue;
            }
            QVERIFY(std::abs(shares.shares.front().value / all - 1) < 1e-12);
            for (const ModuleShare& share : shares.shares) {
                double sum = 0;
                std::set<std::size_t> stages;
                for (const NodeId node : nodesOf(m_plan, share)) {
                    const double value = measureOf(m_plan.profile->nodes[node], measure);
                    sum += value;
                    if (value > 0)
                        stages.insert(m_plan.partition->stageOf[node].index());
                }
                QVERIFY(std::abs(sum / share.value - 1) < 1e-12);
                QCOMPARE(share.onlyStage.has_value(), stages.size() == 1);
            }
        }
    }

    // On the innermost box that is seen of each; nothing, and no op of an old search, is marked after it.
    void whatASearchFindsIsMarked()
    {
        Selection selection;
        ModuleMap map(&selection);
        map.resize(900, 400);
        map.setPlan(m_plan);
        map.show();
        const ModuleShares shares = moduleShares(m_plan, MapMeasure::Time);
        const auto marked = [&] {
            std::vector<std::size_t> boxes;
            for (std::size_t i = 0; i < map.drawnBoxes().size(); ++i)
                if (map.isMatch(i))
                    boxes.push_back(i);
            return boxes;
        };
        QVERIFY(marked().empty());
        const QImage plain = map.grab().toImage();
        for (const NodeId node : m_plan.graph->nodes()) {
            selection.setMatches(std::vector{node});
            QCOMPARE(marked().size(), std::size_t(1));
            const std::size_t box = marked().front();
            const auto nodes = nodesOf(m_plan, shares.shares[map.drawnBoxes()[box].share]);
            QVERIFY(std::ranges::binary_search(nodes, node));
            QVERIFY(map.grab().toImage() != plain);
        }
        map.resize(60, 40); // no box of it is seen any more: that around it says so
        QCOMPARE(marked().size(), std::size_t(1));
        map.resize(900, 400);
        selection.setMatches(std::nullopt);
        QVERIFY(marked().empty());
        QVERIFY(map.grab().toImage() == plain);
    }

    void boxesAreWithinTheirs()
    {
        const ModuleShares shares = moduleShares(m_plan, MapMeasure::Time);
        const Rect room{0, 0, 900, 500};
        const auto boxes = moduleBoxes(shares, ModuleTree::root(), MapShape::Treemap, room, 14);
        QVERIFY(boxes.size() > 10);
        QCOMPARE(boxes.front().rect, room);
        for (const ModuleBox& box : boxes)
            for (const ModuleBox& other : boxes)
                if (const auto& parts = shares.shares[box.share].parts;
                    std::ranges::find(parts, other.share) != parts.end()) {
                    QVERIFY(other.rect.x >= box.rect.x && other.rect.right() <= box.rect.right() + 1e-6);
                    QVERIFY(other.rect.y >= box.rect.y && other.rect.bottom() <= box.rect.bottom() + 1e-6);
                    QCOMPARE(other.depth, box.depth + 1);
                }
    }

    void equalModulesStandInTheOrderOfTheModel()
    {
        ModuleShares shares = moduleShares(m_plan, MapMeasure::Time);
        const auto layers = std::ranges::max_element(
            shares.shares, {}, [](const ModuleShare& share) { return share.parts.size(); });
        const std::vector<std::size_t> parts = layers->parts;
        QVERIFY(parts.size() > 3);
        for (const std::size_t part : parts) // which rounding makes a little larger one by one
            shares.shares[part].value = 1 + 1e-12 * static_cast<double>(part);
        const auto boxes = moduleBoxes(shares, layers->module, MapShape::Treemap, Rect{0, 0, 900, 500}, 14);
        std::vector<std::size_t> drawn;
        for (const ModuleBox& box : boxes)
            if (std::ranges::find(parts, box.share) != parts.end())
                drawn.push_back(box.share);
        QCOMPARE(drawn, parts);
    }

    void flamesAreAsWideAsTheirValue()
    {
        const ModuleShares shares = moduleShares(m_plan, MapMeasure::Time);
        const auto boxes = moduleBoxes(shares, ModuleTree::root(), MapShape::Flames, {10, 5, 1000, 300}, 14);
        const double all = shares.shares.front().value;
        for (const ModuleBox& box : boxes) {
            QVERIFY(std::abs(box.rect.width - 1000 * shares.shares[box.share].value / all) < 1e-6);
            QVERIFY(std::abs(box.rect.y - 5 - box.depth * box.rect.height) < 1e-6);
        }
    }

    void aClickSelectsAndADoubleClickEnters()
    {
        Selection selection;
        ModuleMap map(&selection);
        map.resize(900, 400);
        map.setPlan(m_plan);
        map.setShape(MapShape::Flames);
        map.show();
        const ModuleShares shares = moduleShares(m_plan, MapMeasure::Time);
        const std::size_t child = boxOf(m_plan, map, shares, childPath().c_str());
        QVERIFY(child < map.drawnBoxes().size());
        const QPoint place = centreOf(map.drawnBoxes()[child]);
        QTest::mouseClick(drawingOf(map), Qt::LeftButton, {}, place);
        QCOMPARE(selection.nodes(), nodesOf(m_plan, shares.shares[map.drawnBoxes()[child].share]));
        QVERIFY(map.describe(child).startsWith(QString::fromStdString(childPath())));
        QTest::mouseDClick(drawingOf(map), Qt::LeftButton, {}, place);
        QCOMPARE(map.shownModule(), *m_plan.graph->modules().find(childPath()));
        QTest::keyClick(drawingOf(map), Qt::Key_Backspace);
        QCOMPARE(map.shownModule(), ModuleTree::root());
        QTest::keyClick(drawingOf(map), Qt::Key_Enter);
        QCOMPARE(map.shownModule(), *m_plan.graph->modules().find(childPath()));
    }

    void anotherModelIsShownWhole()
    {
        Selection selection;
        ModuleMap map(&selection);
        QVERIFY(map.drawnBoxes().empty());
        map.resize(900, 400);
        map.show();
        for (const MapMeasure measure : allMeasures) {
            map.setPlan(m_plan);
            map.setMeasure(measure);
            map.setPlan(sample::plan(2, 1));
            QCOMPARE(map.shownModule(), ModuleTree::root());
            map.setPlan({});
            QVERIFY(map.drawnBoxes().empty());
        }
    }

private:
    std::string childPath() const
    {
        const ModuleTree& modules = m_plan.graph->modules();
        return modules[modules[ModuleTree::root()].children.front()].path;
    }

    PlanView m_plan;
};

QTEST_MAIN(TestModuleMap)
#include "tst_module_map.moc"
