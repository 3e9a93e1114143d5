#include "views/pages/welcome_page.h"

#include "views/base/elided_label.h"

#include <QClipboard>
#include <QDropEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

class TestWelcomePage : public QObject
{
    Q_OBJECT

private slots:
    void opensByButton();
    void aDroppedFileIsChosen();
    void cardsEndInDotsWhereThereIsNoRoom();
    void theColumnsBeginOnOneLine();
    void aDropWithoutAFileIsRefused();
    void cardsAndRecentFilesAreChosenByClick();
    void missingRecentFilesCannotBeChosen();
    void theSnippetCanBeCopied();
    void settingAgainReplaces();
    void tabGoesFromTheTopToTheBottom();

private:
    static QPushButton* button(const WelcomePage& page, const QString& spokenName)
    {
        for (auto* candidate : page.findChildren<QPushButton*>())
            if (candidate->accessibleName() == spokenName || candidate->text() == spokenName)
                return candidate;
        return nullptr;
    }
};

void TestWelcomePage::opensByButton()
{
    WelcomePage page;
    QSignalSpy opens(&page, &WelcomePage::openRequested);
    button(page, "Open a model")->click();
    QCOMPARE(opens.count(), 1);
}

void TestWelcomePage::aDroppedFileIsChosen()
{
    WelcomePage page;
    QSignalSpy chosen(&page, &WelcomePage::fileChosen);
    QMimeData data;
    data.setUrls({QUrl("https://example.org/x.pt2"), QUrl::fromLocalFile("/tmp/a model.pt2")});
    const Qt::DropActions offered = Qt::CopyAction | Qt::MoveAction; // Shift asks for the second
    QDragEnterEvent enter({5, 5}, offered, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&page, &enter);
    QVERIFY(enter.isAccepted());
    QCOMPARE(enter.dropAction(), Qt::CopyAction);
    QDropEvent drop({5, 5}, offered, &data, Qt::LeftButton, Qt::ShiftModifier);
    QCoreApplication::sendEvent(&page, &drop);
    QCOMPARE(drop.dropAction(), Qt::CopyAction);
    QCOMPARE(chosen.count(), 1);
    QCOMPARE(chosen[0][0].toString(), QString("/tmp/a model.pt2"));
}

void TestWelcomePage::cardsEndInDotsWhereThereIsNoRoom()
{
    WelcomePage page;
    const QString setup = "4 × NVIDIA A100 SXM 80GB · 8 microbatches · As exported · 1F1B · 16.9 s";
    const QString title = QString("a name that a script made ").repeated(4) + ".pt2";
    page.setSessions({{"/x/gpt2.pt2", title, setup, "today"}});
    page.resize(420, 600);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    const auto labels = page.findChildren<ElidedLabel*>();
    for (const QString& text : {title, setup}) {
        const auto label = std::ranges::find(labels, text, &ElidedLabel::text);
        QVERIFY2(label != labels.end(), qPrintable(text));
        QVERIFY2((*label)->readableText().endsWith("…"), qPrintable((*label)->readableText()));
    }
}

void TestWelcomePage::theColumnsBeginOnOneLine()
{
    WelcomePage page;
    page.resize(1400, 900);
    page.show();
    const auto heading = [&](const QString& text) {
        const auto labels = page.findChildren<QLabel*>();
        const QLabel* label = *std::ranges::find(labels, text, &QLabel::text);
        return label->mapTo(&page, label->rect().center()).y();
    };
    QVERIFY(std::abs(heading("Examples") - heading("Export your own model")) <= 1);
    page.setSessions({{"/x/gpt2.pt2", "gpt2.pt2", "4 stages", "today"}});
    QTRY_VERIFY(std::abs(heading("Continue where you left off") - heading("Export your own model")) <= 1);
}

void TestWelcomePage::aDropWithoutAFileIsRefused()
{
    WelcomePage page;
    QMimeData data;
    data.setText("just words");
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, {});
    enter.ignore();
    QCoreApplication::sendEvent(&page, &enter);
    QVERIFY(!enter.isAccepted());
}

void TestWelcomePage::cardsAndRecentFilesAreChosenByClick()
{
    WelcomePage page;
    page.setGallery({{"/x/gpt2.pt2", "GPT-2", "Transformer", "494 ops"}});
    page.setRecentFiles({QCoreApplication::applicationFilePath()});
    QSignalSpy chosen(&page, &WelcomePage::fileChosen);
    button(page, "Open the example GPT-2")->click();
    button(page, "Open tst_welcome_page")->click();
    QCOMPARE(chosen.count(), 2);
    QCOMPARE(chosen[0][0].toString(), QString("/x/gpt2.pt2"));
    QCOMPARE(chosen[1][0].toString(), QCoreApplication::applicationFilePath());
}

void TestWelcomePage::missingRecentFilesCannotBeChosen()
{
    WelcomePage page;
    page.setRecentFiles({"/nowhere/gone.pt2", "/here/there.pt2"});
    page.setMissingFiles({"/nowhere/gone.pt2"});
    QVERIFY(!button(page, "Open gone.pt2")->isEnabled());
    QVERIFY(button(page, "Open gone.pt2")->toolTip().contains("is not there any more"));
    QVERIFY(button(page, "Open there.pt2")->isEnabled());
}

void TestWelcomePage::theSnippetCanBeCopied()
{
    WelcomePage page;
    page.findChild<QToolButton*>()->click();
    const QString code = QGuiApplication::clipboard()->text();
    QVERIFY(code.startsWith("import torch\n") && code.contains("torch.export.save("));
}

void TestWelcomePage::settingAgainReplaces()
{
    WelcomePage page;
    page.setGallery({{"a", "A", "", ""}, {"b", "B", "", ""}});
    page.setGallery({{"c", "C", "", ""}});
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!button(page, "Open the example A"));
    QVERIFY(button(page, "Open the example C"));
}

void TestWelcomePage::tabGoesFromTheTopToTheBottom()
{
    WelcomePage page;
    page.setRecentFiles({QCoreApplication::applicationFilePath()});
    page.setGallery({{"/a.pt2", "A", {}, {}}, {"/b.pt2", "B", {}, {}}});
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    page.setFocus();
    QStringList walked;
    for (int i = 0; i < 6; ++i) {
        const auto* focused = qobject_cast<QAbstractButton*>(page.focusWidget());
        QVERIFY(focused);
        walked << (focused->accessibleName().isEmpty() ? focused->text() : focused->accessibleName());
        QTest::keyClick(page.focusWidget(), Qt::Key_Tab);
    }
    const QString recent = "Open " + QFileInfo(QCoreApplication::applicationFilePath()).fileName();
    QCOMPARE(walked.mid(1), (QStringList{QString::fromUtf8("New model…"), "Open the example A",
                                         "Open the example B", recent, "Copy the export code"}));
}

QTEST_MAIN(TestWelcomePage)
#include "tst_welcome_page.moc"
