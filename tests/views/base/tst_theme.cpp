#include "views/base/theme.h"

#include "views/base/colors.h"
#include "views/base/icons.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QWidget>
#include <QtTest>

#include <set>

using namespace stagecraft;

class TestTheme : public QObject
{
    Q_OBJECT

private slots:
    void readsLightDarkAndHighContrastFromThePalette();
    void textIsReadable_data();
    void textIsReadable();
    void firstEightStagesDifferAndTheNinthIsHatched();
    void applyingAThemeChangesThePaletteOfWidgets();
    void styleSheetHasNoUnknownName();
    void iconsFollowThePalette();
};

void TestTheme::readsLightDarkAndHighContrastFromThePalette()
{
    QVERIFY(!themeOf(lightPalette()).dark);
    QVERIFY(themeOf(darkPalette()).dark);
    QVERIFY(!themeOf(lightPalette()).highContrast);
    QVERIFY(!themeOf(darkPalette()).highContrast);
    QPalette hard(Qt::white, Qt::black);
    hard.setColor(QPalette::Window, Qt::black);
    hard.setColor(QPalette::WindowText, Qt::white);
    hard.setColor(QPalette::Base, Qt::black);
    const Theme theme = themeOf(hard);
    QVERIFY(theme.dark && theme.highContrast);
    QCOMPARE(stageTint(theme, StageId(1)), theme.surface);
}

void TestTheme::textIsReadable_data()
{
    QTest::addColumn<QPalette>("palette");
    QTest::newRow("light") << lightPalette();
    QTest::newRow("dark") << darkPalette();
}

void TestTheme::textIsReadable()
{
    QFETCH(QPalette, palette);
    const Theme theme = themeOf(palette);
    for (const QColor& ground : {theme.window, theme.surface, theme.raised})
        for (const QColor& ink : {theme.text, theme.mutedText, theme.danger, theme.success})
            QVERIFY2(contrastRatio(ground, ink) >= 4.5, qPrintable(ground.name() + " " + ink.name()));
    QVERIFY(contrastRatio(theme.accent, theme.accentText) >= 4.5);
    QVERIFY(contrastRatio(theme.selection, theme.text) >= 4.5);
    for (std::size_t stage = 0; stage < 8; ++stage)
        QVERIFY(contrastRatio(stageTint(theme, StageId(stage)), theme.text) >= 4.5);
}

void TestTheme::firstEightStagesDifferAndTheNinthIsHatched()
{
    const Theme theme = themeOf(lightPalette());
    std::set<QRgb> colors;
    for (std::size_t stage = 0; stage < 8; ++stage)
        colors.insert(stageColor(theme, StageId(stage)).rgb());
    QCOMPARE(colors.size(), std::size_t{8});

    const auto colorsIn = [&theme](StageId stage) {
        QImage image(32, 32, QImage::Format_RGB32);
        QPainter painter(&image);
        fillStage(painter, QRectF(image.rect()), theme, stage);
        std::set<QRgb> seen;
        for (int x = 0; x < 32; ++x)
            for (int y = 0; y < 32; ++y)
                seen.insert(image.pixel(x, y));
        return seen.size();
    };
    QCOMPARE(colorsIn(StageId(0)), std::size_t{1});
    QVERIFY(colorsIn(StageId(8)) > 1);
}

void TestTheme::applyingAThemeChangesThePaletteOfWidgets()
{
    QWidget widget;
    widget.ensurePolished();
    applyTheme(*qApp, ThemeMode::Dark);
    QVERIFY(applicationTheme().dark);
    QTRY_VERIFY(themeOf(widget.palette()).dark);
    applyTheme(*qApp, ThemeMode::Light);
    QVERIFY(!applicationTheme().dark);
    QTRY_VERIFY(!themeOf(widget.palette()).dark);
}

void TestTheme::styleSheetHasNoUnknownName()
{
    const QString sheet = styleSheetFor(themeOf(darkPalette()));
    QVERIFY(!sheet.contains('@'));
    QVERIFY(!sheet.contains("background: ;"));
    QVERIFY(!sheet.contains("color: ;"));
    QVERIFY(!sheet.contains("#000000;")); // what an invalid colour would print
}

void TestTheme::iconsFollowThePalette()
{
    const auto brightest = [] {
        const QImage image = themedIcon("plus").pixmap(24, 24).toImage();
        return image.pixelColor(12, 12);
    };
    applyTheme(*qApp, ThemeMode::Light);
    const double onLight = luminance(brightest());
    applyTheme(*qApp, ThemeMode::Dark);
    QVERIFY(luminance(brightest()) > onLight + 0.4);
}

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
