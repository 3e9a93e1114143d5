#include "app/window/dropped_files.h"
#include "app/window/exchange_controller.h"
#include "tests/app/window/window_fixture.h"
#include "views/pages/import_dialog.h"

#include <QFile>
#include <QProcess>
#include <QSignalSpy>

using namespace stagecraft;

namespace {

constexpr const char* writer =
    "import sys, torch; m = torch.nn.Linear(2, 3); torch.save(m.state_dict(), sys.argv[1]); "
    "torch.save(m, sys.argv[2])";

std::filesystem::path fileWith(const QTemporaryDir& folder, const char* name, const QByteArray& text)
{
    QFile file(folder.filePath(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("no test data");
    return file.fileName().toStdString();
}

} // namespace

class TestDroppedFiles : public QObject
{
    Q_OBJECT

private slots:
    void tellsWeightsFromModelsAndSteps()
    {
        QVERIFY(areWeights({"a.safetensors"}));
        QVERIFY(areWeights({"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"}));
        QVERIFY(areWeights({"model.safetensors.index.json"}));
        QVERIFY(areWeights({"pytorch_model.bin", "head.pth"}));
        QVERIFY(!areWeights({}));
        QVERIFY(!areWeights({"model.pt2"}));
        QVERIFY(!areWeights({"model.pt"}));
        QVERIFY(!areWeights({"step.json"}));
        QVERIFY(!areWeights({"a.safetensors", "model.pt2"}));
    }

    void aStateDictIsWeightsAndAScriptAModel()
    {
        if (!QFile::exists(STAGECRAFT_PYTHON))
            QSKIP("there is no Python with PyTorch in .venv");
        const QTemporaryDir folder;
        const QString dict = folder.filePath("dict.pt");
        const QString module = folder.filePath("module.pt");
        QCOMPARE(QProcess::execute(STAGECRAFT_PYTHON, {"-c", writer, dict, module}), 0);
        QVERIFY(kindOfDropped({dict.toStdString()}, {}).value() == DroppedKind::Weights);
        QVERIFY(kindOfDropped({module.toStdString()}, {}).value() == DroppedKind::Model);
        const std::string script = STAGECRAFT_TEST_DATA "/models/small/torch-2.14/branches-scripted.pt";
        QVERIFY(kindOfDropped({script}, {}).value() == DroppedKind::Model);
        for (const char* name : {"module.pth", "module.bin"}) { // what it is called says nothing
            const QString called = folder.filePath(name);
            QVERIFY(QFile::copy(QString::fromStdString(script), called));
            QVERIFY(kindOfDropped({called.toStdString()}, {}).value() == DroppedKind::Model);
        }
        const QString weights = folder.filePath("weights.bin");
        QVERIFY(QFile::copy(dict, weights));
        QVERIFY(kindOfDropped({weights.toStdString()}, {}).value() == DroppedKind::Weights);
    }

    void severalGoTogetherOnlyWhereTheyAreOfOneStep()
    {
        const QTemporaryDir folder;
        const auto step = fileWith(folder, "step.json", R"({"ranks": []})");
        const auto times = fileWith(folder, "times.csv", "node,forward,backward\n");
        QVERIFY(kindOfDropped({step, step}, {}).value() == DroppedKind::MeasuredStep);
        QVERIFY(kindOfDropped({times}, {}).value() == DroppedKind::Times);
        QVERIFY(kindOfDropped({step, times}, {}).error().message.find("times.csv") != std::string::npos);
        QVERIFY(kindOfDropped({times, times}, {}).error().message.find("drop one") != std::string::npos);
    }

    void figuresOfTheModelAreTakenForWhatTheyAre()
    {
        const WindowFixture f;
        auto* drops = f.window->findChild<DropController*>();
        const auto overlay = fileWith(f.folder, "own.json", R"({"nodes": {"linear": {"heat": 41.5}}})");
        const auto times =
            fileWith(f.folder, "times.json", R"({"nodes": {"linear": {"forward": 2, "backward": 1}}})");
        QSignalSpy failed(&f.document(), &Document::failed);
        drops->take({times});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("open the model first"),
                 qPrintable(failed[0][0].toString()));

        QVERIFY(f.open(tinyModel));
        drops->take({overlay});
        auto* exchange = f.window->findChild<ExchangeController*>();
        QTRY_VERIFY(exchange->overlay() != nullptr);
        drops->take({times});
        QTRY_VERIFY(f.document().state().times != nullptr);
        QVERIFY(f.settle());
        QCOMPARE(failed.size(), 1);
    }

    void whatMakesAModelGoesToTheImport()
    {
        const WindowFixture f;
        const auto code = fileWith(f.folder, "own.py", "class Own: pass");
        QCOMPARE(importSource({code}), code.string() + ":");
        QCOMPARE(importSource({code, code}), "");
        const std::filesystem::path folder = f.folder.filePath("llama").toStdString();
        std::filesystem::create_directory(folder);
        QCOMPARE(importSource({folder}), "");
        fileWith(f.folder, "llama/config.json", "{}");
        QCOMPARE(importSource({folder}), "hf:" + folder.string());

        auto* drops = f.window->findChild<DropController*>();
        drops->take({code});
        auto* dialog = f.window->findChild<ImportDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->request().source, code.string() + ":");
        drops->take({folder});
        QCOMPARE(dialog->request().source, "hf:" + folder.string());
        dialog->close();
    }

    void aPlanCalledJsonIsOpened()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const std::filesystem::path plan = f.folder.filePath("plan.json").toStdString();
        QSignalSpy saved(&f.document(), &Document::planSaved);
        f.document().savePlan(plan);
        QVERIFY(saved.wait(patience));
        f.document().close();
        f.window->findChild<DropController*>()->take({plan});
        QVERIFY(f.settle());
        QCOMPARE(f.document().planPath(), plan);
    }
};

QTEST_MAIN(TestDroppedFiles)
#include "tst_dropped_files.moc"
