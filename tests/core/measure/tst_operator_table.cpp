// Tables of operators that were timed alone, and devices fitted to them.
#include "core/measure/operator_table.h"

#include <QTemporaryDir>
#include <QTest>

#include <fstream>

using namespace stagecraft;

namespace {

DeviceSpec t4()
{
    return *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / "t4.json");
}

// Additions of a device that reaches so much of its bandwidth; every time has 20 us of the host's.
std::string additions(double share)
{
    std::string text = "gpu,op,B,M,N,K,H,ms\nT4,add,1,,,,1,0.02\n";
    for (int i = 1; i <= 60; ++i) {
        const double elements = 4e6 * i;
        const double ms = 1e3 * 12 * elements / (t4().memoryBandwidth * share) + 0.01;
        text += "T4,add," + std::to_string(static_cast<long>(elements) / 1000) + ",,,,1000," +
                std::to_string(ms) + "\n";
    }
    return text;
}

// Batched products of a kernel with tiles of 128 x 32 and steps of 64 of the depth, at 0.8 of the peak;
// none less deep than `least`.
std::string batchedProducts(int least)
{
    std::string text = "gpu,op,B,M,N,K,H,ms\nT4,bmm,1,1,1,1,,0.02\n";
    const auto whole = [](int size, int step) { return (size + step - 1) / step * step; };
    for (int i = 0; i < 240; ++i) {
        const int batch = 40 * (5 + i % 7), rows = 60 + 37 * (i % 11), columns = 120 + 29 * (i % 13);
        const int depth = least + 23 * (i % 17);
        const int tiles = batch * (whole(rows, 128) / 128) * (whole(columns, 32) / 32);
        const double adds = double(whole(tiles, t4().multiprocessors)) * 128 * 32 * whole(depth, 64);
        const double ms = 1e3 * 2 * adds / (t4().peakFlops.at(DType::F32) * 0.8) + 0.01;
        text += "T4,bmm," + std::to_string(batch) + "," + std::to_string(rows) + "," +
                std::to_string(columns) + "," + std::to_string(depth) + ",," + std::to_string(ms) + "\n";
    }
    return text;
}

Result<OperatorTable> tableOf(const std::string& text, const std::string& gpu = {})
{
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.path().toStdString() + "/table.csv";
    std::ofstream(path) << text;
    return readOperatorTable(path, gpu);
}

} // namespace

class TestOperatorTable : public QObject
{
    Q_OBJECT

private slots:
    void aDeviceIsFittedToItsRows()
    {
        const Result<OperatorTable> table = tableOf(additions(0.6));
        QVERIFY(table.has_value());
        QCOMPARE(table->leftOut,
                 std::vector<std::string>{"1 rows of add: shorter than four times what the host takes"});
        const FittedDevice fitted = fitDevice(t4(), *table).value();
        const EfficiencyCurve& curve =
            fitted.device.curves[static_cast<std::size_t>(OperatorClass::Elementwise)];
        QVERIFY(std::abs(curve.at(1e9) - 0.6) < 0.02);
        QCOMPARE(fitted.errors.size(), std::size_t{1});
        QCOMPARE(fitted.errors[0].kept, 20);
        QVERIFY(fitted.errors[0].after < 0.02);
        QVERIFY(fitted.errors[0].before > 0.1);
        QCOMPARE(fitted.device.sources.at("curves.elementwise").basis, FigureBasis::Fitted);
        QCOMPARE(fitted.device.accuracy[0].cases, 20);
    }

    void aKernelsTileAndStepAreFound()
    {
        const FittedDevice fitted = fitDevice(t4(), tableOf(batchedProducts(30)).value()).value();
        const ProductRate& rate = fitted.device.kernels.batched.at(DType::F32);
        QCOMPARE(rate.law.depthStep, 64.0);
        QCOMPARE(rate.tiles.size(), std::size_t{1});
        QCOMPARE(std::pair(rate.tiles[0].rows, rate.tiles[0].columns), std::pair(128, 32));
        QVERIFY(fitted.errors[0].after < 0.02);
        const Result<DeviceSpec> again = deviceFromText(deviceJson(fitted.device), "fitted.json");
        QCOMPARE(deviceJson(again.value()), deviceJson(fitted.device));
    }

    // Where no depth is short enough to be filled up to a step, shorter ones may well not be.
    void aStepThatNoRowTellsIsNone()
    {
        const FittedDevice fitted = fitDevice(t4(), tableOf(batchedProducts(65)).value()).value();
        QVERIFY(fitted.device.kernels.batched.at(DType::F32).law.depthStep != 64.0);
    }

    // Most of a step; elementwise rows, which are easy, may be many more.
    void accuracyIsThatOfProducts()
    {
        std::string text = additions(0.6);
        const std::string products = batchedProducts(30);
        text += products.substr(products.find('\n') + 1);
        const FittedDevice fitted = fitDevice(t4(), tableOf(text).value()).value();
        QCOMPARE(fitted.errors.size(), std::size_t{2});
        QCOMPARE(fitted.device.accuracy[0].cases, fitted.errors[0].kept);
        QCOMPARE(fitted.device.accuracy[0].against, std::string("matrix products of T4 kept out of the fit"));
    }

    void whatTheTableHasNotStays()
    {
        const FittedDevice fitted = fitDevice(t4(), tableOf(additions(0.6)).value()).value();
        QCOMPARE(fitted.device.kernels.single.at(DType::F32).share, t4().kernels.single.at(DType::F32).share);
    }

    // As Excel writes them; without the column every GPU's rows would be taken for one's.
    void aMarkOfTheEncodingIsNoPartOfAColumn()
    {
        const Result<OperatorTable> table =
            tableOf("\xef\xbb\xbfgpu,op,B,H,ms\nT4,add,4,4,1\nL4,add,4,4,1\n", "L4");
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t{1});
        QVERIFY(tableOf("op,B,H,ms\nadd,4,4,1\n").error().message.ends_with("and has no 'gpu'"));
    }

    // A name may have a comma or a quote in it, as spreadsheets write them.
    void fieldsMayBeQuoted()
    {
        const Result<OperatorTable> table =
            tableOf("gpu,op,B,H,ms\r\n\"RTX \"\"A\"\", 24 GB\",\"add\",4,4,1\r\n\r\nT4,add,4,4,1\r\n", "T4");
        QVERIFY(table.has_value());
        QCOMPARE(table->rows.size(), std::size_t{1});
        const Result<OperatorTable> other = tableOf("gpu,op,B,H,ms\n\"RTX \"\"A\"\", 24 GB\",add,4,4,1\n");
        QCOMPARE(other->gpu, std::string("RTX \"A\", 24 GB"));
    }

    void whatCannotBeFittedIsSaid()
    {
        const Result<OperatorTable> one = tableOf("gpu,op,B,H,ms\nT4,add,4000,1000,5\n");
        QVERIFY(!fitDevice(t4(), one.value()).has_value());
        DeviceSpec cpu = t4();
        cpu.kind = "cpu";
        QVERIFY(!fitDevice(cpu, tableOf(additions(0.6)).value()).has_value());
        const FittedDevice fitted =
            fitDevice(t4(), tableOf(additions(0.6) + "T4,ln,4000,,,,1000,5\n").value()).value();
        QCOMPARE(fitted.leftOut,
                 std::vector<std::string>{"1 rows of normalization: too few to fit anything to"});
    }

    void faultsNameTheLine()
    {
        QVERIFY(tableOf("gpu,op,B,H,ms\nT4,add,4,4,1\nT4,frobnicate,4,4,1\n")
                    .error()
                    .message.ends_with(
                        "line 3 must have an operator that is known, its sizes and its time in ms"));
        QVERIFY(tableOf("gpu,op,B,H,ms\nT4,add,4,4,-1\n").error().message.find("line 2 must have") !=
                std::string::npos);
        for (const char* time : {"nan", "inf", "1e-300", "1e300"})
            QVERIFY(!tableOf(std::string("gpu,op,B,H,ms\nT4,add,4,4,") + time + "\n").has_value());
        QVERIFY(!tableOf("gpu,op,B,H,ms\nT4,add,1e200,1e200,1\n").has_value()); // its figures would be none
        QVERIFY(tableOf("gpu,op,B,H,ms\nT4,add,4,4,1\n", "L4")
                    .error()
                    .message.ends_with("has no rows of 'L4', but of 'T4'"));
        const std::string several = "gpu,op,B,H,ms\nT4,add,4,4,1\nL4,add,4,4,1\nA100,add,4,4,1\n";
        QVERIFY(tableOf(several).error().message.ends_with(
            "has rows of several GPUs; say --gpu with one of 'A100', 'L4', 'T4'"));
        QVERIFY(tableOf(several, "V100")
                    .error()
                    .message.ends_with("has no rows of 'V100', but of 'A100', 'L4', 'T4'"));
    }
};

QTEST_GUILESS_MAIN(TestOperatorTable)
#include "tst_operator_table.moc"
