// What becomes of the folder that is exported to, and of what is in it.
#include "core/load/open_model.h"
#include "core/stage/export.h"

#include "core/stage/manifest.h"
#include "stage_test.h"

#include <QTemporaryDir>

#include <fstream>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

const std::string modelPath = STAGECRAFT_TEST_DATA "/models/small/torch-2.14/with-loss-static.pt2";

// The number of a process that has ended.
pid_t deadProcess()
{
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(0);
    int status = 0;
    ::waitpid(child, &status, 0);
    return child;
}

} // namespace

class TestExportFolder : public QObject
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

    void replacesNothingElse()
    {
        const QTemporaryDir parent;
        std::ofstream(parent.filePath("mine.txt").toStdString()) << "precious";
        const auto report = exportStages(*m_model, m_partition, {.folder = parent.path().toStdString()});
        QVERIFY(message(report).endsWith("holds other files; choose an empty folder or an earlier export"));
        QCOMPARE(filesIn(parent.path()), QStringList("mine.txt"));
        const auto onFile =
            exportStages(*m_model, m_partition, {.folder = parent.filePath("mine.txt").toStdString()});
        QVERIFY(message(onFile).endsWith("mine.txt: there is a file of that name"));
        const auto below =
            exportStages(*m_model, m_partition, {.folder = parent.filePath("mine.txt/stages").toStdString()});
        QVERIFY(!below.has_value());
        QCOMPARE(filesIn(parent.path()), QStringList("mine.txt"));
    }

    // A folder with some other manifest.json: a browser's extension, for instance.
    void refusesAnotherManifest()
    {
        const QTemporaryDir parent;
        for (const char* manifest :
             {R"({"manifest_version": 3, "name": "Tabs"})", "{}", "not JSON", "",
              R"({"format": 1, "model": {"name": "m"}, "model_inputs": [], "stages": []})"}) {
            std::ofstream(parent.filePath("manifest.json").toStdString()) << manifest;
            std::ofstream(parent.filePath("background.js").toStdString()) << "precious";
            const auto report = exportStages(*m_model, m_partition, {.folder = parent.path().toStdString()});
            QVERIFY2(message(report).contains("manifest.json is not one of an export"),
                     qPrintable(message(report)));
            QVERIFY(!message(report).contains('\n'));
            QCOMPARE(filesIn(parent.path()), QStringList({"background.js", "manifest.json"}));
            QCOMPARE(content(parent.filePath("manifest.json")), QByteArray(manifest));
        }
    }

    void keepsWhatIsNotItsOwn()
    {
        const QTemporaryDir parent;
        const QString folder = parent.filePath("stages");
        const ExportOptions options{.folder = folder.toStdString()};
        QCOMPARE(message(exportStages(*m_model, m_partition, options)), "ok");
        std::ofstream(folder.toStdString() + "/notes.txt") << "mine";
        std::ofstream(folder.toStdString() + "/.hidden") << "too";
        QVERIFY(QFile::link("notes.txt", folder + "/link"));
        QVERIFY(QDir(folder).mkpath("runs/1"));
        std::ofstream(folder.toStdString() + "/runs/1/log") << "long";
        QCOMPARE(::chmod(options.folder.c_str(), 0750), 0);
        const auto report = exportStages(*m_model, evenly(m_model->graph, 1), options);
        QCOMPARE(message(report), "ok");
        QCOMPARE(filesIn(folder), QStringList({".hidden", "README.md", "examples", "link", "manifest.json",
                                               "notes.txt", "pipeline.py", "runs", "stage_0.pt2",
                                               "stage_0.py", "stage_0.safetensors", "stagecraft_runtime"}));
        QCOMPARE(filesIn(parent.path()), QStringList("stages"));
        QCOMPARE(content(folder + "/notes.txt"), QByteArray("mine"));
        QCOMPARE(content(folder + "/runs/1/log"), QByteArray("long"));
        QCOMPARE(QFile::symLinkTarget(folder + "/link"), folder + "/notes.txt");
        struct stat there
        {
        };
        QCOMPARE(::stat((folder + "/notes.txt").toStdString().c_str(), &there), 0);
        QCOMPARE(there.st_nlink, nlink_t{1});
        QCOMPARE(::stat(options.folder.c_str(), &there), 0);
        QCOMPARE(there.st_mode & 07777, mode_t{0750});
    }

    void keepsWhatIsNotItsOwnInItsFolders()
    {
        const QTemporaryDir parent;
        const QString folder = parent.filePath("stages");
        ExportOptions options{.folder = folder.toStdString()};
        QCOMPARE(message(exportStages(*m_model, m_partition, options)), "ok");
        std::ofstream(folder.toStdString() + "/examples/mine.py") << "mine";
        QVERIFY(QDir(folder).mkpath("stagecraft_runtime/__pycache__"));
        std::ofstream(folder.toStdString() + "/stagecraft_runtime/__pycache__/x.pyc") << "cached";
        QCOMPARE(message(exportStages(*m_model, m_partition, options)), "ok");
        QCOMPARE(filesIn(folder + "/examples"), QStringList({"mine.py", "train.py", "train.slurm"}));
        options.formats = {StageFormat::Pt2}; // without folders of its own
        QCOMPARE(message(exportStages(*m_model, evenly(m_model->graph, 1), options)), "ok");
        QCOMPARE(filesIn(folder),
                 QStringList({"examples", "manifest.json", "stage_0.pt2", "stagecraft_runtime"}));
        QCOMPARE(filesIn(folder + "/examples"), QStringList("mine.py"));
        QCOMPARE(content(folder + "/examples/mine.py"), QByteArray("mine"));
        QCOMPARE(filesIn(folder + "/stagecraft_runtime"), QStringList("__pycache__"));
        QCOMPARE(content(folder + "/stagecraft_runtime/__pycache__/x.pyc"), QByteArray("cached"));
        QCOMPARE(filesIn(parent.path()), QStringList("stages"));
    }

    void writesIntoNoFolderOfSomeoneElse()
    {
        const QTemporaryDir parent;
        const QString folder = parent.filePath("stages");
        const ExportOptions pt2{.folder = folder.toStdString(), .formats = {StageFormat::Pt2}};
        const ExportOptions python{.folder = folder.toStdString()};
        QCOMPARE(message(exportStages(*m_model, m_partition, pt2)), "ok");
        QVERIFY(QDir(parent.path()).mkdir("elsewhere"));
        QVERIFY(QFile::link("../elsewhere", folder + "/examples"));
        const QString inTheWay = "examples: is there, but not of the earlier export; move it elsewhere first";
        QVERIFY(message(exportStages(*m_model, m_partition, python)).endsWith(inTheWay));
        QVERIFY(QFile::remove(folder + "/examples"));
        QVERIFY(QDir(folder).mkdir("examples"));
        std::ofstream(folder.toStdString() + "/examples/train.py") << "mine";
        QVERIFY(
            message(exportStages(*m_model, m_partition, python))
                .endsWith(
                    "examples/train.py: is there, but not of the earlier export; move it elsewhere first"));
        QCOMPARE(content(folder + "/examples/train.py"), QByteArray("mine"));
        QCOMPARE(filesIn(parent.filePath("elsewhere")), QStringList());
    }

    // One's own file by the name of one that is to be written.
    void replacesNoFileThatItDidNotWrite()
    {
        const QTemporaryDir parent;
        const QString folder = parent.filePath("stages");
        const ExportOptions options{.folder = folder.toStdString()};
        QCOMPARE(message(exportStages(*m_model, evenly(m_model->graph, 1), options)), "ok");
        std::ofstream(folder.toStdString() + "/stage_1.py") << "mine";
        const QStringList before = filesIn(folder);
        const auto report = exportStages(*m_model, m_partition, options);
        QVERIFY2(message(report).endsWith(
                     "stage_1.py: is there, but not of the earlier export; move it elsewhere first"),
                 qPrintable(message(report)));
        QCOMPARE(filesIn(folder), before);
        QCOMPARE(content(folder + "/stage_1.py"), QByteArray("mine"));
    }

    void followsALinkToAFolder()
    {
        const QTemporaryDir parent;
        QVERIFY(QDir(parent.path()).mkdir("real"));
        QVERIFY(QFile::link("real", parent.filePath("link")));
        const ExportOptions options{.folder = parent.filePath("link").toStdString()};
        for (const std::size_t stages : {2u, 1u}) {
            const Partition partition = stages == 2 ? m_partition : evenly(m_model->graph, 1);
            QCOMPARE(message(exportStages(*m_model, partition, options)), "ok");
            QCOMPARE(filesIn(parent.path()), QStringList({"link", "real"}));
            QVERIFY(QFileInfo(parent.filePath("link")).isSymLink());
            QCOMPARE(filesIn(parent.filePath("real")).size(), stages == 2 ? 11 : 8);
        }
        QVERIFY(QFile::link("nothing", parent.filePath("dangling")));
        const auto report =
            exportStages(*m_model, m_partition, {.folder = parent.filePath("dangling").toStdString()});
        QVERIFY(message(report).endsWith("dangling: is a link that leads nowhere"));
    }

    void refusesWhatIsNoPlaceForAFolder()
    {
        const std::string here = std::filesystem::current_path().string();
        for (const std::string& folder :
             {std::string(), std::string("/"), std::string("///"), std::string("."), std::string(".."),
              std::string("./."), here, std::string("/proc"), std::string("/dev/null")}) {
            const auto report = exportStages(*m_model, m_partition, {.folder = folder});
            QVERIFY2(!report.has_value(), folder.c_str());
            QVERIFY(!message(report).contains('\n'));
        }
    }

    void clearsWhatKilledExportsLeftBehind()
    {
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*m_model, m_partition, {.folder = folder})), "ok");
        const pid_t dead = deadProcess();
        const std::string prefix = parent.filePath(".stages.partial-").toStdString();
        // One that was not finished, one that was replaced and not cleared, and two that are not ours to
        // clear.
        const std::filesystem::path begun = prefix + std::to_string(dead);
        const std::filesystem::path old = prefix + std::to_string(dead) + "-abcdefghijkl";
        const std::filesystem::path alive = prefix + std::to_string(::getppid()) + "-abcdefghijkl";
        const std::filesystem::path other =
            parent.filePath(".other.partial-" + QString::number(dead)).toStdString();
        for (const auto& path : {begun, alive, other})
            std::filesystem::create_directory(path);
        std::ofstream(begun / "stage_0.pt2") << "half";
        std::ofstream(begun / ".stage_0.py.abcdefghijkl.part") << "half";
        std::ofstream(begun / ".manifest.json.abcdefghijkl.part") << "half";
        std::filesystem::create_directory(begun / "stagecraft_runtime");
        std::ofstream(begun / "stagecraft_runtime/.training.py.abcdefghijkl.part") << "half";
        std::filesystem::copy(folder, old);
        std::ofstream(old / "notes.txt") << "mine";
        QCOMPARE(message(exportStages(*m_model, evenly(m_model->graph, 1), {.folder = folder})), "ok");
        QCOMPARE(filesIn(parent.path()),
                 QStringList({QString::fromStdString(other.filename().string()),
                              QString::fromStdString(alive.filename().string()), "stages"}));
        QCOMPARE(content(parent.filePath("stages/notes.txt")), QByteArray("mine"));
        QCOMPARE(filesIn(parent.filePath("stages")).size(), 9);
    }

    // Killed on a file system that cannot exchange two folders, in the moment when neither has the name.
    void bringsAnExportBackThatWasMovedAside()
    {
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*m_model, m_partition, {.folder = folder})), "ok");
        std::ofstream(folder / "notes.txt") << "mine";
        std::filesystem::rename(folder, parent.filePath(".stages.partial-").toStdString() +
                                            std::to_string(deadProcess()) + "-abcdefghijkl-old");
        const Partition one = evenly(m_model->graph, 1);
        QCOMPARE(message(exportStages(*m_model, one, {.folder = folder})), "ok");
        QCOMPARE(filesIn(parent.path()), QStringList("stages"));
        QCOMPARE(content(parent.filePath("stages/notes.txt")), QByteArray("mine"));
    }

    // A stage is a model, too.
    void doesNotReplaceWhatItReads()
    {
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*m_model, m_partition, {.folder = folder})), "ok");
        const auto stage = openModel(folder / "stage_0.pt2");
        QCOMPARE(message(stage), "ok");
        const QByteArray before = content(parent.filePath("stages/stage_0.pt2"));
        const auto report = exportStages(*stage, evenly(stage->graph, 1), {.folder = folder});
        QVERIFY2(message(report).contains("stage_0.pt2: is what is to be exported, and would be replaced"),
                 qPrintable(message(report)));
        QCOMPARE(content(parent.filePath("stages/stage_0.pt2")), before);
    }

    // Whoever is last has the folder, and nothing of the other is in it.
    void twoAtOnceLeaveOne()
    {
        for (int round = 0; round < 12; ++round) {
            const QTemporaryDir parent;
            const QString folder = parent.filePath("stages");
            const ExportOptions options{.folder = folder.toStdString(), .formats = {StageFormat::Pt2}};
            QString said[3];
            std::vector<std::jthread> threads;
            for (const std::size_t count : {1, 2, 3})
                threads.emplace_back([&, count] {
                    for (int again = 0; again < 4; ++again)
                        said[count - 1] =
                            message(exportStages(*m_model, evenly(m_model->graph, count), options));
                });
            threads.clear();
            for (const QString& one : said)
                QCOMPARE(one, "ok");
            const auto written = exportedFiles(options.folder);
            QCOMPARE(message(written), "ok");
            QStringList expected;
            for (const std::string& name : *written)
                expected << QString::fromStdString(name).section('/', 0, 0);
            expected.removeDuplicates();
            expected.sort();
            QCOMPARE(filesIn(folder), expected);
            QCOMPARE(filesIn(parent.path()), QStringList("stages"));
        }
    }

private:
    std::unique_ptr<Model> m_model;
    Partition m_partition;
};

QTEST_GUILESS_MAIN(TestExportFolder)
#include "tst_export_folder.moc"
