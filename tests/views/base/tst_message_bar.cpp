#include "views/base/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace stagecraft;

class TestMessageBar : public QObject
{
    Q_OBJECT

private slots:
    void takesNoRoomWithoutAMessage();
    void showsTheNewestAndCountsTheRest();
    void notesCoverNothing();
    void theListBringsOneUp();
    void sameIdReplaces();
    void actionsGoOutAndTakeTheMessageAway();
    void detailsAndCopy();
    void detailsLeaveRoomInALowWindow();
    void aLongTextIsCutAndWholeInTheDetails();
    void aPlainWordBeginsWithACapital_data();
    void aPlainWordBeginsWithACapital();
    void escapeDismisses();
    void equalOnesAreOneWithACount();
    void allGoAtOnce();
    void nothingInAMessageActs();

private:
    static bool shows(const MessageBar& bar, const QString& text)
    {
        const auto labels = bar.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
    }
    // "2 more"; null: there is one message.
    static QToolButton* more(const MessageBar& bar)
    {
        for (QToolButton* button : bar.findChildren<QToolButton*>())
            if (button->menu() && !button->isHidden())
                return button;
        return nullptr;
    }
};

void TestMessageBar::takesNoRoomWithoutAMessage()
{
    MessageBar bar;
    QVERIFY(bar.isHidden());
    bar.post({.text = "hello"});
    QVERIFY(!bar.isHidden());
    bar.clear();
    QVERIFY(bar.isHidden());
}

void TestMessageBar::showsTheNewestAndCountsTheRest()
{
    MessageBar bar;
    bar.post({.text = "first"});
    bar.post({.severity = Message::Severity::Error, .text = "second"});
    QVERIFY(shows(bar, "Second"));
    QCOMPARE(more(bar)->text(), QString("1 more"));
    QCOMPARE(bar.accessibleDescription(), QString("Error: Second"));
    bar.findChildren<QToolButton*>().last()->click();
    QVERIFY(shows(bar, "First"));
    QVERIFY(!more(bar));
}

// What is wrong stays in sight until it is dismissed, whatever a profile notes meanwhile.
void TestMessageBar::notesCoverNothing()
{
    MessageBar bar;
    bar.post({.severity = Message::Severity::Warning, .text = "the model has changed"});
    bar.post({.text = "note 1"});
    bar.post({.text = "note 2"});
    QVERIFY(shows(bar, "The model has changed"));
    QCOMPARE(more(bar)->text(), QString("2 more"));
    bar.post({.severity = Message::Severity::Error, .text = "cannot be read"});
    QVERIFY(shows(bar, "Cannot be read"));
    bar.post({.severity = Message::Severity::Warning, .text = "this boundary is locked"});
    QVERIFY(shows(bar, "This boundary is locked")); // what a person has just done
    for (const char* next : {"Cannot be read", "The model has changed", "Note 2", "Note 1"}) {
        QTest::keyClick(&bar, Qt::Key_Escape);
        QVERIFY2(shows(bar, next), next);
    }
}

void TestMessageBar::theListBringsOneUp()
{
    MessageBar bar;
    bar.post({.text = "a note & more"});
    bar.post({.severity = Message::Severity::Warning, .text = "first warning"});
    bar.post({.severity = Message::Severity::Warning, .text = "second warning"});
    QMenu* list = more(bar)->menu();
    emit list->aboutToShow();
    QStringList texts;
    for (const QAction* action : list->actions())
        texts << action->text();
    QCOMPARE(texts, (QStringList{"Second warning", "First warning", "A note && more"}));
    list->actions()[2]->trigger();
    QVERIFY(shows(bar, "A note & more"));
    QCOMPARE(more(bar)->text(), QString("2 more"));
    QTest::keyClick(&bar, Qt::Key_Escape);
    QVERIFY(shows(bar, "Second warning"));
}

void TestMessageBar::sameIdReplaces()
{
    MessageBar bar;
    bar.post({.id = "open", .text = "one"});
    bar.post({.id = "open", .text = "two"});
    QCOMPARE(bar.count(), std::size_t{1});
    QVERIFY(shows(bar, "Two"));
    bar.remove("open");
    QCOMPARE(bar.count(), std::size_t{0});
}

void TestMessageBar::actionsGoOutAndTakeTheMessageAway()
{
    MessageBar bar;
    bar.post({.id = "split", .text = "Split before", .actions = {{"restore", "Restore"}, {"no", "Not now"}}});
    QSignalSpy actions(&bar, &MessageBar::actionTriggered);
    bar.findChildren<QPushButton*>().first()->click();
    QCOMPARE(actions.count(), 1);
    QCOMPARE(actions[0][0].toString(), QString("split"));
    QCOMPARE(actions[0][1].toString(), QString("restore"));
    QVERIFY(bar.isHidden());
}

void TestMessageBar::detailsAndCopy()
{
    MessageBar bar;
    bar.post({.text = "what", .details = "why"});
    auto* details = bar.findChild<QPlainTextEdit*>();
    QVERIFY(details->isHidden());
    const auto buttons = bar.findChildren<QToolButton*>();
    buttons[0]->click();
    QVERIFY(!details->isHidden());
    QCOMPARE(details->toPlainText(), QString("why"));
    buttons[1]->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("What\n\nwhy"));
}

void TestMessageBar::detailsLeaveRoomInALowWindow()
{
    QWidget window;
    auto* bar = new MessageBar(&window);
    bar->post({.text = "what", .details = QString("why\n").repeated(40)});
    const auto heightIn = [&](int windowHeight) {
        window.resize(1280, windowHeight);
        bar->resize(1279, 200);
        bar->findChildren<QToolButton*>()[0]->setChecked(true);
        bar->resize(1280, 200);
        return bar->findChild<QPlainTextEdit*>()->maximumHeight();
    };
    window.show();
    const int low = heightIn(720);
    QVERIFY2(low <= 80, qPrintable(QString::number(low)));
    QVERIFY(heightIn(1400) > low);
}

void TestMessageBar::aLongTextIsCutAndWholeInTheDetails()
{
    MessageBar bar;
    const QString text = QString("The first part says it all; ").repeated(5) + QString("more ").repeated(100);
    bar.post({.text = text});
    QVERIFY(!shows(bar, text));
    QVERIFY(shows(bar, QString("The first part says it all; ").repeated(5) + QChar(0x2026)));
    QCOMPARE(bar.findChild<QPlainTextEdit*>()->toPlainText(), text.trimmed());
    const QString remedy = "twelve stages would do";
    bar.post(
        {.text = "No plan fits; " + QString("a long list of what is large ").repeated(9) + "; " + remedy});
    QVERIFY(bar.findChild<QLabel*>());
    const auto labels = bar.findChildren<QLabel*>();
    QVERIFY(std::ranges::any_of(labels, [&](const QLabel* label) {
        return label->text().startsWith("No plan fits; ") && label->text().endsWith("… " + remedy);
    }));
    bar.post({.text = "short"});
    QVERIFY(shows(bar, "Short"));
    QCOMPARE(bar.findChild<QPlainTextEdit*>()->toPlainText(), QString());
}

void TestMessageBar::aPlainWordBeginsWithACapital_data()
{
    QTest::addColumn<QString>("posted");
    QTest::addColumn<QString>("shown");
    QTest::newRow("note") << "measured node by node"
                          << "Measured node by node";
    QTest::newRow("comma") << "schedule, device 2"
                           << "Schedule, device 2";
    QTest::newRow("one word") << "done."
                              << "Done.";
    QTest::newRow("hyphen") << "higher-order operators"
                            << "Higher-order operators";
    QTest::newRow("umlaut") << QString("älter als das Modell") << QString("Älter als das Modell");
    for (const char* same :
         {"Measured", "model.pt2: not a model file", "bert: the backward pass", "lm_head is large",
          "layer1 is large", "torchAO is old", "/tmp/a b.pt2: is empty", "--bind s0=1", "'x' is an input",
          "3 nodes", "conv.weight", ""})
        QTest::newRow(same) << same << same;
}

void TestMessageBar::aPlainWordBeginsWithACapital()
{
    QFETCH(QString, posted);
    QFETCH(QString, shown);
    MessageBar bar;
    bar.post({.text = posted});
    QVERIFY(shows(bar, shown));
    QCOMPARE(bar.accessibleDescription(), "Note: " + shown);
}

void TestMessageBar::escapeDismisses()
{
    MessageBar bar;
    bar.post({.text = "what"});
    QTest::keyClick(&bar, Qt::Key_Escape);
    QCOMPARE(bar.count(), std::size_t{0});
    QTest::keyClick(&bar, Qt::Key_Escape);
}

void TestMessageBar::equalOnesAreOneWithACount()
{
    MessageBar bar;
    for (int i = 0; i < 2880; ++i)
        bar.post({.text = "an op is estimated"});
    QCOMPARE(bar.count(), std::size_t{1});
    QVERIFY(shows(bar, "An op is estimated (2880 times)"));
    bar.post({.text = "another is not"});
    QCOMPARE(bar.count(), std::size_t{2});
    bar.post({.text = "an op is estimated"});
    QVERIFY(shows(bar, "An op is estimated (2881 times)"));
    QCOMPARE(bar.count(), std::size_t{2});
}

void TestMessageBar::allGoAtOnce()
{
    MessageBar bar;
    const auto closeAll = [&] {
        const auto buttons = bar.findChildren<QToolButton*>();
        return *std::ranges::find(buttons, QString("Close all"), &QToolButton::text);
    };
    bar.post({.text = "first"});
    QVERIFY(closeAll()->isHidden()); // there is but one
    bar.post({.text = "second"});
    bar.post({.text = "third"});
    QVERIFY(!closeAll()->isHidden());
    closeAll()->click();
    QCOMPARE(bar.count(), std::size_t{0});
    QVERIFY(bar.isHidden());
}

void TestMessageBar::nothingInAMessageActs()
{
    MessageBar bar;
    bar.post({.text = "'<b>fc</b>\x1b' is large", .details = "a\nb\u202e"});
    QVERIFY(shows(bar, "'<b>fc</b>\\u001b' is large"));
    for (const QLabel* label : bar.findChildren<QLabel*>())
        QVERIFY(label->text().isEmpty() || !label->text().contains("fc") ||
                label->textFormat() == Qt::PlainText);
    QCOMPARE(bar.findChild<QPlainTextEdit*>()->toPlainText(), QString("a\nb\\u202e"));
}

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
