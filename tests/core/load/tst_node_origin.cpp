#include "core/load/node_origin.h"
#include "core/load/pytree.h"
#include "core/load/target_name.h"

#include <QtTest>

using namespace stagecraft;

class TestNodeOrigin : public QObject
{
    Q_OBJECT

private slots:
    void readsModuleStacks()
    {
        QCOMPARE(parseModuleStack("L__self__,,__main__.Net;L__self__layers.0,layers.0,torch.nn.Linear"),
                 (std::vector<ModuleCall>{{"", "__main__.Net"}, {"layers.0", "torch.nn.Linear"}}));
        QCOMPARE(parseModuleStack("a,layers.0@2,t.Linear"),
                 (std::vector<ModuleCall>{{"layers.0", "t.Linear", 2}}));
        QCOMPARE(parseModuleStack("L__self__block@1,block,t.Block;a@99999999999999999999,a,t.A"),
                 (std::vector<ModuleCall>{{"block", "t.Block", 1}, {"a", "t.A", 0}}));
        // A path with commas inside brackets, as strict exports write it.
        QCOMPARE(parseModuleStack("k,getattr(L['self'].layers, '0'),t.Linear"),
                 (std::vector<ModuleCall>{{"layers.0", "t.Linear"}}));
        const std::string none = "_empty_nn_module_stack_from_metadata_hook";
        QVERIFY(parseModuleStack(none + "," + none + "," + none).empty());
        QVERIFY(parseModuleStack("").empty());
    }

    void normalisesPaths_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("expected");
        QTest::newRow("new") << "layers.0.attn"
                             << "layers.0.attn";
        QTest::newRow("root") << "L['self']"
                              << "";
        QTest::newRow("strict") << "L['self'].layers[0].attn"
                                << "layers.0.attn";
        QTest::newRow("string key") << "L['self'].blocks['a'].b"
                                    << "blocks.a.b";
        QTest::newRow("modules dict") << "L['self']._modules['conv'].w"
                                      << "conv.w";
        QTest::newRow("getattr") << "getattr(L['self'].layers, '3')"
                                 << "layers.3";
        constexpr int many = 100000; // names deep
        QTest::newRow("nested too deeply to recurse")
            << QString("getattr(").repeated(many) + "L['self']" + QString(", 'a')").repeated(many)
            << QString("a.").repeated(many - 1) + "a";
        QTest::newRow("nested getattr") << "getattr(getattr(L['self'].h, '3'), 'x')"
                                        << "h.3.x";
        QTest::newRow("second call") << "L['self'].fc@1"
                                     << "fc";
        QTest::newRow("unclosed") << "L['self"
                                  << "";
    }

    void normalisesPaths()
    {
        QFETCH(QString, path);
        QFETCH(QString, expected);
        QCOMPARE(QString::fromStdString(normalisedModulePath(path.toStdString())), expected);
    }

    void readsTracebacks()
    {
        const std::vector<SourceFrame> frames =
            parseStackTrace("  File \"/a/net.py\", line 12, in forward\n    x = self.fc(x)\n"
                            "  File \"/b/linear.py\", line 125, in forward\n    return F.linear(x)\n");
        QCOMPARE(frames, (std::vector<SourceFrame>{{"/a/net.py", 12, "forward", "x = self.fc(x)"},
                                                   {"/b/linear.py", 125, "forward", "return F.linear(x)"}}));
        // Without lines of code.
        QCOMPARE(parseStackTrace("File \"n.py\", line 1, in f\nFile \"m.py\", line 2, in g").size(), 2u);
        QVERIFY(parseStackTrace("nonsense").empty());
    }

    void namesTargets()
    {
        for (const auto& [python, target] :
             {std::pair("torch.ops.aten.linear.default", "aten::linear.default"),
              std::pair("torch.ops.higher_order.cond", "higher_order::cond"),
              std::pair("_operator.add", "_operator::add"), std::pair("math.trunc", "math::trunc"),
              std::pair("torch.sym_max", "torch::sym_max")}) {
            QCOMPARE(targetFromPython(python), std::string(target));
            QCOMPARE(targetToPython(target), std::string(python));
        }
        QCOMPARE(targetFromPython("#plugin:op"), std::string("#plugin:op"));
    }

    void readsTrees()
    {
        const Pytree tree = tuplePytree({tuplePytree({leafPytree(), leafPytree()}),
                                         dictPytree({"mask", "b"}, {leafPytree(), tuplePytree({})})});
        QCOMPARE(leafCount(tree), 3u);
        const Result<Pytree> again = parsePytree(pytreeJson(tree));
        QVERIFY(again.has_value());
        QCOMPARE(*again, tree);
        QCOMPARE(again->children[1].dictKeys(), (std::vector<std::string>{"mask", "b"}));
        for (const char* bad : {"", "[]", "[1]", "[2, {}]", "[1, 3]", "{\"a\": 1}"})
            QVERIFY2(!parsePytree(bad).has_value(), bad);
        std::string deep = "{\"type\": null}";
        for (int i = 0; i < 200; ++i)
            deep = "{\"type\": \"builtins.tuple\", \"context\": \"null\", \"children_spec\": [" + deep + "]}";
        QCOMPARE(parsePytree("[1, " + deep + "]").error().message,
                 std::string("the arguments are nested too deeply"));
    }
};

QTEST_GUILESS_MAIN(TestNodeOrigin)
#include "tst_node_origin.moc"
