// What people expect of any window of a desktop.
#include "tests/app/window/window_fixture.h"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QScreen>
#include <QStatusBar>
#include <QTabBar>
#include <QToolButton>

using namespace stagecraft;

namespace {

// The nearest thing around it that has a name.
QString nameOfPlace(const QWidget* part)
{
    while (part->parentWidget() && part->accessibleName().isEmpty() && part->objectName().isEmpty())
        part = part->parentWidget();
    return part->accessibleName() + ' ' + part->objectName();
}

} // namespace

class TestWindowHabits : public QObject
{
    Q_OBJECT

private slots:
    // As the system finds who takes a drop: the innermost widget that does.
    void filesCanBeDroppedOnAnything()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        for (QWidget* part : f.window->findChildren<QWidget*>()) {
            if (!part->isVisible() || part->window() != f.window)
                continue;
            const QWidget* taker = part;
            while (taker && !taker->acceptDrops())
                taker = taker->parentWidget();
            QVERIFY2(taker == f.window, qPrintable(part->metaObject()->className() + QString(" ") +
                                                   part->objectName() + part->accessibleName()));
        }
    }

    void theStatusSaysWhatThePlanIsFor()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        const auto setup = [&] {
            for (const QToolButton* button : f.window->statusBar()->findChildren<QToolButton*>())
                if (button->accessibleName() == "What the plan is made for")
                    return button->text();
            return QString();
        };
        QVERIFY2(setup().contains(" × ") && setup().contains("8 microbatches"), qPrintable(setup()));
        PlanRequest request = f.document().request();
        request.plan.microbatches = 16;
        request.plan.schedule = ScheduleKind::GPipe;
        f.document().setRequest(request);
        QTRY_VERIFY2(setup().contains("16 microbatches") && setup().contains("GPipe"), qPrintable(setup()));
    }

    // A screen reader says what has the keyboard, by its name or by the text that stands on it.
    void everythingThatTakesTheKeyboardHasAName()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        QStringList nameless;
        for (const QWidget* part : f.window->findChildren<QWidget*>()) {
            const auto* button = qobject_cast<const QAbstractButton*>(part);
            const bool isPart = part->objectName().startsWith("qt_") || part->focusProxy() ||
                                qobject_cast<const QLabel*>(part) ||
                                qobject_cast<const QAbstractSpinBox*>(part->parentWidget()) ||
                                qobject_cast<const QComboBox*>(part->parentWidget());
            const bool isSpare = qobject_cast<const QTabBar*>(part) && !part->isVisible(); // Qt keeps some
            // What is typed into is part of its field; a label says its text.
            if (isSpare || part->focusPolicy() == Qt::NoFocus || part->window() != f.window || isPart)
                continue;
            if (part->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
                nameless << part->metaObject()->className() + (" in " + nameOfPlace(part));
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
    }

    void theWindowFitsItsScreen()
    {
        const WindowFixture f;
        const QSize screen = f.window->screen()->availableSize();
        MainWindow other{Environment{
            .settings = std::make_shared<QSettings>(f.folder.filePath("other.ini"), QSettings::IniFormat)}};
        QVERIFY2(other.width() <= screen.width() && other.height() < screen.height(),
                 qPrintable(QString("%1x%2").arg(other.width()).arg(other.height())));
        QVERIFY2(
            other.minimumSizeHint().width() <= 1280 && other.minimumSizeHint().height() <= 690,
            qPrintable(
                QString("%1x%2").arg(other.minimumSizeHint().width()).arg(other.minimumSizeHint().height())));
    }
};

QTEST_MAIN(TestWindowHabits)
#include "tst_window_habits.moc"
