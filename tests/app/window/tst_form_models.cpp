// Models that are made from forms in the window, while other things are opened and numbers turned.
#include "app/window/form_files.h"
#include "core/forms/form.h"
#include "tests/app/window/window_fixture.h"
#include "views/pages/new_model_dialog.h"
#include "views/pages/preset_search.h"
#include "views/plan/form_panel.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QCompleter>
#include <QDockWidget>
#include <QFile>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

#include <filesystem>

using namespace stagecraft;

namespace {

// Makes a small model through the dialog.
bool makeModel(const WindowFixture& f)
{
    QAction* action = nullptr;
    for (QAction* candidate : menuActions(*f.window))
        if (candidate->text() == "&New model…")
            action = candidate;
    QTimer::singleShot(0, [] {
        auto* dialog = qobject_cast<NewModelDialog*>(QApplication::activeModalWidget());
        dialog->findChild<FormPanel*>()->setForm(usualForm(*findFormFamily("mlp")));
        dialog->accept();
    });
    action->trigger();
    return f.settle();
}

QDockWidget* formDock(const WindowFixture& f)
{
    return f.window->findChild<QDockWidget*>("formDock");
}

QSpinBox* firstNumber(const WindowFixture& f)
{
    return formDock(f)->widget()->findChild<QSpinBox*>();
}

} // namespace

class TestFormModels : public QObject
{
    Q_OBJECT

private slots:
    // The model of the number before is opened just then.
    void aNumberThatIsTurnedMeanwhileStays()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        QSpinBox* box = firstNumber(f);
        const int before = box->value();
        const std::filesystem::path first = f.document().modelPath();
        auto* late = new QObject(box);
        connect(&f.document(), &Document::modelGone, late, [=] {
            box->setValue(before + 2);
            delete late;
        });
        box->setValue(before + 1);
        QTRY_VERIFY(f.document().modelPath() != first);
        const std::filesystem::path second = f.document().modelPath();
        QCOMPARE(box->value(), before + 2);
        QTRY_VERIFY(f.document().modelPath() != second);
        QVERIFY(f.document().modelPath() != first);
        QCOMPARE(box->value(), before + 2);
        QVERIFY(f.settle());
    }

    void publishedModelsAreFoundByWords()
    {
        NewModelDialog dialog;
        dialog.show();
        QSignalSpy changed(&dialog, &NewModelDialog::formChanged);
        auto* search = dialog.findChild<PresetSearch*>();
        search->setFocus();
        QTest::keyClicks(search, "70b LLAMA 2");
        QTest::keyClick(search->findChild<QCompleter*>()->popup(), Qt::Key_Return);
        QCOMPARE(dialog.form().preset, std::string("llama-2-70b"));
        QCOMPARE(changed.count(), 1);
        search->clear();
        QTest::keyClicks(search, "nothing of this name");
        QVERIFY(!search->findChild<QCompleter*>()->popup()->isVisible());
        QCOMPARE(dialog.form().preset, std::string("llama-2-70b"));
    }

    void headingsOfGroupsAreNoFamilies()
    {
        FormPanel panel;
        auto* list = panel.findChild<QComboBox*>();
        int headings = 0;
        for (int i = 0; i < list->count(); ++i) {
            const bool isHeading = !(list->model()->flags(list->model()->index(i, 0)) & Qt::ItemIsEnabled);
            QCOMPARE(isHeading, !list->itemData(i).isValid());
            headings += isHeading ? 1 : 0;
        }
        QCOMPARE(headings, 4);
        QCOMPARE(list->count() - headings, static_cast<int>(formFamilies().size()));
        QCOMPARE(list->currentText(), QString("Llama"));
    }

    // From a copy elsewhere, as on another day.
    void aFormIsThereAgainWhenItsFileIsOpenedAgain()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        const QTemporaryDir folder;
        const QString copy = folder.filePath("mine.pt2");
        QVERIFY(QFile::copy(QString::fromStdString(f.document().modelPath().string()), copy));
        const int value = firstNumber(f)->value();
        const WindowFixture other;
        QVERIFY(other.open(copy));
        QVERIFY(other.settle());
        auto* panel = other.window->findChild<FormPanel*>();
        QCOMPARE(panel->form().family, std::string("mlp"));
        QCOMPARE(firstNumber(other)->value(), value);
        QVERIFY(formDock(other)->toggleViewAction()->isVisible());
        QVERIFY(other.open(tinyModel));
        QVERIFY(QFile::exists(copy));
    }

    void aFileGivesWayToTheNext()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        const std::filesystem::path first = f.document().modelPath();
        firstNumber(f)->setValue(firstNumber(f)->value() + 1);
        QTRY_VERIFY(f.document().modelPath() != first);
        QVERIFY(f.settle());
        const std::filesystem::path second = f.document().modelPath();
        QVERIFY(!std::filesystem::exists(first));
        const QTemporaryDir folder;
        f.document().savePlan(folder.filePath("plan.stagecraft").toStdString());
        QVERIFY(f.settle());
        QVERIFY(std::filesystem::exists(f.document().planPath()));
        firstNumber(f)->setValue(firstNumber(f)->value() + 1);
        QTRY_VERIFY(f.document().modelPath() != second);
        QVERIFY(f.settle());
        QVERIFY(std::filesystem::exists(second));
    }

    void aFileStaysWhileAnotherWindowHasIt()
    {
        const QTemporaryDir folder;
        const Form form = usualForm(*findFormFamily("mlp"));
        FormFiles first(folder.path().toStdString());
        FormFiles second(folder.path().toStdString());
        std::filesystem::path path;
        for (FormFiles* files : {&first, &second}) {
            const Result<FormFile> file = writeFormFile(form, files->folder(), {});
            QVERIFY2(file.has_value(), file.has_value() ? "" : file.error().message.c_str());
            QCOMPARE(file->isNew, files == &first);
            files->add(*file);
            path = file->path;
        }
        first.leaveOnly({});
        QVERIFY(std::filesystem::exists(path));
        second.leaveOnly({}); // not its own
        QVERIFY(std::filesystem::exists(path));
        first.leaveOnly({});
        QVERIFY(!std::filesystem::exists(path));
    }

    void whatIsOpenedNextIsNotOpenedOver()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        QSpinBox* box = firstNumber(f);
        box->setValue(box->value() + 1);
        QVERIFY(f.open(tinyModel));
        QTest::qWait(1000); // the panel waits 300 ms
        QVERIFY(f.settle());
        QCOMPARE(f.document().modelPath(), std::filesystem::path(tinyModel.toStdString()));
        QVERIFY(formDock(f)->isHidden());
        QVERIFY(!formDock(f)->toggleViewAction()->isVisible());
    }

    void thePanelStaysInFrontWhileItsNumbersAreTurned()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        formDock(f)->raise();
        QTRY_VERIFY(!formDock(f)->visibleRegion().isEmpty());
        const std::filesystem::path first = f.document().modelPath();
        QSpinBox* box = firstNumber(f);
        box->setValue(box->value() + 1);
        QTRY_VERIFY(f.document().hasModel() && f.document().modelPath() != first);
        QVERIFY(f.settle());
        QTRY_VERIFY(!formDock(f)->visibleRegion().isEmpty());
    }

    // As all panels.
    void thePanelGoesAndComesWithTheOthers()
    {
        const WindowFixture f;
        QVERIFY(makeModel(f));
        QVERIFY(!formDock(f)->isHidden());
        QAction* hide = f.window->actionTable().hidePanels;
        hide->trigger();
        QVERIFY(formDock(f)->isHidden());
        hide->trigger();
        QVERIFY(!formDock(f)->isHidden());
        formDock(f)->close();
        f.window->actionTable().resetLayout->trigger();
        QVERIFY(!formDock(f)->isHidden());
    }
};

QTEST_MAIN(TestFormModels)
#include "tst_form_models.moc"
