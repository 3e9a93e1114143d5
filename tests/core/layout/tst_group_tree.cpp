#include "layout_test.h"

using namespace stagecraft;

namespace {

// A chain without module names; every tenth link is the only value alive there.
std::string chainText(int length)
{
    std::string text = "graph chain\n  input %v0 : f32[4]\n";
    for (int i = 1; i <= length; ++i) {
        const std::string previous = "%v" + std::to_string(i - 1);
        const std::string other = i % 10 == 1 ? previous : "%v" + std::to_string((i - 1) / 10 * 10);
        text += "  %v" + std::to_string(i) + " : f32[4] = aten::add.Tensor(self " + previous + ", other " +
                other + ")\n";
    }
    return text + "  return %v" + std::to_string(length) + "\n";
}

} // namespace

class TestGroupTree : public QObject
{
    Q_OBJECT

private slots:
    void groupsAreModules()
    {
        const auto graph = graphOf(layeredText(2));
        const GroupTree tree = makeGroupTree(*graph);
        const NodeId relu = *graph->findNode("b1");
        QStringList names;
        for (const GroupId group : tree.path(tree.groupOf[relu]))
            names << QString::fromStdString(graph->modules()[tree.groups[group].module].name);
        QCOMPARE(names.join('/'), "layers/1/fc");
        QCOMPARE(tree.groupOf[*graph->findNode("mask")], GroupTree::root());
        QVERIFY(tree.contains(GroupTree::root(), tree.groupOf[relu]));
        QVERIFY(!tree.contains(tree.groupOf[relu], GroupTree::root()));
    }

    void aLongModuleIsCutWhereFewValuesLive()
    {
        const auto graph = graphOf(chainText(400));
        const GroupTree tree = makeGroupTree(*graph);
        std::vector<int> sizes;
        for (const NodeId node : graph->nodes()) {
            const Group& group = tree.groups[tree.groupOf[node]];
            QVERIFY(group.part.has_value());
            sizes.resize(std::max(sizes.size(), *group.part + 1));
            ++sizes[*group.part];
        }
        QVERIFY(sizes.size() > 5);
        int first = 0;
        for (const int size : sizes) {
            QVERIFY2(size >= 24 && size <= 72, qPrintable(QString::number(size)));
            // Nodes 10, 20, ... begin where one value is alive.
            QCOMPARE(first % 10, 0);
            first += size;
        }
    }

    void aShortModuleIsLeftWhole()
    {
        const auto graph = graphOf(chainText(100));
        QCOMPARE(makeGroupTree(*graph).groups.size(), 1u);
    }
};

QTEST_GUILESS_MAIN(TestGroupTree)
#include "tst_group_tree.moc"
