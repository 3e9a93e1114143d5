#include "views/charts/chart_boundaries.h"

#include "views/base/format.h"
#include "views/charts/plot_axes.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr double grabDistance = 6;    // pixels
constexpr double magnetDistance = 12; // pixels

} // namespace

ChartBoundaries::ChartBoundaries(QCustomPlot* plot, const char* layer, QCPAxis* key, ChartData& data)
    : m_plot(plot), m_layer(layer), m_key(key), m_data(data)
{
    plot->setCurrentLayer(layer);
    m_ghost = addUprightLine(plot);
    plot->setCurrentLayer("main");
}

void ChartBoundaries::setTheme(const Theme& theme)
{
    m_theme = theme;
    m_ghost->setPen(QPen(m_theme.mutedText, 1, Qt::DashLine));
}

double ChartBoundaries::pixelOf(std::size_t place) const
{
    return m_key->coordToPixel(m_data.scale.places[place]);
}

std::size_t ChartBoundaries::placeAt(double pixel) const
{
    return m_data.scale.nearestPlace(m_key->pixelToCoord(pixel));
}

void ChartBoundaries::layOut()
{
    const std::size_t wanted = m_data.hasCurves() ? m_data.order.boundaries.size() : 0;
    dropLines(m_lines, wanted);
    m_plot->setCurrentLayer(m_layer);
    while (m_lines.size() < wanted)
        m_lines.push_back(addLine());
    layOutOthers();
    m_plot->setCurrentLayer("main");
}

ChartBoundaries::Line ChartBoundaries::addLine()
{
    auto* line = addUprightLine(m_plot); // below its handle
    auto* handle = new QCPItemText(m_plot);
    handle->setClipToAxisRect(false);
    handle->position->setType(QCPItemPosition::ptAbsolute);
    handle->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
    handle->setPadding(QMargins(em(m_plot, 0.35), 1, em(m_plot, 0.35), 1));
    handle->setFont(scaledFont(m_plot, 0.85, QFont::DemiBold));
    return {line, handle};
}

void ChartBoundaries::dropLines(std::vector<Line>& lines, std::size_t wanted)
{
    for (; lines.size() > wanted; lines.pop_back()) {
        m_plot->removeItem(lines.back().line);
        m_plot->removeItem(lines.back().handle);
    }
}

void ChartBoundaries::layOutOthers()
{
    const bool isOfModel = m_other && m_other->stageOf.size() == m_data.order.nodes.size();
    m_otherPlaces = isOfModel && m_data.hasCurves() ? placedBoundaries(*m_other, m_data.order.nodes)
                                                    : Table<BoundaryId, PlacedBoundary>();
    dropLines(m_otherLines, m_otherPlaces.size());
    while (m_otherLines.size() < m_otherPlaces.size())
        m_otherLines.push_back(addLine());
}

// At the foot, where no handle of the plan itself is.
void ChartBoundaries::placeOthers()
{
    QPen dashes(m_theme.accent, 1.4);
    dashes.setDashPattern({5, 4});
    for (std::size_t i = 0; i < m_otherLines.size(); ++i) {
        const double pixel = pixelOf(m_otherPlaces[BoundaryId(i)].position);
        auto& [line, handle] = m_otherLines[i];
        line->setPen(dashes);
        handle->setVisible(standUp(line, pixel, m_charts));
        handle->setText(QStringLiteral("B %1|%2").arg(i + 1).arg(i + 2));
        handle->setColor(m_theme.text);
        handle->setBrush(m_theme.surface);
        handle->setPen(QPen(m_theme.accent));
        handle->position->setCoords(pixel, m_charts.bottom() - em(m_plot, 0.1));
    }
}

void ChartBoundaries::place(const QRect& charts, std::optional<BoundaryId> chosen)
{
    m_charts = charts;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const bool isDragged = m_drag && m_drag->boundary == BoundaryId(i);
        const bool isChosen = isDragged || chosen == BoundaryId(i);
        const std::size_t place = m_data.order.boundaries[i];
        const double pixel = pixelOf(place);
        auto& [line, handle] = m_lines[i];
        line->setPen(QPen(isChosen ? m_theme.accent : m_theme.text, isChosen ? 2 : 1));
        handle->setVisible(standUp(line, pixel, charts));
        QString text = QStringLiteral("%1|%2").arg(i + 1).arg(i + 2);
        if (isDragged)
            text += "  " + toText(m_data.across[place]);
        handle->setText(text);
        handle->setColor(isChosen ? m_theme.accentText : m_theme.text);
        handle->setBrush(isChosen ? m_theme.accent : m_theme.raised);
        handle->setPen(QPen(isChosen ? m_theme.accent : m_theme.border));
        const double half = QFontMetrics(handle->font()).horizontalAdvance(text) / 2.0 + em(m_plot, 0.5);
        handle->position->setCoords(std::min(pixel, m_plot->width() - m_cornerTaken - half),
                                    charts.top() - em(m_plot, 0.1));
    }
    hideBehindDragged();
    placeOthers();
    if (m_drag && m_drag->place != m_drag->start)
        standUp(m_ghost, pixelOf(m_drag->start), charts);
    else
        m_ghost->setVisible(false);
}

// What a drag comes to is read there.
void ChartBoundaries::hideBehindDragged()
{
    if (!m_drag)
        return;
    const auto halfOf = [this](const QCPItemText* handle) {
        return QFontMetrics(handle->font()).horizontalAdvance(handle->text()) / 2.0 + em(m_plot, 0.4);
    };
    const QCPItemText* dragged = m_lines[m_drag->boundary.index()].handle;
    for (const auto& [line, handle] : m_lines)
        if (handle != dragged && std::abs(handle->position->coords().x() - dragged->position->coords().x()) <
                                     halfOf(handle) + halfOf(dragged))
            handle->setVisible(false);
}

std::optional<BoundaryId> ChartBoundaries::at(QPointF position) const
{
    std::optional<BoundaryId> nearest;
    double best = grabDistance;
    for (std::size_t i = 0; i < m_lines.size(); ++i) {
        const double distance = std::abs(position.x() - pixelOf(m_data.order.boundaries[i]));
        const QCPItemText* handle = m_lines[i].handle;
        const bool isOnHandle = handle->visible() && position.y() < m_charts.top() &&
                                position.x() >= handle->topLeft->pixelPosition().x() &&
                                position.x() <= handle->bottomRight->pixelPosition().x();
        if (distance <= best || (isOnHandle && !nearest)) {
            nearest = BoundaryId(i);
            best = std::min(best, distance);
        }
    }
    return nearest;
}

void ChartBoundaries::startDrag(BoundaryId boundary)
{
    if (const auto& constraints = m_data.plan.constraints; constraints && constraints->locks(boundary))
        return;
    const std::size_t place = m_data.order.boundaries[boundary.index()];
    m_drag = Move{boundary, place, place};
}

bool ChartBoundaries::dragTo(double pixel, Magnet magnet)
{
    const auto [first, last] = placesFor(m_data.order, m_drag->boundary.index());
    std::size_t place = std::clamp(placeAt(pixel), first, last);
    if (magnet == Magnet::On)
        place = valleyNear(m_data.across, place, std::clamp(placeAt(pixel - magnetDistance), first, place),
                           std::clamp(placeAt(pixel + magnetDistance), place, last));
    if (place == m_drag->place)
        return false;
    m_drag->place = place;
    // The line follows at once; what the plan becomes by that is told later.
    m_data.order.boundaries[m_drag->boundary.index()] = place;
    return true;
}

ChartBoundaries::Move ChartBoundaries::drop()
{
    return *std::exchange(m_drag, std::nullopt);
}

void ChartBoundaries::abortDrag()
{
    const Move move = drop();
    m_data.order.boundaries[move.boundary.index()] = move.start;
}

} // namespace stagecraft
