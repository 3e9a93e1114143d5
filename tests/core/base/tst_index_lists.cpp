#include "core/base/index_lists.h"

#include <QTest>

#include <utility>
#include <vector>

using namespace stagecraft;

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

Lists listsOf(const IndexLists& lists)
{
    Lists all;
    for (std::size_t i = 0; i < lists.size(); ++i)
        all.emplace_back(lists[i].begin(), lists[i].end());
    return all;
}

} // namespace

class TestIndexLists : public QObject
{
    Q_OBJECT

private slots:
    void listsFollowEachOther();
    void itemsAreGatheredInOrder();
};

void TestIndexLists::listsFollowEachOther()
{
    IndexLists lists;
    QVERIFY(listsOf(lists) == Lists());
    lists.close();
    lists.add(7);
    lists.add(3);
    lists.close();
    lists.add(1); // of a list that is not whole yet
    QVERIFY(listsOf(lists) == Lists({{}, {7, 3}}));
    lists.close();
    QVERIFY(listsOf(lists) == Lists({{}, {7, 3}, {1}}));
}

void TestIndexLists::itemsAreGatheredInOrder()
{
    const std::vector<std::pair<std::size_t, std::size_t>> items{{2, 5}, {0, 4}, {2, 1}, {2, 9}, {0, 0}};
    const IndexLists lists = IndexLists::gathered(4, [&](const auto& put) {
        for (const auto& [list, item] : items)
            put(list, item);
    });
    QVERIFY(listsOf(lists) == Lists({{4, 0}, {}, {5, 1, 9}, {}}));
    QVERIFY(listsOf(IndexLists::gathered(0, [](const auto&) {})) == Lists());
}

QTEST_GUILESS_MAIN(TestIndexLists)
#include "tst_index_lists.moc"
