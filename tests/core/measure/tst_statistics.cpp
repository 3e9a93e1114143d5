#include "core/load/open_model.h"
#include "core/measure/statistics.h"
#include "core/measure/step_room.h"
#include "core/stage/annotated_code.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"
#include "tests/core/graph_text/graph_text_parser.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace stagecraft;

namespace {

Model modelOf(const char* text)
{
    Result<Graph> graph = parseGraph(text);
    if (!graph.has_value())
        qFatal("%s", graph.error().message.c_str());
    return {.name = "made", .graph = *std::move(graph)};
}

QJsonObject readJson(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    return QJsonDocument::fromJson(file.readAll()).object();
}

const ValueStatistics& ofValue(const Graph& graph, const Statistics& statistics, std::string_view name)
{
    for (const ValueId id : graph.values())
        if (graph[id].name == name || graph[id].target == name)
            return statistics.values[id];
    qFatal("no value %s", std::string(name).c_str());
}

// Sums of many floats in two orders: to 1e-4 of the spread.
bool isClose(double ours, double theirs, double spread)
{
    return std::abs(ours - theirs) <= 1e-4 * std::max(std::abs(theirs), spread);
}

void compare(const TensorStatistics& ours, const QJsonObject& theirs)
{
    const double spread = theirs["standard_deviation"].toDouble();
    QVERIFY(isClose(ours.standardDeviation, spread, spread));
    QVERIFY(isClose(ours.mean, theirs["mean"].toDouble(), spread));
    QVERIFY(isClose(ours.absoluteMaximum, theirs["absolute_maximum"].toDouble(), spread));
    // A number next to zero may fall on either side of a relu.
    QVERIFY(std::abs(ours.zeros - theirs["zeros"].toInteger()) <= ours.elements / 10000);
}

// The value that each tensor of the Python model has in the exported graph.
const std::map<QString, std::string> valueNames{{"x", "x"},
                                                {"fc1", "linear"},
                                                {"relu", "relu"},
                                                {"fc2", "linear_1"},
                                                {"fc1.weight", "fc1.weight"},
                                                {"fc1.bias", "fc1.bias"},
                                                {"fc2.weight", "fc2.weight"},
                                                {"fc2.bias", "fc2.bias"}};

} // namespace

class TestStatistics : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QProcess python;
        python.setProcessChannelMode(QProcess::MergedChannels);
        python.start(STAGECRAFT_PYTHON, {QFINDTESTDATA("statistics_peer.py"), m_folder.path()});
        QVERIFY2(python.waitForFinished(170000) && python.exitCode() == 0, python.readAll().constData());
    }

    // Values in a region of vmap or jvp are described with all its elements.
    void describesWhatATransformHolds_data()
    {
        QTest::addColumn<QString>("lines");
        QTest::newRow("vmap") << R"(
  none = torch._functorch.predispatch::_vmap_increment_nesting(3, "error") named open
  %row : f32[2] = torch._functorch.predispatch::_add_batch_dim(%x, 0, 1)
  %y : f32[2] = aten::mul.Tensor(self %row, other %w)
  %r : f32[3, 2] = torch._functorch.predispatch::_remove_batch_dim(%y, 1, 3, 0)
  none = torch._functorch.predispatch::_vmap_decrement_nesting() named close
)";
        QTest::newRow("jvp") << R"(
  none = torch._functorch.predispatch::_jvp_increment_nesting() named open
  none = torch._functorch.predispatch::_enter_dual_level() named level
  %d : f32[3, 2] = torch._functorch.predispatch::_make_dual(%x, %x, level=0)
  %y : f32[3, 2] = aten::mul.Tensor(self %d, other %w)
  %p : f32[3, 2], %t : f32[3, 2] = torch._functorch.predispatch::_unpack_dual(%y, level=0) named unpack
  %r : f32[3, 2] = torch._functorch.predispatch::_unwrap_for_grad(%p, 1)
  none = torch._functorch.predispatch::_exit_dual_level(level=0) named level_end
  none = torch._functorch.predispatch::_jvp_decrement_nesting() named close
)";
    }

    void describesWhatATransformHolds()
    {
        QFETCH(QString, lines);
        const std::string text = "graph transformed\n  param %w \"w\" : f32[2]\n  input %x : f32[3, 2]" +
                                 lines.toStdString() + "  return %r\n";
        const Model model = modelOf(text.c_str());
        const Result<Statistics> statistics = gatherStatistics(model, {});
        QVERIFY2(statistics.has_value(), statistics.has_value() ? "" : statistics.error().message.c_str());
        const ValueStatistics& made = ofValue(model.graph, *statistics, "y");
        QVERIFY(made.forward && made.backward);
        QCOMPARE(made.forward->elements, 6);
        QCOMPARE(made.backward->elements, 6);
    }

    void agreesWithPyTorch_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("the example of unit-scaling, on its exported inputs") << "mlp";
        QTest::newRow("given inputs of another batch") << "batched";
        QTest::newRow("a gradient of one's own") << "mlp-gradients";
        QTest::newRow("a gradient of one's own for another batch") << "batched-gradients";
    }

    void agreesWithPyTorch()
    {
        QFETCH(const QString, name);
        const QString file = name.section('-', 0, 0);
        const Model model = open(file);
        const Statistics statistics = analyse(model, file, file == name ? QString() : name);
        const QJsonObject expected = readJson(m_folder.filePath(name + ".json"));
        QCOMPARE(expected.size(), static_cast<qsizetype>(valueNames.size()));
        for (const auto& [theirs, ours] : valueNames) {
            const ValueStatistics& value = ofValue(model.graph, statistics, ours);
            QVERIFY2(value.forward && value.backward, ours.c_str());
            compare(*value.forward, expected[theirs]["forward"].toObject());
            compare(*value.backward, expected[theirs]["backward"].toObject());
        }
    }

    // As analyse_module prints it: input, weights and operators, each with its two standard deviations.
    void reportNotesEveryTensor()
    {
        const Model model = open("mlp");
        const Statistics statistics = analyse(model, "mlp");
        const auto programs = cutStages(model, singleStage(model.graph.nodeCount()));
        QVERIFY(programs.has_value());
        const StageCode code = stageCode(model, programs->front());
        const QString text =
            QString::fromStdString(annotatedCode(code, statisticsNotes(code, model.graph, statistics)));
        const char* const lines[] = {R"(x: f32\[1024, 1024\] .*\(-> 1, <- 0\.236\))",
                                     R"('fc1\.weight', .*\(-> 0\.018, <- 6\.5\d\))",
                                     R"('fc1\.bias', .*\(-> 0\.018\d?, <- 6\.\d+\))",
                                     R"(linear = .*linear.*\(-> 0\.57\d, <- 0\.204\))",
                                     R"(relu = .*relu.*\(-> 0\.33\d, <- 0\.28\d\))",
                                     R"('fc2\.weight', .*\(-> 0\.00902, <- 1\d(\.\d)?\))",
                                     R"(linear_1 = .*linear.*\(-> 0\.23\d, <- 1\))"};
        for (const char* const line : lines)
            QVERIFY2(text.contains(QRegularExpression(line)), qPrintable(line + ("\n" + text)));
    }

    void noStepIsRunThatDoesNotFit()
    {
        const Model model = modelOf("graph wide\n"
                                    "  param %w \"w\" : f32[1048576]\n"
                                    "  %exp : f32[1048576] = aten::exp.default(self %w)\n"
                                    "  return %exp\n");
        const auto said = [&](Bytes available) {
            const Result<void> room = checkRoomForStep(model, {}, {}, available);
            return room.has_value() ? QString() : QString::fromStdString(room.error().message);
        };
        // The parameter, what becomes of it, and its gradient.
        QVERIFY2(said(Bytes((12 << 20) - 4096)).contains("takes 12.0 MiB of memory and this machine has"),
                 qPrintable(said(Bytes((12 << 20) - 4096))));
        QCOMPARE(said(Bytes((12 << 20) + 4096)), QString());
    }

    // ln(0) is infinite, ln(1) is 0; of the others sums are known.
    void largeTensorsAreSummedUpPieceByPiece()
    {
        const Model model = modelOf("graph pieces\n"
                                    "  %all : i64[2500001] = aten::arange.default(end 2500001)\n"
                                    "  %log : f32[2500001] = aten::log.default(self %all)\n"
                                    "  return %log\n");
        const Result<Statistics> statistics = gatherStatistics(model);
        QVERIFY2(statistics.has_value(), statistics.has_value() ? "" : statistics.error().message.c_str());
        const TensorStatistics found = *ofValue(model.graph, *statistics, "log").forward;
        constexpr int count = 2500000;
        const double mean = std::lgamma(count + 1.0) / count;
        double squares = 0;
        for (int i = 1; i <= count; ++i)
            squares += std::pow(std::log(i) - mean, 2);
        QCOMPARE(found.elements, count + 1);
        QCOMPARE(found.infinities, 1);
        QCOMPARE(found.nans, 0);
        QCOMPARE(found.zeros, 1);
        const auto near = [](double ours, double exact) { return std::abs(ours / exact - 1) < 1e-6; };
        QVERIFY(near(found.mean, mean));
        QVERIFY(near(found.standardDeviation, std::sqrt(squares / (count - 1))));
        QVERIFY(near(found.absoluteMaximum, std::log(count)));
    }

    void pointsAtTheFirstNaN()
    {
        const Model model = modelOf("graph nan\n"
                                    "  input %x : f32[8]\n"
                                    "  %abs : f32[8] = aten::abs.default(self %x)\n"
                                    "  %neg : f32[8] = aten::neg.default(self %abs)\n"
                                    "  %log : f32[8] = aten::log.default(self %neg)\n"
                                    "  %exp : f32[8] = aten::exp.default(self %log)\n"
                                    "  return %exp\n");
        const Result<Statistics> statistics = gatherStatistics(model);
        QVERIFY(statistics.has_value());
        QVERIFY(statistics->firstNonFinite.has_value());
        QCOMPARE(model.graph[*statistics->firstNonFinite].name, std::string("log"));
        QCOMPARE(ofValue(model.graph, *statistics, "log").forward->nans, 8);
        QVERIFY(!ofValue(model.graph, *statistics, "log").backward.has_value());
    }

    // A gradient is a sum over readers: 'add' is innocent of what 'exp' gives back through 'log'.
    void looksBehindSumsOfGradients()
    {
        const Model model = modelOf("graph sum\n"
                                    "  param %w \"w\" : f32[8]\n"
                                    "  %sub : f32[8] = aten::sub.Scalar(self %w, other 1000)\n"
                                    "  %log : f32[8] = aten::log.default(self %sub)\n"
                                    "  %exp : f32[8] = aten::exp.default(self %log)\n"
                                    "  %add : f32[8] = aten::add.Tensor(self %exp, other %w)\n"
                                    "  return %add\n");
        const Result<Statistics> statistics = gatherStatistics(model);
        QVERIFY(statistics.has_value());
        QVERIFY(statistics->firstNonFiniteGradient.has_value());
        QCOMPARE(model.graph[*statistics->firstNonFiniteGradient].name, std::string("exp"));
    }

    // Nothing of a backward pass that broke off is shown: 'exp' has its gradient before heaviside has none.
    void goesForwardAloneWhereThereIsNoDerivative()
    {
        const Model model = modelOf("graph none\n"
                                    "  param %w \"w\" : f32[8]\n"
                                    "  %step : f32[8] = aten::heaviside.default(self %w, values %w)\n"
                                    "  %exp : f32[8] = aten::exp.default(self %step)\n"
                                    "  return %exp\n");
        const Result<Statistics> statistics = gatherStatistics(model);
        QVERIFY2(statistics.has_value(), statistics.has_value() ? "" : statistics.error().message.c_str());
        QVERIFY(ofValue(model.graph, *statistics, "exp").forward.has_value());
        QVERIFY(!ofValue(model.graph, *statistics, "exp").backward.has_value());
        QVERIFY(std::ranges::any_of(statistics->notes, [](const std::string& note) {
            return note.find("forward statistics only: derivative for aten::heaviside") != note.npos;
        }));
    }

    // sqrt of zero has an infinite slope though every value is finite.
    void pointsAtTheFirstInfiniteGradient()
    {
        const Model model = modelOf("graph slope\n"
                                    "  param %w \"w\" : f32[8]\n"
                                    "  %zero : f32[8] = aten::mul.Scalar(self %w, other 0)\n"
                                    "  %root : f32[8] = aten::sqrt.default(self %zero)\n"
                                    "  %sum : f32[] = aten::sum.default(self %root)\n"
                                    "  return %sum\n");
        const Result<Statistics> statistics = gatherStatistics(model);
        QVERIFY(statistics.has_value());
        QVERIFY(!statistics->firstNonFinite.has_value());
        QVERIFY(statistics->firstNonFiniteGradient.has_value());
        QCOMPARE(model.graph[*statistics->firstNonFiniteGradient].name, std::string("root"));
        QCOMPARE(ofValue(model.graph, *statistics, "zero").forward->zeros, 8);
    }

    void saysWhatIsWrongWithInputs()
    {
        const Model wide = open("mlp");
        const auto misfit = readInputs(wide, path("batched.safetensors"));
        QVERIFY(!misfit.has_value());
        QVERIFY(misfit.error().message.find("the input 'x' is f32[7, 16], the model takes f32[1024, 1024]") !=
                std::string::npos);
        const Model batched = open("batched");
        StatisticsOptions options;
        options.inputs = *readInputs(batched, path("batched.safetensors"));
        options.bindings = options.inputs.bindings;
        QCOMPARE(options.bindings.size(), std::size_t{1});
        options.bindings.begin()->second = 9;
        const Result<Statistics> disagreeing = gatherStatistics(batched, options);
        QVERIFY(!disagreeing.has_value());
        QVERIFY(disagreeing.error().message.find("is 7 in the inputs given") != std::string::npos);
        const auto unnamed = readInputs(modelOf("graph other\n  input %y : f32[8]\n  return %y\n"),
                                        path("batched.safetensors"));
        QVERIFY(!unnamed.has_value());
    }

    void saysWhatIsWrongWithGradients()
    {
        const Model wide = open("mlp");
        const auto unnamed = readGradients(wide, {}, path("batched.safetensors"));
        QVERIFY(!unnamed.has_value());
        QVERIFY(unnamed.error().message.find("no tensor 'linear_1', the gradient") != std::string::npos);
        StatisticsOptions options;
        options.givenGradients = *readGradients(wide, {}, path("batched-gradients.safetensors"));
        const Result<Statistics> misfit = gatherStatistics(wide, options);
        QVERIFY(!misfit.has_value());
        QVERIFY(misfit.error().message.find("given for the output 'linear_1' is f32[7, 16]") !=
                std::string::npos);
    }

private:
    std::string path(const QString& file) const { return m_folder.filePath(file).toStdString(); }

    Model open(const QString& name) const
    {
        Result<Model> model = openModel(path(name + ".pt2"));
        if (!model.has_value())
            qFatal("%s", model.error().message.c_str());
        return *std::move(model);
    }

    // "mlp" on the inputs in its own file, others on those beside it; the gradients are those of a file, or
    // Python's of seed 1.
    Statistics analyse(const Model& model, const QString& name, const QString& gradients = {}) const
    {
        StatisticsOptions options;
        options.inputs =
            name == "mlp" ? exportedInputs(model) : *readInputs(model, path(name + ".safetensors"));
        options.outputGradients = OutputGradients::Random;
        options.inputGradients = true;
        if (!gradients.isEmpty())
            options.givenGradients = *readGradients(model, {}, path(gradients + ".safetensors"));
        Result<Statistics> statistics = gatherStatistics(model, options);
        if (!statistics.has_value())
            qFatal("%s", statistics.error().message.c_str());
        return *std::move(statistics);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestStatistics)
#include "tst_statistics.moc"
