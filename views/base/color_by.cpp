#include "views/base/color_by.h"

#include "views/base/colors.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QLinearGradient>
#include <QPainter>

#include <algorithm>

namespace stagecraft {

QString colorByName(ColorBy colorBy)
{
    static constexpr std::array names{QT_TR_NOOP("Stage"),      QT_TR_NOOP("Time"),
                                      QT_TR_NOOP("Memory"),     QT_TR_NOOP("Operator"),
                                      QT_TR_NOOP("Data type"),  QT_TR_NOOP("Measured or estimated"),
                                      QT_TR_NOOP("Own figures")};
    return QObject::tr(names[static_cast<std::size_t>(colorBy)]);
}

ColorBySelector::ColorBySelector(QWidget* parent) : QComboBox(parent)
{
    for (const ColorBy colorBy : allColorings)
        if (colorBy != ColorBy::Own)
            addItem(colorByName(colorBy), int(colorBy));
    setAccessibleName(tr("Colour by"));
    setToolTip(tr("What the colours of the graph stand for"));
    connect(this, &QComboBox::currentIndexChanged, this, [this] { emit colorByChanged(this->colorBy()); });
}

ColorBy ColorBySelector::colorBy() const
{
    return static_cast<ColorBy>(currentData().toInt());
}

void ColorBySelector::setColorBy(ColorBy colorBy)
{
    setCurrentIndex(findData(int(colorBy)));
}

void ColorBySelector::setHasOwn(bool hasOwn)
{
    if (hasOwn == offers(ColorBy::Own))
        return;
    if (!hasOwn && colorBy() == ColorBy::Own)
        setColorBy(ColorBy::Stage);
    if (hasOwn)
        addItem(colorByName(ColorBy::Own), int(ColorBy::Own));
    else
        removeItem(findData(int(ColorBy::Own)));
    emit offersChanged();
}

Legend::Legend(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    onThemeChange(this, [this] { update(); });
}

void Legend::setKind(Kind kind, const QString& title)
{
    m_kind = kind;
    m_title = title;
    setVisible(kind != Kind::Nothing);
    setToolTip({});
    updateGeometry();
    update();
}

void Legend::setStages(std::size_t count)
{
    m_stageCount = count;
    setKind(count > 0 ? Kind::Stages : Kind::Nothing, tr("Stage"));
    setAccessibleDescription(tr("Colours stand for %1 stages").arg(count));
}

void Legend::setHeat(const QString& title, const QString& smallest, const QString& largest)
{
    m_smallest = smallest;
    m_largest = largest;
    setKind(Kind::Heat, title);
    setAccessibleDescription(tr("%1: dark is %2, bright is %3").arg(title, smallest, largest));
}

void Legend::setCategories(const QString& title, std::vector<std::pair<QString, QColor>> categories)
{
    m_categories = std::move(categories);
    setKind(m_categories.empty() ? Kind::Nothing : Kind::Categories, title);
    QStringList names;
    for (const auto& [name, color] : m_categories)
        names << name;
    setToolTip(toolTipText(names.join('\n')));
    setAccessibleDescription(title + ": " + names.join(", "));
}

QSize Legend::sizeHint() const
{
    const QFontMetrics metrics(font());
    int width = metrics.horizontalAdvance(m_title) + em(this, 1.5);
    if (m_kind == Kind::Stages)
        width += static_cast<int>(m_stageCount) * em(this, 1.35);
    if (m_kind == Kind::Heat)
        width += metrics.horizontalAdvance(m_smallest + m_largest) + em(this, 9);
    for (const auto& [name, color] : m_categories)
        if (m_kind == Kind::Categories)
            width += metrics.horizontalAdvance(name) + em(this, 1.8);
    return {width, em(this, 1.7)};
}

QSize Legend::minimumSizeHint() const
{
    return {std::min(sizeHint().width(), em(this, 12)), em(this, 1.7)};
}

void Legend::paintEvent(QPaintEvent*)
{
    const Theme theme = applicationTheme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.mutedText);
    const int title = QFontMetrics(font()).horizontalAdvance(m_title);
    const int left = em(this, 0.4);
    painter.drawText(QRect(left, 0, title + 1, height()), Qt::AlignVCenter, m_title);
    painter.translate(left + title + em(this, 0.6), 0);
    switch (m_kind) {
    case Kind::Stages:
        return paintStages(painter);
    case Kind::Heat:
        return paintHeat(painter);
    case Kind::Categories:
        return paintCategories(painter);
    case Kind::Nothing:
        return;
    }
}

void Legend::paintStages(QPainter& painter) const
{
    const Theme theme = applicationTheme();
    const double side = em(this, 1.1);
    painter.setFont(scaledFont(this, 0.85, QFont::DemiBold));
    const double room = width() - painter.transform().dx();
    const double step = em(this, 1.35);
    for (std::size_t stage = 0; stage < m_stageCount; ++stage) {
        const QRectF chip(static_cast<double>(stage) * step, (height() - side) / 2,
                          stage >= 9 ? side * 1.15 : side, side);
        if (chip.right() + step > room && stage + 1 < m_stageCount) {
            painter.setPen(theme.mutedText);
            painter.drawText(chip.adjusted(0, 0, step * 2, 0), Qt::AlignVCenter,
                             QStringLiteral("+%1").arg(m_stageCount - stage));
            return;
        }
        drawStageChip(painter, chip, theme, StageId(stage));
    }
}

void Legend::paintHeat(QPainter& painter) const
{
    const Theme theme = applicationTheme();
    const QFontMetrics metrics(font());
    painter.setPen(theme.text);
    const int smallest = metrics.horizontalAdvance(m_smallest);
    painter.drawText(QRect(0, 0, smallest + 1, height()), Qt::AlignVCenter, m_smallest);
    const QRectF bar(smallest + em(this, 0.4), height() / 2.0 - em(this, 0.3), em(this, 7), em(this, 0.6));
    QLinearGradient gradient(bar.topLeft(), bar.topRight());
    for (int step = 0; step <= 10; ++step)
        gradient.setColorAt(step / 10.0, viridis(step / 10.0));
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(bar, bar.height() / 3, bar.height() / 3);
    painter.setPen(theme.text);
    painter.drawText(
        QRectF(bar.right() + em(this, 0.4), 0, metrics.horizontalAdvance(m_largest) + 1, height()),
        Qt::AlignVCenter, m_largest);
}

void Legend::paintCategories(QPainter& painter) const
{
    const Theme theme = applicationTheme();
    const QFontMetrics metrics(font());
    const double room = width() - painter.transform().dx();
    const double side = em(this, 0.7);
    double x = 0;
    for (std::size_t i = 0; i < m_categories.size(); ++i) {
        const auto& [name, color] = m_categories[i];
        const double end = x + side + em(this, 0.3) + metrics.horizontalAdvance(name);
        if (end > room - em(this, 2) && i + 1 < m_categories.size()) {
            painter.setPen(theme.mutedText);
            painter.drawText(QRectF(x, 0, em(this, 3), height()), Qt::AlignVCenter,
                             QStringLiteral("+%1").arg(m_categories.size() - i));
            return;
        }
        painter.setPen(theme.border);
        painter.setBrush(color);
        painter.drawRoundedRect(QRectF(x, (height() - side) / 2, side, side), 2, 2);
        painter.setPen(theme.text);
        painter.drawText(QRectF(x + side + em(this, 0.3), 0, end - x, height()), Qt::AlignVCenter, name);
        x = end + em(this, 0.8);
    }
}

} // namespace stagecraft
