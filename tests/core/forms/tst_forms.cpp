// Forms: what they say of themselves, what they refuse, and what their files hold.
#include "small_form.h"

#include "core/forms/build_form.h"
#include "core/forms/saved_form.h"
#include "core/graph/graph_text.h"
#include "core/load/attached_weights.h"
#include "core/load/open_model.h"
#include "core/stage/model_writer.h"
#include "core/stage/safetensors_writer.h"

#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace stagecraft;
using namespace stagecraft::test;

namespace {

// Without how arguments are passed, of which files of this form say nothing.
QString plainText(const Graph& graph, NodeId node)
{
    static const QRegularExpression passing("(?<=\\w)(\\? |=)");
    return QString::fromStdString(printNode(graph, node)).replace(passing, " ");
}

} // namespace

class TestForms : public QObject
{
    Q_OBJECT

private slots:
    void publishedModelsHaveTheirParameters_data();
    void publishedModelsHaveTheirParameters();
    void namesAreUnique();
    void valuesAreRead();
    void whatDoesNotGoTogetherIsRefused();
    void aFileHoldsTheSameModel_data();
    void aFileHoldsTheSameModel();
    void aStateDictIsAllThatItLacks_data() { aFileHoldsTheSameModel_data(); }
    void aStateDictIsAllThatItLacks();
    void aFormOfAnotherModelIsNotTaken();
    void aFormThatWasChangedByHandIsNotTaken_data();
    void aFormThatWasChangedByHandIsNotTaken();
    void aNumberThatNoOperatorShowsIsNotChangedByHand();
    void aFormWithoutADigestIsTaken();
    void formsOfFilesAreChecked_data();
    void formsOfFilesAreChecked();
    void paddingIsThatOfTheLibraries();
    void randomWeightsAreTheSameForASeed();
    void tooManyWeightsAreRefused();
};

void TestForms::publishedModelsHaveTheirParameters_data()
{
    QTest::addColumn<QString>("preset");
    QTest::addColumn<qint64>("parameters");
    QTest::addColumn<qint64>("roundedTo");
    for (const FormFamily& family : formFamilies())
        for (const FormPreset& preset : family.presets)
            QTest::addRow("%s", preset.name.c_str())
                << QString::fromStdString(preset.name) << static_cast<qint64>(preset.parameters)
                << static_cast<qint64>(preset.roundedTo);
}

void TestForms::publishedModelsHaveTheirParameters()
{
    QFETCH(QString, preset);
    QFETCH(qint64, parameters);
    QFETCH(qint64, roundedTo);
    const Result<Model> model = buildForm(*presetForm(preset.toStdString()));
    QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
    const qint64 count = parameterCount(*model);
    QCOMPARE((count + roundedTo / 2) / roundedTo * roundedTo, parameters);
    QCOMPARE(model->name, preset.toStdString());
}

void TestForms::namesAreUnique()
{
    std::set<std::string> families, presets;
    for (const FormFamily& family : formFamilies()) {
        QVERIFY(families.insert(family.name).second);
        std::set<std::string> parameters;
        for (const FormParameter& parameter : family.parameters) {
            QVERIFY2(parameters.insert(parameter.name).second, parameter.name.c_str());
            QVERIFY(parameter.minimum <= parameter.usual && parameter.usual <= parameter.maximum);
        }
        QVERIFY(parameters.contains("dtype") && parameters.contains("batch"));
        for (const FormPreset& preset : family.presets) {
            QVERIFY2(presets.insert(preset.name).second, preset.name.c_str());
            for (const auto& [name, value] : preset.values)
                QVERIFY2(parameters.contains(name), (preset.name + " " + name).c_str());
            QVERIFY(!preset.source.empty());
        }
    }
}

void TestForms::valuesAreRead()
{
    Form form = *presetForm("llama-3-8b");
    QVERIFY(setFormValue(form, "layers", "3").has_value());
    QVERIFY(setFormValue(form, "dtype", "float32").has_value());
    QCOMPARE(form.values["layers"], std::int64_t(3));
    QCOMPARE(form.values["dtype"], std::int64_t(0));
    QCOMPARE(formName(form), std::string("llama"));
    for (const auto& [name, text] :
         {std::pair("layers", "0"), {"layers", "3x"}, {"layers", ""}, {"layer", "3"}, {"dtype", "int8"}}) {
        const Result<void> set = setFormValue(form, name, text);
        QVERIFY(!set.has_value());
        QVERIFY2(set.error().message.find(name) != std::string::npos, set.error().message.c_str());
    }
    QVERIFY(!presetForm("llama-9").has_value());
}

void TestForms::whatDoesNotGoTogetherIsRefused()
{
    Form form = *presetForm("llama-3-8b");
    form.values["heads"] = 30;
    const Result<Model> model = buildForm(form);
    QVERIFY(!model.has_value());
    QCOMPARE(model.error().message, std::string("--heads 30 does not divide by --key-heads 8"));
    form.values["heads"] = -8;
    QVERIFY(!buildForm(form).has_value());
    form.values.erase("heads");
    QVERIFY(!buildForm(form).has_value());
    QVERIFY(!buildForm(Form{"nothing", {}, {}}).has_value());
    Form rows = smallForm(*findFormFamily("qwen3-moe"));
    rows.values["inner"] = 94; // 376 bytes in 32 bits: _grouped_mm takes no such rows
    const Result<Model> torn = buildForm(rows);
    QVERIFY(!torn.has_value());
    QVERIFY2(torn.error().message.starts_with("--inner 94 does not divide by 4"),
             torn.error().message.c_str());
    rows.values["inner"] = 92;
    QVERIFY(buildForm(rows).has_value());
    // Each number alone is small enough; together they would fill the memory.
    Form deep = usualForm(*findFormFamily("unet"));
    deep.values["blocks"] = 1000;
    deep.values["transformers-1"] = 1000;
    const Result<Model> layers = buildForm(deep);
    QVERIFY(!layers.has_value());
    QVERIFY2(layers.error().message.find("make 2005003 layers with --blocks 1000; there can be 10000") !=
                 std::string::npos,
             layers.error().message.c_str());
    // PyTorch would take a sequence of 1 for one that is always 1.
    QVERIFY(!setFormValue(form, "sequence", "1").has_value());
    Form huge = *presetForm("mixtral-8x7b");
    for (const auto& [name, value] :
         {std::pair("experts", 4096), {"inner", 1 << 20}, {"width", 1 << 20}, {"layers", 20}})
        huge.values[name] = value;
    const Result<Model> counted = buildForm(huge);
    QVERIFY(!counted.has_value());
    QVERIFY(counted.error().message.find("more parameters than can be counted") != std::string::npos);
    Form wide = *presetForm("llama-3-8b");
    wide.values["batch"] = 1 << 20;
    wide.values["sequence"] = 1 << 24;
    const Result<Model> stepped = buildForm(wide);
    QVERIFY(!stepped.has_value());
    QVERIFY2(stepped.error().message.find("--batch 1048576 and --sequence 16777216") != std::string::npos,
             stepped.error().message.c_str());
}

void TestForms::aFileHoldsTheSameModel_data()
{
    QTest::addColumn<QString>("family");
    for (const FormFamily& family : formFamilies())
        QTest::addRow("%s", family.name.c_str()) << QString::fromStdString(family.name);
}

void TestForms::aFileHoldsTheSameModel()
{
    QFETCH(QString, family);
    const Form form = smallForm(*findFormFamily(family.toStdString()));
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    const Result<Model> made = buildFormWithWeights(form, 7, 1 << 28);
    QVERIFY2(made.has_value(), made.has_value() ? "" : made.error().message.c_str());
    const Result<Bytes> size = writeModelPt2(path, *made, {}, {{formFileName, formText(form)}});
    QVERIFY2(size.has_value(), size.has_value() ? "" : size.error().message.c_str());
    const Result<Model> read = openModel(path);
    QVERIFY2(read.has_value(), read.has_value() ? "" : read.error().message.c_str());
    QVERIFY(!read->structureOnly());
    QCOMPARE(read->graph.nodeCount(), made->graph.nodeCount());
    for (const NodeId node : made->graph.nodes())
        QCOMPARE(plainText(read->graph, node), plainText(made->graph, node));
    QCOMPARE(parameterCount(*read), parameterCount(*made));
    QCOMPARE(read->weights.names(), made->weights.names());
    QCOMPARE(read->graph.symbolRanges().size(), made->graph.symbolRanges().size());
    QVERIFY(savedForm(*read) == form);
}

// As a checkpoint of the library has it: without buffers that are no part of the state.
void TestForms::aStateDictIsAllThatItLacks()
{
    QFETCH(QString, family);
    const Form form = smallForm(*findFormFamily(family.toStdString()));
    const Result<Model> whole = buildFormWithWeights(form, 7, 1 << 28);
    QVERIFY2(whole.has_value(), whole.has_value() ? "" : whole.error().message.c_str());
    std::vector<NamedTensor> state;
    for (const InputSpec& spec : whole->signature.inputs)
        if (spec.isStored() && spec.persistent)
            state.push_back({spec.target, *whole->weights.find(spec.target)});
    const QTemporaryDir folder;
    const std::filesystem::path checkpoint = folder.filePath("model.safetensors").toStdString();
    QVERIFY(writeFile(checkpoint, {}, [&](OutputFile& file) {
                return writeSafetensors(file, state, safetensorsMetadata(), {});
            }).has_value());
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    QVERIFY(writeModelPt2(path, *buildForm(form), {}, {{formFileName, formText(form)}}).has_value());
    Result<Model> read = openModel(path);
    QVERIFY2(read.has_value(), read.has_value() ? "" : read.error().message.c_str());
    QVERIFY(read->structureOnly());
    const Result<void> attached = attachWeights(*read, {checkpoint});
    QVERIFY2(attached.has_value(), attached.has_value() ? "" : attached.error().message.c_str());
    QCOMPARE(read->weights.names(), whole->weights.names());
    std::vector<std::byte> a, b;
    for (const std::string& name : whole->weights.names())
        QVERIFY2(std::ranges::equal(rowMajorBytes(*read->weights.find(name), a),
                                    rowMajorBytes(*whole->weights.find(name), b)),
                 name.c_str());
}

void TestForms::aFormOfAnotherModelIsNotTaken()
{
    const Form form = smallForm(*findFormFamily("mlp"));
    Form other = form;
    other.values["width"] = 65;
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    const auto written = [&](const ExtraFiles& extraFiles) {
        return writeModelPt2(path, *buildForm(form), {}, extraFiles).has_value();
    };
    QVERIFY(written({{formFileName, formText(other)}}));
    QVERIFY(!savedForm(*openModel(path)));
    QVERIFY(written({}));
    QVERIFY(!savedForm(*openModel(path)));
    QVERIFY(written({{formFileName, formText(form)}}));
    QVERIFY(savedForm(*openModel(path)) == form);
    // Of so many layers that making it takes longer than anybody waits.
    other.values["width"] = form.values.at("width");
    other.values["layers"] = 10000;
    QVERIFY(written({{formFileName, formText(other)}}));
    QVERIFY(!savedForm(*openModel(path)));
}

void TestForms::aFormThatWasChangedByHandIsNotTaken_data()
{
    QTest::addColumn<QString>("parameter");
    for (const char* parameter : {"batch", "sequence", "epsilon", "experts-chosen"})
        QTest::newRow(parameter) << parameter;
}

// None of them changes which operators or weights there are.
void TestForms::aFormThatWasChangedByHandIsNotTaken()
{
    QFETCH(QString, parameter);
    const Form form = smallForm(*findFormFamily("qwen3-moe"));
    Form other = form;
    ++other.values.at(parameter.toStdString());
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    QVERIFY(writeModelPt2(path, *buildForm(form), {}, {{formFileName, formText(other)}}).has_value());
    QVERIFY(!savedForm(*openModel(path)));
}

void TestForms::aNumberThatNoOperatorShowsIsNotChangedByHand()
{
    const Form form = smallForm(*findFormFamily("llama"));
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    const QString text = QString::fromStdString(formText(form));
    const auto taken = [&](const QString& said) {
        return writeModelPt2(path, *buildForm(form), {}, {{formFileName, said.toStdString()}}).has_value() &&
               savedForm(*openModel(path)).has_value();
    };
    QVERIFY(taken(text));
    for (const char* name : {"rope-base", "rope-factor"}) {
        const QString before = QString("\"%1\":%2").arg(name).arg(form.values.at(name));
        QVERIFY(text.contains(before));
        const QString after = QString("\"%1\":%2").arg(name).arg(form.values.at(name) + 1);
        QVERIFY(readForm(QString(text).replace(before, after).toStdString()).has_value());
        QVERIFY(!taken(QString(text).replace(before, after)));
    }
}

// The first files of forms had none.
void TestForms::aFormWithoutADigestIsTaken()
{
    const Form form = smallForm(*findFormFamily("llama"));
    static const QRegularExpression digest(",\"digest\":\"[0-9a-f]+\"");
    QString text = QString::fromStdString(formText(form));
    QVERIFY(text.contains(digest));
    text.remove(digest);
    const QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("model.pt2").toStdString();
    QVERIFY(writeModelPt2(path, *buildForm(form), {}, {{formFileName, text.toStdString()}}).has_value());
    QVERIFY(savedForm(*openModel(path)) == form);
}

void TestForms::formsOfFilesAreChecked_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("no JSON") << "{"
                             << "";
    QTest::newRow("family") << "mlp"
                            << "map";
    QTest::newRow("a number for a text") << "\"mlp\""
                                         << "3";
    QTest::newRow("another parameter") << "\"layers\""
                                       << "\"layer\"";
    QTest::newRow("out of range") << "\"layers\":3"
                                  << "\"layers\":0";
    QTest::newRow("no number") << "\"layers\":3"
                               << "\"layers\":[3]";
    QTest::newRow("missing") << "\"layers\":3,"
                             << "";
    QTest::newRow("element type") << "float32"
                                  << "float3";
}

void TestForms::formsOfFilesAreChecked()
{
    QFETCH(QString, before);
    QFETCH(QString, after);
    const QString good = QString::fromStdString(formText(smallForm(*findFormFamily("mlp"))));
    QVERIFY(readForm(good.toStdString()).has_value());
    QVERIFY(good.contains(before));
    QVERIFY(!readForm(QString(good).replace(before, after).toStdString()).has_value());
}

// The token whose embedding has no gradient, as nn.Embedding(padding_idx) has it.
void TestForms::paddingIsThatOfTheLibraries()
{
    QStringList padded;
    for (const FormFamily& family : formFamilies()) {
        const Result<Model> model = buildForm(smallForm(family));
        QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
        for (const NodeId node : model->graph.nodes())
            for (const NamedArgument& argument : model->graph[node].arguments)
                if (argument.name == "padding_idx")
                    padded << QString::fromStdString(family.name);
    }
    QCOMPARE(padded.join(' '), "gemma3 gemma2 bert");
}

void TestForms::randomWeightsAreTheSameForASeed()
{
    const Form form = smallForm(*findFormFamily("mlp"));
    const auto first = [&](std::uint64_t seed) {
        const Model model = *buildFormWithWeights(form, seed, 1 << 20);
        const std::optional<StoredTensor> tensor = model.weights.find("0.weight");
        return std::vector<std::byte>(tensor->bytes.begin(), tensor->bytes.end());
    };
    QVERIFY(first(1) == first(1));
    QVERIFY(first(1) != first(2));
}

void TestForms::tooManyWeightsAreRefused()
{
    const Result<Model> model = buildFormWithWeights(*presetForm("llama-3-8b"), 1, 1 << 30);
    QVERIFY(!model.has_value());
    QVERIFY(model.error().message.find("15.0 GiB") != std::string::npos);
}

QTEST_APPLESS_MAIN(TestForms)
#include "tst_forms.moc"
