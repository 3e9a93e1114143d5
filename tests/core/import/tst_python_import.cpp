// Real PyTorch exports tests/data/import/models.py, or says why not.
#include "core/import/python_import.h"
#include "core/load/open_model.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <atomic>
#include <optional>
#include <thread>

using namespace stagecraft;

namespace {

bool isTorchThere()
{
    return QFile::exists(STAGECRAFT_PYTHON);
}

} // namespace

class TestPythonImport : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path path(const char* name) const { return m_folder.filePath(name).toStdString(); }
    ImportRequest request(const char* factory, std::vector<std::string> inputs = {}) const
    {
        return {.source = path("models.py").string() + ":" + factory,
                .output = path("model.pt2"),
                .python = STAGECRAFT_PYTHON,
                .inputs = std::move(inputs)};
    }
    ImportFailure failureOf(const ImportRequest& request) const
    {
        const ImportOutcome outcome = importModel(request, {});
        if (outcome.model.has_value() || !outcome.failure)
            return {.kind = outcome.model.has_value() ? "no failure" : outcome.model.error().message};
        return *outcome.failure;
    }
    QStringList files() const
    {
        return QDir(m_folder.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
    }

private slots:
    void init()
    {
        if (!isTorchThere())
            QSKIP("there is no Python with PyTorch in .venv");
        qputenv("STAGECRAFT_RESOURCES", STAGECRAFT_RESOURCES);
        QFile::copy(QString(STAGECRAFT_TEST_DATA) + "/import/models.py", m_folder.filePath("models.py"));
        QFile::remove(m_folder.filePath("model.pt2"));
    }

    void exportsAFactory()
    {
        const ImportOutcome outcome = importModel(request("Halves", {"f32[batch=2,4]", "mask=none"}), {});
        QVERIFY2(outcome.model.has_value(),
                 outcome.model.has_value() ? "" : outcome.model.error().message.c_str());
        QCOMPARE(outcome.model->parameters, 20);
        QVERIFY(!outcome.model->structureOnly);
        QCOMPARE(outcome.model->inputs.front().type, "float32[2, 4]");
        QVERIFY(outcome.details.find("hello from the model's file") != std::string::npos);
        QCOMPARE(files(), (QStringList{"model.pt2", "models.py"}));
    }

    void keepsASizeOpen()
    {
        ImportRequest dynamic = request("Halves", {"f32[2,4]"});
        dynamic.dynamicSizes = {"batch"};
        dynamic.settings = {"width=4"};
        const ImportOutcome outcome = importModel(dynamic, {});
        QVERIFY(outcome.model.has_value());
        QVERIFY(QString::fromStdString(outcome.model->inputs.front().type)
                    .contains(QRegularExpression(R"(\[s\d+, 4\])")));
        ImportRequest pair = request("with_pair");
        pair.dynamicSizes = {"batch"};
        QCOMPARE(failureOf(pair).kind, "save"); // traced, but PyTorch was told of no such named tuple
        dynamic.dynamicSizes = {"length"};
        QCOMPARE(failureOf(dynamic).kind, "usage");
    }

    // Parameters take no memory; buffers, which no checkpoint may have, are there.
    void leavesTheWeightsOut()
    {
        ImportRequest empty = request("with_inputs");
        empty.weights = ImportRequest::Weights::None;
        const ImportOutcome outcome = importModel(empty, {});
        QVERIFY(outcome.model.has_value());
        QVERIFY(outcome.model->structureOnly);
        QCOMPARE(outcome.model->parameters, 20);
        QCOMPARE(outcome.model->inputs.front().type, "float32[3, 4]");
    }

    void makesWhatIsTooLargeOnMeta()
    {
        ImportRequest vast = request("Vast", {"f32[16]"});
        QCOMPARE(failureOf(vast).kind, "memory");
        vast.weights = ImportRequest::Weights::None;
        const ImportOutcome outcome = importModel(vast, {});
        QVERIFY2(outcome.model.has_value(),
                 outcome.model.has_value() ? "" : outcome.model.error().message.c_str());
        QCOMPARE(outcome.model->parameters, std::int64_t(1) << 48);
        QVERIFY(outcome.model->notes.at(0).find("made on the meta device as a whole") != std::string::npos);
    }

    void takesContainersAndNumbers()
    {
        const ImportOutcome outcome = importModel(request("Lists", {"(f32[2], f32[2])", "flag=true"}), {});
        QVERIFY2(outcome.model.has_value(),
                 outcome.model.has_value() ? "" : outcome.model.error().message.c_str());
        QCOMPARE(outcome.model->outputs.front().type, "float32[2]");
    }

    void takesADictAsItIsOrByItsNames()
    {
        for (const char* factory : {"with_dict", "with_names"}) {
            const ImportOutcome outcome = importModel(request(factory), {});
            QVERIFY2(outcome.model.has_value(),
                     outcome.model.has_value() ? "" : outcome.model.error().message.c_str());
            QCOMPARE(outcome.model->inputs.size(), std::size_t(2));
        }
    }

    void saysWhatAGraphCannotHold()
    {
        const ImportFailure sparse = failureOf(request("Sparse", {"f32[4,2]"}));
        QCOMPARE(sparse.kind, "sparse");
        QVERIFY(sparse.advice.find("to_dense()") != std::string::npos);
        QCOMPARE(failureOf(request("Derives", {"f32[4]"})).kind, "transform");
        const ImportFailure yields = failureOf(request("Yields", {"f32[4]"}));
        QCOMPARE(yields.kind, "output");
        QVERIFY(yields.advice.find("a generator") != std::string::npos);
        QVERIFY(failureOf(request("scripted")).advice.find("opens as it is") != std::string::npos);
    }

    void findsAnotherWay()
    {
        const ImportRequest asked = request("Branch", {"f32[2,4]"});
        const ImportOutcome branch = importModel(asked, {});
        QVERIFY(branch.model.has_value());
        QCOMPARE(openModel(asked.output).value().provenance.notes, branch.model->notes);
        QVERIFY(branch.model->how.find("draft") != std::string::npos);
        std::string notes;
        for (const std::string& note : branch.model->notes)
            notes += note + '\n';
        QVERIFY2(notes.find("if x.sum() > 0:") != std::string::npos, notes.c_str());
        QVERIFY2(notes.find("its outputs are the model's") != std::string::npos, notes.c_str());
        const ImportOutcome boxed = importModel(request("Boxed", {"f32[2,4]"}), {});
        QVERIFY2(boxed.model.has_value(), boxed.model.has_value() ? "" : boxed.model.error().message.c_str());
        QCOMPARE(boxed.model->outputs.front().type, "float32[2, 4]");
        QVERIFY(boxed.model->notes.at(0).find("an object of Box") != std::string::npos);
    }

    void namesTheLineThatBreaksTheGraph()
    {
        const ImportFailure failure = failureOf(request("raises"));
        QCOMPARE(failure.kind, "raised");
        QVERIFY(failure.place.has_value());
        QCOMPARE(failure.place->code, "return undefined_name");
        QCOMPARE(failureOf(request("Halves", {"f32[2,5]"})).place->code, "return self.left(x) * self.scale");
    }

    void saysWhatIsMissing()
    {
        QCOMPARE(failureOf(request("Halfes")).kind, "not_found");
        QVERIFY(failureOf(request("Halfes")).advice.find("Halves") != std::string::npos);
        QCOMPARE(failureOf(request("Halves")).kind, "no_inputs");
        QCOMPARE(failureOf(request("Halves", {"f32[2,4]", "other=f32[2]"})).kind, "inputs");
        QCOMPARE(failureOf(request("Halves", {"f31[2,4]"})).kind, "usage");
    }

    void saysWhatTheCodeDid()
    {
        QCOMPARE(failureOf(request("Box")).kind, "raised");
        QVERIFY(failureOf(request("Box")).advice.starts_with("give --set "));
        ImportRequest other = request("Halves", {"f32[2,4]"});
        other.settings = {"wdith=4"};
        QCOMPARE(failureOf(other).advice, "did you mean width?");
        for (const char* factory : {"ends", "no_text", "own_base", "own_cause"})
            QCOMPARE(failureOf(request(factory)).kind, "raised");
        ImportRequest nowhere = request("Halves");
        nowhere.source = "no_such_module_at_all:make";
        QCOMPARE(failureOf(nowhere).kind, "not_found");
        nowhere.source = "model.pt2";
        QCOMPARE(failureOf(nowhere).kind, "usage");
    }

    void refusesWhatCannotBeStartedOrWritten()
    {
        ImportRequest other = request("Halves", {"f32[2,4]"});
        other.python = "/no/such/python";
        QCOMPARE(importModel(other, {}).model.error().code, ErrorCode::NotFound);
        other.python = "/bin/false";
        QVERIFY(importModel(other, {}).model.error().message.find("gave no answer") != std::string::npos);
        other.python = STAGECRAFT_PYTHON;
        other.output = path("model.onnx");
        QCOMPARE(importModel(other, {}).model.error().code, ErrorCode::BadUsage);
        other.output = path("nowhere/model.pt2");
        QCOMPARE(importModel(other, {}).model.error().code, ErrorCode::NotFound);
        const ImportOutcome killed = importModel(request("dies"), {});
        QVERIFY(killed.model.error().message.find("signal 9") != std::string::npos);
        QVERIFY(killed.model.error().message.ends_with(
            "mostly the memory is full: free some, or add --meta, which "
            "makes the graph without the weights"));
        QCOMPARE(files(), (QStringList{"models.py"}));
    }

    void namesTheLineThatEndedPython()
    {
        const ImportOutcome aborted = importModel(request("Aborts", {"f32[2]"}), {});
        const QString message = QString::fromStdString(aborted.model.error().message);
        const QString line = "was ended by signal 6 (Aborted) and gave no answer; in " +
                             QString::fromStdString(path("models.py").string()) + ", line ";
        QVERIFY2(message.contains(line), qPrintable(message));
        QVERIFY(message.endsWith("the library that it calls there ended Python: try that call by itself, or "
                                 "another version of the library"));
        QVERIFY(!message.contains('\n'));
    }

    void saysWhatDoesNotFitTogether()
    {
        const ImportFailure torchvision = failureOf(request("unfit_torchvision"));
        QVERIFY2(
            torchvision.text.ends_with("torchvision is there, but does not fit this PyTorch and cannot be "
                                       "imported (RuntimeError: operator torchvision::nms does not exist)"),
            torchvision.text.c_str());
        QCOMPARE(torchvision.advice, "install the torchvision that was built for this PyTorch, both from the "
                                     "same place");
    }

    void aCancelEndsTheChild()
    {
        std::stop_source stop;
        std::atomic<bool> isBuilding = false;
        const Progress progress(stop.get_token(), [&](std::string_view activity, std::optional<double>) {
            isBuilding = isBuilding || activity.starts_with("Making");
        });
        std::optional<ImportOutcome> outcome;
        std::thread importing([&] { outcome = importModel(request("slow"), progress); });
        QTRY_VERIFY_WITH_TIMEOUT(isBuilding, 120000);
        stop.request_stop();
        importing.join();
        QCOMPARE(outcome->model.error().code, ErrorCode::Cancelled);
        QCOMPARE(files(), (QStringList{"models.py"}));
    }
};

QTEST_GUILESS_MAIN(TestPythonImport)
#include "tst_python_import.moc"
