#include "views/charts/stages_memory_plot.h"

#include "views/base/colors.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/charts/plot_axes.h"

#include <QToolTip>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace stagecraft {

namespace {

constexpr std::size_t colorCount = 8;
constexpr double labelScale = 0.85;

// Stages of one colour are told apart by their strokes.
Qt::PenStyle strokeOf(StageId stage)
{
    static constexpr std::array styles{Qt::SolidLine, Qt::DotLine, Qt::DashDotLine, Qt::DashDotDotLine};
    return styles[stage.index() / colorCount % styles.size()];
}

} // namespace

StagesMemoryPlot::StagesMemoryPlot(QWidget* parent)
    : MemoryPlot(QSharedPointer<QCPAxisTicker>(new SecondsTicker), parent)
{
}

void StagesMemoryPlot::setMemory(std::shared_ptr<const StagesMemory> memory)
{
    m_memory = std::move(memory);
    setEnd(m_memory ? std::optional(m_memory->end.value()) : std::nullopt);
}

void StagesMemoryPlot::setChosen(std::optional<StageId> stage)
{
    if (m_chosen == stage)
        return;
    m_chosen = stage;
    redraw();
}

void StagesMemoryPlot::draw()
{
    if (!m_memory)
        return;
    if (m_memory->sharesDevices()) {
        std::ranges::for_each(m_memory->devices, [this](const auto& device) { drawDevice(device); });
        QCPItemText* label = addLabel(labelScale);
        label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        label->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        label->position->setCoords(0, 0);
        label->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setText(tr("dashed: what the stages of a device hold together"));
    }
    for (std::size_t stage = 0; stage < m_memory->stages.size(); ++stage)
        if (m_chosen != StageId(stage))
            drawStage(StageId(stage));
    if (m_chosen && m_chosen->index() < m_memory->stages.size()) // above the others
        drawStage(*m_chosen);
    drawLimits(m_memory->highest());
}

void StagesMemoryPlot::drawStage(StageId stage)
{
    QVector<double> times;
    QVector<double> bytes;
    const std::vector<StageMoment>& moments = m_memory->memory[stage.index()];
    for (std::size_t i = 0; i < moments.size(); ++i) {
        const bool isDip = i + 1 < moments.size() && moments[i + 1].time == moments[i].time &&
                           moments[i + 1].bytes >= moments[i].bytes; // for no time at all
        if (isDip)
            continue;
        times << moments[i].time.value();
        bytes << moments[i].bytes.asDouble();
    }
    const QColor color = withContrast(stageColor(theme(), stage), theme().surface, 2.2);
    drawSteps(times, bytes, QPen(color, m_chosen == stage ? 3 : 1.5, strokeOf(stage)));
}

void StagesMemoryPlot::drawDevice(const StagesMemory::Device& device)
{
    QVector<double> times;
    QVector<double> bytes;
    for (const MemoryStep& step : device.memory) {
        times << step.time.value();
        bytes << step.bytes.asDouble();
    }
    drawSteps(times, bytes, QPen(theme().mutedText, 1, Qt::DashLine));
}

void StagesMemoryPlot::drawSteps(QVector<double> times, QVector<double> bytes, const QPen& pen)
{
    times << m_memory->end.value();
    bytes << bytes.back();
    auto* curve = new QCPGraph(xAxis, yAxis);
    curve->setLineStyle(QCPGraph::lsStepLeft);
    curve->setData(times, bytes, true);
    curve->setPen(pen);
}

void StagesMemoryPlot::drawLimits(Bytes highest)
{
    std::map<Bytes, std::vector<StageId>> stagesOf;
    for (const auto& [stages, limit, memory] : m_memory->devices)
        if (limit != Bytes::max() && limit.asDouble() < highest.asDouble() * farLimit)
            stagesOf[limit].insert(stagesOf[limit].end(), stages.begin(), stages.end());
    const double top =
        std::max(highest.asDouble(), stagesOf.empty() ? 0 : stagesOf.rbegin()->first.asDouble());
    yAxis->setRange(0, std::max(1.0, top) * (stagesOf.empty() ? 1.12 : 1.2));
    for (auto& [limit, stages] : stagesOf) {
        auto* line = new QCPGraph(xAxis, yAxis);
        line->setData({0, m_memory->end.value()}, {limit.asDouble(), limit.asDouble()}, true);
        line->setPen(QPen(theme().danger, 1));
        QCPItemText* label = addLabel(labelScale);
        label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        label->position->setTypeY(QCPItemPosition::ptPlotCoords);
        label->position->setCoords(1, limit.asDouble());
        label->setPositionAlignment(Qt::AlignRight | Qt::AlignBottom);
        std::ranges::sort(stages);
        label->setText(stages.size() == m_memory->stages.size()
                           ? tr("Limit %1").arg(toText(limit))
                           : tr("Limit of %1: %2").arg(stagesTerm(stages), toText(limit)));
    }
}

std::optional<Seconds> StagesMemoryPlot::timeAt(QPointF pixel) const
{
    const std::optional<double> place = placeAt(pixel.x());
    return place ? std::optional(Seconds(*place)) : std::nullopt;
}

StageId StagesMemoryPlot::nearestStage(QPointF pixel) const
{
    const Seconds time = *timeAt(pixel);
    const auto away = [&](std::size_t stage) {
        const Bytes held = momentAt(m_memory->memory[stage], time).bytes;
        return std::abs(yAxis->coordToPixel(held.asDouble()) - pixel.y());
    };
    std::size_t nearest = 0;
    for (std::size_t stage = 1; stage < m_memory->stages.size(); ++stage)
        if (away(stage) < away(nearest))
            nearest = stage;
    return StageId(nearest);
}

bool StagesMemoryPlot::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QCustomPlot::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto time = timeAt(help->pos()))
        QToolTip::showText(help->globalPos(), toolTipText(heldText(*m_memory, *time)), this);
    else
        QToolTip::hideText();
    return true;
}

void StagesMemoryPlot::point(QPointF pixel)
{
    pointAt(placeAt(pixel.x()));
    if (const auto time = timeAt(pixel))
        emit timePointed(*time);
}

void StagesMemoryPlot::choose(QPointF pixel)
{
    if (timeAt(pixel))
        emit stageChosen(nearestStage(pixel));
}

} // namespace stagecraft
