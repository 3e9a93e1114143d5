// What the charts draw: curves on the main layer, boundaries, selection and crosshair on their own.
#include "views/charts/chart_plot.h"

#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/charts/chart_area.h"
#include "views/charts/chart_tickers.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr std::size_t mostSelectionBands = 100;
constexpr double cutAt = TimeScale::cutAt;

std::vector<double> slice(const std::vector<double>& values, std::size_t first, std::size_t end)
{
    return {values.begin() + static_cast<std::ptrdiff_t>(first),
            values.begin() + static_cast<std::ptrdiff_t>(end)};
}

} // namespace

QBrush ChartPlot::stageFill(std::size_t stage, double share) const
{
    const QColor color = mixed(m_theme.surface, stageColor(m_theme, StageId(stage)), share);
    return stage < 8 ? QBrush(color) : QBrush(color, stage < 16 ? Qt::Dense3Pattern : Qt::Dense4Pattern);
}

void ChartPlot::drawCurves()
{
    requestReplot(); // first: nothing below needs to repaint a layer by itself
    clearPlottables();
    const std::size_t stages = m_scale.opCount() == 0 ? 0 : m_order.boundaries.size() + 1;
    if (hasCurves())
        drawAcross();
    for (std::size_t stage = 0; stage < stages; ++stage) {
        const std::size_t first = stage == 0 ? 0 : m_order.boundaries[stage - 1];
        const std::size_t end = stage + 1 == stages ? m_scale.opCount() : m_order.boundaries[stage];
        drawMemory(stage, first, end);
        drawTime(stage, first, end);
    }
    if (hasCurves())
        markCutTimes();
    fitValues();
    layOutBoundaries();
    showTitles();
}

void ChartPlot::addSteps(ChartKind kind, std::size_t first, std::size_t end, std::vector<double> values,
                         const QPen& line, const QBrush& fill, double base)
{
    auto* area = new StepArea(rect(kind)->axis(QCPAxis::atBottom), rect(kind)->axis(QCPAxis::atLeft),
                              slice(m_scale.places, first, end + 1), std::move(values), base);
    area->setPen(line);
    area->setBrush(fill);
}

void ChartPlot::addLevel(ChartKind kind, std::size_t first, std::size_t end, double value, const QPen& pen)
{
    auto* graph = new QCPGraph(rect(kind)->axis(QCPAxis::atBottom), rect(kind)->axis(QCPAxis::atLeft));
    graph->setData({m_scale.places[first], m_scale.places[end]}, {value, value}, true);
    graph->setPen(pen);
}

void ChartPlot::drawMemory(std::size_t stage, std::size_t first, std::size_t end)
{
    const QPen line(withContrast(stageColor(m_theme, StageId(stage)), m_theme.surface, 2.2));
    const std::vector<double> held = slice(m_memory.held, first, end);
    addSteps(ChartKind::Memory, first, end, held, line, stageFill(stage, m_theme.dark ? 0.45 : 0.40));
    addSteps(ChartKind::Memory, first, end, std::vector<double>(end - first, m_memory.state[stage]),
             Qt::NoPen, stageFill(stage, m_theme.dark ? 0.75 : 0.78));
    const double limit = m_memory.limits[stage];
    const double peak = m_memory.peaks[stage];
    const QColor peakColor = peak > limit ? m_theme.danger : line.color();
    addLevel(ChartKind::Memory, first, end, peak, QPen(peakColor, 1, Qt::DashLine));
    if (!std::isfinite(limit))
        return;
    addLevel(ChartKind::Memory, first, end, limit, QPen(m_theme.danger, 1));
    std::vector<double> above = held;
    for (double& bytes : above)
        bytes = std::max(bytes, limit);
    if (peak > limit)
        addSteps(ChartKind::Memory, first, end, above, Qt::NoPen, QBrush(m_theme.danger, Qt::BDiagPattern),
                 limit);
}

void ChartPlot::drawTime(std::size_t stage, std::size_t first, std::size_t end)
{
    std::vector<double> forward;
    std::vector<double> backward;
    for (std::size_t place = first; place < end; ++place) {
        const NodeCost& cost = m_plan.profile->nodes[m_order.nodes[place]];
        forward.push_back(std::min(cost.forward.time.value(), m_times.forward * cutAt));
        backward.push_back(-std::min(cost.backward().time.value(), m_times.backward * cutAt));
    }
    const QPen line(withContrast(stageColor(m_theme, StageId(stage)), m_theme.surface, 2.2));
    addSteps(ChartKind::Time, first, end, std::move(forward), line, stageFill(stage, 0.78));
    if (m_plan.profile->options.mode == TrainingMode::Train)
        addSteps(ChartKind::Time, first, end, std::move(backward), line, stageFill(stage, 0.40));
}

// Where the strokes go: into the part of the column above all that is drawn whole.
void ChartPlot::markCutTimes()
{
    std::vector<CutMarks::Cut> cuts;
    const double strokes = (1 + cutAt) / 2;
    for (const NodeId node : m_times.cut) {
        const NodeCost& cost = m_plan.profile->nodes[node];
        const std::size_t place = m_placeOf[node];
        const double x = (m_scale.places[place] + m_scale.places[place + 1]) / 2;
        if (m_times.cutsForward(cost))
            cuts.push_back({x, m_times.forward * strokes, toText(cost.forward.time)});
        if (m_times.cutsBackward(cost))
            cuts.push_back({x, -m_times.backward * strokes, toText(cost.backward().time)});
    }
    auto* marks =
        new CutMarks(rect(ChartKind::Time)->axis(QCPAxis::atBottom),
                     rect(ChartKind::Time)->axis(QCPAxis::atLeft), std::move(cuts), m_theme.surface);
    marks->setPen(QPen(m_theme.text));
    marks->setFont(scaledFont(this, 0.8));
}

void ChartPlot::drawAcross()
{
    // Between positions there is nothing to read off, so each position's figure is held around it.
    std::vector<double> edges{0};
    for (std::size_t place = 1; place < m_scale.places.size(); ++place)
        edges.push_back((m_scale.places[place - 1] + m_scale.places[place]) / 2);
    edges.push_back(m_scale.end());
    std::vector<double> bytes;
    for (const Bytes across : m_across)
        bytes.push_back(across.asDouble());
    // Where ops are narrower than a pixel, both ends are shown: the valleys are what matters here.
    const auto add = [&](Keep keep, double share, const QPen& pen) {
        auto* area = new StepArea(rect(ChartKind::Across)->axis(QCPAxis::atBottom),
                                  rect(ChartKind::Across)->axis(QCPAxis::atLeft), edges, bytes, 0, keep);
        area->setPen(pen);
        area->setBrush(mixed(m_theme.surface, m_theme.mutedText, share));
    };
    add(Keep::Farthest, 0.16, QPen(mixed(m_theme.surface, m_theme.mutedText, 0.35)));
    add(Keep::Nearest, 0.32, QPen(m_theme.mutedText));
}

// The share of a chart's height that is not its title's.
double ChartPlot::roomForCurves(ChartKind kind) const
{
    const int height = rect(kind)->height();
    const double title = QFontMetrics(scaledFont(this, 0.9)).height() * 1.2;
    return height > 0 ? std::clamp(1 - title / height, 0.4, 0.95) : 0.8;
}

void ChartPlot::fitValues()
{
    double top = m_memory.highest;
    for (const double limit : m_memory.limits) // a limit far above is said in words instead
        if (limit < m_memory.highest * 1.6)
            top = std::max(top, limit);
    rect(ChartKind::Memory)
        ->axis(QCPAxis::atLeft)
        ->setRange(0, std::max(top, 1.0) / roomForCurves(ChartKind::Memory));
    const double beyond = m_times.cut.empty() ? 1.1 : cutAt * 1.05;
    const double down = m_times.backward * beyond;
    const double height = std::max(m_times.forward * beyond + down, 1e-9);
    rect(ChartKind::Time)
        ->axis(QCPAxis::atLeft)
        ->setRange(-down, height / roomForCurves(ChartKind::Time) - down);
    double across = 1;
    for (const Bytes bytes : m_across)
        across = std::max(across, bytes.asDouble());
    rect(ChartKind::Across)->axis(QCPAxis::atLeft)->setRange(0, across / roomForCurves(ChartKind::Across));
}

void ChartPlot::layOutBoundaries()
{
    setCurrentLayer("boundaries");
    const std::size_t wanted = hasCurves() ? m_order.boundaries.size() : 0;
    while (m_boundaryItems.size() > wanted) {
        removeItem(m_boundaryItems.back().line);
        removeItem(m_boundaryItems.back().handle);
        m_boundaryItems.pop_back();
    }
    while (m_boundaryItems.size() < wanted) {
        auto* line = new QCPItemLine(this);
        auto* handle = new QCPItemText(this);
        line->setClipToAxisRect(false);
        handle->setClipToAxisRect(false);
        handle->position->setType(QCPItemPosition::ptAbsolute);
        handle->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        handle->setPadding(QMargins(em(this, 0.35), 1, em(this, 0.35), 1));
        handle->setFont(scaledFont(this, 0.85, QFont::DemiBold));
        m_boundaryItems.push_back({line, handle});
    }
    setCurrentLayer("main");
    placeBoundaries();
}

// Puts an item that runs through all charts at x; false if x is out of sight.
static bool standUp(QCPItemLine* line, double pixel, const QRect& top, const QRect& bottom)
{
    for (QCPItemPosition* end : {line->start, line->end})
        end->setType(QCPItemPosition::ptAbsolute);
    line->start->setCoords(pixel, top.top());
    line->end->setCoords(pixel, bottom.bottom());
    const bool visible = pixel >= top.left() - 1 && pixel <= top.right() + 1;
    line->setVisible(visible);
    return visible;
}

void ChartPlot::placeBoundaries()
{
    const QRect top = m_rects.front()->rect();
    const QRect bottom = m_rects.back()->rect();
    for (std::size_t i = 0; i < m_boundaryItems.size(); ++i) {
        const bool dragged = m_gesture == Gesture::Boundary && i == m_dragged;
        const bool chosen = dragged || m_selection->boundary() == BoundaryId(i);
        const std::size_t place = m_order.boundaries[i];
        const double pixel = xToPixel(m_scale.places[place]);
        auto& [line, handle] = m_boundaryItems[i];
        line->setPen(QPen(chosen ? m_theme.accent : m_theme.text, chosen ? 2 : 1));
        handle->setVisible(standUp(line, pixel, top, bottom));
        QString text = QStringLiteral("%1|%2").arg(i + 1).arg(i + 2);
        if (dragged)
            text += "  " + toText(m_across[place]);
        handle->setText(text);
        handle->setColor(chosen ? m_theme.accentText : m_theme.text);
        handle->setBrush(chosen ? m_theme.accent : m_theme.raised);
        handle->setPen(QPen(chosen ? m_theme.accent : m_theme.border));
        const double half = QFontMetrics(handle->font()).horizontalAdvance(text) / 2.0 + em(this, 0.5);
        handle->position->setCoords(std::min(pixel, width() - m_cornerTaken - half),
                                    top.top() - em(this, 0.1));
    }
    const bool dragging = m_gesture == Gesture::Boundary && m_dragPlace != m_dragStart;
    if (!dragging || !standUp(m_ghost, xToPixel(m_scale.places[m_dragStart]), top, bottom))
        m_ghost->setVisible(false);
    refresh("boundaries");
}

void ChartPlot::drawSelection()
{
    // Runs of selected ops, in stage order; more than can be told apart are joined.
    std::vector<char> selected(m_scale.opCount() + 1);
    for (const NodeId node : m_selection->nodes())
        if (m_placeOf.contains(node) && m_placeOf[node] < m_scale.opCount())
            selected[m_placeOf[node]] = 1;
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t place = 0; place < m_scale.opCount(); ++place) {
        if (!selected[place])
            continue;
        if (!runs.empty() && (runs.back().second == place || runs.size() >= mostSelectionBands))
            runs.back().second = place + 1;
        else
            runs.emplace_back(place, place + 1);
    }
    std::vector<QRect> bands;
    const QRect top = m_rects.front()->rect();
    const int height = m_rects.back()->rect().bottom() - top.top();
    for (const auto& [first, end] : runs) {
        const double left = std::max<double>(top.left(), xToPixel(m_scale.places[first]));
        const double right = std::min<double>(top.right(), xToPixel(m_scale.places[end]));
        if (right >= top.left() && left <= top.right())
            bands.emplace_back(qRound(left), top.top(), std::max(2, qRound(right) - qRound(left)), height);
    }
    m_bands->setBands(std::move(bands));
    refresh("selection");
}

QString ChartPlot::hoverText(ChartKind kind, NodeId node, std::size_t place) const
{
    const NodeCost& cost = m_plan.profile->nodes[node];
    switch (kind) {
    case ChartKind::Memory:
        return tr("%1 · %2 held")
            .arg(shownText((*m_plan.graph)[node].name), toText(Bytes(std::llround(m_memory.held[place]))));
    case ChartKind::Time:
        return tr("forward %1 · backward %2").arg(toText(cost.forward.time), toText(cost.backward().time));
    case ChartKind::Across:
        return tr("%1 before it").arg(toText(m_across[place]));
    }
    return {};
}

void ChartPlot::drawCrosshair()
{
    const auto node = m_selection->hovered();
    const bool shown = hasCurves() && node && m_placeOf.contains(*node);
    m_crosshair->setVisible(shown);
    for (std::size_t i = 0; i < chartCount; ++i)
        m_values[i]->setVisible(shown);
    if (shown) {
        const std::size_t place = m_placeOf[*node];
        const double middle = (m_scale.places[place] + m_scale.places[place + 1]) / 2;
        standUp(m_crosshair, xToPixel(middle), m_rects.front()->rect(), m_rects.back()->rect());
        for (std::size_t i = 0; i < chartCount; ++i)
            m_values[i]->setText(hoverText(static_cast<ChartKind>(i), *node, place));
    }
    refresh("crosshair");
}

void ChartPlot::showTitles()
{
    const bool isShared = m_plan.cost && m_plan.cost->sharesDevices();
    QString memory = isShared ? tr("Memory of each stage, without others on its device")
                              : tr("Memory of each stage's device");
    double limit = std::numeric_limits<double>::infinity();
    for (const double bytes : m_memory.limits)
        limit = std::min(limit, bytes);
    if (std::isfinite(limit))
        memory += tr(", limit %1").arg(tickBytes(limit));
    const bool training = m_plan.profile && m_plan.profile->options.mode == TrainingMode::Train;
    m_titles[0]->setText(memory);
    QString time = training ? tr("Time of each op: forward up, backward down") : tr("Time of each op");
    if (!m_times.cut.empty())
        time += tr("; %1 taller than the scale cut off (//)").arg(opCountText(m_times.cut.size()));
    m_titles[1]->setText(time);
    m_titles[2]->setText(training ? tr("Bytes across a boundary, both ways, for one microbatch")
                                  : tr("Bytes across a boundary, for one microbatch"));
    for (QCPItemText* title : m_titles)
        title->setVisible(hasCurves());
    QCPAxis* bottom = m_rects.back()->axis(QCPAxis::atBottom);
    if (m_axis == ExecutionAxis::CumulativeTime)
        bottom->setTicker(QSharedPointer<QCPAxisTicker>(new SecondsTicker));
    else
        bottom->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker));
}

} // namespace stagecraft
