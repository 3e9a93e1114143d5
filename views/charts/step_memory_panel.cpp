#include "views/charts/step_memory_panel.h"

#include "views/base/cell_delegate.h"
#include "views/base/color_by.h"
#include "views/base/elided_label.h"
#include "views/base/figure_change.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/charts/picture_tools.h"
#include "views/charts/stages_memory_plot.h"
#include "views/charts/step_memory_plot.h"
#include "views/tables/table_roles.h"
#include "views/tables/table_tools.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t mostStoragesShown = 12; // storages of a category
constexpr int wholeModel = -1;
constexpr int allStages = -2;

void addAliveRow(QTreeWidgetItem* parent, const MemoryRow& row)
{
    auto* item = new QTreeWidgetItem(parent);
    item->setText(0, row.name);
    item->setToolTip(0, toolTipText(row.detail.isEmpty() ? row.name : row.name + '\n' + row.detail));
    CellContent name{.note = row.detail};
    if (row.category)
        name.swatch = categoryColor(applicationTheme(), static_cast<std::size_t>(*row.category));
    else if (row.stage)
        name.swatch = stageColor(applicationTheme(), *row.stage);
    item->setData(0, cellRole, QVariant::fromValue(name));
    item->setText(1, toText(row.bytes));
    item->setData(1, valueRole, row.bytes.asDouble());
    if (row.compared) {
        CellContent bytes;
        setChange(bytes, *row.compared, row.bytes);
        item->setData(1, Qt::AccessibleTextRole, withChange(item->text(1), bytes));
        item->setData(1, cellRole, QVariant::fromValue(bytes));
    }
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    for (std::size_t i = 0; i < std::min(mostStoragesShown, row.children.size()); ++i)
        addAliveRow(item, row.children[i]);
}

} // namespace

StepMemoryPanel::StepMemoryPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_scope(new QComboBox),
      m_moment(new ElidedLabel),
      m_legend(new Legend),
      m_plot(new StepMemoryPlot),
      m_stagesPlot(new StagesMemoryPlot),
      m_alive(new QTreeWidget),
      m_empty(new QLabel(tr("What a step holds at every moment appears here once the model is profiled."))),
      m_content(new QWidget)
{
    setAccessibleName(tr("Step memory"));
    setAccessibleDescription(tr("What is alive over a whole step, by category"));
    m_scope->setAccessibleName(tr("Whose memory"));
    m_scope->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_moment->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_plot->setAccessibleName(tr("Memory over the step"));
    m_stagesPlot->setAccessibleName(tr("Memory of all stages over the step"));
    m_alive->setHeaderLabels({tr("Alive then"), tr("Bytes")});
    m_alive->setAccessibleName(tr("What is alive then"));
    m_alive->setUniformRowHeights(true);
    m_alive->setItemDelegate(new CellDelegate(m_alive));
    m_alive->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    m_alive->header()->setStretchLastSection(false);
    m_alive->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_alive->headerItem()->setData(1, unitRole, static_cast<int>(ColumnUnit::Size));
    m_alive->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_alive->setContextMenuPolicy(Qt::ActionsContextMenu);
    auto* tools = new TableTools(m_alive, tr("Alive then"), TableTools::Sorting::Fixed);
    auto* alive = new QVBoxLayout;
    alive->addWidget(m_alive, 1);
    alive->addWidget(tools->filterLine());
    m_alive->addActions(tools->actions());
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    layOut(alive);
    connectPlots();
    new PictureTools(m_plot, tr("Step memory"), [this] { return seriesCsv(m_plan, m_plot->memory()); });
    new PictureTools(m_stagesPlot, tr("Memory of all stages"),
                     [this] { return m_stages ? seriesCsv(*m_stages) : QString(); });
    setPlan({});
}

void StepMemoryPanel::layOut(QLayout* alive)
{
    auto* head = new QHBoxLayout;
    head->setContentsMargins(em(this, 0.5), em(this, 0.3), em(this, 0.5), em(this, 0.3));
    head->setSpacing(em(this, 0.8));
    head->addWidget(m_scope);
    head->addWidget(m_moment, 1);
    head->addWidget(m_legend);
    auto* body = new QHBoxLayout;
    body->setSpacing(0);
    body->addWidget(m_plot, 3);
    body->addWidget(m_stagesPlot, 3);
    body->addLayout(alive, 1);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(0);
    content->addLayout(head);
    content->addLayout(body, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_content);
}

void StepMemoryPanel::connectPlots()
{
    connect(m_scope, &QComboBox::currentIndexChanged, this, [this] {
        m_isScopeChosen = true;
        showMemory();
    });
    connect(m_plot, &StepMemoryPlot::positionPointed, this, [this](std::size_t at) { showAt(at); });
    connect(m_plot, &StepMemoryPlot::positionChosen, this, &StepMemoryPanel::selectAt);
    connect(m_plot, &StepMemoryPlot::left, this, [this] {
        if (!showsAllStages()) // one is hidden under the mouse, too
            showAt({});
    });
    connect(m_stagesPlot, &StagesMemoryPlot::timePointed, this, [this](Seconds at) { showStagesAt(at); });
    connect(m_stagesPlot, &StagesMemoryPlot::stageChosen, m_selection, &Selection::setStage);
    connect(m_stagesPlot, &StagesMemoryPlot::left, this, [this] {
        if (showsAllStages())
            showStagesAt({});
    });
    connect(m_selection, &Selection::stageChanged, m_stagesPlot,
            [this] { m_stagesPlot->setChosen(m_selection->stage()); });
    onThemeChange(this, [this] {
        m_plot->applyTheme();
        m_stagesPlot->applyTheme();
        if (!showsAllStages())
            m_legend->setCategories({}, m_plot->bands());
    });
}

void StepMemoryPanel::setPlan(const PlanView& plan)
{
    m_plan = plan;
    const bool isKnown = plan.graph && plan.profile && !plan.profile->memory.samples.empty();
    if (!isKnown) // first: the mouse leaves what is hidden, and asks what was there
        m_plot->setMemory(plan, {}, Bytes::max());
    m_stages = nullptr;
    m_comparedMemory = {};
    m_empty->setVisible(!isKnown);
    m_content->setVisible(isKnown);
    fillScopes();
    m_isStale = true;
    if (isVisible())
        showMemory();
}

void StepMemoryPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_isStale)
        showMemory();
}

// The whole model, all stages, and each stage where there are several. Until a person chooses: what a plan of
// several stages takes.
void StepMemoryPanel::fillScopes()
{
    const std::size_t stages = m_plan.partition && m_plan.cost ? m_plan.partition->stageCount : 0;
    const int wanted = 1 + (stages > 0 ? 1 : 0) + (stages > 1 ? static_cast<int>(stages) : 0);
    if (m_scope->count() == wanted)
        return;
    const QSignalBlocker quiet(m_scope);
    const QVariant shown = m_isScopeChosen ? m_scope->currentData() : stages > 1 ? allStages : wholeModel;
    m_scope->clear();
    m_scope->addItem(tr("Whole model on one device"), wholeModel);
    if (stages > 0)
        m_scope->addItem(tr("All stages over the step"), allStages);
    for (std::size_t stage = 0; stages > 1 && stage < stages; ++stage)
        m_scope->addItem(stageName(StageId(stage)), static_cast<int>(stage));
    m_scope->setCurrentIndex(std::max(0, m_scope->findData(shown)));
}

bool StepMemoryPanel::showsAllStages() const
{
    return m_scope->currentData().toInt() == allStages;
}

std::optional<StageId> StepMemoryPanel::stage() const
{
    const int stage = m_scope->currentData().toInt();
    return stage < 0 ? std::nullopt : std::optional(StageId(static_cast<std::size_t>(stage)));
}

const MemorySample& StepMemoryPanel::sampleAt(std::size_t position) const
{
    return m_plan.profile->memory.samples[m_plot->memory().samples[position]];
}

void StepMemoryPanel::showMemory()
{
    m_isStale = false;
    m_plot->setVisible(!showsAllStages());
    m_stagesPlot->setVisible(showsAllStages());
    if (showsAllStages()) {
        m_legend->setStages(m_plan.partition->stageCount);
        fitLegend();
        if (m_compared && !m_comparedStages)
            emit comparedStagesWanted();
        if (m_stages)
            return showStagesAt({});
        emit stagesWanted();
        if (!m_stages)
            setStages(nullptr); // nobody knows them
        return;
    }
    Bytes limit = m_plan.profile ? m_plan.profile->options.device.memory : Bytes::max();
    if (const auto shown = stage(); shown && m_plan.cost && m_plan.cost->stages.contains(*shown))
        limit = m_plan.cost->stages[*shown].memoryLimit;
    m_plot->setMemory(m_plan, stackedMemory(m_plan, stage()), limit);
    const std::optional<PlanView> other = comparedView();
    m_comparedMemory = other ? stackedMemory(*other, stage()) : StackedMemory();
    m_legend->setCategories({}, m_plot->bands());
    fitLegend();
    showAt({});
}

void StepMemoryPanel::setStages(std::shared_ptr<const StagesMemory> stages)
{
    m_stages = std::move(stages);
    m_stagesPlot->setMemory(m_stages);
    m_stagesPlot->setChosen(m_selection->stage());
    if (showsAllStages())
        showStagesAt({});
}

void StepMemoryPanel::showStagesAt(std::optional<Seconds> time)
{
    m_alive->clear();
    if (!m_stages) {
        m_moment->setText(tr("The step of this plan is not known yet."));
        return;
    }
    const auto& fullest = m_stages->memory[fullestStage(*m_stages).index()];
    m_moment->setText(time ? toText(*time) : peakText(*m_stages));
    std::vector<MemoryRow> rows = rowsAt(*m_stages, time.value_or(peakOf(fullest).time));
    compareStagesAt(rows, time);
    showRows(rows);
    if (m_stages->sharesDevices())
        m_alive->expandToDepth(0);
}

void StepMemoryPanel::showAt(std::optional<std::size_t> position)
{
    m_alive->clear();
    m_moment->clear();
    const StackedMemory& memory = m_plot->memory();
    const std::size_t at = position.value_or(memory.peak);
    if (at >= memory.samples.size())
        return;
    const QString moment = momentText(*m_plan.graph, sampleAt(at));
    m_moment->setText(position ? tr("%1: %2 alive").arg(moment, toText(memory.totalAt(at)))
                               : tr("Peak %2 at %1").arg(moment, toText(memory.totalAt(at))));
    std::vector<MemoryRow> rows = rowsAt(m_plan, stage(), memory, at);
    compareAt(rows, position);
    showRows(rows);
}

void StepMemoryPanel::showRows(const std::vector<MemoryRow>& rows)
{
    for (const MemoryRow& row : rows)
        addAliveRow(m_alive->invisibleRootItem(), row);
    fitBytes();
}

void StepMemoryPanel::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    m_comparedMemory = {};
    m_comparedStages = nullptr;
    m_alive->headerItem()->setToolTip(
        1, m_compared ? tr("With the difference from B at the same moment; at the peak, from B's own peak")
                      : QString());
    m_isStale = true;
    if (isVisible())
        showMemory();
}

void StepMemoryPanel::setComparedStages(std::shared_ptr<const StagesMemory> stages)
{
    m_comparedStages = std::move(stages);
}

std::optional<PlanView> StepMemoryPanel::comparedView() const
{
    if (!m_plan.graph || !comparedProfile(m_compared.get(), m_plan.graph->nodeCount()))
        return {};
    if (stage() && (!m_compared->partition || stage()->index() >= m_compared->partition->stageCount))
        return {};
    return PlanView{.graph = m_plan.graph,
                    .profile = m_compared->profile,
                    .partition = m_compared->partition,
                    .cost = m_compared->cost};
}

// Rows of the same moment; nothing where B has no such moment, as it runs other ops again.
void StepMemoryPanel::compareAt(std::vector<MemoryRow>& rows, std::optional<std::size_t> position) const
{
    const std::optional<PlanView> other = comparedView();
    if (!other)
        return;
    const std::optional<std::size_t> same =
        position
            ? samePosition(*m_plan.profile, m_plot->memory(), *position, *other->profile, m_comparedMemory)
            : std::optional(m_comparedMemory.peak);
    if (same && *same < m_comparedMemory.samples.size())
        compareRows(rows, rowsAt(*other, stage(), m_comparedMemory, *same, Lists::Whole), MemoryBy::Category);
}

void StepMemoryPanel::compareStagesAt(std::vector<MemoryRow>& rows, std::optional<Seconds> time) const
{
    if (!m_comparedStages || m_comparedStages->memory.empty())
        return;
    const auto& fullest = m_comparedStages->memory[fullestStage(*m_comparedStages).index()];
    const Seconds then = std::min(time.value_or(peakOf(fullest).time), m_comparedStages->end);
    compareRows(rows, rowsAt(*m_comparedStages, then), MemoryBy::Op); // by name alone: details are moments
}

void StepMemoryPanel::fitBytes()
{
    const QFontMetrics metrics(font());
    m_alive->header()->resizeSection(
        1, metrics.horizontalAdvance(m_compared ? "8,888 MiB  -8,888 MiB" : "8,888 MiB") + em(this, 1.2));
}

// The rows have the colours too: where there is no room beside the moment, the moment stays.
void StepMemoryPanel::fitLegend()
{
    const int wanted = m_scope->sizeHint().width() + em(this, 24) + m_legend->sizeHint().width();
    m_legend->setVisible(showsAllStages() || wanted <= width());
}

void StepMemoryPanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitLegend();
}

void StepMemoryPanel::selectAt(std::size_t position)
{
    if (const auto node = sampleAt(position).node)
        m_selection->setNodes({*node});
}

QString StepMemoryPanel::text() const
{
    return m_moment->text();
}

} // namespace stagecraft
