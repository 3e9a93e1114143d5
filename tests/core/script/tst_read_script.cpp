// Scripted and traced models against the same models as torch.export wrote them.
#include "core/load/open_model.h"
#include "core/script/code_check.h"
#include "core/script/open_model_file.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const std::string folder = STAGECRAFT_TEST_DATA "/models/small/";

QStringList targets(const Graph& graph)
{
    QStringList list;
    for (const NodeId node : graph.nodes())
        list << QString::fromStdString(graph[node].target);
    return list;
}

QStringList parameters(const Model& model)
{
    QStringList list;
    for (const InputSpec& spec : model.signature.inputs)
        if (spec.isStored())
            list << QString::fromStdString(spec.target + " " + metaText(*model.graph[*spec.value].meta));
    return list;
}

} // namespace

class ReadScriptTest : public QObject
{
    Q_OBJECT

private slots:
    void isTheGraphThatExportWrites_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("inputs");
        for (const char* version : {"torch-2.14/", "torch-2.6/"}) {
            const auto row = [&](const char* name, const QStringList& inputs) {
                const QString file = QString(version) + name;
                if (QFile::exists(QString::fromStdString(folder) + file + "-scripted.pt"))
                    QTest::newRow(qPrintable(file)) << file << inputs;
            };
            row("branches", {"f32[2,4,16]"});
            row("skip", {"x=f32[2,3,32,32]"});
            row("with-loss", {"i64[4,12]", "target=i64[4,12]"});
            row("mixture", {"f32[2,8,32]"});
        }
    }
    void isTheGraphThatExportWrites()
    {
        QFETCH(QString, name);
        QFETCH(QStringList, inputs);
        const std::string path = folder + name.toStdString();
        OpenRequest request;
        for (const QString& input : inputs)
            request.inputs.push_back(input.toStdString());
        const Result<Model> exported = openModel(path + "-static.pt2");
        QVERIFY2(exported.has_value(), exported.has_value() ? "" : exported.error().message.c_str());
        const Result<Model> scripted = openModelFile(path + "-scripted.pt", request);
        QVERIFY2(scripted.has_value(), scripted.has_value() ? "" : scripted.error().message.c_str());
        QCOMPARE(targets(scripted->graph), targets(exported->graph));
        QStringList own = parameters(*scripted), theirs = parameters(*exported);
        own.sort();
        theirs.sort();
        QCOMPARE(own, theirs);
        QVERIFY(!scripted->structureOnly());
    }

    void refusesCodeThatWouldRunWhenItIsRead_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("reason"); // empty: it is taken
        const QString good =
            "class A(Module):\n  n : Final[int] = -10\n  def f(self, x: int=2,\n    s: str=\"a(\") -> int:\n"
            "    y = torch.add(x, 1)\n    return y\n";
        QTest::newRow("as PyTorch writes it") << good << "";
        QTest::newRow("default") << QString(good).replace("=2", "=ops.aten.save(1, \"f\")") << "no literal";
        QTest::newRow("class") << QString(good).replace("-10", "torch.save(1)") << "no literal";
        QTest::newRow("setstate") << good + "  def __setstate__(self, s: int) -> None:\n    pass\n"
                                  << "__setstate__";
        QTest::newRow("nested") << good + "    z = " + QString("(").repeated(200) + "\n"
                                << "nested";
        QTest::newRow("chain") << good + "    z = 1" + QString(" + 1").repeated(5000) + "\n"
                               << "too long";
        QTest::newRow("text") << good + "    z = \"a\n"
                              << "does not end";
    }
    void refusesCodeThatWouldRunWhenItIsRead()
    {
        QFETCH(QString, code);
        QFETCH(QString, reason);
        const Result<void> checked = checkScriptCode(code.toStdString());
        const QString message = checked.has_value() ? "" : QString::fromStdString(checked.error().message);
        QCOMPARE(message.isEmpty(), reason.isEmpty());
        QVERIFY2(message.contains(reason), qPrintable(message));
    }

    void takesTheSizesThatATraceHas()
    {
        const Result<Model> traced = openModelFile(folder + "torch-2.14/branches-traced.pt");
        QVERIFY2(traced.has_value(), traced.has_value() ? "" : traced.error().message.c_str());
        QCOMPARE(metaText(*traced->graph[*traced->graph.findValue("x")].meta), std::string("f32[2, 4, 16]"));
    }

    void asksForSizesThatAreNotThere()
    {
        const Result<Model> scripted = openModelFile(folder + "torch-2.14/branches-scripted.pt");
        QVERIFY(!scripted.has_value());
        QVERIFY(scripted.error().code == ErrorCode::BadUsage);
        QVERIFY(QString::fromStdString(scripted.error().message).contains("forward(x: Tensor"));
    }

    void anotherInputGoesAnotherWay()
    {
        const Result<Model> flat =
            openModelFile(folder + "torch-2.14/branches-scripted.pt", {.inputs = {"f32[4,16]", "times=3"}});
        QVERIFY2(flat.has_value(), flat.has_value() ? "" : flat.error().message.c_str());
        QCOMPARE(targets(flat->graph).front(), QString("aten::sub.Tensor"));
        QCOMPARE(targets(flat->graph).count("aten::add.Tensor"), 3);
        QVERIFY(QString::fromStdString(flat->provenance.notes.front()).startsWith("branch not taken: code/"));
    }
};

QTEST_GUILESS_MAIN(ReadScriptTest)
#include "tst_read_script.moc"
