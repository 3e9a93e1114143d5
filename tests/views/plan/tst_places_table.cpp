#include "views/plan/places_table.h"

#include "tests/views/view_test.h"

#include <QClipboard>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>

using namespace stagecraft;

class TestPlacesTable : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void whatIsUsualIsShown();
    void anEntryIsOfItsStage();
    void anEntryOfAllIsOfEach();
    void anEmptiedCellIsAsTheDeviceSays();
    void whatCannotBeReadIsRefusedByName();
    void stagesThatShareDevicesAreAlike();
    void chosenStagesAreToRunElsewhere();
    void listsByStageAreNotOverlooked();
    void devicesAreNamed();
    void itIsCopiedAsOtherTablesAre();

private:
    static PlanRequest of(const PartitionOptions& options)
    {
        return {.device = "a", .profile = {}, .plan = options};
    }
    QTableWidget* table() const { return m_places->findChild<QTableWidget*>(); }
    QString text(int row, int column) const { return table()->item(row, column)->text(); }
    void type(int row, int column, const QString& text) { table()->item(row, column)->setText(text); }

    const DeviceSpec m_device{.id = "a",
                              .name = "A",
                              .linkBandwidth = 25e9,
                              .linkLatency = Seconds(5e-6),
                              .memory = Bytes(std::int64_t{80} << 30),
                              .contextMemory = Bytes(std::int64_t{10} << 30)};
    std::unique_ptr<PlacesTable> m_places;
    std::optional<PartitionOptions> m_told;
};

void TestPlacesTable::init()
{
    m_told.reset();
    m_places = std::make_unique<PlacesTable>();
    m_places->setDevices({m_device, {.id = "b", .name = "B & C"}});
    m_places->setRequest(of({.stageCount = 3}), m_device);
    connect(m_places.get(), &PlacesTable::optionsChanged,
            [this](const PartitionOptions& options) { m_told = options; });
}

void TestPlacesTable::whatIsUsualIsShown()
{
    QCOMPARE(table()->rowCount(), 4);
    for (int row = 0; row < 4; ++row) {
        QCOMPARE(text(row, PlacesTable::Stage), row == 0 ? QString("all") : QString::number(row));
        QCOMPARE(text(row, PlacesTable::Speed), QString("1"));
        QCOMPARE(text(row, PlacesTable::Limit), QString("70.0 GiB"));
        QCOMPARE(text(row, PlacesTable::Bandwidth), row == 3 ? QString() : QString("25 GB/s"));
        QCOMPARE(text(row, PlacesTable::Latency), row == 3 ? QString() : QString("5 us"));
    }
    QVERIFY(!m_told);
}

void TestPlacesTable::anEntryIsOfItsStage()
{
    type(2, PlacesTable::Speed, "0.5");
    QCOMPARE(m_told->speeds, (std::vector<double>{1, 0.5, 1}));
    QCOMPARE(text(0, PlacesTable::Speed), QString());
    type(2, PlacesTable::Limit, "20");
    const Bytes usual(std::int64_t{70} << 30);
    QCOMPARE(m_told->memoryLimits, (std::vector<Bytes>{usual, Bytes(std::int64_t{20} << 30), usual}));
    type(1, PlacesTable::Bandwidth, "100 Gbit/s");
    QCOMPARE(m_told->links, (std::vector<Link>{{12.5e9, Seconds(5e-6)}, {25e9, Seconds(5e-6)}}));
    type(2, PlacesTable::Latency, "1 ms");
    QCOMPARE(m_told->links[1].latency.value(), 1e-3);
    QCOMPARE(m_told->speeds, (std::vector<double>{1, 0.5, 1})); // all that was said before still holds
}

void TestPlacesTable::anEntryOfAllIsOfEach()
{
    type(0, PlacesTable::Bandwidth, "10 GB/s");
    QCOMPARE(m_told->links, (std::vector<Link>{{10e9, Seconds(5e-6)}}));
    QCOMPARE(text(2, PlacesTable::Bandwidth), QString("10 GB/s"));
}

void TestPlacesTable::anEmptiedCellIsAsTheDeviceSays()
{
    type(1, PlacesTable::Speed, "3");
    type(1, PlacesTable::Speed, "");
    QVERIFY(m_told->speeds.empty());
    QCOMPARE(text(1, PlacesTable::Speed), QString("1"));
}

void TestPlacesTable::whatCannotBeReadIsRefusedByName()
{
    const auto* error = m_places->findChild<QLabel*>();
    for (const auto& [column, entry] : std::map<int, QString>{{PlacesTable::Speed, "0"},
                                                              {PlacesTable::Limit, "5000"},
                                                              {PlacesTable::Bandwidth, "25 gb/s"},
                                                              {PlacesTable::Latency, "soon"}}) {
        const QString before = text(1, column);
        type(1, column, entry);
        QVERIFY(!m_told);
        QCOMPARE(text(1, column), before);
        QVERIFY2(!error->isHidden() && error->text().contains("'" + entry + "'"), qPrintable(error->text()));
    }
    type(1, PlacesTable::Speed, "2");
    QVERIFY(m_told && error->isHidden());
}

void TestPlacesTable::stagesThatShareDevicesAreAlike()
{
    PartitionOptions options{.stageCount = 4, .schedule = ScheduleKind::Interleaved, .stagesPerDevice = 2};
    m_places->setRequest(of(options), m_device);
    for (int row = 1; row < 5; ++row)
        QVERIFY(!(table()->item(row, PlacesTable::Speed)->flags() & Qt::ItemIsEditable));
    QVERIFY(table()->item(1, PlacesTable::Bandwidth)->flags() & Qt::ItemIsEditable);
}

void TestPlacesTable::chosenStagesAreToRunElsewhere()
{
    std::vector<std::size_t> stages;
    std::string device;
    connect(m_places.get(), &PlacesTable::deviceChosen,
            [&](const std::vector<std::size_t>& chosen, const std::string& id) {
                stages = chosen;
                device = id;
            });
    table()->selectRow(2);
    m_places->findChild<QMenu*>()->actions().back()->trigger();
    QCOMPARE(stages, std::vector<std::size_t>{1});
    QCOMPARE(device, std::string("b"));
    table()->selectRow(0);
    m_places->findChild<QMenu*>()->actions().back()->trigger();
    QCOMPARE(stages, (std::vector<std::size_t>{0, 1, 2}));
}

void TestPlacesTable::listsByStageAreNotOverlooked()
{
    QVERIFY(table()->parentWidget()->isHidden());
    m_places->setRequest(of({.stageCount = 2, .speeds = {1, 0.5}}), m_device);
    QVERIFY(!table()->parentWidget()->isHidden());
}

void TestPlacesTable::devicesAreNamed()
{
    QCOMPARE(text(0, PlacesTable::Device), QString("a"));
    PlanRequest request = of({.stageCount = 3});
    request.stageDevices = {"", "", "b"};
    m_places->setRequest(request, m_device);
    QCOMPARE(text(0, PlacesTable::Device), QString());
    QCOMPARE(text(2, PlacesTable::Device), QString("a"));
    QCOMPARE(text(3, PlacesTable::Device), QString("b"));
    QCOMPARE(table()->item(3, PlacesTable::Device)->toolTip(), QString("B & C"));
    QVERIFY(!(table()->item(3, PlacesTable::Device)->flags() & Qt::ItemIsEditable));
}

void TestPlacesTable::itIsCopiedAsOtherTablesAre()
{
    m_places->resize(700, 500);
    m_places->show();
    m_places->findChild<QToolButton*>()->setChecked(true);
    m_places->activateWindow();
    table()->setFocus();
    QVERIFY(QTest::qWaitFor([this] { return table()->hasFocus(); }));
    const auto copied = [] { return QApplication::clipboard()->text(); };
    QTest::keyClick(table(), Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(copied(), QString("Stage,Device,Speed,Limit,Link,Latency\r\nall,a,1,70.0 GiB,25 GB/s,5 us\r\n"
                               "1,a,1,70.0 GiB,25 GB/s,5 us\r\n2,a,1,70.0 GiB,25 GB/s,5 us\r\n"
                               "3,a,1,70.0 GiB,,\r\n"));
    table()->selectRow(1);
    table()->item(2, 0)->setSelected(true);
    const QPoint second = table()->visualItemRect(table()->item(2, 0)).center();
    const QStringList offered = menuAt(table()->viewport(), second, "Copy as Markdown");
    QCOMPARE(offered, QStringList({"Put stages on", "Copy as CSV", "Copy as Markdown"}));
}

QTEST_MAIN(TestPlacesTable)
#include "tst_places_table.moc"
