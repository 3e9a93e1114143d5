#include "views/charts/memory_panel.h"

#include "core/profile/memory/live_memory.h"
#include "views/base/figure_change.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"
#include "views/base/widgets.h"
#include "views/tables/table_tools.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

enum Column { NameColumn, BytesColumn, ShareColumn };

constexpr int nodesRole = Qt::UserRole + 10; // QVariantList of node indexes

QString onDevice(const DeviceMemory& memory)
{
    return QObject::tr("allocated %1, reserved %2, on the device %3")
        .arg(toText(memory.allocated), toText(memory.reserved), toText(memory.total));
}

void showChange(QTreeWidgetItem* item, Bytes from, Bytes to)
{
    CellContent content;
    setChange(content, from, to);
    item->setData(BytesColumn, cellRole, QVariant::fromValue(content));
    item->setData(BytesColumn, Qt::AccessibleTextRole, withChange(toText(to), content));
    item->setToolTip(BytesColumn, QObject::tr("Here %1, in B %2").arg(toText(to), toText(from)));
}

// The colour of a category, the same everywhere.
QColor colorOf(MemoryCategory category)
{
    return categoryColor(applicationTheme(), static_cast<std::size_t>(category));
}

} // namespace

// One bar, a part a category of memory, with the limit of the device.
class MemoryPanel::MemoryBar : public QWidget
{
public:
    explicit MemoryBar(QWidget* parent = nullptr);

    // The bar's full length is the larger of what is used and `limit`.
    void setUse(const MemoryUse& use, Bytes limit);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    std::optional<MemoryCategory> categoryAt(int x) const;
    double lengthOf(Bytes bytes) const;

    MemoryUse m_use;
    Bytes m_limit;
};

MemoryPanel::MemoryBar::MemoryBar(QWidget* parent) : QWidget(parent)
{
    setAccessibleName(tr("Memory at the peak by category"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MemoryPanel::MemoryBar::setUse(const MemoryUse& use, Bytes limit)
{
    m_use = use;
    m_limit = limit;
    update();
}

QSize MemoryPanel::MemoryBar::sizeHint() const
{
    return {em(this, 10), em(this, 1)};
}

double MemoryPanel::MemoryBar::lengthOf(Bytes bytes) const
{
    const double full = std::max(m_use.total(), m_limit).asDouble();
    return full > 0 ? width() * bytes.asDouble() / full : 0;
}

void MemoryPanel::MemoryBar::paintEvent(QPaintEvent*)
{
    const Theme theme = applicationTheme();
    QPainter painter(this);
    painter.fillRect(rect(), theme.grid);
    Bytes before;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        const double left = lengthOf(before);
        before += m_use[category];
        painter.fillRect(QRectF(left, 0, lengthOf(before) - left, height()), colorOf(category));
    }
    if (m_limit == Bytes(0) || m_limit >= before)
        return;
    painter.fillRect(QRectF(lengthOf(m_limit) - 1, 0, 2, height()), theme.text);
    painter.fillRect(QRectF(lengthOf(m_limit), height() * 0.75, width(), height()), theme.danger);
}

std::optional<MemoryCategory> MemoryPanel::MemoryBar::categoryAt(int x) const
{
    Bytes before;
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        before += m_use[static_cast<MemoryCategory>(i)];
        if (x < lengthOf(before))
            return static_cast<MemoryCategory>(i);
    }
    return {};
}

bool MemoryPanel::MemoryBar::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto category = categoryAt(help->pos().x()))
        QToolTip::showText(help->globalPos(),
                           tr("%1: %2").arg(termText(categoryName(*category)), toText(m_use[*category])),
                           this);
    else
        QToolTip::showText(help->globalPos(), tr("free on the device"), this);
    return true;
}

MemoryPanel::MemoryPanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_empty(new QLabel(tr("What a training step holds in memory appears here once a model is profiled."))),
      m_content(new QWidget),
      m_verdict(new QLabel),
      m_figures(new QLabel),
      m_batch(new QLabel),
      m_findBatch(new QPushButton),
      m_moment(new QLabel),
      m_by(new QComboBox),
      m_bar(new MemoryBar),
      m_rows(new QTreeWidget)
{
    setAccessibleName(tr("Memory"));
    setAccessibleDescription(tr("What a step of the whole model holds on one device, and at its peak"));
    m_empty->setAlignment(Qt::AlignCenter);
    for (QLabel* label : {m_empty, m_verdict, m_figures, m_batch, m_moment})
        label->setWordWrap(true);
    for (QLabel* label : {m_batch, m_moment})
        label->setTextFormat(Qt::PlainText);
    m_findBatch->setToolTip(
        tr("Looks for the largest batch with which a step of the whole model stays within "
           "the device's memory"));
    m_by->addItem(tr("by category"), int(MemoryBy::Category));
    m_by->addItem(tr("by module"), int(MemoryBy::Module));
    m_by->addItem(tr("by op"), int(MemoryBy::Op));
    m_by->setAccessibleName(tr("How memory is listed"));
    prepareRows();

    auto* batch = new QHBoxLayout;
    batch->addWidget(m_batch, 1);
    batch->addWidget(m_findBatch);
    auto* choice = new QHBoxLayout;
    choice->addWidget(m_moment, 1);
    choice->addWidget(m_by);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(em(this, 0.6), em(this, 0.5), em(this, 0.6), em(this, 0.3));
    head->setSpacing(em(this, 0.35));
    head->addWidget(m_verdict);
    head->addWidget(m_figures);
    head->addLayout(batch);
    head->addWidget(m_bar);
    head->addLayout(choice);
    auto* content = new QVBoxLayout(m_content);
    content->setContentsMargins(0, 0, 0, 0);
    content->setSpacing(0);
    content->addLayout(head);
    content->addWidget(m_rows, 1);
    content->addWidget(m_tools->filterLine());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_empty);
    layout->addWidget(m_content);

    connect(m_findBatch, &QPushButton::clicked, this, &MemoryPanel::largestBatchRequested);
    connect(m_by, &QComboBox::currentIndexChanged, this, &MemoryPanel::showRows);
    connect(m_rows, &QTreeWidget::itemSelectionChanged, this, &MemoryPanel::readSelection);
    onThemeChange(this, [this] {
        showFigures();
        showRows();
    });
    setBatchState(BatchState::Unknown);
    setPlan({});
}

void MemoryPanel::prepareRows()
{
    m_rows->setHeaderLabels({tr("Alive at the peak"), tr("Bytes"), tr("Share")});
    m_rows->setAccessibleName(tr("What is alive at the peak"));
    m_rows->setUniformRowHeights(true);
    m_rows->setAllColumnsShowFocus(true);
    m_rows->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_rows->setItemDelegate(new CellDelegate(m_rows));
    m_rows->header()->setStretchLastSection(false);
    m_rows->header()->setSectionResizeMode(NameColumn, QHeaderView::Stretch);
    for (const int column : {BytesColumn, ShareColumn})
        m_rows->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);

    m_rows->headerItem()->setData(BytesColumn, unitRole, static_cast<int>(ColumnUnit::Size));
    m_tools = new TableTools(m_rows, tr("Memory"), TableTools::Sorting::Wanted);
    m_tools->filterLine();
    m_rows->setContextMenuPolicy(Qt::ActionsContextMenu);
    m_rows->addActions(m_tools->actions());
}

void MemoryPanel::setPlan(const PlanView& plan)
{
    const bool sameProfile = plan.profile == m_plan.profile && plan.graph == m_plan.graph;
    m_plan = plan;
    const bool isKnown = plan.graph && plan.profile && !plan.profile->memory.samples.empty();
    m_empty->setVisible(!isKnown);
    m_content->setVisible(isKnown);
    if (sameProfile)
        return;
    setBatchState(BatchState::Unknown);
    showFigures();
    showRows();
}

void MemoryPanel::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    showRows();
}

void MemoryPanel::setBatchState(BatchState state)
{
    const bool isSearching = state == BatchState::Searching;
    m_findBatch->setEnabled(!isSearching);
    m_findBatch->setText(isSearching ? tr("Searching") : tr("Find largest batch"));
    m_findBatch->show();
    m_batch->setText(tr("How large may the batch be?"));
}

void MemoryPanel::setLargestBatch(const std::optional<LargestBatch>& found)
{
    m_batch->setText(largestBatchText(found));
    m_findBatch->hide();
}

void MemoryPanel::showFigures()
{
    if (!m_plan.profile)
        return;
    const Theme theme = applicationTheme();
    const Profile& profile = *m_plan.profile;
    const DeviceSpec& device = profile.options.device;
    const bool training = profile.options.mode == TrainingMode::Train;
    const DeviceMemory& memory = training ? profile.stepMemory.laterSteps : profile.stepMemory.firstStep;
    const QString what =
        training ? tr("A training step of the whole model") : tr("An inference of the whole model");
    const QString name = shownText(device.name).toHtmlEscaped();
    m_verdict->setText(QStringLiteral("%1 <b style='color:%2'>%3</b>")
                           .arg(what, (profile.stepMemory.fits ? theme.success : theme.danger).name(),
                                profile.stepMemory.fits ? tr("fits on one %1").arg(name)
                                                        : tr("does not fit on one %1").arg(name)));
    m_figures->setText(tr("<b>%1</b> allocated · <b>%2</b> reserved · <b>%3</b> on the device, of %4")
                           .arg(toText(memory.allocated), toText(memory.reserved), toText(memory.total),
                                toText(device.memory)) +
                       (isExact(profile) ? QString() : tr(" · <b>not exact</b>")));
    m_figures->setToolTip(
        tr("Allocated: tensors, each rounded up to 512 bytes.\n"
           "Reserved: what PyTorch's caching allocator takes from the device to serve them.\n"
           "On the device: with what the driver's context takes.\n"
           "First step: %1.\nLater steps: %2.")
            .arg(onDevice(profile.stepMemory.firstStep), onDevice(profile.stepMemory.laterSteps)));
    m_moment->setText(tr("Peak: %1").arg(peakMoment(m_plan)));
    const MemoryUse use = memoryAt(profile.memory, profile.memory.peakSample);
    m_total = use.total();
    m_bar->setUse(use, device.memory);
}

void MemoryPanel::addRow(QTreeWidgetItem* parent, const MemoryRow& row)
{
    auto* item = new QTreeWidgetItem(parent);
    const double share = m_total > Bytes(0) ? row.bytes.asDouble() / m_total.asDouble() : 0;
    item->setText(NameColumn, row.name);
    item->setToolTip(NameColumn, toolTipText(row.detail.isEmpty() ? row.name : row.name + '\n' + row.detail));
    CellContent name{.note = row.detail};
    if (row.category)
        name.swatch = colorOf(*row.category);
    item->setData(NameColumn, cellRole, QVariant::fromValue(name));
    item->setText(BytesColumn, toText(row.bytes));
    item->setData(BytesColumn, valueRole, row.bytes.asDouble());
    if (row.compared)
        showChange(item, *row.compared, row.bytes);
    item->setData(ShareColumn, valueRole, share);
    item->setText(ShareColumn, percentText(share));
    item->setData(ShareColumn, cellRole, QVariant::fromValue(CellContent{.bar = share}));
    for (const int column : {BytesColumn, ShareColumn})
        item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    QVariantList nodes;
    for (const NodeId node : row.nodes)
        nodes << static_cast<uint>(node.index());
    item->setData(NameColumn, nodesRole, nodes);
    for (const MemoryRow& child : row.children)
        addRow(item, child);
}

void MemoryPanel::showRows()
{
    const QSignalBlocker quiet(m_rows);
    m_rows->clear();
    const auto by = static_cast<MemoryBy>(m_by->currentData().toInt());
    std::vector<MemoryRow> rows = rowsAtPeak(m_plan, by);
    if (isCompared())
        compareRows(rows, {.graph = m_plan.graph, .profile = m_compared->profile}, by);
    for (const MemoryRow& row : rows)
        addRow(m_rows->invisibleRootItem(), row);
    if (m_rows->topLevelItemCount() < 3)
        m_rows->expandToDepth(0);
    m_tools->sortAgain();
    if (m_tools->hasKeptColumns())
        return;
    const QFontMetrics metrics(font());
    m_rows->header()->resizeSection(
        BytesColumn,
        metrics.horizontalAdvance(isCompared() ? "8,888 MiB  -8,888 MiB" : "8,888 MiB") + em(this, 1.2));
    m_rows->header()->resizeSection(ShareColumn, metrics.horizontalAdvance("< 0.01 %") + em(this, 1.4));
}

bool MemoryPanel::isCompared() const
{
    return m_plan.graph && comparedProfile(m_compared.get(), m_plan.graph->nodeCount());
}

void MemoryPanel::readSelection()
{
    std::vector<NodeId> nodes;
    for (const QTreeWidgetItem* item : m_rows->selectedItems())
        for (const QVariant& node : item->data(NameColumn, nodesRole).toList())
            nodes.emplace_back(node.toUInt());
    if (!nodes.empty())
        m_selection->setNodes(std::move(nodes));
}

} // namespace stagecraft
