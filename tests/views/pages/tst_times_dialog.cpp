#include "tests/views/view_test.h"
#include "views/pages/next_steps.h"
#include "views/pages/times_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestTimesDialog : public QObject
{
    Q_OBJECT

private slots:
    void theCommandIsCopied()
    {
        TimesDialog dialog;
        dialog.setCommand("python measure_model.py 'my model.pt2'");
        dialog.show();
        QVERIFY(saidBy(dialog).contains("times.json"));
        auto* copy = dialog.findChild<NextSteps*>()->findChild<QPushButton*>();
        QTest::mouseClick(copy, Qt::LeftButton);
        QCOMPARE(QApplication::clipboard()->text(), QString("python measure_model.py 'my model.pt2'"));
    }

    void aModelThatPythonCannotRunGetsNoCommand()
    {
        TimesDialog dialog;
        dialog.setCommand({});
        dialog.show();
        QVERIFY(!saidBy(dialog).contains("times.json"));
        QVERIFY(saidBy(dialog).contains("torch.profiler"));
    }

    void whatTheCommandLeavesOutIsSaid()
    {
        TimesDialog dialog;
        dialog.setCommand("python measure_model.py m.pt2");
        dialog.setNote("Save the plan first");
        dialog.show();
        QVERIFY(saidBy(dialog).contains("Save the plan first"));
        dialog.setNote({});
        QVERIFY(!saidBy(dialog).contains("Save the plan first"));
    }

    void aFileIsAskedForOnceTheDialogIsGone()
    {
        TimesDialog dialog;
        dialog.show();
        QSignalSpy requested(&dialog, &TimesDialog::fileRequested);
        auto* buttons = dialog.findChild<QDialogButtonBox*>();
        QTest::mouseClick(buttons->button(QDialogButtonBox::Cancel), Qt::LeftButton);
        QCOMPARE(requested.size(), 0);
        dialog.show();
        for (QAbstractButton* button : buttons->buttons())
            if (buttons->buttonRole(button) == QDialogButtonBox::AcceptRole)
                QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(requested.size(), 1);
        QVERIFY(!dialog.isVisible());
    }
};

QTEST_MAIN(TestTimesDialog)
#include "tst_times_dialog.moc"
