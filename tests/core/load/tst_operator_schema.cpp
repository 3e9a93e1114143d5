#include "core/load/operator_aliasing.h"
#include "core/load/operator_schema.h"

#include "tests/core/graph_text/graph_text_parser.h"

#include <QtTest>

using namespace stagecraft;

class TestOperatorSchema : public QObject
{
    Q_OBJECT

private slots:
    void describesAnOperator()
    {
        OperatorSchemas schemas;
        const OperatorSchema* linear = schemas.find("aten::linear.default");
        QVERIFY(linear);
        QCOMPARE(linear->arguments.size(), 3u);
        QCOMPARE(linear->arguments[2].name, std::string("bias"));
        QCOMPARE(linear->arguments[2].type, std::string("Tensor?"));
        QVERIFY(linear->arguments[1].isRequired());
        QVERIFY(!linear->arguments[2].isRequired());
        QCOMPARE(linear->returns.size(), 1u);
        const OperatorSchema* full = schemas.find("aten::full.default");
        QVERIFY(full->argument("dtype")->keywordOnly);
        QCOMPARE(schemas.find("aten::topk.default")->returns.size(), 2u);
        QCOMPARE(schemas.find("aten::conv2d.default")->argument("stride")->defaultText,
                 std::optional<std::string>("[1, 1]"));
    }

    void tellsWhatIsWritten()
    {
        OperatorSchemas schemas;
        const OperatorSchema* add = schemas.find("aten::add_.Tensor");
        QVERIFY(add->argument("self")->alias.writes);
        QCOMPARE(add->argument("self")->alias.sets, add->returns[0].alias.sets);
        QVERIFY(!add->argument("other")->alias.writes);
        QVERIFY(!schemas.find("aten::split.Tensor")->argument("self")->alias.sets.empty());
    }

    void knowsNothingOfOthers()
    {
        OperatorSchemas schemas;
        for (const char* target : {"elsewhere::gizmo.default", "_operator::add", "higher_order::cond", "x",
                                   "", "aten::", "::", "aten::linear.nonsense"})
            QVERIFY2(!schemas.find(target), target);
    }

    void findsAliasesOfNodes_data()
    {
        QTest::addColumn<QString>("call");
        QTest::addColumn<bool>("shares");
        QTest::addColumn<bool>("writes");
        const auto row = [](const char* call, bool shares, bool writes) {
            QTest::newRow(call) << call << shares << writes;
        };
        row("aten::relu.default(self %x)", false, false);
        row("aten::relu_.default(self %x)", true, true);
        row("aten::relu_.default(%x)", true, true);
        row("aten::view.default(self %x, size [2, 2])", true, false);
        row("aten::reshape.default(self %x, shape [4])", true, false);
        row("aten::contiguous.default(self %x)", true, false);
        row("aten::to.dtype(self %x, dtype f32)", true, false);
        row("aten::detach_.default(self %x)", true, true);
        row("aten::dropout.default(input %x, p 0.5, train true)", false, false);
        row("aten::dropout.default(input %x, p 0.5, train false)", true, false);
        row("aten::dropout.default(input %x, p 0.0, train true)", true, false);
        row("aten::type_as.default(self %x, other %w)", true, false);
        row("aten::einsum.default(equation \"ij->ji\", tensors [%x])", true, false);
        row("aten::batch_norm.default(input %w, weight none, bias none, running_mean %x, running_var %w, "
            "training true, "
            "momentum 0.1, eps 1e-05, cudnn_enabled true)",
            false, true);
        row("aten::batch_norm.default(input %w, weight none, bias none, running_mean %x, running_var %w, "
            "training false, "
            "momentum 0.1, eps 1e-05, cudnn_enabled true)",
            false, false);
        row("elsewhere::gizmo_.default(%x)", false, false);
    }

    void findsAliasesOfNodes()
    {
        QFETCH(QString, call);
        QFETCH(bool, shares);
        QFETCH(bool, writes);
        const Result<Graph> graph = parseGraph(
            "graph g\n input %x : f32[4]\n input %w : f32[4]\n %y : f32[4] = " + call.toStdString() +
            "\n return %y\n");
        QVERIFY2(graph.has_value(), graph.has_value() ? "" : graph.error().message.c_str());
        OperatorSchemas schemas;
        const AliasSets sets = AliasSets::find(*graph, operatorAliasing(schemas));
        const ValueId x = *graph->findValue("x");
        QCOMPARE(sets.mayShare(x, *graph->findValue("y")), shares);
        QCOMPARE(!sets.writers(x).empty(), writes);
    }
};

QTEST_GUILESS_MAIN(TestOperatorSchema)
#include "tst_operator_schema.moc"
