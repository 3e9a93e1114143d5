// That a step says where its times are outside of what its device was checked for.
#include "core/load/model.h"
#include "core/profile/model/profile_model.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QTest>

#include <algorithm>

using namespace stagecraft;

namespace {

Profile profileOn(const std::string& device, const std::string& lines, Precision precision)
{
    Result<Graph> graph = parseGraph("graph g\n" + lines);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    ProfileOptions options;
    options.mode = TrainingMode::Infer;
    options.precision = precision;
    options.device =
        *readDevice(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices" / (device + ".json"));
    Result<Profile> profile = profileModel({.name = "g", .graph = std::move(graph).value()}, options);
    if (!profile.has_value())
        qFatal("%s", profile.error().message.c_str());
    return std::move(profile).value();
}

const std::string product = "  input %x : f32[512, 512]\n  param %w \"w\" : f32[512, 512]\n"
                            "  %y : f32[512, 512] = aten::mm.default(%x, %w)\n"
                            "  %z : f32[512, 512] = aten::relu.default(%y)\n  return %z\n";
const std::string convolution =
    "  input %x : f32[4, 64, 32, 32]\n  param %w \"w\" : f32[64, 64, 3, 3]\n"
    "  %y : f32[4, 64, 30, 30] = aten::conv2d.default(%x, %w, none, [1, 1], [0, 0], [1, 1], 1)\n"
    "  return %y\n";

std::string noteOf(const Profile& profile)
{
    const auto note = std::ranges::find_if(
        profile.notes, [](const std::string& text) { return text.starts_with("times: "); });
    return note == profile.notes.end() ? "" : *note;
}

} // namespace

class TestCheckedTimes : public QObject
{
    Q_OBJECT

private slots:
    // Its operators were timed in float32.
    void operatorsAreCheckedInFloat32()
    {
        const Profile checked = profileOn("l4", product, Precision::AsExported);
        QCOMPARE(timesText(checked),
                 std::string("estimated, usually within 29 % (497 operators in float32)"));
        QCOMPARE(noteOf(checked), std::string());
        const Profile half = profileOn("l4", product, Precision::BFloat16);
        QCOMPARE(timesText(half), std::string("estimated, not checked against measurements"));
        QCOMPARE(noteOf(half),
                 std::string("times: 100 % of the step is outside of what NVIDIA L4 24GB "
                             "was checked for; within it they are estimated, usually within 29 % "
                             "(497 operators in float32)"));
    }

    // No table of operators has convolutions.
    void whatNoTableHasIsOutside()
    {
        const Profile profile = profileOn("l4", convolution, Precision::AsExported);
        QVERIFY(profile.options.device.accuracy.empty());
        QVERIFY(noteOf(profile).starts_with("times: 100 % of the step"));
    }

    // Of any type, and with convolutions.
    void whatWholeModelsOfEverySortCheckedIsNoted()
    {
        for (const std::string& lines : {product, convolution}) {
            const Profile profile = profileOn("h100-sxm", lines, Precision::BFloat16);
            QVERIFY2(timesText(profile).ends_with("(131 whole models)"), timesText(profile).c_str());
            QCOMPARE(noteOf(profile), std::string());
        }
    }

    // Pipelines of GPT in float16: told by what multiplies, though most of the time goes to what does not.
    void wholeModelsAreOfOneType()
    {
        const auto device = "a100-sxm-80gb";
        const std::string checked =
            "estimated, usually within 6 % (80 whole models: GPT pipelines in float16)";
        const std::string unchecked = "estimated, not checked against measurements";
        const std::string sums = "  input %x : f32[2048, 2048]\n"
                                 "  %y : f32[2048, 2048] = aten::add.Tensor(%x, %x, 1)\n";
        const std::string small = sums + "  %z : f32[8, 2048] = aten::slice.Tensor(%y, 0, 0, 8, 1)\n"
                                         "  %w : f32[8, 2048] = aten::mm.default(%z, %y)\n  return %w\n";
        const auto says = [&](const std::string& lines, Precision precision, const std::string& text) {
            const Profile profile = profileOn(device, lines, precision);
            return timesText(profile) == text && noteOf(profile).empty();
        };
        QVERIFY(says(product, Precision::Float16, checked));
        QVERIFY(says(small, Precision::Float16, checked));
        QVERIFY(says(product, Precision::AsExported, unchecked));
        QVERIFY(says(small, Precision::AsExported, unchecked));
        QVERIFY(says(convolution, Precision::Float16, unchecked));
        QVERIFY(says(sums + "  return %y\n", Precision::Float16, unchecked));
    }

    void whatMultipliesInPartAsCheckedIsNoted()
    {
        const std::string both = "  input %x : f16[512, 512]\n  input %u : f32[512, 512]\n"
                                 "  %y : f16[512, 512] = aten::mm.default(%x, %x)\n"
                                 "  %v : f32[512, 512] = aten::mm.default(%u, %u)\n  return %y, %v\n";
        const std::string note = noteOf(profileOn("a100-sxm-80gb", both, Precision::AsExported));
        const auto said = note.find(" % of what multiplies is outside of what NVIDIA A100 SXM 80GB");
        QVERIFY2(said != std::string::npos, note.c_str());
    }

    void castsThatTheExportHasNotAreSaid()
    {
        const auto isSaid = [](const std::string& lines, Precision precision) {
            const Profile profile = profileOn("h100-sxm", lines, precision);
            return std::ranges::any_of(profile.notes, [](const std::string& note) {
                return note.starts_with("exported in float32: casts that the model itself makes");
            });
        };
        QVERIFY(isSaid(product, Precision::BFloat16));
        QVERIFY(isSaid(product, Precision::Float16));
        QVERIFY(!isSaid(product, Precision::AsExported));
        QVERIFY(!isSaid(product, Precision::Float32));
        QVERIFY(!isSaid(product, Precision::AutocastBFloat16));
        const std::string cast = "  input %x : bf16[8, 8]\n  %y : f32[8, 8] = aten::to.dtype(%x, f32)\n"
                                 "  %z : f32[8, 8] = aten::relu.default(%y)\n  return %z\n";
        QVERIFY(!isSaid(cast, Precision::BFloat16));
    }

    void whatOnlyCudnnKnowsIsSaid()
    {
        const std::string said =
            "memory is without what cuDNN takes inside of convolutions, which it alone knows";
        const auto isSaid = [&](const char* device, const std::string& lines) {
            const Profile profile = profileOn(device, lines, Precision::AsExported);
            return std::ranges::find(profile.notes, said) != profile.notes.end();
        };
        QVERIFY(isSaid("v100-pcie-32gb", convolution)); // in float32, without TF32, copies nothing
        QVERIFY(!isSaid("l4", product));
        QVERIFY(!isSaid("cpu", convolution));
    }

    void devicesThatNobodyCheckedSaySoOnce()
    {
        const Profile profile = profileOn("b200-sxm", product, Precision::BFloat16);
        QCOMPARE(timesText(profile), std::string("estimated, not checked against measurements"));
        QCOMPARE(noteOf(profile), std::string());
    }
};

QTEST_GUILESS_MAIN(TestCheckedTimes)
#include "tst_checked_times.moc"
