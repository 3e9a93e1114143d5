#include "core/load/open_model.h"
#include "core/stage/verify.h"

#include "core/stage/cut.h"
#include "core/stage/export.h"
#include "core/stage/pt2_writer.h"
#include "stage_test.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>

#include <fstream>

using namespace stagecraft;
using namespace stagecraft::testing;

namespace {

Result<Model> openSmall(const std::string& name)
{
    return openModel(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/" + name + ".pt2");
}

void copyFile(const std::filesystem::path& from, const std::filesystem::path& to)
{
    std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing);
}

using Json = nlohmann::json;

// Every value in the document, the inner ones too.
std::vector<Json::json_pointer> everywhereIn(const Json& document)
{
    std::vector<Json::json_pointer> pointers;
    const auto visit = [&](const Json& json, const Json::json_pointer& at, const auto& again) -> void {
        if (!at.empty())
            pointers.push_back(at);
        for (const auto& item : json.items())
            if (json.is_structured())
                again(item.value(),
                      json.is_array() ? at / static_cast<std::size_t>(std::stoul(item.key()))
                                      : at / item.key(),
                      again);
    };
    visit(document, Json::json_pointer(), visit);
    return pointers;
}

// What describes and is not acted on: where the model came from, hints for people. A loss that is not said is
// the sum of the outputs, and checksums that are not there are said not to be.
bool isOfNoAccount(const Json::json_pointer& where)
{
    const std::string text = where.to_string();
    for (const char* free :
         {"/model/name", "/model/torch_version", "/model/has_weights", "/model/loss_output", "/model/loss"})
        if (text == free)
            return true;
    if (text.starts_with("/model/inputs/") &&
        (text.ends_with("/below") || text.find("/strides") != std::string::npos))
        return true;
    // When weights get their gradients, not which.
    if (text.ends_with("/recomputes"))
        return true;
    return text.find("/relays") != std::string::npos || text.starts_with("/files");
}

std::size_t count(const VerifyReport& report, Comparison::Kind kind)
{
    return static_cast<std::size_t>(std::ranges::count(report.comparisons, kind, &Comparison::kind));
}

} // namespace

class TestVerify : public QObject
{
    Q_OBJECT

private slots:
    void passesWhatIsRight_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("gradients");
        QTest::newRow("branches") << "branches-dynamic" << 8;
        QTest::newRow("skip") << "skip-dynamic" << 14;
        QTest::newRow("loss") << "with-loss-static" << 9;
        QTest::newRow("mixture") << "mixture-static" << 4;
    }

    void passesWhatIsRight()
    {
        QFETCH(QString, name);
        QFETCH(int, gradients);
        const auto model = openSmall(name.toStdString());
        QCOMPARE(message(model), "ok");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 3));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto report = verifyExport(*model, folder);
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        QCOMPARE(report->stageCount, 3u);
        QVERIFY(!report->shapesOnly);
        QCOMPARE(count(*report, Comparison::Kind::ParameterGradient), static_cast<std::size_t>(gradients));
        QVERIFY(count(*report, Comparison::Kind::Weight) > 0);
    }

    void seesWrongWeightsInEitherFile()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        // The last bytes of a safetensors file are numbers.
        std::fstream file(folder / "stage_1.safetensors", std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(-4, std::ios::end);
        file.write("\x12\x34\x56\x3f", 4);
        file.close();
        const auto stored = verifyExport(*model, folder);
        QCOMPARE(message(stored), "ok");
        QVERIFY(!stored->passed());
        QVERIFY(stored->summary().find("is not the model's tensor") != std::string::npos);
    }

    // As stages were written that read the buffers themselves, which PyTorch does not train.
    void findsWhatPyTorchCannotGoBackThrough()
    {
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/made/norm-core.pt2");
        QCOMPARE(message(model), "ok");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = stagesOf({0, 0, 0, 1});
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto right = verifyExport(*model, folder);
        QCOMPARE(message(right), "ok");
        QVERIFY2(right->passed(), right->summary().c_str());
        QCOMPARE(count(*right, Comparison::Kind::ParameterGradient), 4u);

        StageProgram program = cutStages(*model, partition)->front();
        program.readAsCopies.clear();
        std::filesystem::remove(folder / "stage_0.pt2");
        const Progress progress;
        Result<OutputFile> file = OutputFile::create(folder / "stage_0.pt2", progress);
        QCOMPARE(message(file), "ok");
        QCOMPARE(message(writeStagePt2(*file, *model, program, progress)), "ok");
        QCOMPARE(message(file->close()), "ok");
        QCOMPARE(message(verifyExport(*model, folder)),
                 QString::fromStdString((folder / "stage_0.pt2").string()) +
                     ": PyTorch cannot go back through it: it writes to a buffer that backward needs as it "
                     "was; export again: stages then read a copy");
    }

    void readsNothingThatAManifestPromisesInVain_data()
    {
        QTest::addColumn<QString>("folder");
        QTest::newRow("a stage twice") << "export_double_stage";
        QTest::newRow("an output missing") << "export_missing_output";
    }
    void readsNothingThatAManifestPromisesInVain()
    {
        QFETCH(QString, folder);
        const auto model = openModel(STAGECRAFT_TEST_DATA "/times/mlp.pt2");
        QCOMPARE(message(model), "ok");
        const auto report = verifyExport(*model, STAGECRAFT_TEST_DATA "/hostile/18-verify-segv-manifest/" +
                                                     folder.toStdString());
        QVERIFY(!report.has_value());
        QVERIFY2(message(report).contains("manifest.json: "), qPrintable(message(report)));
        QVERIFY(!message(report).contains('\n'));
    }

    // Every entry of the manifest in turn is removed, or says something else.
    void noManifestThatContradictsPasses_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("two inputs") << "with-loss-static";
        QTest::newRow("symbols") << "branches-dynamic";
    }
    void noManifestThatContradictsPasses()
    {
        QFETCH(QString, name);
        const auto model = openSmall(name.toStdString());
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 3));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        std::ifstream file(folder / "manifest.json");
        const Json manifest = Json::parse(file);
        const std::vector<Json> others{nullptr, "../x", -1, Json::object()};
        QStringList unchecked;
        for (const Json::json_pointer& where : everywhereIn(manifest)) {
            std::vector<Json> changed;
            for (const Json& other : others) {
                changed.push_back(manifest);
                changed.back()[where] = other;
            }
            Json& parentOf = changed.emplace_back(manifest)[where.parent_pointer()];
            if (parentOf.is_array())
                parentOf.push_back(parentOf.front());
            else
                parentOf.erase(where.back());
            for (const Json& text : changed) {
                if (text == manifest)
                    continue;
                std::ofstream(folder / "manifest.json") << text.dump();
                const auto report = verifyExport(*model, folder);
                if (report.has_value() && report->passed() && !isOfNoAccount(where))
                    unchecked << QString::fromStdString(where.to_string());
                QVERIFY(!message(report).contains('\n'));
                QVERIFY2(!message(report).contains(".exception."), qPrintable(message(report)));
            }
        }
        unchecked.removeDuplicates();
        QVERIFY2(unchecked.isEmpty(), qPrintable("verify does not look at: " + unchecked.join(' ')));
    }

    void sharedLinesNameNodesOfTheModel()
    {
        const auto model = openModel(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");
        QCOMPARE(message(model), "ok");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 1), {.folder = folder})), "ok");
        std::ifstream file(folder / "manifest.json");
        const Json manifest = Json::parse(file);
        const Json lines = manifest.at("stages").at(0).value("shared_lines", Json());
        QVERIFY(lines.is_object() && !lines.empty());
        const auto first = lines.begin().key();
        for (const Json& other :
             {Json("../x"), Json::array({"no node"}), Json::array({"no node", "nor this"})}) {
            Json changed = manifest;
            changed["stages"][0]["shared_lines"][first] = other;
            std::ofstream(folder / "manifest.json") << changed.dump();
            QVERIFY(message(verifyExport(*model, folder)).contains("'shared_lines' does not name nodes"));
        }
    }

    void seesCodeThatWasChanged()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        for (const std::string name : {"stage_0.py", "stage_1.py", "pipeline.py"}) {
            QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
            const auto intact = verifyExport(*model, folder);
            QVERIFY2(intact.has_value() && intact->passed(), qPrintable(message(intact)));
            std::fstream file(folder / name, std::ios::in | std::ios::out);
            file.seekp(40);
            file << "#"; // of the same length
            file.close();
            const auto changed = verifyExport(*model, folder);
            QCOMPARE(message(changed), "ok");
            QVERIFY(!changed->passed());
            QVERIFY2(changed->summary().find("file '" + name + "': was changed after the export") !=
                         std::string::npos,
                     changed->summary().c_str());
            std::filesystem::remove(folder / name);
            QVERIFY(verifyExport(*model, folder)->summary().ends_with("is missing"));
        }
    }

    void runsOnTheInputsOfTheExport()
    {
        const auto model = openSmall("with-loss-dynamic");
        QCOMPARE(message(model), "ok");
        const GivenInputs inputs = exportedInputs(*model);
        QVERIFY(!inputs.empty());
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 3));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto report = verifyExport(*model, folder, {.inputs = inputs});
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        // Sizes that were asked for contradict these inputs.
        QVERIFY(!inputs.bindings.empty());
        const auto& [symbol, size] = *inputs.bindings.begin();
        QVERIFY(exportedInputs(*model, {{symbol, size + 1}}).empty());
        QVERIFY(
            !verifyExport(*model, folder, {.bindings = {{symbol, size + 1}}, .inputs = inputs}).has_value());
    }

    void seesAStageThatChangesMeanwhile()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        const Progress progress({}, [&](std::string_view activity, std::optional<double>) {
            QTest::qSleep(45); // so that no report is too soon after the last
            if (activity == "Running stages")
                std::filesystem::resize_file(folder / "stage_0.pt2", 500);
        });
        const auto report = verifyExport(*model, folder, {}, progress);
        QVERIFY(!report.has_value());
    }

    void seesStagesOfAnotherModel()
    {
        const auto model = openSmall("mixture-static");
        const auto other = openModel(STAGECRAFT_TEST_DATA "/models/small/torch-2.14/mixture-dynamic.pt2");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("a").toStdString();
        const std::filesystem::path threes = parent.filePath("b").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 3), {.folder = threes})), "ok");
        copyFile(threes / "stage_1.pt2", folder / "stage_1.pt2");
        const auto report = verifyExport(*model, folder);
        QVERIFY(!report.has_value() || !report->passed());
        const auto skip = openSmall("skip-static");
        QVERIFY(!verifyExport(*openSmall("with-loss-static"), threes).has_value());
    }

    void comparesShapesWhereThereAreNoWeights()
    {
        const auto model = openModel(STAGECRAFT_RESOURCES "/examples/gpt2.pt2");
        QCOMPARE(message(model), "ok");
        QVERIFY(model->structureOnly());
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const auto exported = exportStages(*model, evenly(model->graph, 4), {.folder = folder});
        QCOMPARE(message(exported), "ok");
        QVERIFY(exported->notes.at(0).starts_with("the model has no weights"));
        QVERIFY(!std::filesystem::exists(folder / "stage_0.safetensors"));
        const auto report = verifyExport(*model, folder);
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        QVERIFY(report->shapesOnly);
        QVERIFY(report->notes.at(0).starts_with("the model has no weights"));
    }

    // Of a model that was opened without the weights that the stages were given.
    void comparesShapesWhereTheStagesAloneHaveWeights()
    {
        auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2), {.folder = folder})), "ok");
        WeightStore shapes;
        for (const std::string& name : model->weights.names())
            shapes.addShape(name, model->weights.find(name)->meta);
        model->weights = std::move(shapes);
        const auto report = verifyExport(*model, folder);
        QCOMPARE(message(report), "ok");
        QVERIFY2(report->passed(), report->summary().c_str());
        QVERIFY(report->shapesOnly);
        QVERIFY(std::ranges::any_of(report->notes, [](const std::string& note) {
            return note.find("give the model its own (--weights)") != std::string::npos;
        }));
    }

    void saysWhatIsMissing()
    {
        const auto model = openSmall("mixture-static");
        const QTemporaryDir parent;
        QVERIFY(
            message(verifyExport(*model, parent.path().toStdString())).endsWith("it has no manifest.json"));
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        QCOMPARE(message(exportStages(*model, evenly(model->graph, 2),
                                      {.folder = folder, .formats = {StageFormat::Python}})),
                 "ok");
        int reports = 0; // of what runs
        const Progress progress({}, [&reports](std::string_view, std::optional<double>) { ++reports; });
        QVERIFY(message(verifyExport(*model, folder, {}, progress))
                    .endsWith("has no .pt2 files; export with format pt2, or have Python run the stages "
                              "(verify --python)"));
        QCOMPARE(reports, 0);
    }

    void anotherModel()
    {
        const auto model = openSmall("skip-static");
        const auto another = openSmall("branches-static");
        const QTemporaryDir parent;
        const std::filesystem::path folder = parent.filePath("stages").toStdString();
        const Partition partition = withInseparableNodesTogether(*model, evenly(model->graph, 2));
        QCOMPARE(message(exportStages(*model, partition, {.folder = folder})), "ok");
        const auto report = verifyExport(*another, folder);
        QVERIFY(!report.has_value());
        QVERIFY2(report.error().message.find("another model") != std::string::npos,
                 report.error().message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestVerify)
#include "tst_verify.moc"
