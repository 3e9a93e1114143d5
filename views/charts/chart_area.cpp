#include "views/charts/chart_area.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

std::vector<AreaColumn> areaColumns(std::span<const double> edges, std::span<const double> values,
                                    double scale, double offset, int leftmost, int rightmost, Keep keep)
{
    std::vector<AreaColumn> columns;
    if (values.empty() || !(scale > 0))
        return columns;
    const auto pixelOf = [=](double x) {
        return static_cast<int>(std::lround(std::clamp(offset + scale * x, leftmost - 1.0, rightmost + 1.0)));
    };
    const double firstX = (leftmost - offset) / scale;
    const auto after = std::upper_bound(edges.begin(), edges.end(), firstX) - edges.begin();
    for (auto i = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - 1, 0)); i < values.size(); ++i) {
        if (offset + scale * edges[i] > rightmost)
            break;
        int left = std::clamp(pixelOf(edges[i]), leftmost, rightmost - 1);
        const int right = std::min(std::max(pixelOf(edges[i + 1]), left + 1), rightmost);
        if (!columns.empty() && left < columns.back().right) {
            double& kept = columns.back().value;
            if ((std::abs(values[i]) > std::abs(kept)) == (keep == Keep::Farthest))
                kept = values[i];
            left = columns.back().right;
        }
        if (left < right)
            columns.push_back({left, right, values[i]});
    }
    return columns;
}

StepArea::StepArea(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<double> edges,
                   std::vector<double> values, double base, Keep keep)
    : QCPAbstractPlottable(keyAxis, valueAxis),
      m_edges(std::move(edges)),
      m_values(std::move(values)),
      m_base(base),
      m_keep(keep)
{
    setAntialiased(false);
    setAntialiasedFill(false);
}

double StepArea::selectTest(const QPointF&, bool, QVariant*) const
{
    return -1; // the charts find ops by themselves
}

QCPRange StepArea::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = !m_values.empty();
    return found ? QCPRange(m_edges.front(), m_edges.back()) : QCPRange();
}

QCPRange StepArea::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = !m_values.empty();
    if (!found)
        return {};
    const auto [lowest, highest] = std::ranges::minmax_element(m_values);
    return {*lowest, *highest};
}

void StepArea::draw(QCPPainter* painter)
{
    const QRect clip = mKeyAxis->axisRect()->rect();
    const double offset = mKeyAxis->coordToPixel(0);
    const double scale = mKeyAxis->coordToPixel(1) - offset;
    const int base = static_cast<int>(std::lround(mValueAxis->coordToPixel(m_base)));
    const auto columns = areaColumns(m_edges, m_values, scale, offset, clip.left(), clip.right() + 1, m_keep);
    QVector<QPoint> outline;
    outline.reserve(static_cast<qsizetype>(columns.size()) * 2);
    for (std::size_t i = 0; i < columns.size();) {
        const double value = columns[i].value;
        const int left = columns[i].left;
        int right = columns[i].right;
        for (++i; i < columns.size() && columns[i].value == value && columns[i].left == right; ++i)
            right = columns[i].right;
        const int height = static_cast<int>(std::lround(mValueAxis->coordToPixel(value)));
        if (mBrush.style() != Qt::NoBrush)
            painter->fillRect(QRect(left, std::min(height, base), right - left, std::abs(base - height)),
                              mBrush);
        outline << QPoint(left, height) << QPoint(right, height);
    }
    if (mPen.style() == Qt::NoPen)
        return;
    applyDefaultAntialiasingHint(painter);
    painter->setPen(mPen);
    painter->drawPolyline(outline.constData(), static_cast<int>(outline.size()));
}

void StepArea::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const
{
    painter->fillRect(rect, mBrush);
}

QRectF labelBeside(QPointF place, QSizeF size, double stroke, const QRectF& room)
{
    QRectF label(QPointF(), size);
    label.moveCenter({place.x() + stroke * 1.5 + size.width() / 2, place.y()});
    if (label.right() > room.right())
        label.moveRight(place.x() - stroke * 1.5);
    label.moveTop(std::max(room.top(), std::min(label.top(), room.bottom() - size.height())));
    return label;
}

CutMarks::CutMarks(QCPAxis* keyAxis, QCPAxis* valueAxis, std::vector<Cut> cuts, const QColor& ground)
    : QCPAbstractPlottable(keyAxis, valueAxis), m_cuts(std::move(cuts)), m_ground(ground)
{
}

double CutMarks::selectTest(const QPointF&, bool, QVariant*) const
{
    return -1;
}

QCPRange CutMarks::getKeyRange(bool& found, QCP::SignDomain) const
{
    found = false;
    return {};
}

QCPRange CutMarks::getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const
{
    found = false;
    return {};
}

void CutMarks::draw(QCPPainter* painter)
{
    painter->setFont(m_font);
    painter->setAntialiasing(true);
    const QRect clip = mKeyAxis->axisRect()->rect();
    const double stroke = strokeOf(m_font);
    std::vector<const Cut*> cuts;
    std::vector<QRectF> taken;
    for (const Cut& cut : m_cuts) {
        const QPointF place(mKeyAxis->coordToPixel(cut.x), mValueAxis->coordToPixel(cut.value));
        if (place.x() < clip.left() || place.x() > clip.right() + 1)
            continue;
        cuts.push_back(&cut);
        taken.push_back(drawStrokes(*painter, place, stroke));
    }
    for (std::size_t i = 0; i < cuts.size(); ++i)
        if (const auto label = drawLabel(*painter, cuts[i]->label, taken[i].center(), stroke, taken))
            taken.push_back(*label);
}

double CutMarks::strokeOf(const QFont& font)
{
    return QFontMetrics(font).height() * 0.35;
}

int CutMarks::rightOf(const QString& label, const QFont& font)
{
    return QFontMetrics(font).horizontalAdvance(label) + static_cast<int>(std::ceil(strokeOf(font) * 1.5)) +
           1;
}

QRect CutMarks::clipRect() const
{
    QRect room = mKeyAxis->axisRect()->rect();
    room.setRight(mKeyAxis->axisRect()->outerRect().right());
    return room;
}

// Where they are.
QRectF CutMarks::drawStrokes(QPainter& painter, QPointF place, double stroke) const
{
    for (const double shift : {-1.5, 1.5}) {
        const QLineF line(place.x() - stroke, place.y() + shift + stroke * 0.5, place.x() + stroke,
                          place.y() + shift - stroke * 0.5);
        painter.setPen(QPen(m_ground, 3));
        painter.drawLine(line);
        painter.setPen(mPen);
        painter.drawLine(line);
    }
    return {place.x() - stroke, place.y() - stroke * 0.5 - 1.5, 2 * stroke, stroke + 3};
}

// Where it is; none where it would cover what is in `taken`.
std::optional<QRectF> CutMarks::drawLabel(QPainter& painter, const QString& text, QPointF place,
                                          double stroke, const std::vector<QRectF>& taken) const
{
    const QFontMetrics metrics(m_font);
    const QRectF label = labelBeside(place, QSizeF(metrics.horizontalAdvance(text), metrics.height()), stroke,
                                     QRectF(clipRect()).adjusted(0, m_titleHeight, 0, 0));
    if (std::ranges::any_of(taken, [&](const QRectF& other) { return other.intersects(label); }))
        return {};
    painter.fillRect(label, m_ground);
    painter.drawText(label, Qt::AlignCenter, text);
    return label;
}

void Bands::applyDefaultAntialiasingHint(QCPPainter* painter) const
{
    applyAntialiasingHint(painter, false, QCP::aeItems);
}

void Bands::draw(QCPPainter* painter)
{
    for (const QRect& band : m_bands)
        painter->fillRect(band, m_color);
}

} // namespace stagecraft
