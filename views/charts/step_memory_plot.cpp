#include "views/charts/step_memory_plot.h"

#include "views/base/colors.h"
#include "views/base/terms.h"
#include "views/charts/chart_area.h"
#include "views/charts/plot_axes.h"

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

constexpr const char* cursorLayer = "cursor";

std::vector<MemoryCategory> allCategories()
{
    std::vector<MemoryCategory> categories;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i)
        categories.push_back(static_cast<MemoryCategory>(i));
    return categories;
}

bool isThere(const StackedMemory& memory, MemoryCategory category)
{
    return std::ranges::any_of(memory.uses, [&](const MemoryUse& use) { return use[category] > Bytes{}; });
}

QString capitalised(QString text)
{
    text[0] = text[0].toUpper();
    return text;
}

} // namespace

StepMemoryPlot::StepMemoryPlot(QWidget* parent) : QCustomPlot(parent), m_theme(applicationTheme())
{
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    axisRect()->setRangeDrag(Qt::Horizontal);
    axisRect()->setRangeZoom(Qt::Horizontal);
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new BytesTicker));
    xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new CountTicker));
    addLayer(cursorLayer, layer("main"), limAbove);
    layer(cursorLayer)->setMode(QCPLayer::lmBuffered);
    setCurrentLayer(cursorLayer);
    m_cursor = addUprightLine(this);
    setCurrentLayer("main");
    setFocusPolicy(Qt::StrongFocus);
    connect(xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this](const QCPRange& range) {
        const double end = static_cast<double>(m_memory.samples.size());
        if (end > 0 && (range.lower < 0 || range.upper > end))
            xAxis->setRange(range.bounded(0, end));
    });
}

void StepMemoryPlot::setMemory(const PlanView& plan, StackedMemory memory, Bytes limit)
{
    const bool isAsLong = memory.samples.size() == m_memory.samples.size();
    m_plan = plan;
    m_memory = std::move(memory);
    m_limit = limit;
    m_cursor->setVisible(false);
    draw();
    if (!isAsLong)
        showAll();
}

void StepMemoryPlot::applyTheme()
{
    m_theme = applicationTheme();
    draw();
}

void StepMemoryPlot::showAll()
{
    xAxis->setRange(0, std::max<double>(1, static_cast<double>(m_memory.samples.size())));
    replot(QCustomPlot::rpQueuedReplot);
}

double StepMemoryPlot::positionToPixel(std::size_t position) const
{
    return xAxis->coordToPixel(static_cast<double>(position) + 0.5);
}

std::vector<std::pair<QString, QColor>> StepMemoryPlot::bands() const
{
    std::vector<std::pair<QString, QColor>> bands;
    for (const MemoryCategory category : allCategories())
        if (isThere(m_memory, category))
            bands.emplace_back(capitalised(termText(categoryName(category))),
                               categoryColor(m_theme, static_cast<std::size_t>(category)));
    if (m_memory.others > Bytes{})
        bands.emplace_back(tr("Kept for other microbatches"), mixed(m_theme.surface, m_theme.mutedText, 0.5));
    return bands;
}

// The highest first: each covers those above it down to the axis.
void StepMemoryPlot::draw()
{
    clearPlottables();
    setBackground(m_theme.surface);
    for (QCPAxis* axis : axisRect()->axes())
        applyAxisTheme(axis, m_theme);
    m_cursor->setPen(QPen(m_theme.text, 1));
    std::vector<double> edges;
    std::vector<double> tops;
    for (std::size_t i = 0; i < m_memory.uses.size(); ++i) {
        edges.push_back(static_cast<double>(i));
        tops.push_back(m_memory.totalAt(i).asDouble());
    }
    edges.push_back(static_cast<double>(tops.size()));
    const double highest = tops.empty() ? 1 : std::max(1.0, *std::ranges::max_element(tops));
    const auto add = [&](const QColor& color) {
        auto* area = new StepArea(xAxis, yAxis, edges, tops);
        area->setPen(Qt::NoPen);
        area->setBrush(color);
    };
    if (m_memory.others > Bytes{})
        add(mixed(m_theme.surface, m_theme.mutedText, 0.5));
    for (double& top : tops)
        top -= m_memory.others.asDouble();
    std::vector<MemoryCategory> categories = allCategories();
    for (std::size_t c = categories.size(); c-- > 0;) {
        if (!isThere(m_memory, categories[c]))
            continue;
        add(categoryColor(m_theme, c));
        for (std::size_t i = 0; i < tops.size(); ++i)
            tops[i] -= m_memory.uses[i][categories[c]].asDouble();
    }
    const bool showsLimit = m_limit != Bytes::max() && m_limit.asDouble() < highest * 1.6;
    yAxis->setRange(0, std::max(highest, showsLimit ? m_limit.asDouble() : 0) * 1.12);
    drawPhases();
    if (showsLimit) {
        auto* line = new QCPGraph(xAxis, yAxis);
        line->setData({0, static_cast<double>(tops.size())}, {m_limit.asDouble(), m_limit.asDouble()}, true);
        line->setPen(QPen(m_theme.danger, 1));
    }
    replot(QCustomPlot::rpQueuedReplot);
}

// Where backward and the optimizer begin.
void StepMemoryPlot::drawPhases()
{
    while (itemCount() > 1)
        removeItem(item(itemCount() - 1));
    std::optional<Phase> before;
    for (std::size_t i = 0; i < m_memory.samples.size(); ++i) {
        const MemorySample& sample = m_plan.profile->memory.samples[m_memory.samples[i]];
        if (before == sample.phase)
            continue;
        before = sample.phase;
        auto* line = new QCPItemStraightLine(this);
        line->point1->setCoords(static_cast<double>(i), 0);
        line->point2->setCoords(static_cast<double>(i), 1);
        line->setPen(QPen(m_theme.mutedText, 1, Qt::DotLine));
        auto* text = new QCPItemText(this);
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(static_cast<double>(i), 0);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->setPadding(QMargins(em(this, 0.3), 1, em(this, 0.3), 1));
        text->setText(passText(sample.phase, false));
        text->setColor(m_theme.text);
        text->setFont(scaledFont(this, 0.9));
    }
}

std::optional<std::size_t> StepMemoryPlot::positionAt(double pixel) const
{
    const double x = xAxis->pixelToCoord(pixel);
    if (m_memory.samples.empty() ||
        !axisRect()
             ->rect()
             .adjusted(-2, 0, 2, 0)
             .contains(QPoint(static_cast<int>(pixel), axisRect()->rect().center().y())))
        return std::nullopt;
    return static_cast<std::size_t>(
        std::clamp(std::floor(x), 0.0, static_cast<double>(m_memory.samples.size() - 1)));
}

void StepMemoryPlot::pointAt(std::optional<std::size_t> position)
{
    m_cursor->setVisible(position.has_value());
    if (position)
        standUp(m_cursor, positionToPixel(*position), axisRect()->rect());
    layer(cursorLayer)->replot();
}

void StepMemoryPlot::mouseMoveEvent(QMouseEvent* event)
{
    QCustomPlot::mouseMoveEvent(event);
    const auto position = positionAt(event->position().x());
    pointAt(position);
    if (position)
        emit positionPointed(*position);
}

void StepMemoryPlot::mousePressEvent(QMouseEvent* event)
{
    QCustomPlot::mousePressEvent(event);
    m_pressedAt = event->pos();
}

// A click, not the end of a drag.
void StepMemoryPlot::mouseReleaseEvent(QMouseEvent* event)
{
    QCustomPlot::mouseReleaseEvent(event);
    const auto position = positionAt(event->position().x());
    if (position && event->button() == Qt::LeftButton && (event->pos() - m_pressedAt).manhattanLength() < 4)
        emit positionChosen(*position);
}

void StepMemoryPlot::mouseDoubleClickEvent(QMouseEvent*)
{
    showAll();
}

void StepMemoryPlot::leaveEvent(QEvent* event)
{
    QCustomPlot::leaveEvent(event);
    pointAt(std::nullopt);
    emit left();
}

void StepMemoryPlot::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    m_cursor->setVisible(false);
}

} // namespace stagecraft
