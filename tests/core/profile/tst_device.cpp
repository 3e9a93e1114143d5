#include "core/profile/device.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace stagecraft;
namespace fs = std::filesystem;

namespace {

const fs::path deviceFolder = fs::path(STAGECRAFT_RESOURCES) / "devices";

std::string read(const fs::path& path)
{
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class TestDevice : public QObject
{
    Q_OBJECT

private slots:
    void theDevicesThatComeWithTheProgramAreReadable()
    {
        const Result<std::vector<DeviceSpec>> devices = readDevices(deviceFolder);
        QVERIFY2(devices.has_value(), devices.has_value() ? "" : devices.error().message.c_str());
        QStringList ids;
        for (const DeviceSpec& device : *devices)
            ids << QString::fromStdString(device.id);
        QCOMPARE(ids.join(' '), "a100-sxm-80gb cpu h100-sxm l4 rtx-4090");
    }

    void anUnknownDeviceIsRefusedWithTheListOfThoseThereAre()
    {
        const Result<DeviceSpec> device = findDevice(*readDevices(deviceFolder), "tpu");
        QCOMPARE(device.error().message,
                 std::string("there is no device 'tpu'; there are a100-sxm-80gb, cpu, "
                             "h100-sxm, l4, rtx-4090"));
    }

    void faultsNameTheField_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("message");
        QTest::newRow("missing") << "\"link_latency\""
                                 << "\"latency\""
                                 << "field 'link_latency' must be a number above 0";
        QTest::newRow("negative") << "3350000000000.0"
                                  << "-1"
                                  << "field 'memory_bandwidth' must be a number above 0";
        QTest::newRow("no such type") << "\"bf16\""
                                      << "\"bf17\""
                                      << "field 'peak_flops' 'bf17' is not an element type";
        QTest::newRow("too efficient") << "0.85"
                                       << "1.5"
                                       << "field 'memory_efficiency' must be at most 1";
        QTest::newRow("kind") << "\"cuda\""
                              << "\"abacus\""
                              << "field 'kind' must be 'cuda' or 'cpu'";
        QTest::newRow("not JSON") << "{"
                                  << ""
                                  << "is not a JSON object";
    }
    void faultsNameTheField()
    {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, message);
        QString text = QString::fromStdString(read(deviceFolder / "h100-sxm.json"));
        QVERIFY(text.contains(from));
        text.replace(from, to);
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString() + "/broken.json";
        std::ofstream(path) << text.toStdString();
        const Result<DeviceSpec> device = readDevice(path);
        QVERIFY(!device.has_value());
        QCOMPARE(QString::fromStdString(device.error().message),
                 QString::fromStdString(path.string()) + ": " + message);
    }
};

QTEST_GUILESS_MAIN(TestDevice)
#include "tst_device.moc"
