#include "core/profile/device/own_devices.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace stagecraft;
namespace fs = std::filesystem;

class TestOwnDevices : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_devices = std::make_unique<OwnDevices>(m_comeAlong, own());
    }

    void aNewOneIsWrittenAndFoundAgain()
    {
        DeviceSpec device = m_comeAlong.front();
        device.id.clear();
        device.name = "My <fast> GPU (8x)";
        device.linkBandwidth = 12.5e9;
        const Result<std::string> id = m_devices->write(device);
        QVERIFY2(id.has_value(), id.has_value() ? "" : id.error().message.c_str());
        QCOMPARE(*id, std::string("my-fast-gpu-8x"));
        QVERIFY(m_devices->isOwn(*id));
        QVERIFY(!m_devices->isOwn(m_comeAlong.front().id));
        const OwnDevices later(m_comeAlong, own());
        QCOMPARE(later.all().size(), m_comeAlong.size() + 1);
        QCOMPARE(later.all().back().name, device.name);
        QCOMPARE(later.all().back().linkBandwidth, 12.5e9);
        QVERIFY(isSameDevice(later.all().back(), m_devices->all().back()));
    }

    void twoOfOneNameAreTwo()
    {
        DeviceSpec device = m_comeAlong.front();
        device.name = "Twin";
        for (const char* expected : {"twin", "twin-2", "twin-3"}) {
            device.id.clear();
            QCOMPARE(m_devices->write(device).value(), std::string(expected));
        }
        device.name = "L4";
        device.id.clear();
        QCOMPARE(m_devices->write(device).value(), std::string("l4-2")); // an l4 comes along
    }

    void thoseThatComeAlongAreNotWritten()
    {
        const Result<std::string> id = m_devices->write(m_comeAlong.front());
        QVERIFY(!id.has_value());
        QVERIFY(QString::fromStdString(id.error().message).contains("duplicate it"));
        QVERIFY(!m_devices->remove(m_comeAlong.front().id).has_value());
        QVERIFY(!fs::exists(own()));
    }

    void whatMakesNoSenseIsNotWritten()
    {
        DeviceSpec device = m_comeAlong.front();
        device.id.clear();
        device.memoryBandwidth = 0;
        const Result<std::string> id = m_devices->write(device);
        QVERIFY(!id.has_value());
        QVERIFY(QString::fromStdString(id.error().message).contains("memory_bandwidth"));
        QVERIFY(!fs::exists(own()));
    }

    void filesAreImportedAndDeleted()
    {
        const fs::path file = fs::path(m_folder->path().toStdString()) / "This machine.json";
        std::ofstream(file) << deviceJson(m_comeAlong.back());
        QCOMPARE(m_devices->import(file).value(), std::string("this-machine"));
        QCOMPARE(m_devices->import(file).value(), std::string("this-machine-2"));
        QVERIFY(m_devices->remove("this-machine").has_value());
        QVERIFY(!m_devices->isOwn("this-machine") && m_devices->isOwn("this-machine-2"));
        QVERIFY(!fs::exists(own() / "this-machine.json"));
        const Result<std::string> missing = m_devices->import(file.parent_path() / "none.json");
        QVERIFY(!missing.has_value() && missing.error().message.find("none.json") != std::string::npos);
    }

    void filesThatAreNoDevicesAreNamedAndLeftOut()
    {
        fs::create_directories(own());
        std::ofstream(own() / "broken.json") << "{";
        std::ofstream(own() / (m_comeAlong.front().id + ".json")) << deviceJson(m_comeAlong.front());
        std::ofstream(own() / "good.json") << deviceJson(m_comeAlong.front());
        m_devices->refresh();
        QCOMPARE(m_devices->all().size(), m_comeAlong.size() + 1);
        QCOMPARE(m_devices->unreadable().size(), std::size_t{2});
        QVERIFY(m_devices->unreadable().back().message.find("broken.json") != std::string::npos);
        QVERIFY(m_devices->unreadable().front().message.find("comes with Stagecraft") != std::string::npos);
        DeviceSpec device = m_comeAlong.front();
        device.id.clear();
        device.name = "Broken";
        QCOMPARE(m_devices->write(device).value(), std::string("broken-2")); // what is there is not lost
    }

    void withoutAFolderThereAreNone()
    {
        OwnDevices none(m_comeAlong, {});
        QCOMPARE(none.all().size(), m_comeAlong.size());
        DeviceSpec device = m_comeAlong.front();
        device.id.clear();
        QVERIFY(!none.write(device).has_value());
    }

private:
    fs::path own() const { return fs::path(m_folder->path().toStdString()) / "data" / "devices"; }

    const std::vector<DeviceSpec> m_comeAlong = readDevices(STAGECRAFT_RESOURCES "/devices").value();
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<OwnDevices> m_devices;
};

QTEST_GUILESS_MAIN(TestOwnDevices)
#include "tst_own_devices.moc"
