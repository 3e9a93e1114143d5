// Numbers at the edges of their range in every operator of the small models: a step may fail, but nothing may
// end the program or take seconds. STAGECRAFT_SWEEP=all runs every case, not a sample of them.
#include "core/base/overloaded.h"
#include "core/graph/graph_builder.h"
#include "core/load/open_model.h"
#include "core/run/interpreter.h"
#include "core/run/model_values.h"
#include "core/trace/kernels/meta_kernels.h"
#include "core/trace/trace_model.h"
#include "fuzz/sandbox.h"

#include <QDir>
#include <QtTest>

#include <functional>
#include <set>

using namespace stagecraft;

namespace {

constexpr std::array<std::int64_t, 6> edges{
    0, -1, -3, std::int64_t{1} << 31, std::int64_t{1} << 40, std::int64_t{1} << 62};

constexpr std::size_t everyElement = static_cast<std::size_t>(-1);

// One node of a model, and where one of its numbers is to be another.
struct Case
{
    std::shared_ptr<const Model> model;
    NodeId node;
    bool isSize = false;     // of an operand, else of an argument
    std::size_t position;    // of the argument, or of the operand among the node's inputs
    std::size_t element = 0; // of a list, or the dimension
    std::int64_t number = 0;

    const Node& operator*() const { return model->graph[node]; }

    QString text() const
    {
        const Node& at = **this;
        const QString place =
            isSize ? "size of " + QString::fromStdString(model->graph[at.inputs[position]].name)
                   : QString::fromStdString(at.arguments[position].name);
        return QString("%1 of %2: %3 [%4] = %5")
            .arg(QString::fromStdString(at.target), QString::fromStdString(model->name), place)
            .arg(element == everyElement ? -1 : static_cast<int>(element))
            .arg(number);
    }
};

Argument changed(const Argument& argument, std::size_t element, std::int64_t number)
{
    const auto* list = std::get_if<IntListArgument>(&argument);
    if (!list)
        return number;
    IntListArgument copy = *list;
    for (std::size_t i = 0; i < copy.elements.size(); ++i)
        if (element == everyElement || element == i)
            copy.elements[i] = number;
    return copy;
}

bool isFloat(DType type)
{
    return type == DType::F32 || type == DType::F64 || type == DType::F16 || type == DType::BF16;
}

// An operand that the node is given. Floating-point ones are parameters, so that the backward pass runs too.
Value operandOf(const Case& given, std::size_t index)
{
    Value value = given.model->graph[(*given).inputs[index]];
    value.producer.reset();
    value.users.clear();
    if (!value.meta)
        return value;
    const bool isParameter = isFloat(value.meta->dtype);
    value.kind = isParameter ? ValueKind::Parameter : ValueKind::UserInput;
    value.target = value.name;
    if (given.isSize && given.position == index) {
        std::vector<SymInt> sizes = value.meta->sizes;
        sizes[given.element] = given.number;
        value.meta = contiguousMeta(value.meta->dtype, sizes);
    }
    value.meta->requiresGrad = isParameter;
    return value;
}

// The argument with every value replaced by `map(value)`.
Argument mapValues(const Argument& argument, const std::function<ValueId(ValueId)>& map)
{
    return std::visit(Overloaded{
                          [&](ValueId value) -> Argument { return map(value); },
                          [&](TensorListArgument list) -> Argument {
                              for (std::optional<ValueId>& element : list.elements)
                                  if (element)
                                      element = map(*element);
                              return list;
                          },
                          [&](IntListArgument list) -> Argument {
                              for (IntOrValue& element : list.elements)
                                  if (const auto* value = std::get_if<ValueId>(&element))
                                      element = map(*value);
                              return list;
                          },
                          [&](RawArgument raw) -> Argument {
                              for (ValueId& value : raw.values)
                                  value = map(value);
                              return raw;
                          },
                          [](const auto& literal) -> Argument { return literal; },
                      },
                      argument);
}

// The node alone, with its number changed.
Result<Model> modelOf(const Case& given)
{
    const Graph& graph = given.model->graph;
    Node node = *given;
    GraphBuilder builder("one");
    for (const auto& [symbol, range] : graph.symbolRanges())
        builder.setSymbolRange(symbol, range);
    std::map<ValueId, ValueId> ids;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        ids.emplace(node.inputs[i], builder.addInput(operandOf(given, i)));
    const auto idOf = [&](ValueId id) {
        if (!ids.contains(id)) {
            Value value = graph[id];
            value.users.clear();
            ids.emplace(id, builder.addValue(std::move(value)));
        }
        return ids.at(id);
    };
    for (std::size_t i = 0; i < node.arguments.size(); ++i) {
        Argument& argument = node.arguments[i].value;
        if (!given.isSize && given.position == i)
            argument = changed(argument, given.element, given.number);
        argument = mapValues(argument, idOf);
    }
    for (NodeOutput& output : node.outputs)
        for (ValueId& value : output.values)
            value = idOf(value);
    node.module = ModuleTree::root();
    node.context = ContextId(0);
    node.source.reset();
    std::vector<ValueId> results;
    for (const NodeOutput& output : node.outputs)
        results.insert(results.end(), output.values.begin(), output.values.end());
    builder.addNode(std::move(node));
    for (const ValueId result : results)
        builder.addOutput(result);
    Result<Graph> one = std::move(builder).finish();
    if (!one.has_value())
        return one.error();
    return Model{.name = "one", .graph = std::move(one).value()};
}

void traceStep(const Model& model)
{
    for (const LoweringKind kind : {LoweringKind::Device, LoweringKind::Cpu})
        (void)traceModel(model, {.lowering = {.kind = kind}, .loss = LossKind::SquareSum});
}

void runForward(const Model& model)
{
    const auto interpreter = Interpreter::prepare(model.graph, {.device = RunDevice::Cpu});
    if (!interpreter.has_value())
        return;
    auto values = modelValues(model, {.trainable = false});
    if (values.has_value())
        (void)interpreter->run(*values);
}

std::vector<std::shared_ptr<const Model>> smallModels()
{
    std::vector<std::shared_ptr<const Model>> models;
    const QString data = STAGECRAFT_TEST_DATA;
    for (const QString& folder :
         {data + "/models/small/torch-2.14", data + "/models/small/torch-2.6", data + "/models/tiny",
          data + "/models/made", data + "/models/run", data + "/times", data + "/architectures",
          QString(STAGECRAFT_RESOURCES) + "/examples"})
        for (const QString& file : QDir(folder).entryList({"*.pt2"}, QDir::Files, QDir::Name))
            if (auto model = openModel((folder + '/' + file).toStdString()); model.has_value())
                models.push_back(std::make_shared<const Model>(std::move(model).value()));
    return models;
}

std::size_t numbersIn(const Argument& argument)
{
    if (std::holds_alternative<std::int64_t>(argument))
        return 1;
    const auto* list = std::get_if<IntListArgument>(&argument);
    return list ? list->elements.size() : 0;
}

// What tells two nodes apart: the operator and the ranks of what it is given.
std::string kindOf(const Graph& graph, const Node& node)
{
    std::string kind = node.target;
    for (const ValueId input : node.inputs)
        kind += graph[input].meta ? "/" + std::to_string(graph[input].meta->sizes.size()) : "/-";
    for (const NamedArgument& argument : node.arguments)
        kind += "," + argument.name + std::to_string(numbersIn(argument.value));
    return kind;
}

void addCases(const Case& node, std::vector<Case>& arguments, std::vector<Case>& sizes)
{
    const Graph& graph = node.model->graph;
    const auto add = [&](std::vector<Case>& cases, Case made, std::size_t elements) {
        for (std::size_t i = 0; i < elements + (elements > 1 ? 1 : 0); ++i)
            for (const std::int64_t number : edges) {
                made.element = i == elements ? everyElement : i;
                made.number = number;
                if (!made.isSize || i < elements)
                    cases.push_back(made);
            }
    };
    Case made = node;
    for (made.position = 0; made.position < (*node).arguments.size(); ++made.position)
        add(arguments, made, numbersIn((*node).arguments[made.position].value));
    made.isSize = true;
    for (made.position = 0; made.position < (*node).inputs.size(); ++made.position)
        if (const auto& meta = graph[(*node).inputs[made.position]].meta)
            add(sizes, made, meta->sizes.size());
}

// Evenly from all of them, the same each time.
std::vector<Case> sample(std::vector<Case> cases, std::size_t most)
{
    if (qEnvironmentVariable("STAGECRAFT_SWEEP") == "all" || cases.size() <= most)
        return cases;
    std::vector<Case> some;
    for (std::size_t i = 0; i < most; ++i)
        some.push_back(cases[i * cases.size() / most]);
    return some;
}

bool isLight(const Case& given)
{
    std::int64_t elements = 0;
    for (const ValueId input : (*given).inputs)
        if (const auto& meta = given.model->graph[input].meta) {
            const Result<std::int64_t> count = elementCount(*meta, {});
            elements += count.has_value() ? *count : std::int64_t{1} << 30;
        }
    return elements < 300'000;
}

} // namespace

class SweepArguments : public QObject
{
    Q_OBJECT

private:
    std::vector<Case> m_arguments;
    std::vector<Case> m_sizes;

    static void sweep(const std::vector<Case>& cases, void (*run)(const Model&))
    {
        qInfo("%zu cases", cases.size());
        const auto failures = testing::runInSandbox(cases.size(), [&](std::size_t i) {
            if (const Result<Model> model = modelOf(cases[i]); model.has_value())
                run(*model);
        });
        QString text;
        for (const auto& [piece, reason] : failures)
            text += "\n  " + cases[piece].text() + ": " + QString::fromStdString(reason);
        QVERIFY2(failures.empty(), qPrintable(text));
    }

private slots:
    void initTestCase()
    {
        std::set<std::string> known;
        for (const auto& model : smallModels())
            for (const NodeId id : model->graph.nodes()) {
                const Node& node = model->graph[id];
                if (node.subgraphs.empty() && known.insert(kindOf(model->graph, node)).second)
                    addCases({.model = model, .node = id, .position = 0}, m_arguments, m_sizes);
            }
        qInfo("%zu arguments, %zu sizes", m_arguments.size(), m_sizes.size());
        QVERIFY(m_arguments.size() > 3000);
    }

    // The cases do run: with their own numbers nearly all nodes can be traced.
    void nodesRunByThemselves()
    {
        registerMetaKernels();
        std::size_t good = 0, all = 0;
        std::set<const Node*> seen;
        for (Case given : sample(m_arguments, 500)) {
            if (!seen.insert(&*given).second)
                continue;
            given.position = everyElement;
            const Result<Model> model = modelOf(given);
            QVERIFY2(model.has_value(), model.has_value() ? "" : model.error().message.c_str());
            const auto interpreter = Interpreter::prepare(model->graph, {.device = RunDevice::Meta});
            auto values = modelValues(*model, {.device = RunDevice::Meta});
            ++all;
            good += interpreter.has_value() && values.has_value() && interpreter->run(*values).has_value();
        }
        QVERIFY2(good * 10 > all * 7, qPrintable(QString("%1 of %2").arg(good).arg(all)));
    }

    void argumentsOfATrace() { sweep(sample(m_arguments, 6000), traceStep); }
    void sizesOfATrace() { sweep(sample(m_sizes, 4000), traceStep); }

    void argumentsOnTheCpu()
    {
        std::vector<Case> light;
        std::ranges::copy_if(m_arguments, std::back_inserter(light), isLight);
        sweep(sample(std::move(light), 4000), runForward);
    }

    void filesThatDidHarm()
    {
        QStringList files;
        for (const char* folder :
             {"03-sigfpe-conv-stride0", "03-sigfpe-conv-stride0/torch", "06-tril-hang"}) {
            const QDir place(QString(STAGECRAFT_TEST_DATA) + "/hostile/" + folder);
            for (const QString& file : place.entryList({"*.pt2"}, QDir::Files))
                files << place.filePath(file);
        }
        QCOMPARE(files.size(), 10);
        const auto failures =
            testing::runInSandbox(static_cast<std::size_t>(files.size()), [&](std::size_t i) {
                if (const auto model = openModel(files[static_cast<qsizetype>(i)].toStdString());
                    model.has_value())
                    traceStep(*model);
            });
        for (const auto& [piece, reason] : failures)
            QFAIL(qPrintable(files[static_cast<qsizetype>(piece)] + ": " + QString::fromStdString(reason)));
    }
};

QTEST_GUILESS_MAIN(SweepArguments)
#include "tst_sweep_arguments.moc"
