#include "core/stage/export.h"
#include "stage_test.h"
#include "torchscript_run.h"

#include <QTemporaryDir>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

constexpr std::array<float, 3> weights{2, 3, 4};

// A model with one parameter or more of three numbers, 2, 3 and 4.
Model threeNumbers(const std::string& text, std::initializer_list<std::string> names)
{
    Model model = modelOf(text);
    for (const std::string& name : names) {
        const StorageKey storage = model.weights.addStorage(std::as_bytes(std::span(weights)), {});
        TensorMeta meta = contiguousMeta(DType::F32, {3});
        meta.requiresGrad = true;
        if (const auto added = model.weights.addTensor(name, meta, storage); !added.has_value())
            qFatal("%s", added.error().message.c_str());
    }
    return model;
}

} // namespace

class TestTorchScript : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

    QString exported(const Model& model)
    {
        const ExportOptions options{.folder = m_folder.filePath("out").toStdString(),
                                    .formats = {StageFormat::TorchScript},
                                    .lossOutput = "all"};
        return message(exportStages(model, evenly(model.graph, 1), options));
    }
    ScriptRun run() const
    {
        return runScript(m_folder.filePath("out/stage_0.ts.pt").toStdString(), {1, 10, 100});
    }

private slots:
    void runsInAProgramOfItsOwn()
    {
        const Model model = threeNumbers(R"(graph m
  input %x : f32[3]
  param %w "h.0.weight" : f32[3]
  %y : f32[3] = aten::mul.Tensor(self %x, other %w)
  %z : f32[3] = aten::add.Tensor(self %y, other 1)
  return %z
)",
                                         {"h.0.weight"});
        QCOMPARE(exported(model), "ok");
        const ScriptRun found = run();
        QCOMPARE(QString::fromStdString(found.error), QString());
        QCOMPARE(found.output, (std::vector<float>{3, 31, 401}));
        QCOMPARE(found.gradient, (std::vector<float>{1, 10, 100}));
        QCOMPARE(found.inputNames, std::vector<std::string>{"x"});
        QCOMPARE(found.parameterNames, std::vector<std::string>{"h.0.weight"});
        QCOMPARE(message(readManifest(m_folder.filePath("out").toStdString())), "ok");
        QCOMPARE(readManifest(m_folder.filePath("out").toStdString())->stages[0].files.script,
                 std::string("stage_0.ts.pt"));
    }

    // The archive has code as text: names of the model are made plain, and never end it.
    void namesAreNoCode_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("plain");
        const auto row = [](const char* name, const char* plain) { QTest::newRow(name) << name << plain; };
        row("w\\\"]; import os; [\\\"", "w____import_os____");
        row("a b.lambda.def", "a_b.at_lambda.at_def");
        row("forward", "at_forward");
        row("__parameters__", "at___parameters__");
        row("x.y-z.0", "x.y_z.0");
        row("\xc3\xa9.w", "at___.w");
    }
    void namesAreNoCode()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, plain);
        const std::string target = QString(name).replace("\\\"", "\"").toStdString();
        const Model model = threeNumbers("graph m\n  input %x : f32[3]\n  param %w \"" + name.toStdString() +
                                             "\" : f32[3]\n"
                                             "  %y : f32[3] = aten::mul.Tensor(self %x, other %w)\n"
                                             "  return %y\n",
                                         {target});
        const QString written = exported(model);
        if (written != "ok") { // other formats refuse some of them as well
            QVERIFY2(written.contains("name"), qPrintable(written));
            return;
        }
        const ScriptRun found = run();
        QCOMPARE(QString::fromStdString(found.error), QString());
        QCOMPARE(found.output, (std::vector<float>{2, 30, 400}));
        QCOMPARE(QString::fromStdString(found.parameterNames.at(0)), plain);
    }

    void whatIsTakenAlikeIsKeptApart()
    {
        const Model model = threeNumbers(R"(graph m
  input %x : f32[3]
  param %v "a-b" : f32[3]
  param %w "a+b" : f32[3]
  %y : f32[3] = aten::mul.Tensor(self %x, other %v)
  %z : f32[3] = aten::mul.Tensor(self %y, other %w)
  return %z
)",
                                         {"a-b", "a+b"});
        QCOMPARE(exported(model), "ok");
        QCOMPARE(run().parameterNames, (std::vector<std::string>{"a_b", "a_b_1"}));
        QCOMPARE(run().output, (std::vector<float>{4, 90, 1600}));
    }

    void nodesWithoutGradientsHaveNone()
    {
        const Model model = threeNumbers(R"(graph m
  context 1 grad off
  input %x : f32[3]
  param %w "w" : f32[3]
  %y : f32[3] = aten::mul.Tensor(self %x, other %w) in 1
  %z : f32[3] = aten::mul.Tensor(self %y, other %w)
  return %z
)",
                                         {"w"});
        QCOMPARE(exported(model), "ok");
        QCOMPARE(run().output, (std::vector<float>{4, 90, 1600}));
        QCOMPARE(run().gradient, (std::vector<float>{2, 30, 400})); // of w once, not twice
    }

    void whatItCannotSayIsRefusedByName_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* line, const char* reason) {
            QTest::newRow(reason) << line << reason;
        };
        row("%y : f32[3] = aten::mul.Tensor(self %x, other %w) in 1", "it runs under autocast");
        row("%y : f32[3] = mylib::mul.default(self %x, other %w)",
            "LibTorch alone does not know the operator");
        row("%y : f32[3] = aten::mul_.Tensor(self %w, other 2) in 2",
            "writes in place where gradients are off");
    }
    void whatItCannotSayIsRefusedByName()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, reason);
        const Model model = threeNumbers("graph m\n  context 1 autocast cpu bf16 on\n  context 2 grad off\n"
                                         "  input %x : f32[3]\n  param %w \"w\" : f32[3]\n  " +
                                             line.toStdString() + "\n  return %y\n",
                                         {"w"});
        const QString said = exported(model);
        QVERIFY2(said.contains(reason) && said.contains("'y'"), qPrintable(said));
    }

    void aModelWithoutWeightsIsRefused()
    {
        Model model = modelOf("graph m\n  input %x : f32[3]\n  param %w \"w\" : f32[3]\n"
                              "  %y : f32[3] = aten::mul.Tensor(self %x, other %w)\n  return %y\n");
        model.weights.addShape("w", contiguousMeta(DType::F32, {3}));
        QVERIFY(exported(model).contains("TorchScript files hold weights, and the model has none"));
    }
};

QTEST_GUILESS_MAIN(TestTorchScript)
#include "tst_torchscript.moc"
