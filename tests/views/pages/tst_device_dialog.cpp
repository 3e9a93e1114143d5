#include "views/pages/device_dialog.h"

#include "views/plan/device_form.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestDeviceDialog : public QObject
{
    Q_OBJECT

private slots:
    void init();
    void everyDeviceComesBackAsItIs_data();
    void everyDeviceComesBackAsItIs();
    void figuresAreReadWithTheirUnits();
    void oneThatIsChangedIsNotAsExact();
    void whatCannotBeReadIsSaidByName_data();
    void whatCannotBeReadIsSaidByName();
    void thoseThatComeAlongAreReadOnly();
    void oneIsNotLeftUnsaved();
    void savingSaysWhatIsInTheFields();
    void hostileNamesAreShownAsTheyAre();

private:
    template <class Widget>
    Widget* named(const QString& name) const
    {
        for (auto* widget : m_dialog->findChildren<Widget*>())
            if (widget->accessibleName() == name)
                return widget;
        return nullptr;
    }
    QPushButton* button(const QString& text) const
    {
        for (auto* button : m_dialog->findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }
    void type(const QString& field, const QString& text) const { named<QLineEdit>(field)->setText(text); }

    const std::vector<DeviceSpec> m_devices = readDevices(STAGECRAFT_RESOURCES "/devices").value();
    std::unique_ptr<DeviceDialog> m_dialog;
};

void TestDeviceDialog::init()
{
    m_dialog = std::make_unique<DeviceDialog>();
    m_dialog->setDevices(m_devices, {"l4"}, "l4"); // as if it were one's own
}

void TestDeviceDialog::everyDeviceComesBackAsItIs_data()
{
    QTest::addColumn<int>("index");
    for (std::size_t i = 0; i < m_devices.size(); ++i)
        QTest::newRow(m_devices[i].id.c_str()) << static_cast<int>(i);
}

void TestDeviceDialog::everyDeviceComesBackAsItIs()
{
    QFETCH(int, index);
    const DeviceSpec& device = m_devices[static_cast<std::size_t>(index)];
    DeviceForm form;
    form.setDevice(device, DeviceForm::Access::Editable);
    QCOMPARE(deviceJson(form.device().value()), deviceJson(device));
}

void TestDeviceDialog::figuresAreReadWithTheirUnits()
{
    const auto* form = m_dialog->findChild<DeviceForm*>();
    type("Memory", "48");
    type("Link bandwidth", "200 Gbit/s");
    type("Link latency", "3");
    type("Peak, bfloat16", "1.2 PFLOPS");
    const DeviceSpec device = form->device().value();
    QCOMPARE(device.memory, Bytes(std::int64_t{48} << 30));
    QCOMPARE(device.linkBandwidth, 25e9);
    QCOMPARE(device.linkLatency.value(), 3e-6);
    QCOMPARE(device.peakFlops.at(DType::BF16), 1.2e15);
    for (auto* field : form->findChildren<QLineEdit*>())
        emit field->editingFinished(); // it is left
    QCOMPARE(named<QLineEdit>("Memory")->text(), QString("48 GiB"));
    QCOMPARE(named<QLineEdit>("Link bandwidth")->text(), QString("25 GB/s"));
    QCOMPARE(named<QLineEdit>("Link latency")->text(), QString("3 us"));
    QCOMPARE(form->device().value().linkBandwidth, 25e9);
    QCOMPARE(device.sources.at("link_bandwidth").from, std::string("typed in by hand"));
    const DeviceSpec l4 = findDevice(m_devices, "l4").value();
    QCOMPARE(device.memoryBandwidth, l4.memoryBandwidth);
    QCOMPARE(device.sources.at("memory_bandwidth").from, l4.sources.at("memory_bandwidth").from);
    type("Peak, bfloat16", "");
    QVERIFY(!form->device().value().peakFlops.contains(DType::BF16));
}

void TestDeviceDialog::oneThatIsChangedIsNotAsExact()
{
    const auto* form = m_dialog->findChild<DeviceForm*>();
    const std::size_t held = form->device().value().accuracy.size();
    QVERIFY(held > 0);
    type("Memory", "48");
    type("Link bandwidth", "1 GB/s");
    QCOMPARE(form->device().value().accuracy.size(), held);
    const QString before = named<QLineEdit>("Dispatch, backward")->text();
    type("Dispatch, backward", "1 us");
    const DeviceSpec device = form->device().value();
    QCOMPARE(device.backwardDispatch.value(), 1e-6);
    QVERIFY(device.accuracy.empty());
    type("Dispatch, backward", before);
    QCOMPARE(form->device().value().accuracy.size(), held);
    named<QComboBox>("Kind")->setCurrentIndex(1);
    QVERIFY(form->device().value().accuracy.empty());
}

void TestDeviceDialog::whatCannotBeReadIsSaidByName_data()
{
    QTest::addColumn<QString>("field");
    QTest::addColumn<QString>("text");
    QTest::newRow("no name") << "Name"
                             << " ";
    QTest::newRow("no memory") << "Memory"
                               << "";
    QTest::newRow("no unit that is clear") << "Memory"
                                           << "4000";
    QTest::newRow("bits or bytes") << "Link bandwidth"
                                   << "25 gb/s";
    QTest::newRow("nothing") << "Memory bandwidth"
                             << "0";
    QTest::newRow("words") << "Peak, float32"
                           << "fast";
}

void TestDeviceDialog::whatCannotBeReadIsSaidByName()
{
    QFETCH(QString, field);
    QFETCH(QString, text);
    QVERIFY(!button("Save")->isEnabled());
    type("Name", "Another");
    QVERIFY(button("Save")->isEnabled());
    type(field, text);
    QVERIFY(!button("Save")->isEnabled() && !button("Use for the plan")->isEnabled());
    const auto* error = named<QLabel>("What is wrong with the device");
    QVERIFY(!error->isHidden());
    QVERIFY2(error->text().contains(field.section(", ", -1)), qPrintable(error->text()));
}

void TestDeviceDialog::thoseThatComeAlongAreReadOnly()
{
    QVERIFY(!named<QLineEdit>("Memory")->isReadOnly());
    QVERIFY(button("Delete…")->isEnabled());
    named<QListWidget>("Devices")->setCurrentRow(0);
    QVERIFY(named<QLineEdit>("Memory")->isReadOnly());
    QVERIFY(!button("Delete…")->isEnabled());
    std::string duplicated;
    connect(m_dialog.get(), &DeviceDialog::duplicateRequested,
            [&](const std::string& id) { duplicated = id; });
    button("Duplicate")->click();
    QCOMPARE(duplicated, m_devices.front().id);
}

void TestDeviceDialog::oneIsNotLeftUnsaved()
{
    type("Memory", "48");
    for (const char* text : {"Duplicate", "Import…", "Delete…"})
        QVERIFY2(!button(text)->isEnabled(), text);
    QVERIFY(!named<QListWidget>("Devices")->isEnabled());
}

void TestDeviceDialog::savingSaysWhatIsInTheFields()
{
    DeviceSpec saved;
    connect(m_dialog.get(), &DeviceDialog::saveRequested, [&](const DeviceSpec& device) { saved = device; });
    type("Memory", "48");
    button("Save")->click();
    QCOMPARE(saved.id, std::string("l4"));
    QCOMPARE(saved.memory, Bytes(std::int64_t{48} << 30));
    std::string used;
    connect(m_dialog.get(), &DeviceDialog::useRequested, [&](const std::string& id) { used = id; });
    button("Use for the plan")->click();
    QCOMPARE(used, std::string("l4"));
}

void TestDeviceDialog::hostileNamesAreShownAsTheyAre()
{
    DeviceSpec device = m_devices.front();
    device.name = "<b>&x</b>\n[*]";
    m_dialog->setDevices({device}, {}, {});
    QVERIFY(named<QListWidget>("Devices")->item(0)->text().contains("<b>&x</b>"));
    QCOMPARE(m_dialog->findChild<DeviceForm*>()->device().value().name, device.name);
}

QTEST_MAIN(TestDeviceDialog)
#include "tst_device_dialog.moc"
