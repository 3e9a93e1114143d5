#include "views/base/plain_text.h"

#include <QTextDocument>
#include <QWidget>
#include <QtTest>

using namespace stagecraft;

class TestPlainText : public QObject
{
    Q_OBJECT

private slots:
    void nothingActsWhereItIsShown()
    {
        QCOMPARE(shownText(std::string("fc\x1b[31m\n1")), QString("fc\\u001b[31m\\u000a1"));
        QCOMPARE(shownText(QString("a\nb\r"), LineBreaks::Keep), QString("a\nb\\u000d"));
        QCOMPARE(dataText("/tmp/\x1b"), QString("/tmp/\x1b"));
    }

    void tooltipsAreNoMarkup()
    {
        QCOMPARE(toolTipText("layers.0\n12 ms"), QString("layers.0\n12 ms"));
        QTextDocument document;
        document.setHtml(toolTipText("<b>fc</b>\n<img src='/etc/passwd'>"));
        QCOMPARE(document.toPlainText(), QString("<b>fc</b>\n<img src='/etc/passwd'>"));
    }

    void menusHaveNoMnemonicsOfOthers() { QCOMPARE(menuText("q&k&v"), QString("q&&k&&v")); }

    void titlesHaveNoMarkOfOthers()
    {
        QWidget window;
        window.setWindowTitle(titleText("a[*]b") + "[*]");
        window.setWindowModified(true);
        QCOMPARE(titleText("a[*]b"), QString("a[*][*]b"));
    }
};

QTEST_MAIN(TestPlainText)
#include "tst_plain_text.moc"
