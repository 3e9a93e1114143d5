#include "views/message_bar.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
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
    void sameIdReplaces();
    void actionsGoOutAndTakeTheMessageAway();
    void detailsAndCopy();
    void aLongTextIsCutAndWholeInTheDetails();
    void escapeDismisses();

private:
    static bool shows(const MessageBar& bar, const QString& text)
    {
        const auto labels = bar.findChildren<QLabel*>();
        return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == text; });
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
    QVERIFY(shows(bar, "second"));
    QVERIFY(shows(bar, "1 more"));
    QCOMPARE(bar.accessibleDescription(), QString("Error: second"));
    bar.findChildren<QToolButton*>().last()->click();
    QVERIFY(shows(bar, "first"));
}

void TestMessageBar::sameIdReplaces()
{
    MessageBar bar;
    bar.post({.id = "open", .text = "one"});
    bar.post({.id = "open", .text = "two"});
    QCOMPARE(bar.count(), std::size_t{1});
    QVERIFY(shows(bar, "two"));
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
    QCOMPARE(QGuiApplication::clipboard()->text(), QString("what\n\nwhy"));
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
    QVERIFY(shows(bar, "short"));
    QCOMPARE(bar.findChild<QPlainTextEdit*>()->toPlainText(), QString());
}

void TestMessageBar::escapeDismisses()
{
    MessageBar bar;
    bar.post({.text = "what"});
    QTest::keyClick(&bar, Qt::Key_Escape);
    QCOMPARE(bar.count(), std::size_t{0});
    QTest::keyClick(&bar, Qt::Key_Escape);
}

QTEST_MAIN(TestMessageBar)
#include "tst_message_bar.moc"
