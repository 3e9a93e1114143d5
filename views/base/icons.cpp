#include "views/base/icons.h"

#include "views/base/colors.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
#include <QPolygonF>
#include <QSvgRenderer>

#include <cmath>

// Resources of a static library are not found by themselves; the macro must stand outside any namespace.
static void loadResources()
{
    Q_INIT_RESOURCE(resources);
}

namespace stagecraft {

namespace {

void drawIcon(QPainter& painter, const QRectF& rect, const QString& name, const QColor& color)
{
    loadIcons();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return;
    QSvgRenderer renderer(file.readAll().replace("#000", color.name().toLatin1()));
    renderer.render(&painter, rect);
}

class ThemedIconEngine : public QIconEngine
{
public:
    explicit ThemedIconEngine(QString name) : m_name(std::move(name)) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override
    {
        const QPalette palette = QApplication::palette();
        const QColor text = palette.color(QPalette::Active, QPalette::ButtonText);
        const QColor faint = mixed(text, palette.color(QPalette::Active, QPalette::Window), 0.6);
        drawIcon(*painter, rect, m_name, mode == QIcon::Disabled ? faint : text);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override
    {
        QPixmap pixmap(size);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        paint(&painter, QRect(QPoint(), size), mode, state);
        return pixmap;
    }

    QIconEngine* clone() const override { return new ThemedIconEngine(m_name); }

private:
    QString m_name;
};

void paintPadlock(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const double size = rect.width();
    painter.setPen(QPen(color, size * 0.14));
    painter.setBrush(Qt::NoBrush);
    const QRectF shackle(rect.left() + size * 0.26, rect.top() + size * 0.06, size * 0.48, size * 0.7);
    painter.drawArc(shackle, 0, 180 * 16);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(
        QRectF(rect.left() + size * 0.1, rect.top() + size * 0.42, size * 0.8, size * 0.52), size * 0.1,
        size * 0.1);
}

// Two links of a chain.
void paintLink(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const double size = rect.width();
    painter.save();
    painter.translate(rect.center());
    painter.rotate(-45);
    painter.setPen(QPen(color, size * 0.13));
    painter.setBrush(Qt::NoBrush);
    for (const double x : {-0.56, -0.04})
        painter.drawRoundedRect(QRectF(x * size, -0.2 * size, 0.6 * size, 0.4 * size), 0.2 * size,
                                0.2 * size);
    painter.restore();
}

// An arrow that goes round.
void paintAgain(QPainter& painter, const QRectF& rect, const QColor& color)
{
    const double size = rect.width();
    const QRectF circle = rect.adjusted(size * 0.12, size * 0.12, -size * 0.12, -size * 0.12);
    painter.setPen(QPen(color, size * 0.15));
    painter.setBrush(Qt::NoBrush);
    painter.drawArc(circle, 60 * 16, 285 * 16);
    const QPointF tip(circle.center().x() + circle.width() * 0.62, circle.top() + circle.height() * 0.12);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF{tip + QPointF(-size * 0.42, -size * 0.14),
                                  tip + QPointF(size * 0.06, -size * 0.12),
                                  tip + QPointF(-size * 0.06, size * 0.3)});
}

} // namespace

void loadIcons()
{
    loadResources();
}

QIcon themedIcon(const QString& name)
{
    return QIcon(new ThemedIconEngine(name));
}

QPixmap iconPixmap(const QString& name, const QColor& color, int size, double devicePixelRatio)
{
    const int pixels = static_cast<int>(std::lround(size * devicePixelRatio));
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    drawIcon(painter, QRectF(0, 0, pixels, pixels), name, color);
    painter.end();
    pixmap.setDevicePixelRatio(devicePixelRatio);
    return pixmap;
}

void paintConstraintIcon(QPainter& painter, const QRectF& rect, ConstraintIcon icon, const QColor& color)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    switch (icon) {
    case ConstraintIcon::Padlock:
        paintPadlock(painter, rect, color);
        break;
    case ConstraintIcon::Link:
        paintLink(painter, rect, color);
        break;
    case ConstraintIcon::Again:
        paintAgain(painter, rect, color);
        break;
    }
    painter.restore();
}

} // namespace stagecraft
