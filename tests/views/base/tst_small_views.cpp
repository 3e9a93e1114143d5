// ProgressChip, FindField, ColorBySelector, Legend and StatisticsDialog: too small for a file each.
#include "views/base/color_by.h"
#include "views/base/colors.h"
#include "views/base/dialog_size.h"
#include "views/base/elided_label.h"
#include "views/base/find_field.h"
#include "views/base/progress_chip.h"
#include "views/base/theme.h"
#include "views/pages/statistics_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScreen>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <set>

using namespace stagecraft;

class TestSmallViews : public QObject
{
    Q_OBJECT

private slots:
    void aDialogOpensWithinItsScreen();
    void oneMoreWindowOpensWithinTheScreen();
    void elapsedTimes();
    void quickWorkShowsNoChip();
    void workOfSecondsSaysHowLongStill();
    void longWorkShowsNameShareAndCancel();
    void findCountsItsMatches();
    void findSaysWhatItTakesAsFarAsThereIsRoom();
    void findKeys();
    void selectorNamesEveryColoring();
    void legendDrawsWhatItIsGiven();
    void aStepRunsOnWhatIsChosen();
    void aLabelWithoutRoomEndsInDots();
};

void TestSmallViews::aLabelWithoutRoomEndsInDots()
{
    ElidedLabel label;
    label.setText("slowest: stage 3, 12.4 ms (6.0 % above the mean)");
    label.resize(label.sizeHint());
    QCOMPARE(label.readableText(), label.text());
    QVERIFY(label.minimumSizeHint().width() < label.sizeHint().width() / 4);
    label.resize(label.sizeHint().width() / 2, label.height());
    QVERIFY(label.readableText().endsWith(QChar(0x2026)));
    QVERIFY(label.text().startsWith(label.readableText().chopped(1)));

    const QImage half = label.grab().toImage();
    label.setText(label.readableText());
    QCOMPARE(label.grab().toImage(), half);
}

void TestSmallViews::elapsedTimes()
{
    QCOMPARE(elapsedText(0), QString("0.0 s"));
    QCOMPARE(elapsedText(830), QString("0.8 s"));
    QCOMPARE(elapsedText(12'400), QString("12 s"));
    QCOMPARE(elapsedText(185'000), QString("3 min 05 s"));
}

void TestSmallViews::quickWorkShowsNoChip()
{
    ProgressChip chip;
    chip.start("Opening");
    chip.setProgress("Opening", 0.5);
    QVERIFY(chip.isHidden());
    chip.finish();
    QTest::qWait(450);
    QVERIFY(chip.isHidden());
}

void TestSmallViews::workOfSecondsSaysHowLongStill()
{
    ProgressChip chip;
    chip.start("Measuring");
    chip.setProgress("Measuring", 0.1);
    QTRY_VERIFY(!chip.isHidden());
    QVERIFY(!chip.findChildren<QLabel*>().at(1)->text().contains("left"));
    QTest::qWait(3100);
    chip.setProgress("Measuring", 0.7); // 60 % in three seconds and a bit
    const QString text = chip.findChildren<QLabel*>().at(1)->text();
    QVERIFY2(text.contains(", about ") && text.endsWith(" s left"), qPrintable(text));
    chip.setProgress("Gradients", 0.1); // another activity, of which nothing is known yet
    QVERIFY(!chip.findChildren<QLabel*>().at(1)->text().contains("left"));
}

void TestSmallViews::longWorkShowsNameShareAndCancel()
{
    ProgressChip chip;
    QSignalSpy cancels(&chip, &ProgressChip::cancelRequested);
    chip.start("Measuring");
    QTRY_VERIFY(!chip.isHidden());
    chip.setProgress("Measuring", 0.41);
    QVERIFY(chip.findChildren<QLabel*>().first()->text().contains("41 %"));
    QCOMPARE(chip.findChild<QProgressBar*>()->value(), 410);
    chip.setProgress("Measuring", {});
    QCOMPARE(chip.findChild<QProgressBar*>()->maximum(), 0);
    chip.setProgress("Measuring", 1.0); // and it goes on
    QCOMPARE(chip.findChild<QProgressBar*>()->maximum(), 0);
    QCOMPARE(chip.findChildren<QLabel*>().first()->text(), QString("Measuring"));
    chip.findChild<QToolButton*>()->click();
    QCOMPARE(cancels.count(), 1);
    QVERIFY(chip.findChildren<QLabel*>().first()->text().startsWith("Cancelling"));
    chip.finish();
    QVERIFY(chip.isHidden() && !chip.isRunning());
}

void TestSmallViews::findCountsItsMatches()
{
    FindField field;
    QSignalSpy searches(&field, &FindField::searchChanged);
    auto* count = field.findChild<QLabel*>();
    QTest::keyClicks(&field, "lin");
    QCOMPARE(searches.count(), 3);
    field.setMatches(3, 48);
    QVERIFY(!count->isHidden());
    QCOMPARE(count->text(), QString("3 of 48"));
    field.setMatches(0, 0);
    QCOMPARE(count->text(), QString("none"));
    field.clear();
    QVERIFY(count->isHidden());
}

// At widths where the longest is whole, where a shorter one is, and where only the shortest may be cut.
void TestSmallViews::findSaysWhatItTakesAsFarAsThereIsRoom()
{
    FindField field;
    field.show();
    QStringList hints;
    for (int width = em(&field, 40); width > em(&field, 4); width -= 5) {
        field.resize(width, field.sizeHint().height());
        const QString hint = field.placeholderText();
        if (hints.isEmpty() || hints.back() != hint)
            hints << hint;
        QVERIFY(hint == "Find ops" || field.fontMetrics().horizontalAdvance(hint) < width);
    }
    QCOMPARE(hints,
             (QStringList{"Find ops: name, op:linear, time>1ms", "name, op:linear, time>1ms", "Find ops"}));
}

void TestSmallViews::findKeys()
{
    FindField field;
    QSignalSpy next(&field, &FindField::nextRequested);
    QSignalSpy previous(&field, &FindField::previousRequested);
    QSignalSpy closed(&field, &FindField::closed);
    field.setText("a");
    QTest::keyClick(&field, Qt::Key_Return);
    QTest::keyClick(&field, Qt::Key_Down);
    QTest::keyClick(&field, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(next.count(), 2);
    QCOMPARE(previous.count(), 1);
    QTest::keyClick(&field, Qt::Key_Escape);
    QCOMPARE(closed.count(), 1);
    QVERIFY(field.text().isEmpty());
}

void TestSmallViews::selectorNamesEveryColoring()
{
    ColorBySelector selector;
    QSignalSpy changes(&selector, &ColorBySelector::colorByChanged);
    QCOMPARE(selector.colorBy(), ColorBy::Stage);
    selector.setColorBy(ColorBy::Memory);
    QCOMPARE(changes.count(), 1);
    QCOMPARE(selector.colorBy(), ColorBy::Memory);
    QCOMPARE(selector.currentText(), colorByName(ColorBy::Memory));
    QVERIFY(!selector.offers(ColorBy::Own)); // before there are any
    selector.setHasOwn(true);
    selector.setColorBy(ColorBy::Own);
    QCOMPARE(selector.colorBy(), ColorBy::Own);
    selector.setHasOwn(false);
    QVERIFY(!selector.offers(ColorBy::Own));
    QCOMPARE(selector.colorBy(), ColorBy::Stage);
}

void TestSmallViews::legendDrawsWhatItIsGiven()
{
    applyTheme(*qApp, ThemeMode::Light);
    Legend legend;
    const auto colorsIn = [&legend] {
        legend.resize(600, legend.sizeHint().height());
        const QImage image = legend.grab().toImage();
        std::set<QRgb> seen;
        for (int x = 0; x < image.width(); ++x)
            for (int y = 0; y < image.height(); ++y)
                seen.insert(image.pixel(x, y));
        return seen;
    };
    legend.setStages(3);
    const Theme theme = applicationTheme();
    const auto stages = colorsIn();
    for (std::size_t stage = 0; stage < 3; ++stage)
        QVERIFY(stages.contains(stageColor(theme, StageId(stage)).rgb()));
    QVERIFY(!stages.contains(stageColor(theme, StageId(5)).rgb()));
    legend.setCategories("Kind", {{"linear", QColor(1, 200, 3)}});
    QVERIFY(colorsIn().contains(QColor(1, 200, 3).rgb()));
    QVERIFY(legend.toolTip().contains("linear"));
    legend.setHeat("Time", "1 us", "1 ms");
    QVERIFY(legend.accessibleDescription().contains("1 ms"));
    QVERIFY(colorsIn().size() > 40); // a gradient
    legend.setCategories("Kind", {});
    QVERIFY(legend.isHidden());
}

void TestSmallViews::aStepRunsOnWhatIsChosen()
{
    StatisticsDialog dialog;
    const auto choices = dialog.findChildren<QRadioButton*>();
    QCOMPARE(choices.size(), 3);
    QVERIFY(dialog.inputs().kind == StepInputs::Kind::Random);
    QVERIFY(!choices[1]->isEnabled());
    dialog.setExported(StatisticsDialog::Exported::Yes);
    QVERIFY(dialog.inputs().kind == StepInputs::Kind::Exported); // the best there is
    choices[2]->setChecked(true);
    auto* run = dialog.findChild<QDialogButtonBox*>()->buttons().last();
    for (auto* button : dialog.findChild<QDialogButtonBox*>()->buttons())
        if (button->text().contains("Run"))
            run = button;
    QVERIFY(!run->isEnabled()); // no file yet
    for (auto* line : dialog.findChildren<QLineEdit*>())
        if (line->accessibleName() == "File of inputs")
            line->setText("inputs.safetensors");
    QVERIFY(run->isEnabled());
    QVERIFY(dialog.inputs().kind == StepInputs::Kind::File);
    QCOMPARE(dialog.inputs().file, std::filesystem::path("inputs.safetensors"));
}

void TestSmallViews::aDialogOpensWithinItsScreen()
{
    QWidget dialog;
    resizeOnScreen(&dialog, {300, 200});
    QCOMPARE(dialog.size(), QSize(300, 200));
    resizeOnScreen(&dialog, {300, 90000}); // as of very large text
    QCOMPARE(dialog.width(), 300);
    QVERIFY(dialog.height() < dialog.screen()->availableSize().height());
}

void TestSmallViews::oneMoreWindowOpensWithinTheScreen()
{
    const QRect screen(100, 50, 1280, 720);
    const QPoint step(28, 28);
    const QRect small(300, 200, 400, 300);
    QCOMPARE(besideOnScreen(small, step, screen), small.translated(step));
    QCOMPARE(besideOnScreen(screen, step, screen), QRect(128, 78, 1252, 692));
    const QRect inTheCorner(980, 470, 400, 300);
    QCOMPARE(besideOnScreen(inTheCorner, step, screen), QRect(128, 78, 400, 300));
}

QTEST_MAIN(TestSmallViews)
#include "tst_small_views.moc"
