// State dicts written by real PyTorch, read without it.
#include "core/load/state_dict.h"

#include "core/load/open_model.h"
#include "core/load/weight_files.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <cstring>

using namespace stagecraft;

namespace {

constexpr const char* writer = R"(
import collections, os, sys, torch
folder = sys.argv[1]
def put(name, value, **more):
    torch.save(value, os.path.join(folder, name), **more)
model = torch.nn.Linear(2, 3)
with torch.no_grad():
    model.weight.copy_(torch.arange(6.0).reshape(3, 2))
    model.bias.copy_(torch.tensor([7.0, 8.0, 9.0]))
put("plain.pt", model.state_dict())
put("trainer.pt", {"epoch": 3, "model_state_dict": model.state_dict(), "optimizer": {"lr": 0.1}})
base = torch.arange(12.0).reshape(3, 4)
put("views.pt", {"whole": base, "tied": base, "turned": base.t(), "part": base[1:, 1:3], "half": base.to(torch.bfloat16),
                 "nothing": torch.empty(0, 4), "number": torch.tensor(5)})
put("overlap.pt", {"many": torch.ones(1).expand(1000)})
put("negated.pt", {"flipped": torch.ones(2, dtype=torch.complex64).conj().imag})
put("extra.pt", {"weight": base, "epoch": 3})
put("tensor.pt", base)
put("module.pt", model)
put("old.pt", model.state_dict(), _use_new_zipfile_serialization=False)
class Evil:
    def __reduce__(self):
        return os.system, ("touch " + os.path.join(folder, "ran"),)
put("evil.pt", {"weight": base, "evil": Evil()})
)";

} // namespace

class TestStateDict : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<WeightStore> read(const char* name) const
    {
        return readWeights({m_folder.filePath(name).toStdString()});
    }
    QString refusal(const char* name) const
    {
        const Result<WeightStore> weights = read(name);
        return weights.has_value() ? "read" : QString::fromStdString(weights.error().message);
    }
    // Of a float tensor in rows.
    static std::vector<float> numbers(const WeightStore& weights, const char* name)
    {
        const StoredTensor tensor = *weights.find(name);
        std::vector<float> numbers(static_cast<std::size_t>(elementCount(tensor.meta, {}).value()));
        std::memcpy(numbers.data(),
                    tensor.bytes.data() +
                        tensor.meta.storageOffset.constant() * static_cast<std::int64_t>(sizeof(float)),
                    numbers.size() * sizeof(float));
        return numbers;
    }

private slots:
    void initTestCase()
    {
        if (!QFile::exists(STAGECRAFT_PYTHON))
            QSKIP("there is no Python with PyTorch in .venv");
        QProcess python;
        python.start(STAGECRAFT_PYTHON, {"-c", writer, m_folder.path()});
        QVERIFY(python.waitForFinished(170000));
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    }

    void readsWhatAModuleSaves()
    {
        for (const char* name : {"plain.pt", "trainer.pt"}) {
            const Result<WeightStore> weights = read(name);
            QVERIFY2(weights.has_value(), qPrintable(refusal(name)));
            QCOMPARE(weights->names(), (std::vector<std::string>{"bias", "weight"}));
            QCOMPARE(numbers(*weights, "weight"), (std::vector<float>{0, 1, 2, 3, 4, 5}));
            QCOMPARE(numbers(*weights, "bias"), (std::vector<float>{7, 8, 9}));
        }
    }

    void readsViewsAndTies()
    {
        const Result<WeightStore> weights = read("views.pt");
        QVERIFY2(weights.has_value(), qPrintable(refusal("views.pt")));
        QCOMPARE(weights->find("whole")->storage, weights->find("tied")->storage);
        QCOMPARE(numbers(*weights, "turned"), (std::vector<float>{0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}));
        QCOMPARE(numbers(*weights, "part"), (std::vector<float>{5, 6, 9, 10}));
        QCOMPARE(metaText(weights->find("half")->meta), "bf16[3, 4]");
        QCOMPARE(metaText(weights->find("nothing")->meta), "f32[0, 4]");
        QCOMPARE(metaText(weights->find("number")->meta), "i64[]");
    }

    void refusesByName()
    {
        QVERIFY(refusal("overlap.pt").contains("the elements of many overlap"));
        QVERIFY(refusal("negated.pt").contains("resolve_neg()"));
        QVERIFY(refusal("extra.pt").contains("'epoch' is no tensor"));
        QVERIFY(refusal("tensor.pt").contains("save model.state_dict()"));
        QVERIFY(refusal("module.pt").contains("save model.state_dict()"));
        QVERIFY(refusal("old.pt").contains("old.pt: torch.save wrote it as it did before PyTorch 1.6"));
        QVERIFY(refusal("evil.pt").contains("'evil' is no tensor"));
        QVERIFY(!QFile::exists(m_folder.filePath("ran")));
    }

    // Which is what people try first.
    void isNoModel()
    {
        const auto reason = [&](const char* name) {
            const Result<Model> model = openModel(m_folder.filePath(name).toStdString());
            return model.has_value() ? "read" : QString::fromStdString(model.error().message);
        };
        QVERIFY(reason("plain.pt").contains("plain.pt: it holds weights only"));
        QVERIFY(reason("trainer.pt").contains("with --weights, or in the window"));
        QVERIFY(reason("module.pt").contains("torch.save() wrote it"));
        QVERIFY(reason("evil.pt").contains("torch.save() wrote it"));
        QVERIFY(!QFile::exists(m_folder.filePath("ran")));
    }

    void twoFilesMayNotShareAName()
    {
        const std::string file = m_folder.filePath("plain.pt").toStdString();
        const Result<WeightStore> twice = readWeights({file, file});
        QVERIFY(!twice.has_value());
        QVERIFY(twice.error().message.find("is there twice") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(TestStateDict)
#include "tst_state_dict.moc"
