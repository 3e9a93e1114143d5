// Help for the panel that has the keyboard, the tour, preferences, languages; the bar in a narrow window.
#include "window_fixture.h"

#include "app/document/gallery.h"
#include "app/window/bar_overflow.h"
#include "app/window/help_commands.h"
#include "app/window/language.h"
#include "app/window/panel_help.h"
#include "app/window/preferences.h"
#include "views/pages/import_dialog.h"
#include "views/pages/tour.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QScrollArea>
#include <QSlider>
#include <QSpinBox>
#include <QStatusBar>
#include <QTextBrowser>
#include <QToolBar>
#include <QToolButton>
#include <QTranslator>
#include <QTreeView>
#include <QtTest>

#include <algorithm>

using namespace stagecraft;

namespace {

QAction* actionCalled(const MainWindow& window, const QString& start)
{
    for (QAction* action : menuActions(window))
        if (QString(action->text()).remove('&').startsWith(start))
            return action;
    return nullptr;
}

// Those of the menus themselves: submenus list names, of files, devices, schedules.
QList<QAction*> entries(const MainWindow& window)
{
    QList<QAction*> found;
    for (const QAction* menu : window.menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (!action->isSeparator() && !action->menu())
                found << action;
    return found;
}

template <class Widget>
Widget* namedField(QWidget* dialog, const QString& name)
{
    for (auto* field : dialog->findChildren<Widget*>())
        if (field->accessibleName() == name)
            return field;
    return nullptr;
}

// English again afterwards, whatever a test has spoken.
struct Spoken
{
    explicit Spoken(const QString& language) { speak(*qApp, language); }
    ~Spoken()
    {
        for (auto* translator : qApp->findChildren<QTranslator*>())
            delete translator;
    }
};

// What a label or a button needs beyond the room that it has.
QString cutText(const QWidget* widget)
{
    const auto* label = qobject_cast<const QLabel*>(widget);
    const auto* button = qobject_cast<const QToolButton*>(widget);
    const bool isText =
        (label && !label->wordWrap() && !label->text().isEmpty()) ||
        (button && !button->text().isEmpty() && button->toolButtonStyle() != Qt::ToolButtonIconOnly);
    if (!isText || !widget->isVisible() || widget->width() >= widget->minimumSizeHint().width())
        return {};
    return (label ? label->text() : button->text()) +
           QString(" has %1 of %2 pixels").arg(widget->width()).arg(widget->minimumSizeHint().width());
}

} // namespace

class TestHelpAndPreferences : public QObject
{
    Q_OBJECT

private slots:
    void numbersAreOfOneFormInEveryLanguage()
    {
        QLocale::setDefault(QLocale(QLocale::German)); // as a German desktop has it
        {
            const Spoken german("de");
            QDoubleSpinBox box;
            box.setRange(0, 1e6);
            box.setGroupSeparatorShown(true);
            box.setValue(4096.5);
            QCOMPARE(box.text(), "4,096.50"); // as toText(Bytes) has its decimals
        }
        QLocale::setDefault(QLocale::system());
    }

    void theGallerySpeaksTheLanguage()
    {
        const Spoken german("de");
        const auto cards = galleryCards(STAGECRAFT_RESOURCES);
        QVERIFY(cards.has_value() && cards->size() > 1);
        QVERIFY2(cards->front().details.endsWith(" M Parameter, ohne Gewichte"),
                 qPrintable(cards->front().details));
        QCOMPARE(cards->back().subtitle, "Kleiner Transformer");
    }

    void everyPanelExplainsItself()
    {
        const WindowFixture f;
        for (const QDockWidget* dock : f.window->findChildren<QDockWidget*>()) {
            QWidget* view = dock->widget();
            if (auto* area = qobject_cast<QScrollArea*>(view)) // several in one
                view = area->widget()->findChild<QWidget*>({}, Qt::FindDirectChildrenOnly);
            QVERIFY2(view && !panelHelp(view).isEmpty(), qPrintable(dock->windowTitle()));
        }
        QVERIFY(panelHelp(f.window->views().graph->viewport()).contains("<h3>Graph</h3>"));
    }

    void theHelpKeyKnowsThePanel()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->activateWindow();
        f.window->views().stages->focusWidget();
        for (const auto& [view, title] : {std::pair<QWidget*, QString>(f.window->views().graph, "Graph"),
                                          std::pair<QWidget*, QString>(f.window->views().code, "Code")}) {
            f.window->activateWindow();
            QWidget* taker = view->focusProxy() ? view->focusProxy() : view;
            if (taker->focusPolicy() == Qt::NoFocus)
                for (QWidget* part : view->findChildren<QWidget*>())
                    if (part->focusPolicy() != Qt::NoFocus && part->isVisible())
                        taker = part;
            taker->setFocus();
            QTRY_VERIFY(view->isAncestorOf(QApplication::focusWidget()) || view->hasFocus());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_F1);
            QTextBrowser* shown = nullptr;
            QTRY_VERIFY((shown = namedField<QTextBrowser>(f.window, "What this panel is for")));
            QVERIFY2(shown->toPlainText().startsWith(title), qPrintable(shown->toPlainText()));
            delete shown->window();
        }
    }

    void theWindowMayGoDuringTheTour()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        actionCalled(*f.window, "Tour")->trigger();
        QPointer<Tour> tour;
        QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
        QCoreApplication::processEvents(); // it is placed, above its shade
        delete f.window.data();
        QVERIFY(!tour);
    }

    // Whatever panel comes to the front meanwhile: the window is dimmed no longer than there is a way out.
    void theTourStaysInFront()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        actionCalled(*f.window, "Tour")->trigger();
        QPointer<Tour> tour;
        QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
        const auto isInFront = [&] {
            for (const QPoint at : {tour->rect().center(), tour->rect().topLeft() + QPoint(9, 9),
                                    tour->rect().bottomRight() - QPoint(9, 9)}) {
                const QWidget* there = f.window->childAt(tour->mapTo(f.window.data(), at));
                if (there != tour && !tour->isAncestorOf(there))
                    return false;
            }
            return true;
        };
        QString before;
        for (int step = 1; step <= 3; ++step) {
            QTRY_VERIFY(isInFront());
            QVERIFY(tour->accessibleDescription() != before);
            before = tour->accessibleDescription();
            for (QTabBar* tabs : f.window->findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
                for (int tab = 0; tab < tabs->count(); ++tab) {
                    QTest::mouseClick(tabs, Qt::LeftButton, {}, tabs->tabRect(tab).center());
                    QCoreApplication::processEvents();
                    QVERIFY2(isInFront(), qPrintable(tabs->tabText(tab)));
                    QVERIFY(QRect(QPoint(), f.window->size()).contains(tour->geometry()));
                    QVERIFY(tour->x() > f.window->width() / 8); // not where a hidden panel would be
                }
            const QString text = step < 3 ? "Next" : "Done";
            const auto buttons = tour->findChildren<QPushButton*>();
            const auto next = std::ranges::find_if(buttons, [&](const QPushButton* button) {
                return button->text() == text && button->isVisible();
            });
            QVERIFY(next != buttons.end());
            QTest::mouseClick(*next, Qt::LeftButton);
        }
        QTRY_VERIFY(!tour);
    }

    void theTourIsOfferedOnce()
    {
        const WindowFixture f;
        f.window->offerTour();
        QVERIFY(!f.window->findChild<Tour*>()); // there is nothing to see yet
        QVERIFY(f.open(tinyModel));
        QPointer<Tour> tour;
        QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
        QVERIFY(QTest::qWaitForWindowActive(f.window)); // whose key it is
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(!tour);
        f.window->offerTour();
        QVERIFY(f.open(tinyModel));
        QVERIFY(!f.window->findChild<Tour*>());
        actionCalled(*f.window, "Tour")->trigger(); // whoever asks sees it again
        QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
        QTest::keyClick(tour, Qt::Key_Escape);
        QTRY_VERIFY(!tour);
    }

    // The window stays usable during the tour: a click into it takes the keyboard away from the card.
    void escEndsTheTourFromAnywhere()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        for (QWidget* place : {static_cast<QWidget*>(f.window->views().graph),
                               static_cast<QWidget*>(f.window->views().stages->findChild<QTreeView*>())}) {
            actionCalled(*f.window, "Tour")->trigger();
            QPointer<Tour> tour;
            QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
            f.window->activateWindow();
            place->setFocus(Qt::MouseFocusReason);
            QTRY_VERIFY(!tour->isAncestorOf(QApplication::focusWidget()));
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Escape);
            QTRY_VERIFY(!tour);
        }
    }

    // As in a dialog, which the card looks like.
    void returnGoesThroughTheTour()
    {
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->activateWindow();
        actionCalled(*f.window, "Tour")->trigger();
        QPointer<Tour> tour;
        QTRY_VERIFY((tour = f.window->findChild<Tour*>()));
        for (const bool isLast : {false, false, true}) {
            QTRY_VERIFY(tour->isAncestorOf(QApplication::focusWidget()));
            const QString before = tour->accessibleDescription();
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
            if (!isLast)
                QVERIFY(tour->accessibleDescription() != before);
        }
        QTRY_VERIFY(!tour);
    }

    void preferencesAreKeptAndHold()
    {
        const WindowFixture f;
        QAction* action = actionCalled(*f.window, "Preferences");
        QVERIFY(action);
        action->trigger();
        auto* dialog = f.window->findChild<PreferencesDialog*>();
        QVERIFY(dialog);
        const QString first = namedField<QComboBox>(dialog, "Device")->itemText(2);
        namedField<QComboBox>(dialog, "Theme")->setCurrentText("Dark");
        namedField<QComboBox>(dialog, "Language")->setCurrentText("Deutsch");
        namedField<QComboBox>(dialog, "Text size")->setCurrentText("125 %");
        namedField<QComboBox>(dialog, "Device")->setCurrentIndex(2);
        namedField<QSpinBox>(dialog, "Stages")->setValue(3);
        namedField<QSpinBox>(dialog, "Microbatches")->setValue(6);
        namedField<QDoubleSpinBox>(dialog, "Search for at most")->setValue(0.5);
        namedField<QLineEdit>(dialog, "Python")->setText("/opt/torch/bin/python");
        namedField<QCheckBox>(dialog, "At a start")->setChecked(true);
        dialog->accept();
        const PlanRequest& request = f.document().request();
        QCOMPARE(request.plan.stageCount, std::size_t{3});
        QCOMPARE(request.plan.microbatches, std::size_t{6});
        QCOMPARE(request.plan.timeLimit.value(), 0.5);
        QCOMPARE(QString::fromStdString(request.device),
                 QString::fromStdString(f.document().devices()[2].id));
        QVERIFY(themeOf(QApplication::palette()).dark);
        f.window->actionTable().themes[0]->trigger();

        const QSettings settings(f.folder.filePath("settings.ini"), QSettings::IniFormat);
        const Preferences read = readPreferences(settings, Seconds(3));
        QCOMPARE(read.language, "de");
        QCOMPARE(read.textSize, 125);
        QCOMPARE(read.stages, 3);
        QVERIFY(read.goesOn && settings.value("restoreSession").toBool());
        actionCalled(*f.window, "Import from Python")->trigger(); // which it holds for at once
        auto* import = f.window->findChild<ImportDialog*>();
        QVERIFY(import);
        const auto fields = import->findChildren<QLineEdit*>();
        QVERIFY(std::ranges::any_of(
            fields, [](const QLineEdit* field) { return field->text() == "/opt/torch/bin/python"; }));
        import->reject();
        QVERIFY(f.open(tinyModel));
        QCOMPARE(f.document().state().partition->stageCount, std::size_t{3});
    }

    void preferencesAreReadWhole_data()
    {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "de", "zh"})
            QTest::newRow(language) << language;
    }
    void preferencesAreReadWhole()
    {
        QFETCH(const QString, language);
        const Spoken spoken(language);
        PreferencesDialog dialog(languages(), {}, {}, nullptr);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            QVERIFY2(label->height() >= label->heightForWidth(label->width()),
                     qPrintable(QString("%1 of %2: %3")
                                    .arg(label->height())
                                    .arg(label->heightForWidth(label->width()))
                                    .arg(label->text())));
    }

    void settingsThatMakeNoSenseAreAsNone()
    {
        const QTemporaryDir folder;
        QSettings settings(folder.filePath("settings.ini"), QSettings::IniFormat);
        for (const char* key : {"stages", "microbatches", "searchTime", "textSize"})
            settings.setValue(key, "many");
        settings.setValue("device", "no such device");
        const Preferences read = readPreferences(settings, Seconds(2));
        QCOMPARE(read, (Preferences{.device = "no such device", .searchTime = 2}));
        const std::vector<DeviceSpec> devices =
            readDevices(std::filesystem::path(STAGECRAFT_RESOURCES) / "devices").value();
        QCOMPARE(preferredRequest(read, devices).device, devices.front().id);
    }

    void whatHasNoRoomInTheBarIsInItsMenu_data()
    {
        QTest::addColumn<int>("width");
        for (const int width : {1600, 1366, 1280, 1000, 800})
            QTest::newRow(qPrintable(QString::number(width))) << width;
    }
    void whatHasNoRoomInTheBarIsInItsMenu()
    {
        QFETCH(const int, width);
        const WindowFixture f;
        QVERIFY(f.open(tinyModel));
        f.window->resize(width, 720);
        auto* bar = f.window->findChild<QToolBar*>("bar");
        auto* overflow = bar->findChild<BarOverflow*>();
        QTRY_COMPARE(bar->width(), f.window->width());
        QTest::qWait(50);
        auto* extension = bar->findChild<QToolButton*>("qt_toolbar_ext_button");
        if (f.window->width() >= 1280) // in a narrower one a second row may open
            QVERIFY2(!extension || !extension->isVisible(), "Qt's own extension shows");
        QMenu* menu = overflow->button()->menu();
        emit menu->aboutToShow();
        QTRY_COMPARE(overflow->button()->isVisible(), overflow->hiddenCount() > 0);
        QCOMPARE(!menu->isEmpty(), overflow->hiddenCount() > 0);
        const bool hasDetail =
            f.window->findChild<QSlider*>() && namedField<QSlider>(bar, "Detail")->isVisible();
        QCOMPARE(hasDetail, overflow->hiddenCount() == 0); // goes first
        if (overflow->hiddenCount() == 0)
            return;
        const int before = namedField<QSlider>(bar, "Detail")->value();
        for (QAction* action : menu->actions())
            if (action->text() == "More detail")
                action->trigger();
        QCOMPARE(namedField<QSlider>(bar, "Detail")->value(), before + 1);
    }

    void buttonsOfTheBarLookAsUsableAsTheyAre()
    {
        const WindowFixture f;
        const auto* bar = f.window->findChild<QToolBar*>("bar");
        const auto compare = [&] {
            for (const QToolButton* button : bar->findChildren<QToolButton*>(Qt::FindDirectChildrenOnly))
                if (const QAction* action = button->defaultAction(); action && button->isVisible())
                    QCOMPARE(button->isEnabled(), action->isEnabled());
        };
        compare();
        QVERIFY(f.open(tinyModel));
        compare();
        f.window->resize(850, 720);
        QTest::qWait(50);
        f.window->resize(1900, 900);
        QTest::qWait(50);
        compare();
    }

    void theBarFitsAgainWhenTheWindowGrows()
    {
        const WindowFixture f;
        auto* overflow = f.window->findChild<QToolBar*>("bar")->findChild<BarOverflow*>();
        f.window->resize(850, 720);
        QTRY_VERIFY(overflow->hiddenCount() > 0);
        f.window->resize(1900, 900);
        QTRY_COMPARE(overflow->hiddenCount(), std::size_t{0});
    }

    void theMenusSpeak_data()
    {
        QTest::addColumn<QString>("language");
        QTest::addColumn<QStringList>("menus");
        QTest::newRow("German") << "de" << QStringList{"Datei",   "Bearbeiten",  "Ansicht", "Stufen",
                                                       "Analyse", "Vergleichen", "Fenster", "Hilfe"};
        QTest::newRow("Chinese") << "zh" << QStringList{"文件(F)", "编辑(E)", "视图(V)", "阶段(S)",
                                                        "分析(A)", "比较(C)", "窗口(W)", "帮助(H)"};
        QTest::newRow("English") << "en" << QStringList{"File",    "Edit",    "View",   "Stages",
                                                        "Analyse", "Compare", "Window", "Help"};
    }

    // Each text is another than in English, unless it is the same word; none is cut off.
    void theMenusSpeak()
    {
        QFETCH(const QString, language);
        QFETCH(const QStringList, menus);
        QStringList english;
        {
            const WindowFixture f;
            for (const QAction* action : entries(*f.window))
                english << action->text();
        }
        const Spoken spoken(language);
        const WindowFixture f;
        QStringList said;
        for (const QAction* menu : f.window->menuBar()->actions())
            said << QString(menu->text()).remove('&');
        QCOMPARE(said, menus);
        QStringList equal;
        for (const QAction* action : entries(*f.window))
            if (english.contains(action->text()) && action->text().contains(QRegularExpression("[a-z]{3}")))
                equal << action->text();
        equal.removeAll("Plan");
        equal.removeAll("Code");
        equal.removeAll("Details");
        if (language != "en")
            QVERIFY2(equal.size() <= 6,
                     qPrintable("packaging/translate.py tells what lacks: " + equal.join(", ")));
        QVERIFY(f.open(tinyModel));
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
            f.window->resize(size);
            QTest::qWait(20);
            for (const QWidget* part : f.window->findChild<QToolBar*>("bar")->findChildren<QWidget*>())
                QVERIFY2(cutText(part).isEmpty(), qPrintable(cutText(part)));
        }
    }

    void noMenuUsesALetterTwice_data()
    {
        QTest::addColumn<QString>("language");
        for (const char* language : {"en", "de", "zh"})
            QTest::newRow(language) << language;
    }
    void noMenuUsesALetterTwice()
    {
        QFETCH(const QString, language);
        const Spoken spoken(language);
        const WindowFixture f;
        for (const QAction* menu : f.window->menuBar()->actions()) {
            if (menu->menu()->actions().size() > 26) // Stages: there are not so many letters
                continue;
            QMap<QChar, QString> letters;
            for (const QAction* action : menu->menu()->actions()) {
                const qsizetype at = action->text().indexOf('&');
                if (at < 0 || action->text().mid(at + 1, 1) == "&")
                    continue;
                const QChar letter = action->text().at(at + 1).toLower();
                QVERIFY2(!letters.contains(letter), qPrintable(letters[letter] + " and " + action->text()));
                letters[letter] = action->text();
            }
        }
    }
};

QTEST_MAIN(TestHelpAndPreferences)
#include "tst_help_and_preferences.moc"
