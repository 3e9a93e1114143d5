// What an overlay file says, what it is refused for, and what several nodes have of it together.
#include "core/exchange/overlay.h"
#include "core/exchange/overlay_text.h"
#include "tests/core/text_model.h"

#include <QTest>

using namespace stagecraft;

namespace {

constexpr const char* twoBlocks = R"(graph two
  module a "Block"
  module a.in "Linear"
  module b "Block"
  input %x : f32[4]
  %p : f32[4] = aten::relu.default(%x) @a.in
  %q : f32[4] = aten::sin.default(%p) @a
  %r : f32[4] = aten::relu.default(%q) @b
  %s : f32[4] = aten::sin.default(%r) @b
  return %s
)";

Graph graph()
{
    return test::modelOf(twoBlocks).graph;
}

std::vector<NodeId> nodes(const Graph& graph, std::initializer_list<const char*> names)
{
    std::vector<NodeId> found;
    for (const char* name : names)
        found.push_back(graph.findNode(name).value());
    return found;
}

// "none" or the figure with its unit.
std::string together(const std::string& json, std::initializer_list<const char*> names)
{
    const Graph model = graph();
    const Overlay overlay = parseOverlay(json, "mine.json", model).value();
    const std::string text = figureTexts(overlay, model, nodes(model, names));
    return text.empty() ? "none" : text;
}

std::string refusal(const std::string& json)
{
    const Result<Overlay> overlay = parseOverlay(json, "mine.json", graph());
    return overlay.has_value() ? "taken" : overlay.error().message;
}

std::string colour(const std::string& json, std::initializer_list<const char*> names)
{
    const Graph model = graph();
    const Overlay overlay = parseOverlay(json, "mine.json", model).value();
    const std::vector<NodeId> asked = nodes(model, names);
    const auto found =
        asked.size() == 1 ? overlayColour(overlay, model, asked[0]) : overlayColour(overlay, model, asked);
    return found ? colourText(*found) : "none";
}

const std::string sums = R"({"figures": {"t": {"unit": "ms", "combine": "sum"}},
    "nodes": {"p": {"t": 1}, "q": {"t": 2}, "r": {"t": 4}}, "modules": {"b": {"t": 16}}})";

} // namespace

class TestOverlay : public QObject
{
    Q_OBJECT

private slots:
    void aNodeHasWhatItWasGiven() { QCOMPARE(together(sums, {"q"}), "t 2 ms"); }

    void severalAreSummedUp() { QCOMPARE(together(sums, {"p", "q"}), "t 3 ms"); }

    // What is given for a module counts for it, not what is given inside.
    void aWholeModuleHasItsOwn()
    {
        QCOMPARE(together(sums, {"r", "s"}), "t 16 ms");
        QCOMPARE(together(sums, {"p", "q", "r", "s"}), "t 19 ms");
    }

    // Also of a module that is one node, which has a figure of its own.
    void aModuleOfOneNodeHasItsOwn()
    {
        const Graph model = graph();
        const std::string json =
            R"({"figures": {"t": {"combine": "sum"}}, "nodes": {"p": {"t": 1}, "q": {"t": 2}},
            "modules": {"a.in": {"t": 8}}})";
        const Overlay overlay = parseOverlay(json, "mine.json", model).value();
        const NodeId node = model.findNode("p").value();
        QCOMPARE(figureTexts(overlay, model, node), "t 1");
        QCOMPARE(together(json, {"p"}), "t 8");
        QCOMPARE(together(json, {"p", "q"}), "t 10");
    }

    // A part of b: what is inside counts where something is known of it, else nothing is known.
    void aPartOfAModuleHasWhatIsKnownOfIt()
    {
        QCOMPARE(together(sums, {"q", "r"}), "t 6 ms");
        QCOMPARE(together(sums, {"q", "s"}), "none");
    }

    void combinesAsTheFileSays_data()
    {
        QTest::addColumn<QString>("combine");
        QTest::addColumn<QString>("expected");
        QTest::newRow("sum") << R"({"combine": "sum"})"
                             << "t 5";
        QTest::newRow("mean") << R"({"combine": "mean"})"
                              << "t 2.5";
        QTest::newRow("max") << R"({"combine": "max"})"
                             << "t 4";
        QTest::newRow("min") << R"({"combine": "min"})"
                             << "t 1";
        QTest::newRow("nothing") << "{}"
                                 << "none";
    }
    void combinesAsTheFileSays()
    {
        QFETCH(QString, combine);
        QFETCH(QString, expected);
        const std::string json = R"({"figures": {"t": )" + combine.toStdString() +
                                 R"(}, "nodes": {"p": {"t": 1}, "r": {"t": 4}}})";
        QCOMPARE(together(json, {"p", "r"}), expected.toStdString());
    }

    void withoutCombiningAModuleHasItsOwnAlone()
    {
        const std::string json = R"({"modules": {"b": {"t": 7}}})";
        QCOMPARE(together(json, {"r", "s"}), "t 7");
        QCOMPARE(together(json, {"q", "r", "s"}), "none");
        QCOMPARE(together(json, {"r"}), "none");
    }

    void coloursAreTheNodesOwnThenTheModules()
    {
        const std::string json =
            R"({"nodes": {"p": {"colour": "#ff0000"}}, "modules": {"a": {"colour": "#00FF00"}}})";
        QCOMPARE(colour(json, {"p"}), "#ff0000");
        QCOMPARE(colour(json, {"q"}), "#00ff00");
        QCOMPARE(colour(json, {"p", "q"}), "#00ff00"); // all of a
        QCOMPARE(colour(json, {"q", "r"}), "none");
        QCOMPARE(colour(json, {"r"}), "none");
    }

    void aFigureColoursFromItsLeastToItsMost()
    {
        const std::string values = R"("nodes": {"p": {"t": 1}, "q": {"t": 3}, "r": {"t": 2}})";
        QCOMPARE(colour("{\"colour_by\": \"t\", " + values + "}", {"p"}), "#4575b4");
        QCOMPARE(colour("{\"colour_by\": \"t\", " + values + "}", {"r"}), "#ffeda0");
        QCOMPARE(colour("{\"colour_by\": \"t\", " + values + "}", {"q"}), "#d73027");
        QCOMPARE(colour("{\"colour_by\": \"t\", \"range\": [3, 9], " + values + "}", {"q"}), "#4575b4");
    }

    void saysWhatTheModelLacks()
    {
        const Overlay overlay =
            parseOverlay(R"({"nodes": {"p": {"t": 1}, "z": {"t": 2}}})", "mine.json", graph()).value();
        QCOMPARE(overlay.notes.size(), std::size_t{1});
        QCOMPARE(overlay.notes[0], "mine.json: the model has no node 'z'");
    }

    void saysWhatItDoesNotKnow()
    {
        const Overlay overlay =
            parseOverlay(R"({"nodes": {"p": {"t": 1}}, "color_by": "t"})", "mine.json", graph()).value();
        QVERIFY(!overlay.colourBy);
        QCOMPARE(overlay.notes.size(), std::size_t{1});
        QCOMPARE(overlay.notes[0], "mine.json: an overlay has no 'color_by'");
    }

    void refusesWithTheNameOfThePlace_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("why");
        QTest::newRow("no JSON") << "{"
                                 << "mine.json";
        QTest::newRow("no overlay") << R"({"operators": {}})"
                                    << "neither \"nodes\" nor \"modules\"";
        QTest::newRow("strangers") << R"({"nodes": {"z": {}}})"
                                   << "names nothing of this model";
        QTest::newRow("nodes") << R"({"nodes": [1]})"
                               << "'nodes'";
        QTest::newRow("text") << R"({"nodes": {"p": {"t": "fast"}}})"
                              << "'nodes.p.t'";
        QTest::newRow("huge") << R"({"nodes": {"p": {"t": 1e19}}})"
                              << "1e18";
        QTest::newRow("colour") << R"({"nodes": {"p": {"colour": "red"}}})"
                                << "#d55e00";
        QTest::newRow("colour end") << R"({"nodes": {"p": {"colour": "#12345g"}}})"
                                    << "#d55e00";
        QTest::newRow("combine") << R"({"figures": {"t": {"combine": "or"}}, "nodes": {"p": {}}})"
                                 << "figure 't'";
        QTest::newRow("colour_by") << R"({"colour_by": "u", "nodes": {"p": {"t": 1}}})"
                                   << "'colour_by'";
        QTest::newRow("range") << R"({"colour_by": "t", "range": [2, 1], "nodes": {"p": {"t": 1}}})"
                               << "'range'";
        QString many = "{\"nodes\": {\"p\": {";
        for (int i = 0; i < 33; ++i)
            many += (i > 0 ? ", \"f" : "\"f") + QString::number(i) + "\": 1";
        QTest::newRow("figures") << many + "}}}"
                                 << "more than 32 figures";
    }
    void refusesWithTheNameOfThePlace()
    {
        QFETCH(QString, json);
        QFETCH(QString, why);
        const std::string message = refusal(json.toStdString());
        QVERIFY2(message.starts_with("mine.json"), message.c_str());
        QVERIFY2(message.find(why.toStdString()) != std::string::npos, message.c_str());
    }
};

QTEST_GUILESS_MAIN(TestOverlay)
#include "tst_overlay.moc"
