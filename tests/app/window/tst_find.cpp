// Finding ops in the window, with the keyboard and the mouse as a person does.
#include "tests/app/window/window_fixture.h"

#include "views/base/completion_list.h"
#include "views/base/find_field.h"

#include <QLabel>
#include <QSignalSpy>
#include <QToolBar>

using namespace stagecraft;

namespace {

struct Find : WindowFixture
{
    Find() : field(window->findChild<FindField*>())
    {
        if (!open(tinyModel))
            qFatal("the model does not open");
        window->activateWindow();
        QTest::keyClick(window, Qt::Key_F, Qt::ControlModifier);
        if (!QTest::qWaitFor([&] { return field->hasFocus(); }, patience))
            qFatal("the field has no focus");
    }
    CompletionList* list() const { return field->findChild<CompletionList*>(); }
    QString count() const { return field->findChild<QLabel*>()->text(); }
    Selection* selection() const { return window->views().selection; }
    void replace(const char* text) const
    {
        field->selectAll();
        QTest::keyClicks(field, text);
    }

    FindField* field;
};

} // namespace

class TestFind : public QObject
{
    Q_OBJECT

private slots:
    void keysOfTheLanguageAreOffered()
    {
        const Find f;
        QVERIFY(f.list()->isVisible());
        QCOMPARE(f.list()->item(0)->text(), QString("op:"));
        QTest::keyClick(f.field, Qt::Key_Down);
        QTest::keyClick(f.field, Qt::Key_Return);
        QCOMPARE(f.field->text(), QString("op:"));
        QVERIFY(f.list()->isVisible()); // the operators
        QTest::keyClicks(f.field, "layer");
        QTest::keyClick(f.field, Qt::Key_Tab);
        QCOMPARE(f.field->text(), QString("op:layer_norm "));
        QVERIFY(f.field->hasFocus());
        QTest::keyClick(f.field, Qt::Key_Escape);
        QVERIFY(!f.list()->isVisible());
        QCOMPARE(f.field->text(), QString("op:layer_norm ")); // the second Esc
        const QString first = f.count();
        QVERIFY2(first.startsWith("1 of "), qPrintable(first));
        QTest::keyClick(f.field, Qt::Key_Return);
        QVERIFY(f.count().startsWith("2 of "));
        QTest::keyClick(f.field, Qt::Key_Return, Qt::ShiftModifier);
        QCOMPARE(f.count(), first);
        QTest::keyClick(f.field, Qt::Key_Escape);
        QVERIFY(f.field->text().isEmpty());
        QVERIFY(!f.selection()->matches());
    }

    void aClickTakesACompletion()
    {
        const Find f;
        QTest::keyClicks(f.field, "stage:");
        QVERIFY(f.list()->isVisible());
        const QRect second = f.list()->visualItemRect(f.list()->item(1));
        QTest::mouseClick(f.list()->viewport(), Qt::LeftButton, {}, second.center());
        QCOMPARE(f.field->text(), QString("stage:2 "));
        QCOMPARE(f.selection()->matches(), nodesByStage(*f.document().state().partition)[1]);
    }

    void stagesAreFoundAgainWhenTheyChange()
    {
        const Find f;
        f.replace("stage:2");
        const auto before = f.selection()->matches();
        const auto selected = f.selection()->nodes();
        QVERIFY(before && !before->empty());
        f.document().moveBoundary(BoundaryId(0), StageDirection::Next, BoundaryStep::OnePlace);
        QVERIFY(f.selection()->matches() != before);
        QCOMPARE(f.selection()->matches(), nodesByStage(*f.document().state().partition)[1]);
        QCOMPARE(f.selection()->nodes(), selected); // nothing jumps
    }

    void boxesOpenOnlyForWhoHasStoppedTyping()
    {
        const Find f;
        QSignalSpy revealed(f.selection(), &Selection::revealRequested);
        f.replace("op:layer_norm");
        QVERIFY(!f.selection()->nodes().empty());
        QCOMPARE(revealed.size(), 0);
        QTRY_COMPARE(revealed.size(), 1); // the first match, after a pause
        f.replace("op:add");
        QTest::keyClick(f.field, Qt::Key_Return);
        QCOMPARE(revealed.size(), 2); // at once
    }

    void whatIsNoQueryIsTold()
    {
        const Find f;
        f.replace("time>");
        QCOMPARE(f.count(), QString("?"));
        QVERIFY2(f.field->toolTip().contains("write time>1ms"), qPrintable(f.field->toolTip()));
        QVERIFY(!f.selection()->matches());
        f.replace("time>0");
        QVERIFY(f.selection()->matches()->size() > 2);
        QVERIFY(f.field->toolTip().isEmpty());
        f.replace("time>1000");
        QCOMPARE(f.count(), QString("none"));
        QVERIFY(f.selection()->matches()->empty()); // all fade: nothing is found
    }

    // Where the bar has no room, something else of it gives way.
    void aLongQueryCanBeReadWhole()
    {
        const Find f;
        f.window->resize(1280, 720);
        auto* bar = qobject_cast<QToolBar*>(f.field->parentWidget());
        const auto roomForText = [&] {
            return f.field->width() - f.field->findChild<QLabel*>()->width() - f.field->height();
        };
        QTRY_COMPARE(bar->width(), 1280);
        const int before = f.field->width();
        f.replace("op:linear stage:2 time>1us kept>1");
        const int wanted = f.field->fontMetrics().horizontalAdvance(f.field->text());
        QTRY_VERIFY2(roomForText() >= wanted, qPrintable(QString("%1 of %2").arg(roomForText()).arg(wanted)));
        QVERIFY(bar->rect().contains(f.field->geometry()));
        QTest::keyClick(f.field, Qt::Key_Escape);
        QTest::keyClick(f.field, Qt::Key_Escape);
        QTRY_COMPARE(f.field->width(), before);
    }

    void whatWasMeantIsSaid()
    {
        const Find f;
        f.replace("op:layer_nrom");
        QVERIFY2(f.field->toolTip().contains("op:layer_norm"), qPrintable(f.field->toolTip()));
    }
};

QTEST_MAIN(TestFind)
#include "tst_find.moc"
