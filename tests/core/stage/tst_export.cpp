#include "core/base/contains.h"
#include "core/graph/graph_builder.h"
#include "core/load/open_model.h"
#include "core/stage/export.h"

#include "core/stage/manifest.h"
#include "stage_test.h"

#include <QTemporaryDir>

#include <csignal>
#include <fstream>
#include <stop_token>
#include <sys/resource.h>
#include <unistd.h>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

const std::string modelPath = STAGECRAFT_TEST_DATA "/models/small/torch-2.14/with-loss-static.pt2";

// Files may not grow beyond `bytes` as long as this lives: a disk that is full.
class SmallDisk
{
public:
    explicit SmallDisk(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SmallDisk()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before{};
    void (*m_handler)(int) = nullptr;
};

} // namespace

class TestExport : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        auto model = openModel(modelPath);
        QCOMPARE(message(model), "ok");
        m_model = std::make_unique<Model>(std::move(*model));
        // The embedding's weights are the head's too.
        m_partition = cutBefore(m_model->graph, "linear");
    }

    // Its gradients may be others than the Python model's, and PyTorch would train it only with copies.
    void saysWhatDecompositionLost()
    {
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/made/norm-core.pt2");
        QCOMPARE(message(model), "ok");
        const QTemporaryDir parent;
        ExportOptions options{.folder = parent.filePath("train").toStdString()};
        const auto trained = exportStages(*model, stagesOf({0, 0, 0, 1}), options);
        QCOMPARE(message(trained), "ok");
        QVERIFY(contains(
            trained->notes,
            std::string(
                "the stages read copies of 2 buffers ('norm.running_mean' ...), as the program "
                "writes to them before backward is through: PyTorch does not train the program as it is")));
        QVERIFY(contains(
            trained->notes,
            std::string(
                "the program is decomposed, and PyTorch leaves no_grad() and detach() out of "
                "such: where the Python model has any, gradients differ from its own; export it without "
                "run_decompositions() to keep them")));
        options.folder = parent.filePath("infer").toStdString();
        options.plannedFor.mode = TrainingMode::Infer;
        const auto inferred = exportStages(*model, stagesOf({0, 0, 0, 1}), options);
        QCOMPARE(message(inferred), "ok");
        QCOMPARE(inferred->notes.size() + 2, trained->notes.size());
    }

    void writesAllFiles()
    {
        const QTemporaryDir parent;
        const ExportOptions options{.folder = parent.filePath("a/b/stages").toStdString()};
        const auto planned = planExport(*m_model, m_partition, options);
        const auto report = exportStages(*m_model, m_partition, options);
        QCOMPARE(message(report), "ok");
        QCOMPARE(filesIn(parent.filePath("a/b/stages")),
                 QStringList({"README.md", "examples", "manifest.json", "pipeline.py", "stage_0.pt2",
                              "stage_0.py", "stage_0.safetensors", "stage_1.pt2", "stage_1.py",
                              "stage_1.safetensors", "stagecraft_runtime"}));
        QCOMPARE(filesIn(parent.filePath("a/b/stages/examples")), QStringList({"train.py", "train.slurm"}));
        QCOMPARE(filesIn(parent.filePath("a/b")), QStringList("stages"));
        QCOMPARE(report->files.size(), planned->size());
        const auto manifest = readManifest(options.folder);
        for (const WrittenFile& file : manifest->written) {
            QFile written(QString::fromStdString((options.folder / file.name).string()));
            QVERIFY(written.open(QIODevice::ReadOnly));
            QCOMPARE(QByteArray::fromStdString(file.sha256),
                     QCryptographicHash::hash(written.readAll(), QCryptographicHash::Sha256).toHex());
        }
        for (std::size_t i = 0; i < planned->size(); ++i) {
            QCOMPARE(report->files[i].name, (*planned)[i].name);
            QCOMPARE(report->files[i].size.count(), static_cast<std::int64_t>(std::filesystem::file_size(
                                                        options.folder / report->files[i].name)));
            QVERIFY(std::abs(report->files[i].size.count() - (*planned)[i].size.count()) < 8192);
        }
        // Replacing an export leaves nothing of the old one.
        QCOMPARE(message(exportStages(*m_model, evenly(m_model->graph, 1), options)), "ok");
        QCOMPARE(filesIn(parent.filePath("a/b/stages")),
                 QStringList({"README.md", "examples", "manifest.json", "pipeline.py", "stage_0.pt2",
                              "stage_0.py", "stage_0.safetensors", "stagecraft_runtime"}));
    }

    void saysWhichOutputIsTheLoss()
    {
        const QTemporaryDir parent;
        ExportOptions options{.folder = parent.filePath("stages").toStdString()};
        const auto report = exportStages(*m_model, m_partition, options);
        QCOMPARE(QString::fromStdString(report->notes.back()),
                 "loss: output '0', the only scalar that needs a gradient");
        QCOMPARE(readManifest(options.folder)->lossOutput, 0u);
        options.lossOutput = "all";
        QCOMPARE(message(exportStages(*m_model, m_partition, options)), "ok");
        QVERIFY(!readManifest(options.folder)->lossOutput);
    }

    void asksWhichOutputIsTheLoss()
    {
        Model model = modelOf(R"(graph two_losses
  input %x : f32[4, 8]
  param %w "w" : f32[8, 8]
  %y : f32[4, 8] = aten::linear.default(%x, %w)
  %first : f32[] = aten::mean.default(%y)
  %second : f32[] = aten::sum.default(%y)
  return %first, %second
)");
        model.weights.addShape("w", contiguousMeta(DType::F32, {8, 8}));
        const QTemporaryDir parent;
        ExportOptions options{.folder = parent.filePath("stages").toStdString()};
        const QString question =
            "which output is the loss, '0' or '1'? Name it (--loss-output NAME), or all for "
            "the sum of all";
        QCOMPARE(message(exportStages(model, evenly(model.graph, 2), options)), question);
        QCOMPARE(message(planExport(model, evenly(model.graph, 2), options)), question);
        QVERIFY(!QFileInfo::exists(parent.filePath("stages")));
        options.formats = {StageFormat::Python}; // the model has no weights
        options.lossOutput = "second";
        QCOMPARE(message(exportStages(model, evenly(model.graph, 2), options)), "ok");
        QCOMPARE(readManifest(options.folder)->lossOutput, 1u);
    }

    void saysWhatIsShared()
    {
        const QTemporaryDir parent;
        const ExportOptions options{.folder = parent.filePath("stages").toStdString()};
        const auto report = exportStages(*m_model, m_partition, options);
        QCOMPARE(QString::fromStdString(report->notes.at(0)),
                 "'head.weight' is in stage 1, stage 2: pipeline.py adds their gradients up");
        const auto manifest = readManifest(options.folder);
        QCOMPARE(message(manifest), "ok");
        QCOMPARE(manifest->stages.size(), 2u);
        QCOMPARE(manifest->modelInputs, (std::vector<std::string>{"ids", "target"}));
        QCOMPARE(manifest->stages[0].files.program, std::string("stage_0.pt2"));
        QVERIFY(std::ranges::count(manifest->stages[1].parameters, "head.weight") == 1);
        QVERIFY(!manifest->stages[1].inputs.at(0).fromModel);
        QCOMPARE(manifest->stages[1].inputs.back().value, std::string("target"));
    }

    void seesThatTheModelChangedOnTheWay_data()
    {
        QTest::addColumn<bool>("shorter");
        QTest::newRow("shorter") << true;
        QTest::newRow("written over") << false;
    }
    void seesThatTheModelChangedOnTheWay()
    {
        QFETCH(bool, shorter);
        const QTemporaryDir parent;
        const std::filesystem::path path = parent.filePath("m.pt2").toStdString();
        std::filesystem::copy_file(modelPath, path);
        const auto model = openModel(path);
        QCOMPARE(message(model), "ok");
        QTest::qSleep(20);
        const Progress progress({}, [&](std::string_view, std::optional<double>) {
            if (shorter)
                std::filesystem::resize_file(path, 1000);
            else
                std::fstream(path, std::ios::in | std::ios::out | std::ios::binary) << "PK";
        });
        const auto report =
            exportStages(*model, m_partition, {.folder = parent.filePath("out").toStdString()}, progress);
        QVERIFY2(message(report).endsWith("m.pt2: the file was changed after it was opened; open it again"),
                 qPrintable(message(report)));
        QCOMPARE(filesIn(parent.path()), QStringList("m.pt2"));
    }

    void leavesNothingWhereTheDiskIsFull()
    {
        const QTemporaryDir parent;
        for (const rlim_t bytes : {rlim_t{100}, rlim_t{6000}, rlim_t{20000}, rlim_t{30000}}) {
            const SmallDisk disk(bytes);
            const auto report =
                exportStages(*m_model, m_partition, {.folder = parent.filePath("new/stages").toStdString()});
            QVERIFY2(message(report).endsWith("cannot be written: File too large"),
                     qPrintable(message(report)));
            QVERIFY(!message(report).contains('\n'));
            QVERIFY2(message(report).startsWith(parent.filePath("new/stages")), qPrintable(message(report)));
            QCOMPARE(filesIn(parent.path()), QStringList());
        }
    }

    void leavesTheOldExportWhenCancelled()
    {
        const QTemporaryDir parent;
        const ExportOptions options{.folder = parent.filePath("stages").toStdString()};
        QCOMPARE(message(exportStages(*m_model, m_partition, options)), "ok");
        std::stop_source stop;
        int reports = 0;
        const Progress progress(stop.get_token(), [&](std::string_view, std::optional<double>) {
            if (++reports == 1)
                stop.request_stop();
        });
        const auto report = exportStages(*m_model, evenly(m_model->graph, 1), options, progress);
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, ErrorCode::Cancelled);
        QCOMPARE(filesIn(parent.path()), QStringList("stages"));
        QCOMPARE(filesIn(parent.filePath("stages")).size(), 11);
    }

    void leavesNothingWhenCancelledAmongTheWeights()
    {
        const QTemporaryDir parent;
        std::stop_source stop;
        QStringList said;
        const Progress progress(stop.get_token(), [&](std::string_view activity, std::optional<double>) {
            said << QString::fromUtf8(activity.data(), static_cast<qsizetype>(activity.size()));
            if (said.back() == "Writing weights")
                stop.request_stop();
            else
                QTest::qSleep(45); // so that no report is too soon after the last
        });
        const auto report = exportStages(*m_model, m_partition,
                                         {.folder = parent.filePath("new/stages").toStdString()}, progress);
        QVERIFY(!report.has_value());
        QCOMPARE(report.error().code, ErrorCode::Cancelled);
        QVERIFY(said.contains("Writing weights"));
        QCOMPARE(filesIn(parent.path()), QStringList());
    }

    void planningCanBeCancelled()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto planned =
            planExport(*m_model, m_partition, {.folder = "/nowhere"}, Progress(stop.get_token()));
        QVERIFY(!planned.has_value());
        QCOMPARE(planned.error().code, ErrorCode::Cancelled);
    }

    // Files that would have PyTorch run something: nothing is written, and the reason names the place.
    void refusesCodeOfHostileModels_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("reason");
        const auto row = [](const char* model, const char* reason) {
            QTest::newRow(model) << model << reason;
        };
        row("01-code-injection-target/m_as_operator", "node 'pwn' calls '__import__('os')'");
        row("01-code-injection-target/m_exec_plain", "calls 'exec', which is no operator");
        row("01-code-injection-target/m_os_system_via_torch", "calls 'torch::os.system'");
        row("01-code-injection-target/m_raw_expr", "calls 'getattr(__import__('os'),'system')'");
        row("01-code-injection-target/m_torch_hub", "calls 'torch::hub.load'");
        row("02-code-injection-cr/m_cr2", "which is no arithmetic of 64 bits");
        row("04-pipeline-eval-pow-bomb/m_pow_bomb", "has the size 9**387420489, which is no arithmetic");
    }
    void refusesCodeOfHostileModels()
    {
        QFETCH(QString, model);
        QFETCH(QString, reason);
        const auto hostile =
            openModel(QString(STAGECRAFT_TEST_DATA "/hostile/%1.pt2").arg(model).toStdString());
        QCOMPARE(message(hostile), "ok");
        for (const StageFormat format : {StageFormat::Python, StageFormat::Pt2}) {
            const QTemporaryDir parent;
            const ExportOptions options{.folder = parent.filePath("stages").toStdString(),
                                        .formats = {format}};
            const Partition partition = evenly(hostile->graph, 2);
            const auto report = exportStages(*hostile, partition, options);
            QVERIFY2(message(report).contains(reason), qPrintable(message(report)));
            QVERIFY2(!message(report).contains('\r'), qPrintable(message(report)));
            QCOMPARE(message(planExport(*hostile, partition, options)), message(report));
            QCOMPARE(filesIn(parent.path()), QStringList());
        }
    }

    // A region keeps a node's results: each format can say so, or the export is refused.
    void refusesToDropWhatIsKeptInARegion_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("isAutocast");
        QTest::addColumn<QString>("said");
        const auto add = [](const char* name, StageFormat format, bool isAutocast, const char* said) {
            QTest::newRow(name) << static_cast<int>(format) << isAutocast << said;
        };
        add("Python", StageFormat::Python, false, "ok");
        add("TorchScript", StageFormat::TorchScript, false, "TorchScript has no such regions");
        add("autocast", StageFormat::Python, true, "which PyTorch cannot do under autocast");
    }

    void refusesToDropWhatIsKeptInARegion()
    {
        QFETCH(int, format);
        QFETCH(bool, isAutocast);
        QFETCH(QString, said);
        auto model = openModel(modelPath);
        QCOMPARE(message(model), "ok");
        Table<NodeId, Context> contexts(model->graph.nodeCount());
        contexts[NodeId(1)] = {.recomputeRegions = {0}, .keepsResults = true};
        if (isAutocast)
            contexts[NodeId(1)].autocast = Autocast{.deviceType = "cpu"};
        model->graph = GraphBuilder::inContexts(std::move(model->graph), contexts);
        const QTemporaryDir parent;
        const ExportOptions options{.folder = parent.filePath("stages").toStdString(),
                                    .formats = {static_cast<StageFormat>(format)}};
        const auto report = exportStages(*model, evenly(model->graph, 2), options);
        if (said == "ok") {
            QCOMPARE(message(report), "ok");
            return;
        }
        const std::string name = model->graph[NodeId(1)].name;
        QVERIFY2(message(report).contains(("node '" + name + "' is to be kept").c_str()) &&
                     message(report).contains(said),
                 qPrintable(message(report)));
        QCOMPARE(filesIn(parent.path()), QStringList());
    }

    // PyTorch makes code of the names in a .pt2; Python code of ours does not.
    void refusesNamesThatAreCode()
    {
        for (const std::string bad : {"x=print(1)", "a b", "."}) {
            const std::string made = "%\"" + bad + "\"";
            Model model = modelOf("graph names\n  input %x : f32[4]\n  " + made +
                                  " : f32[4] = aten::neg.default(self %x)\n  return " + made + "\n");
            const QTemporaryDir parent;
            ExportOptions options{.folder = parent.filePath("stages").toStdString()};
            const QString whole = message(exportStages(model, evenly(model.graph, 1), options));
            QVERIFY2(whole.endsWith("export with --formats python"), qPrintable(whole));
            options.formats = {StageFormat::Python};
            QCOMPARE(message(exportStages(model, evenly(model.graph, 1), options)), "ok");
        }
    }

    void refusesDamagedManifests()
    {
        const QTemporaryDir parent;
        QVERIFY(message(readManifest(parent.path().toStdString())).endsWith("it has no manifest.json"));
        for (const char* text : {"{", "[]", "{\"format\": 2}", "{\"format\": 1, \"model\": 3}"}) {
            std::ofstream(parent.filePath("manifest.json").toStdString()) << text;
            const auto manifest = readManifest(parent.path().toStdString());
            QVERIFY2(!manifest.has_value(), text);
            QVERIFY(!message(manifest).contains('\n'));
        }
    }

private:
    std::unique_ptr<Model> m_model;
    Partition m_partition;
};

QTEST_GUILESS_MAIN(TestExport)
#include "tst_export.moc"
