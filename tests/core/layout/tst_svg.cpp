#include "core/layout/svg.h"

#include "core/graph/graph_builder.h"
#include "layout_test.h"

#include <QXmlStreamReader>

using namespace stagecraft;

class TestSvg : public QObject
{
    Q_OBJECT

private slots:
    void isWellFormedAndShowsWhatIsThere()
    {
        const auto graph = graphOf(layeredText(3));
        const auto tree = treeOf(*graph, partitionOf({9, 5}));
        LayoutEngine engine;
        const Result<Layout> layout = engine.layout(graph, tree, fullExpansion(*tree));
        QVERIFY(layout.has_value());
        for (const auto look : {SvgOptions::Look::Light, SvgOptions::Look::Dark}) {
            QXmlStreamReader xml(QString::fromStdString(layoutSvg(*layout, {.look = look})));
            QStringList texts;
            int paths = 0;
            while (!xml.atEnd()) {
                xml.readNext();
                if (xml.isStartElement() && xml.name() == QLatin1String("path"))
                    ++paths;
                if (xml.isStartElement() && xml.name() == QLatin1String("text"))
                    texts << xml.readElementText();
            }
            QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            QCOMPARE(static_cast<std::size_t>(paths), layout->edges.size());
            for (const char* text : {"Stage 1", "Stage 2", "1 | 2", "linear", "fc", "x0", "f32[4, 8]"})
                QVERIFY2(texts.contains(text), text);
        }
    }

    void namesAreEscaped()
    {
        GraphBuilder builder("a < b & \"c\"");
        Value x{.name = "x<&>\"\x01", .kind = ValueKind::UserInput};
        x.meta = TensorMeta{.sizes = {4}, .strides = {1}};
        Value y{.name = "y"};
        y.meta = x.meta;
        const ValueId from = builder.addInput(x);
        const ValueId to = builder.addValue(y);
        builder.addNode({.name = "n",
                         .target = "my::op<&>.default",
                         .arguments = {{"x", from}},
                         .outputs = {{NodeOutput::Kind::Value, {to}}}});
        builder.addOutput(to);
        Result<Graph> built = std::move(builder).finish();
        QVERIFY(built.has_value());
        const auto graph = std::make_shared<const Graph>(std::move(*built));
        LayoutEngine engine;
        const Result<Layout> layout = engine.layout(graph, treeOf(*graph, singleStage(1)), {});
        QVERIFY(layout.has_value());
        QXmlStreamReader xml(QString::fromStdString(layoutSvg(*layout)));
        QString all;
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::Characters)
                all += xml.text();
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(all.contains("op<&>"));
        QVERIFY(all.contains("x<&>\"\\u0001"));
    }
};

QTEST_GUILESS_MAIN(TestSvg)
#include "tst_svg.moc"
