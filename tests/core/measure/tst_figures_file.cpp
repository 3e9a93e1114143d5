#include "core/measure/figures_file.h"

#include <QTest>

using namespace stagecraft;

namespace {

QString kindOf(const char* text)
{
    const Result<FiguresFile> found = figuresFile(std::string_view(text), "f.json");
    if (!found.has_value())
        return QString::fromStdString(found.error().message);
    constexpr std::array names{"step", "times", "overlay", "plan"};
    return names[static_cast<std::size_t>(*found)];
}

} // namespace

class TestFiguresFile : public QObject
{
    Q_OBJECT

private slots:
    void kinds_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("kind");
        const QString none = "f.json: is no step that ran, no times or figures of ops and no plan";
        QTest::newRow("run-time") << QByteArray(R"({"format": 1, "nodes": {"a": {"stage": 0, "forward": 1}},
            "ranks": [{"rank": 0}]})")
                                  << "step";
        QTest::newRow("trace with marks")
            << QByteArray(
                   R"({"deviceProperties": [{"id": 0}], "traceEvents": [{"name": "stagecraft:F:0:1"}]})")
            << "step";
        QTest::newRow("trace") << QByteArray(R"({"traceEvents": [{"name": "aten::mm"}]})") << "times";
        QTest::newRow("times") << QByteArray(R"({"format": 1, "nodes": {"a": {"forward_us": 3}}})")
                               << "times";
        QTest::newRow("profile --json")
            << QByteArray(R"({"model": "m", "nodes": [{"name": "a", "flops": 1}]})") << "times";
        QTest::newRow("table") << QByteArray("node,forward,backward\na,1,2\n") << "times";
        QTest::newRow("overlay") << QByteArray(R"({"name": "x", "nodes": {"a": {"heat": 3}}})") << "overlay";
        QTest::newRow("overlay of modules")
            << QByteArray(R"({"modules": {"a": {"forward": 3}}})") << "overlay";
        QTest::newRow("overlay with a figure called forward")
            << QByteArray(R"({"figures": {"forward": {"unit": "s"}}, "nodes": {"a": {"forward": 3}}})")
            << "overlay";
        QTest::newRow("plan") << QByteArray(R"({"format": 1, "stages": 2, "nodes": {"a": 0, "b": 1}})")
                              << "plan";
        QTest::newRow("numbers without a format") << QByteArray(R"({"nodes": {"a": 0}})") << none;
        QTest::newRow("other JSON") << QByteArray(R"({"a": {"nodes": {"b": {"forward": 1}}}})") << none;
        QTest::newRow("list") << QByteArray(R"([{"nodes": {}}])") << none;
        QTest::newRow("nothing") << QByteArray() << none;
        QTest::newRow("cut short") << QByteArray(R"({"nodes")") << none;
        QTest::newRow("deep") << QByteArray("{\"a\": ") + QByteArray(200000, '[') << none;
    }
    void kinds()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, kind);
        QCOMPARE(kindOf(text), kind);
    }

    void aFileThatIsNotThereIsNamed()
    {
        const Result<FiguresFile> found = figuresFile(std::filesystem::path("/nowhere/f.json"));
        QVERIFY(!found.has_value() && found.error().message.starts_with("/nowhere/f.json"));
    }
};

QTEST_GUILESS_MAIN(TestFiguresFile)
#include "tst_figures_file.moc"
