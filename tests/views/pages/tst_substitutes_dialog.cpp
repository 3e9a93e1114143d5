// What a person says that operators cost, in the dialog for it.
#include "tests/views/pages/dialog_texts.h"
#include "views/pages/substitutes_dialog.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QtTest>

using namespace stagecraft;

namespace {

Substitute withForwardFlops(const char* text)
{
    return {.forward = {.flops = Expression::parse(text).value()}};
}

std::vector<OperatorCosts> twoOperators()
{
    OperatorCosts scan{.name = "mylib::scan", .count = 12};
    scan.operands = {{"x", TensorOperand{DType::F32, {2, 5, 16}}},
                     {"out0", TensorOperand{DType::F32, {2, 5, 16}}},
                     {"width", 12.0}};
    scan.byKind[0] = withForwardFlops("numel(out0)");
    OperatorCosts route{.name = "mylib::route", .count = 1, .said = withForwardFlops("7 * 2")};
    return {scan, route};
}

} // namespace

class TestSubstitutesDialog : public QObject
{
    Q_OBJECT

private slots:
    void namesWhatFormulasMayUse()
    {
        SubstitutesDialog dialog;
        dialog.setOperators(twoOperators());
        const QString text = saidBy(dialog).replace(QChar::Nbsp, ' ');
        QVERIFY2(text.contains("x f32[2, 5, 16]") && text.contains("width 12"), qPrintable(text));
        const auto* list = dialog.findChild<QListWidget*>();
        QCOMPARE(list->item(0)->text(), "mylib::scan · 12 ops");
        QCOMPARE(list->item(1)->text(), "mylib::route · 1 op (own)");
    }

    void aKindIsOneChoice()
    {
        SubstitutesDialog dialog;
        dialog.setOperators(twoOperators());
        auto* kind = dialog.findChild<QComboBox*>();
        QCOMPARE(kind->currentIndex(), 0);
        kind->setCurrentIndex(1);
        emit kind->activated(1);
        QCOMPARE(field(dialog, "Forward, FLOPs")->text(), "numel(out0)");
        QVERIFY2(saidBy(dialog).contains("forward 160 FLOP"), qPrintable(saidBy(dialog)));
        QCOMPARE(dialog.operators()[0].said->forward.flops->text(), std::string("numel(out0)"));
        emit kind->activated(0);
        QVERIFY(!dialog.operators()[0].said);
        QVERIFY(field(dialog, "Forward, FLOPs")->text().isEmpty());
    }

    void formulasAreHeldAgainstTheTensors()
    {
        SubstitutesDialog dialog;
        dialog.setOperators(twoOperators());
        dialog.show();
        QLineEdit* flops = field(dialog, "Forward, FLOPs");
        flops->setText("2 * numel(y)");
        QVERIFY2(saidBy(dialog).contains("there is no 'y'"), qPrintable(saidBy(dialog)));
        QVERIFY(!dialog.findChild<QListWidget*>()->isEnabled()); // one does not leave it by the way
        dialog.accept();
        QVERIFY(dialog.isVisible());
        flops->setText("2 * numel(x) * width");
        field(dialog, "Backward to inputs, Seconds")->setText("2e-5");
        QCOMPARE(dialog.findChild<QComboBox*>()->currentText(), "Formulas of your own");
        QVERIFY2(saidBy(dialog).contains("3.84 kFLOP; backward 20.0 us"), qPrintable(saidBy(dialog)));
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.operators()[0].said->backwardInput.time->text(), std::string("2e-5"));
        QCOMPARE(dialog.operators()[1].said->forward.flops->text(), std::string("7 * 2"));
    }

    // One that a file said may be wrong where nobody looks.
    void goesToTheOperatorWhoseFormulaDoesNotHold()
    {
        SubstitutesDialog dialog;
        std::vector<OperatorCosts> operators = twoOperators();
        operators[1].said = withForwardFlops("2 * numel(x)"); // it has no operands
        dialog.setOperators(operators);
        dialog.show();
        dialog.accept();
        QVERIFY(dialog.isVisible());
        QCOMPARE(dialog.findChild<QListWidget*>()->currentRow(), 1);
        QVERIFY2(saidBy(dialog).contains("there is no 'x'"), qPrintable(saidBy(dialog)));
        field(dialog, "Forward, FLOPs")->setText("14");
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
    }

    void whatDoesNotFitCannotBeChosen()
    {
        SubstitutesDialog dialog;
        dialog.setOperators(twoOperators());
        const QAbstractItemModel* kinds = dialog.findChild<QComboBox*>()->model();
        QVERIFY(kinds->flags(kinds->index(1, 0)).testFlag(Qt::ItemIsEnabled));
        QVERIFY(!kinds->flags(kinds->index(3, 0)).testFlag(Qt::ItemIsEnabled));
    }

    void saysWhereThereIsNothingToSay()
    {
        SubstitutesDialog dialog;
        dialog.setOperators({});
        QVERIFY2(saidBy(dialog).contains("All operators of this model are known"),
                 qPrintable(saidBy(dialog)));
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
    }
};

QTEST_MAIN(TestSubstitutesDialog)
#include "tst_substitutes_dialog.moc"
