#include "core/profile/device/device.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <fstream>

using namespace stagecraft;
namespace fs = std::filesystem;

namespace {

const fs::path deviceFolder = fs::path(STAGECRAFT_RESOURCES) / "devices";

// "kernels.depthwise", "kernels.single_products.f32".
QStringList kernelFigures(const QJsonObject& kernels)
{
    QStringList figures;
    for (auto rate = kernels.begin(); rate != kernels.end(); ++rate) {
        const QJsonObject types = rate->toObject();
        for (const QString& type : types.keys())
            figures << "kernels." + rate.key() + "." + type;
        if (rate->isDouble())
            figures << "kernels." + rate.key();
    }
    return figures;
}

// "curves.matrix" for every curve, "matrix_tiles", "memory_bytes": all that holds a number.
QStringList figuresOf(const QJsonObject& device)
{
    QStringList figures;
    for (auto field = device.begin(); field != device.end(); ++field) {
        if (field.key() == "curves")
            for (const QString& curve : field->toObject().keys())
                figures << "curves." + curve;
        else if (field.key() == "kernels")
            figures << kernelFigures(field->toObject());
        else if (field.key() == "accuracy")
            continue; // says itself against what
        else if (field->isDouble() || field->isArray() || field.key() == "peak_flops")
            figures << field.key();
    }
    figures.sort();
    return figures;
}

QStringList faultsOf(const QJsonObject& device)
{
    const QJsonObject sources = device["sources"].toObject();
    QStringList faults;
    for (const QString& figure : figuresOf(device)) {
        const QJsonObject source = sources[figure].toObject();
        if (source["basis"].toString().isEmpty() || source["from"].toString().size() < 10)
            faults << figure + " has no source";
        if (source["basis"] == QString("datasheet") &&
            !source["from"].toString().contains(
                QRegularExpression("20[12][0-9]|PCIe|NVLink|Guide|get_device_properties")))
            faults << figure + " names no edition of its datasheet";
    }
    for (const QString& named : sources.keys())
        if (!figuresOf(device).contains(named))
            faults << named + " is no figure";
    return faults;
}

QJsonObject jsonOf(const std::string& text)
{
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

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
        QCOMPARE(
            ids.join(' '),
            "a10 a100-pcie-40gb a100-pcie-80gb a100-sxm-40gb a100-sxm-80gb a30 a40 b200-sxm cpu "
            "h100-nvl h100-pcie h100-sxm h200-sxm l4 l40 l40s rtx-3060 rtx-3080 rtx-3080-laptop rtx-3090 "
            "rtx-4060-laptop rtx-4070-laptop rtx-4080 rtx-4080-laptop rtx-4090 rtx-4090-laptop rtx-5090 "
            "rtx-6000-ada rtx-a6000 t4 v100-pcie-16gb v100-pcie-32gb v100-sxm2-16gb v100-sxm2-32gb");
    }

    void anUnknownDeviceIsRefusedWithTheListOfThoseThereAre()
    {
        const std::vector<DeviceSpec> some{*readDevice(deviceFolder / "l4.json"),
                                           *readDevice(deviceFolder / "l40s.json"),
                                           *readDevice(deviceFolder / "t4.json")};
        QCOMPARE(findDevice(some, "l40").error().message,
                 std::string(
                     "there is no device 'l40'; did you mean 'l4', 'l40s', 't4'?; there are l4, l40s, t4"));
        QCOMPARE(findDevice(some, "gaudi-2").error().message,
                 std::string("there is no device 'gaudi-2'; there are l4, l40s, t4"));
    }

    void everyFigureSaysWhereItComesFrom()
    {
        for (const fs::directory_entry& entry : fs::directory_iterator(deviceFolder)) {
            const QStringList faults = faultsOf(jsonOf(deviceJson(*readDevice(entry.path()))));
            QVERIFY2(faults.isEmpty(),
                     qPrintable(QString::fromStdString(entry.path().string()) + ": " + faults.join("; ")));
        }
        QJsonObject broken = jsonOf(read(deviceFolder / "l4.json"));
        QJsonObject sources = broken["sources"].toObject();
        sources["memory_bandwith"] = sources.take("memory_bandwidth");
        sources["tf32_flops"] = QJsonObject{{"basis", "datasheet"}, {"from", "the maker's own"}};
        broken["sources"] = sources;
        QCOMPARE(faultsOf(broken).join("; "),
                 QString("memory_bandwidth has no source; tf32_flops names no edition of its datasheet; "
                         "memory_bandwith is no figure"));
    }

    void aSiblingLendsWhatAFileDoesNotSay()
    {
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString() + "/mine.json";
        QJsonObject mine = jsonOf(read(deviceFolder / "l40.json"));
        mine["sibling"] = "l4"; // which comes with the program
        mine["curves"] = QJsonObject{{"copy", QJsonArray{QJsonArray{1e6, 0.4}}}};
        std::ofstream(path) << QJsonDocument(mine).toJson().toStdString();
        const Result<DeviceSpec> device = readDevice(path);
        QVERIFY2(device.has_value(), device.has_value() ? "" : device.error().message.c_str());
        const DeviceSpec lender = *readDevice(deviceFolder / "l4.json");
        const auto curve = [](const DeviceSpec& of, OperatorClass kind) {
            return of.curves[static_cast<std::size_t>(kind)];
        };
        QCOMPARE(curve(*device, OperatorClass::Copy).at(1e6), 0.4);
        QCOMPARE(curve(*device, OperatorClass::Elementwise).at(1e7),
                 curve(lender, OperatorClass::Elementwise).at(1e7));
        QCOMPARE(device->kernels.single.at(DType::F32).share, lender.kernels.single.at(DType::F32).share);
        QCOMPARE(device->dispatchOverhead.value(), lender.dispatchOverhead.value());
        QCOMPARE(device->multiprocessors, 142); // an amount
        QVERIFY(device->accuracy.empty());      // nobody checked this one
        const FigureSource& source = device->sources.at("kernels.single_products.f32");
        QCOMPARE(source.basis, FigureBasis::Assumed);
        QCOMPARE(source.from, "as on its sibling, the NVIDIA L4 24GB (fitted: 346 rows of NVIDIA L4, "
                              "operators timed alone in float32)");
        QCOMPARE(deviceJson(*deviceFromText(deviceJson(*device), path)), deviceJson(*device));
    }

    void aSiblingThatCannotLendIsRefused_data()
    {
        QTest::addColumn<QJsonValue>("sibling");
        QTest::addColumn<QString>("message");
        const QString none = "must be the name of a device";
        QTest::newRow("a path") << QJsonValue("../l4") << none;
        QTest::newRow("a number") << QJsonValue(4) << none;
        QTest::newRow("nobody") << QJsonValue("l5")
                                << "names a device whose file is neither beside this one nor comes with "
                                   "Stagecraft: 'l5'";
        QTest::newRow("a chain") << QJsonValue("l40")
                                 << "names a device that has a sibling itself; name that one";
    }
    void aSiblingThatCannotLendIsRefused()
    {
        QFETCH(QJsonValue, sibling);
        QFETCH(QString, message);
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString() + "/mine.json";
        QJsonObject mine = jsonOf(read(deviceFolder / "l40.json"));
        mine["sibling"] = sibling;
        std::ofstream(path) << QJsonDocument(mine).toJson().toStdString();
        QCOMPARE(QString::fromStdString(readDevice(path).error().message),
                 QString::fromStdString(path.string()) + ": field 'sibling' " + message);
    }

    // Rates with sparsity are twice the dense ones, which are what counts: float16 is at most 2.5 times
    // int8's half, and the memory that PyTorch sees is below what the name says.
    void peaksAreDense()
    {
        const Result<std::vector<DeviceSpec>> devices = readDevices(deviceFolder);
        for (const DeviceSpec& device : *devices) {
            if (device.kind != "cuda")
                continue;
            const double half = device.peakFlops.at(DType::F16);
            if (const auto eight = device.peakFlops.find(DType::I8); eight != device.peakFlops.end())
                QVERIFY2(eight->second >= 1.9 * half && eight->second <= 4.1 * half, device.id.c_str());
            if (device.tf32Flops > 0) // half of the rate of half precision, in every generation
                QVERIFY2(std::abs(2 * device.tf32Flops / half - 1) < 0.05, device.id.c_str());
            const QRegularExpressionMatch size =
                QRegularExpression("([0-9]+)GB").match(QString::fromStdString(device.name));
            if (size.hasMatch())
                QVERIFY2(device.memory.asDouble() < size.captured(1).toDouble() * 0x1p30 * 1.015 &&
                             device.memory.asDouble() > size.captured(1).toDouble() * 0x1p30 * 0.9,
                         device.id.c_str());
        }
    }

    void measuredTimesOfOperatorsAreReadBack()
    {
        DeviceSpec device = *readDevice(deviceFolder / "cpu.json");
        device.operators.emplace(
            "aten::add", OperatorTimes(std::vector<std::pair<double, double>>{{8, 1e-6}, {4096, 2e-6}}));
        device.operators.emplace("aten::mm",
                                 OperatorTimes(std::vector<ShapeTime>{{{8, 16, 32, 1}, Seconds(3e-6)}}));
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString() + "/here.json";
        std::ofstream(path) << deviceJson(device);
        const Result<DeviceSpec> again = readDevice(path);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        QCOMPARE(deviceJson(*again), deviceJson(device));
        QCOMPARE(again->operators.at("aten::mm").shapes().front().shape.depth, 32.0);
    }

    void whatViewsTakeIsReadBackAndLentWithWhatOperatorsTake()
    {
        DeviceSpec device = *readDevice(deviceFolder / "l4.json");
        device.dispatchOverhead = Seconds(3e-5);
        device.host.view = Seconds(2e-6);
        device.host.backwardView = Seconds(6e-6);
        device.host.unrecorded = 0.75;
        for (const char* field :
             {"view_dispatch_overhead", "backward_view_dispatch_overhead", "unrecorded_dispatch"})
            device.sources[field] = {FigureBasis::Fitted, "a machine of our own"};
        QTemporaryDir folder;
        const fs::path path = folder.path().toStdString() + "/lender.json";
        std::ofstream(path) << deviceJson(device);
        const DeviceSpec again = *readDevice(path);
        QCOMPARE(deviceJson(again), deviceJson(device));
        QCOMPARE(again.host.backwardView.value(), 6e-6);

        const fs::path borrower = folder.path().toStdString() + "/borrower.json";
        QJsonObject mine = jsonOf(read(deviceFolder / "l40.json"));
        mine["sibling"] = "lender";
        std::ofstream(borrower) << QJsonDocument(mine).toJson().toStdString();
        const DeviceSpec lent = *readDevice(borrower);
        QCOMPARE(lent.host.view.value(), 2e-6);
        QCOMPARE(lent.host.unrecorded, 0.75);
        mine["dispatch_overhead"] = 1e-5; // of another host
        std::ofstream(borrower) << QJsonDocument(mine).toJson().toStdString();
        const DeviceSpec own = *readDevice(borrower);
        QCOMPARE(own.dispatchOverhead.value(), 1e-5);
        QCOMPARE(own.host.view.value(), 0.0);
        QCOMPARE(own.host.backwardView.value(), 0.0);
        QCOMPARE(own.host.unrecorded, 1.0);
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
        QTest::newRow("tiny") << "3350000000000.0"
                              << "1e-300"
                              << "field 'memory_bandwidth' is out of all proportion";
        QTest::newRow("huge") << "3350000000000.0"
                              << "1e300"
                              << "field 'memory_bandwidth' is out of all proportion";
        QTest::newRow("no such type") << "\"bf16\""
                                      << "\"bf17\""
                                      << "field 'peak_flops' 'bf17' is not an element type";
        QTest::newRow("too efficient") << "0.85"
                                       << "1.5"
                                       << "field 'memory_efficiency' must be at most 1";
        QTest::newRow("views alone") << "\"dispatch_overhead\""
                                     << "\"dispatch\""
                                     << "field 'view_dispatch_overhead' wants 'dispatch_overhead' beside it";
        QTest::newRow("views backward alone")
            << "\"view_dispatch_overhead\""
            << "\"views\""
            << "field 'backward_view_dispatch_overhead' wants 'view_dispatch_overhead' beside it";
        QTest::newRow("more than all") << "\"unrecorded_dispatch\": 0.8"
                                       << "\"unrecorded_dispatch\": 1.8"
                                       << "field 'unrecorded_dispatch' must be at most 1";
        QTest::newRow("operators") << "\"curves\""
                                   << "\"operators\": {\"aten::mm\": [[8, 8, 8, 1, 0]]}, \"curves\""
                                   << "field 'operators.aten::mm' must hold [rows, columns, depth, batch, "
                                      "seconds], all above 0";
        QTest::newRow("kind") << "\"cuda\""
                              << "\"abacus\""
                              << "field 'kind' must be 'cuda' or 'cpu'";
        QTest::newRow("not JSON") << "{"
                                  << ""
                                  << "is not JSON: what stands at line 2, column 9 does not belong there";
        QTest::newRow("a list") << QString::fromStdString(read(deviceFolder / "h100-sxm.json")) << "[]"
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
