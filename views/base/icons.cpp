#include "views/base/icons.h"

#include "views/base/colors.h"

#include <QApplication>
#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPalette>
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

} // namespace stagecraft
