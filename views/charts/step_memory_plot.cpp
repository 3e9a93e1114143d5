#include "views/charts/step_memory_plot.h"

#include "views/base/colors.h"
#include "views/base/terms.h"
#include "views/charts/chart_area.h"
#include "views/charts/plot_axes.h"

#include <algorithm>

namespace stagecraft {

namespace {

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

// Of the room that a position has on the axis below.
double middleOf(std::size_t position)
{
    return static_cast<double>(position) + 0.5;
}

QString capitalised(QString text)
{
    text[0] = text[0].toUpper();
    return text;
}

} // namespace

StepMemoryPlot::StepMemoryPlot(QWidget* parent)
    : MemoryPlot(QSharedPointer<QCPAxisTicker>(new CountTicker), parent)
{
}

void StepMemoryPlot::setMemory(const PlanView& plan, StackedMemory memory, Bytes limit)
{
    m_plan = plan;
    m_memory = std::move(memory);
    m_limit = limit;
    const std::size_t end = m_memory.samples.size();
    setEnd(end > 0 ? std::optional(static_cast<double>(end)) : std::nullopt);
}

double StepMemoryPlot::positionToPixel(std::size_t position) const
{
    return xAxis->coordToPixel(middleOf(position));
}

std::vector<std::pair<QString, QColor>> StepMemoryPlot::bands() const
{
    std::vector<std::pair<QString, QColor>> bands;
    for (const MemoryCategory category : allCategories())
        if (isThere(m_memory, category))
            bands.emplace_back(capitalised(termText(categoryName(category))),
                               categoryColor(theme(), static_cast<std::size_t>(category)));
    if (m_memory.others > Bytes{})
        bands.emplace_back(tr("Other microbatches, run-time buffers"),
                           mixed(theme().surface, theme().mutedText, 0.5));
    return bands;
}

// The highest first: each covers those above it down to the axis.
void StepMemoryPlot::draw()
{
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
        add(mixed(theme().surface, theme().mutedText, 0.5));
    for (double& top : tops)
        top -= m_memory.others.asDouble();
    std::vector<MemoryCategory> categories = allCategories();
    for (std::size_t c = categories.size(); c-- > 0;) {
        if (!isThere(m_memory, categories[c]))
            continue;
        add(categoryColor(theme(), c));
        for (std::size_t i = 0; i < tops.size(); ++i)
            tops[i] -= m_memory.uses[i][categories[c]].asDouble();
    }
    const bool showsLimit = m_limit != Bytes::max() && m_limit.asDouble() < highest * farLimit;
    yAxis->setRange(0, std::max(highest, showsLimit ? m_limit.asDouble() : 0) * 1.12);
    drawPhases();
    if (showsLimit) {
        auto* line = new QCPGraph(xAxis, yAxis);
        line->setData({0, static_cast<double>(tops.size())}, {m_limit.asDouble(), m_limit.asDouble()}, true);
        line->setPen(QPen(theme().danger, 1));
    }
}

// Where backward and the optimizer begin.
void StepMemoryPlot::drawPhases()
{
    std::optional<Phase> before;
    for (std::size_t i = 0; i < m_memory.samples.size(); ++i) {
        const MemorySample& sample = m_plan.profile->memory.samples[m_memory.samples[i]];
        if (before == sample.phase)
            continue;
        before = sample.phase;
        auto* line = new QCPItemStraightLine(this);
        line->point1->setCoords(static_cast<double>(i), 0);
        line->point2->setCoords(static_cast<double>(i), 1);
        line->setPen(QPen(theme().mutedText, 1, Qt::DotLine));
        QCPItemText* text = addLabel(0.9);
        text->position->setTypeY(QCPItemPosition::ptAxisRectRatio);
        text->position->setCoords(static_cast<double>(i), 0);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->setText(passText(sample.phase, false));
    }
}

std::optional<std::size_t> StepMemoryPlot::positionAt(double pixel) const
{
    const std::optional<double> place = placeAt(pixel);
    if (!place)
        return std::nullopt;
    return std::min(static_cast<std::size_t>(*place), m_memory.samples.size() - 1);
}

void StepMemoryPlot::point(QPointF pixel)
{
    const auto position = positionAt(pixel.x());
    if (!position)
        return pointAt(std::nullopt);
    pointAt(middleOf(*position));
    emit positionPointed(*position);
}

void StepMemoryPlot::choose(QPointF pixel)
{
    if (const auto position = positionAt(pixel.x()))
        emit positionChosen(*position);
}

} // namespace stagecraft
