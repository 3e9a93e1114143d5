#include "tests/views/view_test.h"
#include "views/pages/framework_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

namespace {

QPushButton* button(const QWidget& dialog, const QString& text)
{
    const auto buttons = dialog.findChildren<QPushButton*>();
    const auto found =
        std::ranges::find_if(buttons, [&](const QPushButton* one) { return one->text() == text; });
    return found == buttons.end() ? nullptr : *found;
}

} // namespace

class TestFrameworkDialog : public QObject
{
    Q_OBJECT

private slots:
    void offersEveryFramework()
    {
        const FrameworkDialog dialog;
        auto* box = dialog.findChild<QComboBox*>();
        QCOMPARE(box->count(), static_cast<int>(frameworkNames.entries.size()));
        QSignalSpy changes(&dialog, &FrameworkDialog::frameworkChanged);
        for (int i = 0; i < box->count(); ++i) {
            box->setCurrentIndex(i);
            QCOMPARE(dialog.framework(), frameworkNames.entries[static_cast<std::size_t>(i)].kind);
        }
        QCOMPARE(changes.count(), box->count() - 1);
    }

    void thePlanIsCopiedAndSaved()
    {
        FrameworkDialog dialog;
        dialog.show();
        QVERIFY(!button(dialog, "Save…")->isEnabled()); // nothing is there yet
        dialog.setText("[[\"a\"]]\n");
        QVERIFY(saidBy(dialog).contains("The plan that is open"));
        QVERIFY(!button(dialog, "Use that plan")->isVisible());
        dialog.setText("[[\"a\"]]\n", "what runs again is not in it");
        QVERIFY(saidBy(dialog).contains("what runs again is not in it"));
        QVERIFY(!button(dialog, "Use that plan")->isVisible());
        dialog.setText("a,b\r\nc,d\r\n");
        QCOMPARE(dialog.text(), QString("a,b\r\nc,d\r\n"));
        dialog.setText("[[\"a\"]]\n");
        QSignalSpy saves(&dialog, &FrameworkDialog::saveRequested);
        QTest::mouseClick(button(dialog, "Save…"), Qt::LeftButton);
        QCOMPARE(saves.count(), 1);
        QTest::mouseClick(button(dialog, "Copy"), Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString("[[\"a\"]]\n"));
    }

    void theNearestPlanIsOfferedAsSuch()
    {
        FrameworkDialog dialog;
        dialog.show();
        dialog.setNearest("--x", "megatron cannot divide 'h.1'", "the best takes 2 ms");
        QVERIFY2(saidBy(dialog).contains("megatron cannot divide 'h.1'; the best takes 2 ms."),
                 qPrintable(saidBy(dialog)));
        QVERIFY(saidBy(dialog).contains("The nearest plan, not the one that is open"));
        QCOMPARE(dialog.findChild<QPlainTextEdit*>()->toPlainText(), QString("--x"));
        QSignalSpy applied(&dialog, &FrameworkDialog::applyRequested);
        QTest::mouseClick(button(dialog, "Use that plan"), Qt::LeftButton);
        QCOMPARE(applied.count(), 1);
        dialog.setProblem("no modules");
        QVERIFY(saidBy(dialog).contains("no modules"));
        QVERIFY(!button(dialog, "Use that plan")->isVisible());
        QVERIFY(!button(dialog, "Save…")->isEnabled());
        QVERIFY(dialog.text().isEmpty());
    }

    // A name of a model's module is text, whatever it holds.
    void namesAreText()
    {
        FrameworkDialog dialog;
        dialog.setNearest("x", "cannot divide '<b>m</b>'", "costs");
        bool isThere = false;
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->text().contains("<b>m</b>")) {
                isThere = true;
                QCOMPARE(label->textFormat(), Qt::PlainText);
            }
        QVERIFY(isThere);
    }
};

QTEST_MAIN(TestFrameworkDialog)
#include "tst_framework_dialog.moc"
