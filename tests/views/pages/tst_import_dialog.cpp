#include "views/pages/import_dialog.h"

#include "views/pages/inputs_table.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

namespace {

template <class Widget>
Widget* named(const QWidget& dialog, const QString& name)
{
    const auto all = dialog.findChildren<Widget*>();
    const auto found =
        std::ranges::find_if(all, [&](const Widget* one) { return one->accessibleName() == name; });
    return found == all.end() ? nullptr : *found;
}

QPushButton* button(const QWidget& dialog, const QString& text)
{
    for (QPushButton* one : dialog.findChildren<QPushButton*>())
        if (one->text() == text)
            return one;
    return nullptr;
}

QString saidBy(const QWidget& dialog)
{
    QStringList texts;
    for (const QLabel* label : dialog.findChildren<QLabel*>())
        if (label->isVisibleTo(&dialog))
            texts << label->text();
    return texts.join('|');
}

} // namespace

class TestImportDialog : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatIsAsked()
    {
        ImportDialog dialog;
        dialog.setOutputFolder("/tmp/models");
        QVERIFY(!button(dialog, "Import")->isEnabled());
        named<QComboBox>(dialog, "Where the model comes from")->setCurrentIndex(2);
        named<QLineEdit>(dialog, "Name of the model")->setText("resnet50");
        QVERIFY(button(dialog, "Import")->isEnabled());
        const ImportRequest request = dialog.request();
        QCOMPARE(request.source, "timm:resnet50");
        QCOMPARE(request.output, "/tmp/models/resnet50.pt2");
        QCOMPARE(request.weights, ImportRequest::Weights::AsUsual);
        QVERIFY(request.inputs.empty() && request.settings.empty() && request.dynamicSizes.empty());
    }

    void givesBackWhatItWasGiven()
    {
        ImportRequest request{.source = "train.py:make",
                              .output = "/tmp/a.pt2",
                              .python = "/usr/bin/python3",
                              .inputs = {"f32[2,3]", "ids=i64[batch=2,8]"},
                              .settings = {"depth=2", "width=4"},
                              .dynamicSizes = {"batch"},
                              .mode = ImportRequest::Mode::Evaluation,
                              .weights = ImportRequest::Weights::None};
        ImportDialog dialog;
        dialog.setRequest(request);
        const ImportRequest shown = dialog.request();
        QCOMPARE(shown.source, request.source);
        QCOMPARE(shown.output, request.output);
        QCOMPARE(shown.python, request.python);
        QCOMPARE(shown.inputs, request.inputs);
        QCOMPARE(shown.settings, request.settings);
        QCOMPARE(shown.dynamicSizes, request.dynamicSizes);
        QCOMPARE(shown.mode, request.mode);
        QCOMPARE(shown.weights, request.weights);
    }

    // Until a person names the file, it follows the model's name.
    void proposesAFile()
    {
        ImportDialog dialog;
        dialog.setOutputFolder("/tmp/models");
        auto* name = named<QLineEdit>(dialog, "Name of the model");
        name->setText("src/train.py:make model");
        QCOMPARE(dialog.request().output, "/tmp/models/make_model.pt2");
        ImportRequest request = dialog.request();
        request.output = "/tmp/mine.pt2";
        dialog.setRequest(request);
        name->setText("other.py:make");
        QCOMPARE(dialog.request().output, "/tmp/mine.pt2");
    }

    void saysThatAFileIsReplaced()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("gpt2.pt2"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        ImportDialog dialog;
        dialog.setOutputFolder(folder.path());
        QVERIFY(!saidBy(dialog).contains("replaced"));
        named<QLineEdit>(dialog, "Name of the model")->setText("gpt2");
        QVERIFY(saidBy(dialog).contains("replaced"));
    }

    void closingItCancelsWhatRuns()
    {
        ImportDialog dialog;
        const QSignalSpy cancels(&dialog, &ImportDialog::cancelRequested);
        dialog.show();
        dialog.setProgress("Tracing", 0.5);
        QVERIFY(dialog.close());
        QCOMPARE(cancels.count(), 1);
        QVERIFY(!dialog.isVisible());
    }

    void showsProgressFailureAndDetails()
    {
        ImportDialog dialog;
        named<QLineEdit>(dialog, "Name of the model")->setText("a.py:b");
        QSignalSpy cancels(&dialog, &ImportDialog::cancelRequested);
        dialog.show();
        dialog.setProgress("Tracing", 0.5);
        QVERIFY(saidBy(dialog).contains("Tracing"));
        QCOMPARE(dialog.findChild<QProgressBar*>()->value(), 500);
        dialog.setProgress("Weighing", {}); // nobody knows how long
        QCOMPARE(dialog.findChild<QProgressBar*>()->maximum(), 0);
        QVERIFY(!named<QLineEdit>(dialog, "Name of the model")->isEnabled());
        for (const QToolButton* choose : dialog.findChildren<QToolButton*>())
            QVERIFY(!choose->isEnabled());
        button(dialog, "Cancel")->click();
        QCOMPARE(cancels.count(), 1);
        QVERIFY(dialog.isVisible());
        dialog.setFailed("in <b>m.py</b>, line 3: `if x:`", "Traceback");
        QVERIFY(saidBy(dialog).contains("in <b>m.py</b>, line 3: `if x:`"));
        auto* details = dialog.findChild<QPlainTextEdit*>();
        QVERIFY(!details->isVisible());
        dialog.findChild<QCheckBox*>()->click();
        QVERIFY(details->isVisible());
        QCOMPARE(details->toPlainText(), "Traceback");
        button(dialog, "Close")->click();
        QVERIFY(!dialog.isVisible());
    }

    void tellsWhichPython()
    {
        ImportDialog dialog;
        dialog.setPython({"/usr/bin/python3", "3.11.7", "2.13.0"});
        QVERIFY(saidBy(dialog).contains("Python 3.11.7 with PyTorch 2.13.0: /usr/bin/python3"));
        dialog.setPythonProblem("PyTorch is not installed");
        QVERIFY(saidBy(dialog).contains("PyTorch is not installed"));
    }

    void alwaysHasAnEmptyRow()
    {
        InputsTable table;
        table.setInputs({"f32[2]"});
        QCOMPARE(table.rowCount(), 2);
        table.setItem(1, 1, new QTableWidgetItem("i64[3]"));
        QCOMPARE(table.rowCount(), 3);
        QCOMPARE(table.inputs(), (std::vector<std::string>{"f32[2]", "i64[3]"}));
    }
};

QTEST_MAIN(TestImportDialog)
#include "tst_import_dialog.moc"
