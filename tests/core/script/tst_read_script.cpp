// Scripted and traced models against the same models as torch.export wrote them.
#include "core/load/open_model.h"
#include "core/script/code_check.h"
#include "core/script/input_text.h"
#include "core/script/open_model_file.h"

#include "tests/core/load/zip_writer.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <functional>

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

QByteArray contents(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// branches-scripted.pt with a record changed.
QByteArray changed(const QByteArray& record, const std::function<void(QByteArray&)>& change)
{
    std::vector<ZipRecord> records = zipRecords(contents(folder + "torch-2.14/branches-scripted.pt"));
    for (ZipRecord& one : records)
        if (one.name.endsWith(record))
            change(one.data);
    return zipOf(records);
}

// With these lines before the first branch of forward().
QByteArray withCode(const QByteArray& lines)
{
    return changed("/code/__torch__.py", [&](QByteArray& code) {
        const qsizetype at = code.indexOf("    if torch.eq(torch.dim(x), 3)");
        Q_ASSERT(at > 0);
        code.insert(at, lines);
    });
}

// Why it does not open; empty where it does.
QString refusal(const QByteArray& file)
{
    const QTemporaryDir place;
    const std::filesystem::path path = place.filePath("model.pt").toStdString();
    QFile out(QString::fromStdString(path.string()));
    if (!out.open(QIODevice::WriteOnly) || out.write(file) != file.size() || !out.flush())
        return "not written";
    const Result<Model> model = openModelFile(path, {.inputs = {"f32[2,4,16]"}});
    return model.has_value() ? QString() : QString::fromStdString(model.error().message);
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
        QTest::newRow("fork") << good + "    def __forked_function():\n      return (x).forward(x, )\n"
                                        "    f = fork(__forked_function)\n"
                              << "torch.jit.fork";
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

    // Without the guard the first ones stop the process while LibTorch compiles them.
    void refusesWhatItCannotFollow_data()
    {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QString>("reason"); // empty: it is taken
        const QByteArray least = "torch.sub(-9223372036854775807, 1)";
        const auto row = [](const char* name, const QByteArray& number, const char* reason) {
            QTest::newRow(name) << "    x = torch.add(x, " + number + ")\n" << reason;
        };
        QTest::newRow("nothing") << QByteArray() << "";
        row("quotient", "torch.floordiv(7, -2)", "");
        row("joined", "torch.len(torch.add(\"a\", \"b\"))", "");
        row("quotient that does not fit", "torch.floordiv(" + least + ", -1)", "64 bits");
        row("remainder", "torch.remainder(" + least + ", -1)", "64 bits");
        row("rounded quotient", "torch.__round_to_zero_floordiv(" + least + ", -1)", "64 bits");
        row("quotient and rest", "(ops.aten.divmod(" + least + ", -1))[0]", "64 bits");
        row("common divisor", "ops.aten.gcd(" + least + ", -1)", "64 bits");
        row("wide text", "torch.len(torch.zfill(\"a\", 1000000000000))", "zfill");
        row("tabs", "torch.len(torch.expandtabs(\"\\t\", 1000000000000))", "expandtabs");
        QByteArray doubling = "    t0 = \"abcdefgh\"\n";
        for (int i = 0; i < 40; ++i)
            doubling += QStringLiteral("    t%1 = torch.add(t%2, t%2)\n").arg(i + 1).arg(i).toUtf8();
        QTest::newRow("doubled text") << doubling + "    x = torch.add(x, torch.len(t40))\n"
                                      << "more than a million";
        QTest::newRow("many trips")
            << QByteArray("    n = 0\n    for i in range(1000000000):\n      n = torch.add(n, i)\n"
                          "    x = torch.add(x, n)\n")
            << "a loop runs more than";
        QTest::newRow("numbers of a tensor")
            << QByteArray(
                   "    if bool(torch.sum(x)):\n      y = x\n    else:\n      y = torch.neg(x)\n    x = y\n")
            << "depends on the numbers in a tensor";
        QTest::newRow("as many as are not zero")
            << QByteArray("    x = torch.add(x, torch.size(torch.nonzero(x), 0))\n")
            << "aten::nonzero needs data, and the meta device has none; what comes of it depends on the "
               "numbers in a tensor";
        QTest::newRow("packed sequence")
            << QByteArray("    lengths = torch.to(torch.flatten(x), 4)\n"
                          "    packed, sizes = torch._pack_padded_sequence(x, lengths, True)\n"
                          "    x = torch.add(x, torch.sum(packed))\n")
            << "a packed sequence are such: give the recurrent layer the padded tensor";
        QTest::newRow("a file") << QByteArray("    x = torch.from_file(\"/etc/passwd\", None, 1024)\n")
                                << "from_file";
        QTest::newRow("known number")
            << QByteArray("    x = torch.add(x, torch.mul(torch.tensor(3), 2))\n") << "";
        QTest::newRow("part of a constant")
            << QByteArray("    t = torch.tensor([1., 2.])\n    _t = torch.add_(torch.select(t, 0, 0), 1)\n"
                          "    x = torch.mul(x, torch.sum(t))\n")
            << "part of a constant";
        QTest::newRow("no language") << QByteArray("    )(\n") << "model.pt";
    }
    void refusesWhatItCannotFollow()
    {
        QFETCH(QByteArray, lines);
        QFETCH(QString, reason);
        const QString message = refusal(withCode(lines));
        QVERIFY2(message.isEmpty() == reason.isEmpty(), qPrintable(message));
        QVERIFY2(message.contains(reason) && !message.contains('\n'), qPrintable(message));
    }

    void keepsWhatARunDecides_data()
    {
        QTest::addColumn<QByteArray>("lines");
        QTest::addColumn<QString>("target"); // of a node
        QTest::addColumn<int>("constants");
        QTest::newRow("random") << QByteArray(
                                       "    x = torch.mul(x, torch.dropout(torch.tensor(1.), 0.5, True))\n")
                                << "aten::dropout.default" << 1;
        QTest::newRow("no number where PyTorch takes a tensor")
            << QByteArray("    x = torch.minimum(x, torch.tensor(3))\n") << "aten::minimum.default" << 1;
        QTest::newRow("reversed") << QByteArray("    x = torch.rsub(x, 1)\n") << "aten::rsub.Scalar" << 0;
        QTest::newRow("written between")
            << QByteArray("    a = torch.tensor(1.)\n    x = torch.mul(x, a)\n    _a = torch.add_(a, "
                          "torch.tensor(1.))\n    x = torch.mul(x, a)\n")
            << "aten::mul.Tensor" << 2;
    }
    void keepsWhatARunDecides()
    {
        QFETCH(QByteArray, lines);
        QFETCH(QString, target);
        const QTemporaryDir place;
        const QString path = place.filePath("model.pt");
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly) && out.write(withCode(lines)) > 0 && out.flush());
        const Result<Model> model = openModelFile(path.toStdString(), {.inputs = {"f32[2,4,16]"}});
        QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
        QVERIFY2(targets(model->graph).contains(target), qPrintable(targets(model->graph).join(' ')));
        const auto count =
            std::ranges::count(model->signature.inputs, InputSpec::Kind::Constant, &InputSpec::kind);
        QTEST(static_cast<int>(count), "constants");
    }

    void notesWhatTheNextRunFindsChanged()
    {
        const QTemporaryDir place;
        const QString path = place.filePath("model.pt");
        QFile out(path);
        QVERIFY(out.open(QIODevice::WriteOnly) &&
                out.write(withCode("    self.training = torch.__not__(self.training)\n")) > 0 && out.flush());
        const Result<Model> model = openModelFile(path.toStdString(), {.inputs = {"f32[2,4,16]"}});
        QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
        const QString note = QString::fromStdString(model->provenance.notes.front());
        QVERIFY2(note.startsWith("forward() changes the attribute 'training'"), qPrintable(note));
    }

    void refusesDamagedArchives()
    {
        const QByteArray whole = contents(folder + "torch-2.14/branches-scripted.pt");
        QCOMPARE(refusal(whole), "");
        for (qsizetype size = 0; size < whole.size(); size += whole.size() / 17)
            QVERIFY(!refusal(whole.left(size)).isEmpty());
        for (const char* record : {"/data.pkl", "/constants.pkl", "/code/__torch__.py", "/version"})
            for (const int parts : {2, 3, 50})
                QVERIFY2(
                    !refusal(changed(record, [&](QByteArray& data) { data.truncate(data.size() / parts); }))
                         .isEmpty(),
                    record);
        const QByteArray inItself = "\x80\x02]q\x01h\x01a.", inItsOwnTuple = "\x80\x02]q\x01h\x01\x85"
                                                                             "a.";
        for (const QByteArray& pickle :
             {inItself, inItsOwnTuple, QByteArray("\x80\x02N."), QByteArray("\x80\x02}.")})
            for (const char* record : {"/data.pkl", "/constants.pkl"})
                QVERIFY2(!refusal(changed(record, [&](QByteArray& data) { data = pickle; })).isEmpty(),
                         record);
    }

    void namesThePersonsOwnLines()
    {
        const auto frames = [](const char* file) {
            const Result<Model> model = openModelFile(
                STAGECRAFT_TEST_DATA "/models/lines/" + std::string(file), {.inputs = {"f32[2,4]"}});
            if (!model.has_value())
                return QStringList{QString::fromStdString(model.error().message)};
            QStringList list;
            for (const NodeId node : model->graph.nodes()) {
                QStringList calls;
                for (const SourceFrame& frame : model->graph.source(*model->graph[node].source))
                    calls << QString::fromStdString(frame.file + ":" + std::to_string(frame.line) + " " +
                                                    frame.function + " " + frame.text);
                list << QString::fromStdString(model->graph[node].target) + ": " + calls.join(", ");
            }
            for (const std::string& note : model->provenance.notes)
                list << QString::fromStdString(note);
            return list;
        };
        const QString halved =
            "model.py:13 forward y = halved(y), model.py:18 halved return torch.relu(x) / 2";
        QCOMPARE(frames("scripted.pt"),
                 (QStringList{"aten::mm.default: model.py:11 forward y = torch.mm(x, self.weight)",
                              "aten::relu.default: " + halved, "aten::div.Tensor: " + halved,
                              "branch taken: model.py:12: if x.dim() == 2:"}));
        QCOMPARE(frames("traced.pt"),
                 (QStringList{"aten::mm.default: model.py:11 forward ",
                              "aten::relu.default: model.py:13 forward , model.py:18 halved ",
                              "aten::div.Tensor: model.py:13 forward , model.py:18 halved "}));
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

    void aDecimalCommaIsSaidToBeNone()
    {
        const Result<GivenArgument> given = parseInput("times=1,5");
        QVERIFY(!given.has_value());
        const QString said = QString::fromStdString(given.error().message);
        QVERIFY2(said.contains("1.5") && !said.contains("f32"), qPrintable(said));
        QVERIFY(parseInput("f32[2],5").error().message.find("f32[8") != std::string::npos);
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
