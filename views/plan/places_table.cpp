#include "views/plan/places_table.h"

#include "core/base/typed_figures.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/tables/copy_actions.h"
#include "views/tables/row_menu.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QTableWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <set>

namespace stagecraft {

namespace {

constexpr int firstStageRow = 1; // below that of all
constexpr int mostPlacesInSight = 9;

QString textOf(Bytes limit)
{
    return limit == Bytes::max() ? PlacesTable::tr("none") : toText(limit);
}

// Of one entry, or of all: empty where they differ.
template <class T, class Print>
QString cellText(const std::vector<T>& items, int row, Print print)
{
    if (row >= firstStageRow) {
        const auto index = static_cast<std::size_t>(row - firstStageRow);
        return index < items.size() ? print(items[index]) : QString();
    }
    const bool areAlike =
        !items.empty() && std::ranges::all_of(items, [&](const T& item) { return item == items.front(); });
    return areAlike ? print(items.front()) : QString();
}

QString cellText(const StagePlaces& places, int row, int column)
{
    switch (column) {
    case PlacesTable::Speed:
        return cellText(places.speeds, row, [](double speed) { return QString::number(speed, 'g', 4); });
    case PlacesTable::Limit:
        return cellText(places.memoryLimits, row, textOf);
    case PlacesTable::Bandwidth:
        return cellText(places.links, row,
                        [](const Link& link) { return shownText(typedBandwidth(link.bandwidth)); });
    case PlacesTable::Latency:
        return cellText(places.links, row,
                        [](const Link& link) { return shownText(typedLatency(link.latency)); });
    default:
        return row < firstStageRow ? PlacesTable::tr("all") : QString::number(row - firstStageRow + 1);
    }
}

Result<double> parseSpeed(const QString& text)
{
    bool isNumber = false;
    const double speed = text.toDouble(&isNumber);
    if (isNumber && speed > 0 && std::isfinite(speed))
        return speed;
    return Error{ErrorCode::BadUsage,
                 "'" + text.toStdString() + "' is not a speed above 0; 0.5, with a point, is half as fast"};
}

} // namespace

PlacesTable::PlacesTable(QWidget* parent)
    : QWidget(parent),
      m_open(new QToolButton),
      m_content(new QWidget),
      m_table(new QTableWidget),
      m_putOn(new QToolButton),
      m_devices(new QMenu(this)),
      m_error(new QLabel)
{
    setAccessibleName(tr("Devices and links by stage"));
    buildTable();
    m_putOn->setText(tr("Put stages on"));
    m_putOn->setToolTip(
        tr("The chosen stages run on another kind of device: its speed with this model, its memory "
           "and its link are filled in"));
    m_putOn->setPopupMode(QToolButton::InstantPopup);
    m_putOn->setMenu(m_devices);
    m_error->setWordWrap(true);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setAccessibleName(tr("What is wrong with the last entry"));
    m_error->hide();
    buildLayout();
    connect(m_table, &QTableWidget::itemChanged, this, &PlacesTable::take);
    connect(m_table, &QTableWidget::itemSelectionChanged, this,
            [this] { m_putOn->setEnabled(!chosenStages().empty() && !m_devices->isEmpty()); });
    m_putOn->setEnabled(false);
}

void PlacesTable::buildTable()
{
    m_table->setAccessibleName(tr("What each stage runs on"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels(
        {tr("Stage"), tr("Device"), tr("Speed"), tr("Limit"), tr("Link"), tr("Latency")});
    m_table->horizontalHeaderItem(Device)->setToolTip(
        tr("What the stage runs on; select stages and put them on another kind below"));
    m_table->horizontalHeaderItem(Speed)->setToolTip(tr("Of its device, that of the plan being 1"));
    m_table->horizontalHeaderItem(Limit)->setToolTip(tr("The most that its device may hold, such as 30 GiB"));
    m_table->horizontalHeaderItem(Bandwidth)->setToolTip(
        tr("To the next stage, one direction, such as 25 GB/s"));
    m_table->horizontalHeaderItem(Latency)->setToolTip(tr("Of each message, such as 5 us"));
    m_table->verticalHeader()->hide();
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    giveRowMenu(m_table, makeCopyActions(m_table, [this] { return copiedPart(); }),
                [this](QMenu& menu, const QModelIndex&) {
                    m_devices->setTitle(m_putOn->text());
                    m_devices->setEnabled(m_putOn->isEnabled());
                    menu.addMenu(m_devices);
                });
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setSectionResizeMode(Device, QHeaderView::Stretch);
}

void PlacesTable::buildLayout()
{
    m_open->setText(tr("Devices and links by stage"));
    m_open->setCheckable(true);
    m_open->setAutoRaise(true);
    m_open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_open->setArrowType(Qt::RightArrow);
    auto* inside = new QVBoxLayout(m_content);
    inside->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : {static_cast<QWidget*>(m_table), static_cast<QWidget*>(m_error)})
        inside->addWidget(widget);
    inside->addWidget(m_putOn, 0, Qt::AlignLeft);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.6), em(this, 0.7), em(this, 0.6));
    layout->addWidget(m_open);
    layout->addWidget(m_content);
    m_content->hide();
    connect(m_open, &QToolButton::toggled, this, [this](bool on) {
        m_open->setArrowType(on ? Qt::DownArrow : Qt::RightArrow);
        m_content->setVisible(on);
    });
}

void PlacesTable::setDevices(const std::vector<DeviceSpec>& devices)
{
    const auto isSame = [](const DeviceSpec& a, const DeviceSpec& b) {
        return a.id == b.id && a.name == b.name;
    };
    if (std::ranges::equal(devices, m_known, isSame))
        return;
    m_known = devices;
    m_devices->clear();
    for (const DeviceSpec& device : devices)
        m_devices->addAction(menuText(shownText(device.name)), this,
                             [this, id = device.id] { emit deviceChosen(chosenStages(), id); });
}

void PlacesTable::setRequest(const PlanRequest& request, const DeviceSpec& device)
{
    const PartitionOptions& options = request.plan;
    const UsualPlace usual = usualPlace(device);
    std::vector<std::string> stageDevices;
    for (std::size_t stage = 0; stage < options.stageCount; ++stage)
        stageDevices.push_back(deviceOfStage(request, stage));
    const bool isSame = m_table->rowCount() > 0 && options == m_options && stageDevices == m_stageDevices &&
                        usual.memoryLimit == m_usual.memoryLimit && usual.link == m_usual.link;
    m_options = options;
    m_stageDevices = std::move(stageDevices);
    m_usual = usual;
    if (isSame)
        return;
    fill();
    if (options.speeds.size() > 1 || options.memoryLimits.size() > 1 || options.links.size() > 1)
        m_open->setChecked(true); // not to be overlooked
}

void PlacesTable::fill()
{
    m_showing = true;
    m_error->hide();
    const int stages = static_cast<int>(m_options.stageCount);
    m_table->setRowCount(stages + firstStageRow);
    const StagePlaces places = placesOf(m_options, m_usual);
    for (int row = 0; row < m_table->rowCount(); ++row)
        fillRow(row, places);
    const int shown = std::min(m_table->rowCount(), mostPlacesInSight);
    m_table->setFixedHeight(m_table->horizontalHeader()->sizeHint().height() + shown * m_table->rowHeight(0) +
                            2 * m_table->frameWidth());
    m_showing = false;
}

// Stages that take turns on a device run at its speed, within its memory: all devices alike.
void PlacesTable::fillRow(int row, const StagePlaces& places)
{
    for (int column = 0; column < ColumnCount; ++column) {
        QTableWidgetItem* item = m_table->item(row, column);
        if (!item)
            m_table->setItem(row, column, item = new QTableWidgetItem);
        if (column == Device) {
            fillDevice(item, row);
            continue;
        }
        item->setText(cellText(places, row, column));
        const bool isOfDevice = column == Speed || column == Limit;
        const bool isLast = row == m_table->rowCount() - 1;
        const bool isMissing = (column == Bandwidth || column == Latency) && (isLast || places.links.empty());
        const bool isShared = isOfDevice && row >= firstStageRow && m_options.sharesDevices();
        item->setFlags(column == Stage ? Qt::ItemIsEnabled | Qt::ItemIsSelectable
                       : isMissing || isShared
                           ? Qt::ItemIsSelectable
                           : Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable);
        item->setToolTip(isShared ? tr("Stages share devices: all are alike") : QString());
        if (column != Stage)
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
}

void PlacesTable::fillDevice(QTableWidgetItem* item, int row) const
{
    const bool areAlike = std::ranges::all_of(
        m_stageDevices, [&](const std::string& id) { return id == m_stageDevices.front(); });
    const bool isOfAll = row < firstStageRow;
    const bool hasOne = !m_stageDevices.empty() && (!isOfAll || areAlike);
    const std::string id =
        hasOne ? m_stageDevices[isOfAll ? 0 : static_cast<std::size_t>(row - firstStageRow)] : std::string();
    const auto known = std::ranges::find(m_known, id, &DeviceSpec::id);
    item->setText(shownText(id));
    item->setToolTip(known == m_known.end() ? QString() : shownText(known->name));
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
}

// An entry of all stages is put into each.
void PlacesTable::take(const QTableWidgetItem* item)
{
    if (m_showing)
        return;
    StagePlaces places = placesOf(m_options, m_usual);
    const auto column = static_cast<Column>(item->column());
    const bool isOfLinks = column == Bandwidth || column == Latency;
    const std::size_t count = isOfLinks ? places.links.size() : places.speeds.size();
    const bool isOfAll = item->row() < firstStageRow;
    const std::size_t first = isOfAll ? 0 : static_cast<std::size_t>(item->row() - firstStageRow);
    Result<void> taken;
    for (std::size_t i = first; i < (isOfAll ? count : first + 1) && taken.has_value(); ++i)
        taken = put(column, i, item->text().trimmed(), places);
    if (!taken.has_value()) {
        fill(); // what holds
        setTextColor(m_error, applicationTheme().danger);
        m_error->setText(shownText(taken.error().message));
        m_error->show();
        return;
    }
    PartitionOptions options = m_options;
    setPlaces(options, places, m_usual);
    const bool isNews = options != m_options;
    m_options = options;
    fill();
    if (isNews)
        emit optionsChanged(options);
}

Result<void> PlacesTable::put(Column column, std::size_t index, const QString& text,
                              StagePlaces& places) const
{
    const std::string typed = text.toStdString();
    switch (column) {
    case Speed: {
        STAGECRAFT_ASSIGN(speed, text.isEmpty() ? Result<double>(1.0) : parseSpeed(text));
        places.speeds[index] = speed;
        return {};
    }
    case Limit: {
        if (text == textOf(places.memoryLimits[index]))
            return {}; // shown with three digits
        STAGECRAFT_ASSIGN(limit, text.isEmpty() ? Result<Bytes>(m_usual.memoryLimit) : parseMemory(typed));
        places.memoryLimits[index] = limit;
        return {};
    }
    case Bandwidth: {
        STAGECRAFT_ASSIGN(rate,
                          text.isEmpty() ? Result<double>(m_usual.link.bandwidth) : parseBandwidth(typed));
        places.links[index].bandwidth = rate;
        return {};
    }
    case Latency: {
        STAGECRAFT_ASSIGN(latency,
                          text.isEmpty() ? Result<Seconds>(m_usual.link.latency) : parseLatency(typed));
        places.links[index].latency = latency;
        return {};
    }
    default:
        return {};
    }
}

// The rows that are selected where there are several, else all.
TablePart PlacesTable::copiedPart() const
{
    TablePart part{m_table->selectionModel()->selectedRows(), {}};
    std::ranges::sort(part.rows, {}, &QModelIndex::row);
    if (part.rows.size() < 2) {
        part.rows.clear();
        for (int row = 0; row < m_table->rowCount(); ++row)
            part.rows << m_table->model()->index(row, 0);
    }
    for (int column = 0; column < ColumnCount; ++column)
        part.columns << column;
    return part;
}

std::vector<std::size_t> PlacesTable::chosenStages() const
{
    std::set<std::size_t> stages;
    for (const QModelIndex& index : m_table->selectionModel()->selectedRows()) {
        if (index.row() >= firstStageRow)
            stages.insert(static_cast<std::size_t>(index.row() - firstStageRow));
        else
            for (std::size_t stage = 0; stage < m_options.stageCount; ++stage)
                stages.insert(stage);
    }
    return {stages.begin(), stages.end()};
}

} // namespace stagecraft
