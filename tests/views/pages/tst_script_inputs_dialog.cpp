// What is asked before a file opens: the inputs of a script, and which of several programs.
#include "tests/views/pages/dialog_texts.h"
#include "views/pages/program_dialog.h"
#include "views/pages/script_inputs_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QtTest>

using namespace stagecraft;

namespace {

const std::vector<ScriptArgument> arguments{
    {"x", {InputType::Kind::Tensor, "Tensor"}},
    {"mask", {InputType::Kind::Optional, "Optional[Tensor]", {{InputType::Kind::Tensor, "Tensor"}}}, true}};

} // namespace

class TestScriptInputsDialog : public QObject
{
    Q_OBJECT

private slots:
    void opensOnlyWithInputsThatFit()
    {
        ScriptInputsDialog dialog;
        dialog.setQuestion("classifier.pt", arguments, {}, false);
        QVERIFY(saidBy(dialog).contains("classifier.pt is TorchScript"));
        QVERIFY(saidBy(dialog).contains("Optional[Tensor], may be left out"));
        dialog.show();
        dialog.accept();
        QVERIFY(dialog.isVisible());
        QVERIFY2(saidBy(dialog).contains("say what it is"), qPrintable(saidBy(dialog)));
        QCOMPARE(dialog.focusWidget(), field(dialog, "x"));
        field(dialog, "x")->setText("f32[8,3");
        QVERIFY2(field(dialog, "x")->accessibleDescription().contains("']' is missing"),
                 qPrintable(saidBy(dialog)));
        field(dialog, "x")->setText("f32[8,3]");
        QCOMPARE(field(dialog, "x")->accessibleDescription(), QString("Tensor"));
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QCOMPARE(dialog.inputs(), (std::vector<std::string>{"x=f32[8,3]"}));
    }

    void goesOnFromWhatWasSaidBefore()
    {
        ScriptInputsDialog dialog;
        dialog.setQuestion("classifier.pt", arguments, {"f32[2]", "3"}, false);
        QVERIFY(field(dialog, "mask")->accessibleDescription().contains("is to be Optional[Tensor]"));
        field(dialog, "mask")->setText("none");
        QCOMPARE(dialog.inputs(), (std::vector<std::string>{"x=f32[2]", "mask=none"}));
    }

    void ofATracedFileAllMayBeLeftEmpty()
    {
        ScriptInputsDialog dialog;
        dialog.setQuestion("traced.pt", arguments, {}, true);
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Accepted));
        QVERIFY(dialog.inputs().empty());
        field(dialog, "mask")->setText("none"); // then the others count, too
        dialog.setResult(QDialog::Rejected);
        dialog.accept();
        QCOMPARE(dialog.result(), int(QDialog::Rejected));
    }

    void oneOfSeveralPrograms()
    {
        ProgramDialog dialog;
        dialog.setQuestion("package.pt2", {"encoder", "decoder"}, "decoder");
        QCOMPARE(dialog.program(), std::string("decoder"));
        dialog.findChild<QListWidget*>()->setCurrentRow(0);
        QCOMPARE(dialog.program(), std::string("encoder"));
        dialog.setQuestion("package.pt2", {"encoder", "decoder"}, "");
        QCOMPARE(dialog.program(), std::string("encoder"));
    }
};

QTEST_MAIN(TestScriptInputsDialog)
#include "tst_script_inputs_dialog.moc"
