// Room that regions leave: a row of four in one region, of which the second takes the longest.
#include "core/recompute/region_fill.h"

#include <QTest>

using namespace stagecraft;

namespace {

using Shapes = RegionEstimate::Shapes;

class TestRegionFill : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void withoutRoomNothingChanges();
    void whatTakesLongestGoesFirst();
    void allIsLeftOutWhereThereIsRoom();

private:
    // Where so many bytes more may be held than with `m_all` as a region.
    Seconds addedWith(std::int64_t bytes) const;

    static constexpr std::size_t count = 4;
    Table<NodeId, NodeNeeds> m_needs{count};
    Table<NodeId, NodeMoments> m_moments{count};
    ActivationUses m_storages;
    std::optional<RegionEstimate> m_estimate;
    Shapes m_all{{0, count, {}}};
};

// Each makes 100 bytes that it saves.
void TestRegionFill::initTestCase()
{
    const std::vector<double> seconds{2, 5, 1, 1};
    std::vector<NodeId> nodes;
    for (std::size_t i = 0; i < count; ++i) {
        const NodeId node(i);
        m_needs[node].made.push_back(
            {.storage = StorageId(i), .bytes = Bytes(100), .isNeeded = true, .savers = {node}});
        m_needs[node].again = m_needs[node].toSave = m_needs[node].whole = Seconds(seconds[i]);
        m_moments[node].saves = m_moments[node].savesOwn = m_moments[node].hasBackward = true;
        m_moments[node].results = {StorageId(i)};
        nodes.push_back(node);
    }
    m_storages = activationUses(m_needs);
    m_estimate.emplace(nodes, RegionFacts{m_needs, m_moments, m_storages});
    QCOMPARE(m_estimate->of(m_all).added, Seconds(9));
}

Seconds TestRegionFill::addedWith(std::int64_t bytes) const
{
    RegionRoom room;
    room.transient = Bytes(400); // all that runs again
    room.bytes = room.held(m_estimate->of(m_all)) + Bytes(bytes);
    const RegionEstimate::Figures figures = m_estimate->of(filledRegions(*m_estimate, room, m_all));
    if (room.worth(figures).over > Bytes{})
        return Seconds(-1);
    return figures.added;
}

void TestRegionFill::withoutRoomNothingChanges()
{
    QCOMPARE(addedWith(0), Seconds(9));
    QCOMPARE(addedWith(99), Seconds(9));
}

void TestRegionFill::whatTakesLongestGoesFirst()
{
    QCOMPARE(addedWith(100), Seconds(4));
    QCOMPARE(addedWith(200), Seconds(2));
}

void TestRegionFill::allIsLeftOutWhereThereIsRoom()
{
    QCOMPARE(addedWith(400), Seconds(0));
}

} // namespace

QTEST_GUILESS_MAIN(TestRegionFill)
#include "tst_region_fill.moc"
