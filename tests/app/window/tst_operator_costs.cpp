// Operators that are not known: a person says what they cost, by a click or in the dialog.
#include "app/window/substitutes_controller.h"
#include "tests/app/window/window_fixture.h"
#include "views/pages/substitutes_dialog.h"

#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QUndoStack>
#include <QtTest>

using namespace stagecraft;

namespace {

const QString scanModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/custom/scan.pt2");
constexpr NodeId scan(2);
constexpr double product = 2.0 * 10 * 16 * 12;

double flopsOfScan(const WindowFixture& f)
{
    return f.document().state().profile->nodes[scan].forward.flops.value();
}

// The menu as it opens at what is selected.
QList<QAction*> choices(const WindowFixture& f)
{
    QMenu* menu = f.window->findChild<SubstitutesController*>()->menu();
    emit menu->aboutToShow();
    return menu->actions();
}

void write(const QTemporaryDir& data, const QByteArray& text)
{
    QFile file(data.filePath("substitutes.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
        qFatal("no test data");
}

QByteArray readBack(const QTemporaryDir& data)
{
    QFile file(data.filePath("substitutes.json"));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

SubstitutesDialog* shownDialog(const WindowFixture& f)
{
    f.window->actionTable().operatorCosts->trigger();
    return f.window->findChild<SubstitutesDialog*>();
}

bool isOffered(const WindowFixture& f)
{
    return f.window->findChild<SubstitutesController*>()->menu()->menuAction()->isVisible();
}

// The model of the operator, of which it is said at once that it is a matrix product.
bool opensAndSaysProduct(const WindowFixture& f)
{
    if (!f.open(scanModel))
        return false;
    f.window->views().selection->setNodes({scan});
    choices(f)[2]->trigger();
    return f.settle();
}

} // namespace

class TestOperatorCosts : public QObject
{
    Q_OBJECT

private slots:
    void oneClickSaysWhatItCosts()
    {
        const WindowFixture f;
        QVERIFY(f.open(scanModel));
        Selection* selection = f.window->views().selection;
        selection->setNodes({NodeId(1)}); // known
        QVERIFY(!isOffered(f));
        selection->setNodes({scan});
        QVERIFY(isOffered(f));
        QCOMPARE(flopsOfScan(f), 0.0);
        QVERIFY(choices(f)[0]->isChecked());
        choices(f)[2]->trigger();
        QVERIFY(f.settle());
        QCOMPARE(flopsOfScan(f), product);
        QVERIFY(choices(f)[2]->isChecked());
        QVERIFY(!choices(f)[3]->isEnabled()); // attention: it lacks a third tensor
        QCOMPARE(f.document().undoStack().undoText(), "Costs of stagecraft_test::scan");
        f.document().undoStack().undo();
        QCOMPARE(flopsOfScan(f), 0.0);
        QVERIFY(choices(f)[0]->isChecked());
        f.document().undoStack().redo();
        QCOMPARE(flopsOfScan(f), product);
        choices(f)[0]->trigger();
        QVERIFY(f.settle());
        QCOMPARE(flopsOfScan(f), 0.0);
    }

    void theDialogTakesFormulas()
    {
        const WindowFixture f;
        QVERIFY(!f.window->actionTable().operatorCosts->isEnabled());
        QVERIFY(f.open(scanModel));
        f.window->actionTable().operatorCosts->trigger();
        QPointer<SubstitutesDialog> dialog = f.window->findChild<SubstitutesDialog*>();
        QVERIFY(dialog);
        QCOMPARE(dialog->operators().size(), 1u);
        for (QLineEdit* field : dialog->findChildren<QLineEdit*>())
            if (field->accessibleName() == "Forward, FLOPs")
                field->setText("1000 * width");
        dialog->accept();
        QVERIFY(f.settle());
        QCOMPARE(flopsOfScan(f), 12000.0);
    }

    void theTickIsAtWhatWasAskedLast()
    {
        const WindowFixture f;
        QVERIFY(f.open(scanModel));
        f.window->views().selection->setNodes({scan});
        choices(f)[2]->trigger();
        QVERIFY(choices(f)[2]->isChecked()); // its profile is under way
        choices(f)[1]->trigger();
        QVERIFY(choices(f)[1]->isChecked());
        choices(f)[2]->trigger();
        PlanRequest request = f.document().asked();
        request.profile.mode = TrainingMode::Infer;
        f.document().setRequest(request);
        QVERIFY(f.settle());
        QCOMPARE(flopsOfScan(f), product);
        QCOMPARE(f.document().request().profile.mode, TrainingMode::Infer);
        QCOMPARE(f.document().undoStack().count(), 1);
    }

    void importedCostsOfOtherModelsAreTaken()
    {
        const QTemporaryDir data;
        const QTemporaryDir kept;
        write(data, R"({"operators": {"other::op": {"forward": {"flops": "7"}}}})");
        const WindowFixture f(kept.path());
        QVERIFY(f.open(scanModel));
        SubstitutesDialog* dialog = shownDialog(f);
        QVERIFY(dialog);
        emit dialog->importRequested(data.filePath("substitutes.json"));
        QCOMPARE(dialog->operators().size(), 1u);
        dialog->accept();
        QVERIFY(f.settle());
        QVERIFY(f.document().state().substitutes);
        QVERIFY(f.document().state().substitutes->find("other::op"));
        QVERIFY(readBack(kept).contains("other::op"));
    }

    void anotherModelClosesTheDialogAndItsFileDialog()
    {
        const WindowFixture f;
        QVERIFY(f.open(scanModel));
        const QPointer<SubstitutesDialog> dialog = shownDialog(f);
        QVERIFY(dialog);
        for (QPushButton* button : dialog->findChildren<QPushButton*>())
            if (button->text() == "Import…")
                button->click();
        const QPointer<QFileDialog> files = dialog->findChild<QFileDialog*>();
        QVERIFY(files);
        QVERIFY(f.open(tinyModel));
        QTRY_VERIFY(!dialog && !files);
    }

    void restoredEditsAreOfTheCostsInForce()
    {
        const QTemporaryDir data;
        {
            const WindowFixture f(data.path());
            QVERIFY(opensAndSaysProduct(f));
        }
        const WindowFixture f(data.path());
        const QSignalSpy found(&f.document(), &Document::lastSplitFound);
        QVERIFY(f.open(scanModel));
        QCOMPARE(found.size(), 1);
        const QSignalSpy noticed(&f.document(), &Document::noticed);
        f.document().restoreLastSplit();
        QVERIFY(f.settle());
        for (const QList<QVariant>& notice : noticed)
            QVERIFY2(!notice[0].toString().contains("made with costs"), qPrintable(notice[0].toString()));
    }

    void whatWasSaidHoldsForTheNextModelAndTheNextTime()
    {
        const QTemporaryDir data;
        {
            const WindowFixture f(data.path());
            QVERIFY(opensAndSaysProduct(f));
            {
                const Answers edits(QMessageBox::Discard);
                QVERIFY(f.open(tinyModel));
            }
            QVERIFY(f.open(scanModel));
            QCOMPARE(flopsOfScan(f), product);
        }
        const WindowFixture f(data.path());
        QVERIFY(f.open(scanModel));
        QCOMPARE(flopsOfScan(f), product);
    }

    void whatWasTakenBackDoesNotComeBack()
    {
        const QTemporaryDir data;
        {
            const WindowFixture f(data.path());
            QVERIFY(opensAndSaysProduct(f));
            f.document().undoStack().undo();
            const Answers edits(QMessageBox::Discard);
            QVERIFY(f.open(tinyModel));
            QVERIFY(f.open(scanModel));
            QCOMPARE(flopsOfScan(f), 0.0);
        }
        const WindowFixture f(data.path());
        QVERIFY(f.open(scanModel));
        QCOMPARE(flopsOfScan(f), 0.0);
    }

    void whatAnotherWindowSaidMeanwhileStays()
    {
        const QTemporaryDir data;
        const WindowFixture f(data.path());
        QVERIFY(f.open(scanModel));
        write(data, "{\"operators\": {\"other::op\": {\"forward\": {\"flops\": \"7\"}}}}");
        f.window->views().selection->setNodes({scan});
        choices(f)[2]->trigger();
        QVERIFY(f.settle());
        const Result<Substitutes> kept = Substitutes::read(data.filePath("substitutes.json").toStdString());
        QVERIFY(kept.has_value());
        QVERIFY(kept->find("other::op"));
        QVERIFY(kept->find("stagecraft_test::scan"));
    }

    void aFileThatCannotBeReadIsSaidAndLeftAsItIs()
    {
        const QTemporaryDir data;
        const QByteArray text = "{\"operators\": 3}";
        write(data, text);
        const WindowFixture f(data.path());
        QVERIFY(f.window->messageBar().isVisible());
        QVERIFY(f.open(scanModel));
        QCOMPARE(flopsOfScan(f), 0.0);
        f.window->views().selection->setNodes({scan});
        choices(f)[2]->trigger();
        QVERIFY(f.settle());
        QCOMPARE(flopsOfScan(f), product);
        QCOMPARE(readBack(data), text);
    }

    void aFileThatBecameUnreadableIsSaidAndLeftAsItIs()
    {
        const QTemporaryDir data;
        const WindowFixture f(data.path());
        QVERIFY(f.open(scanModel));
        const QByteArray text = "{\"operators\": 3}";
        write(data, text);
        const QSignalSpy noticed(&f.document(), &Document::noticed);
        f.window->views().selection->setNodes({scan});
        for (const int choice : {2, 0}) {
            choices(f)[choice]->trigger();
            QVERIFY(f.settle());
        }
        QCOMPARE(readBack(data), text);
        qsizetype told = 0;
        for (const QList<QVariant>& notice : noticed)
            told += notice[0].toString().startsWith("Costs of operators are not kept any more") ? 1 : 0;
        QCOMPARE(told, 1);
    }
};

QTEST_MAIN(TestOperatorCosts)
#include "tst_operator_costs.moc"
