#include "views/code/reading_form.h"

#include "core/load/open_model.h"
#include "core/stage/cut.h"
#include "core/stage/python_code.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

class TestReadingForm : public QObject
{
    Q_OBJECT

private slots:
    void linesAreBroken_data();
    void linesAreBroken();
    void whatIsLongGoesOnBelow();
    void partsRunWhatTheLineRuns();
    void atenStandsForItsFullName();
    void pythonReadsTheSame_data();
    void pythonReadsTheSame();
    void functionsAndModulesFold();
};

namespace {

StageCode codeOf(const std::string& text)
{
    StageCode code;
    code.text = text;
    code.nodesOfLine.resize(static_cast<std::size_t>(std::ranges::count(text, '\n')));
    return code;
}

QString shortForm(const QString& text, std::size_t columns = 40)
{
    return QString::fromStdString(readingForm(codeOf(text.toStdString()), columns).text);
}

QByteArray written(const QString& path, const std::string& text)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(text)) < 0)
        qFatal("cannot write");
    return path.toUtf8();
}

// Are two files the same program, but for the name `aten`?
const char* const compare = R"(
import ast, sys
class Named(ast.NodeTransformer):
    def visit_Name(self, node):
        return ast.parse("torch.ops.aten", mode="eval").body if node.id == "aten" else node
def read(path):
    tree = ast.parse(open(path).read())
    tree.body = [node for node in tree.body if ast.unparse(node) != "aten = torch.ops.aten"]
    return ast.dump(Named().visit(tree))
sys.exit(0 if read(sys.argv[1]) == read(sys.argv[2]) else 3)
)";

} // namespace

void TestReadingForm::linesAreBroken_data()
{
    QTest::addColumn<QString>("line");
    QTest::addColumn<QString>("expected");
    QTest::newRow("short") << "    a = f(b)  # f32[4]\n"
                           << "    a = f(b)  # f32[4]\n";
    QTest::newRow("arguments") << "    first = function(second_one, third_one, fourth)\n"
                               << "    first = function(second_one,\n        third_one, fourth)\n";
    QTest::newRow("comment") << "    first = function(second_one)  # f32[64, 128]\n"
                             << "    first = function(second_one)\n        # f32[64, 128]\n";
    QTest::newRow("deletion") << "    first = function(second_one, x);  del second_one, x  # f32[64]\n"
                              << "    first = function(second_one, x)\n    del second_one, x  # f32[64]\n";
    QTest::newRow("text") << "    first = function('a, b, c, d', \"(, \", h)\n"
                          << "    first = function('a, b, c, d',\n        \"(, \", h)\n";
    QTest::newRow("bracket") << "    first = function('a, b, c, d, e, f, g', \"(, \", h)\n"
                             << "    first = function(\n        'a, b, c, d, e, f, g', \"(, \", h)\n";
    QTest::newRow("within a text") << "        self.place('model.layers.13.attention.q_proj.bias', 2)\n"
                                   << "        self.place(\n            'model.layers.13.attention.'\n"
                                      "            'q_proj.bias', 2)\n";
    QTest::newRow("no place in a text")
        << "    function(f'model.layers.13.attention.{x.y}.bias')\n"
        << "    function(\n        f'model.layers.13.attention.{x.y}.bias')\n";
    QTest::newRow("attributes") << "    f(module.attention.output.dense.weights.data[1.5])\n"
                                << "    f(\n        module.attention.output.dense\n"
                                   "        .weights.data[1.5])\n";
    QTest::newRow("words in brackets") << "    f(first_one if second_one else third_one_of_all)\n"
                                       << "    f(first_one if second_one else\n        third_one_of_all)\n";
    QTest::newRow("backslash") << "    a_very_long_name_indeed = another_very_long_name\n"
                               << "    a_very_long_name_indeed = \\\n        another_very_long_name\n";
    QTest::newRow("dots outside of brackets")
        << "    modules.attention.output.dense.weights.data()\n"
        << "    modules.attention.output.dense\\\n        .weights.data()\n";
    QTest::newRow("long comment") << "        # model.layers.0.attention  LlamaAttentionOfAll\n"
                                  << "        # model.layers.0.attention\n        #   LlamaAttentionOfAll\n";
    QTest::newRow("no place") << "    a_very_long_name_indeed_that_goes_on_and_on\n"
                              << "    a_very_long_name_indeed_that_goes_on_and_on\n";
    QTest::newRow("head") << "    def forward(self, first_one, second_one, third):\n"
                          << "    def forward(self, first_one,\n            second_one, third):\n";
    QTest::newRow("docstring") << "\"\"\"f(first_one, second_one, third_one, fourth_one,\nfifth_one, g(x, "
                                  "second_one, third_one, fourth_one)\"\"\"\n"
                               << "\"\"\"f(first_one, second_one, third_one, fourth_one,\nfifth_one, g(x, "
                                  "second_one, third_one, fourth_one)\"\"\"\n";
}

void TestReadingForm::linesAreBroken()
{
    QFETCH(QString, line);
    QTEST(shortForm(line), "expected");
}

void TestReadingForm::whatIsLongGoesOnBelow()
{
    StageCode code = codeOf("    \"\"\"One two three four.\"\"\"\nabcdefghijklmnopqr\na\nxyäöü€abcdefgh\n");
    code.nodesOfLine[1] = {NodeId(3)};
    code.valuesOfLine[2] = {ValueId(7)};
    const StageCode made = wrappedLines(code, 16);
    QCOMPARE(QString::fromStdString(made.text),
             QString("    \"\"\"One two\n        three\n        four.\"\"\"\n"
                     "abcdefghijklmnop\n    qr\na\n"
                     "xyäöü€abcde\n    fgh\n"));
    QCOMPARE(QString::fromStdString(wrappedLines(codeOf("a layers.0.attn_norms.weights\n"), 16).text),
             QString("a\n    layers.0.\n    attn_norms.\n    weights\n"));
    QCOMPARE(made.nodesOfLine.size(), std::size_t(8));
    QCOMPARE(made.nodesOfLine[4], (std::vector{NodeId(3)}));
    QCOMPARE(made.valuesOfLine.begin()->first, std::size_t(5));
}

void TestReadingForm::partsRunWhatTheLineRuns()
{
    StageCode code = codeOf("a = f(x)\nfirst = function(second_one, third_one, fourth_one)\nreturn a\n");
    code.nodesOfLine[1] = {NodeId(3)};
    code.valuesOfLine[2] = {ValueId(7)};
    const StageCode made = readingForm(code, 32);
    QCOMPARE(made.nodesOfLine.size(), std::size_t(4));
    QCOMPARE(made.nodesOfLine[1], (std::vector{NodeId(3)}));
    QCOMPARE(made.nodesOfLine[2], (std::vector{NodeId(3)}));
    QCOMPARE(made.valuesOfLine.begin()->first, std::size_t(3));
}

void TestReadingForm::atenStandsForItsFullName()
{
    const QString text =
        "import torch\nimport torch.nn\n\ny = torch.ops.aten.relu.default('torch.ops.aten.x')\n";
    QCOMPARE(shortForm(text, 80), QString("import torch\nimport torch.nn\n\naten = torch.ops.aten\n\n"
                                          "y = aten.relu.default('torch.ops.aten.x')\n"));
    const QString taken = "import torch\naten = 1\ny = torch.ops.aten.relu.default(aten)\n";
    QCOMPARE(shortForm(taken, 80), taken);
}

void TestReadingForm::pythonReadsTheSame_data()
{
    QTest::addColumn<QString>("model");
    QTest::addColumn<int>("columns");
    for (const char* model : {"tiny/gpt2-tiny.pt2", "tiny/t5-tiny.pt2"})
        for (const int columns : {20, 32, 60, 88})
            QTest::addRow("%s in %d columns", model, columns) << model << columns;
}

void TestReadingForm::pythonReadsTheSame()
{
    QFETCH(QString, model);
    QFETCH(int, columns);
    const auto opened = openModel(STAGECRAFT_TEST_DATA "/models/" + model.toStdString());
    QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
    Partition partition{2, Table<NodeId, StageId>(opened->graph.nodeCount(), StageId(0))};
    for (const NodeId node : opened->graph.nodes())
        partition.stageOf[node] = StageId(node.index() * 2 < opened->graph.nodeCount() ? 0 : 1);
    const auto programs = cutStages(*opened, withInseparableNodesTogether(*opened, partition));
    QVERIFY2(programs.has_value(), programs.has_value() ? "" : programs.error().message.c_str());
    const QTemporaryDir folder;
    for (const StageProgram& program : *programs) {
        const StageCode code = stageCode(*opened, program);
        const StageCode made = readingForm(code, static_cast<std::size_t>(columns));
        QVERIFY(made.nodesOfLine.size() > code.nodesOfLine.size());
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(made.text, '\n')), made.nodesOfLine.size());
        QProcess python;
        python.start(STAGECRAFT_PYTHON, {"-c", compare, written(folder.filePath("a.py"), code.text),
                                         written(folder.filePath("b.py"), made.text)});
        QVERIFY(python.waitForFinished(60000));
        QVERIFY2(python.exitCode() == 0, python.readAllStandardError().constData());
    }
}

void TestReadingForm::functionsAndModulesFold()
{
    StageCode code = codeOf("import x\n"
                            "def f():\n"
                            "    pass\n"
                            "class A:\n"
                            "    def g(self):\n"
                            "        # one  Linear\n"
                            "        a = 1\n"
                            "            # f32[4]\n"
                            "        # two  Linear\n"
                            "        #   goes on\n"
                            "        b = 2\n"
                            "    def h(self):\n"
                            "        pass\n");
    code.nodesOfLine[6] = code.nodesOfLine[7] = {NodeId(0)};
    QStringList found;
    for (const FoldLine& line : foldLines(code))
        found << QString::number(line.level) + (line.isHeader ? "+" : "");
    QCOMPARE(found.join(' '), QString("0 0+ 1 0+ 1+ 2+ 3 3 2+ 3 3 1+ 2"));
}

QTEST_MAIN(TestReadingForm)
#include "tst_reading_form.moc"
