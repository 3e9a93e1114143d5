#include "views/model/module_model.h"

#include "core/profile/summary.h"
#include "views/base/figure_change.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/model/overlay_columns.h"
#include "views/model/stage_lists.h"
#include "views/tables/table_roles.h"

#include <algorithm>
#include <array>

namespace stagecraft {

struct ModuleModel::Row
{
    std::optional<NodeId> node; // none: a module
    QString name;
    QString kind; // class of a module, operator of a node
    QString search;
    std::optional<std::size_t> parent;
    int rowInParent = 0;
    std::vector<std::size_t> children;
    std::vector<NodeId> nodes;
    std::vector<StageId> stages;
    NodeCost cost;
    std::optional<NodeCost> compared; // of B; none: nothing is known of it
    std::vector<StageId> comparedStages;
    std::size_t matches = 0;
    mutable std::vector<std::optional<double>> own; // of the overlay; empty: nobody has asked yet
};

ModuleModel::ModuleModel(QObject* parent) : QAbstractItemModel(parent) {}

ModuleModel::~ModuleModel() = default;

void ModuleModel::setPlan(const PlanView& plan)
{
    if (plan.graph != m_plan.graph)
        return setGraph(plan);
    const bool sameProfile = plan.profile == m_plan.profile;
    const bool sameCosts = sameProfile && plan.partition == m_plan.partition;
    const PlanView before = std::exchange(m_plan, plan);
    if (!sameProfile)
        m_meter.reset();
    if (sameCosts)
        return;
    if (sameProfile && plan.partition && before.partition)
        return moveNodes(*before.partition);
    sumCosts();
    tellChange({});
}

void ModuleModel::setGraph(const PlanView& plan)
{
    setOverlay(nullptr); // it is of the graph that was
    beginResetModel();
    m_plan = plan;
    m_meter.reset();
    m_matches.reset();
    buildRows();
    sumCosts();
    sumCompared();
    endResetModel();
}

void ModuleModel::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    sumCompared();
    tellChange({});
}

void ModuleModel::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    for (Row& row : m_rows)
        row.own.clear();
    if (columnCount() > moduleColumnCount) {
        beginRemoveColumns({}, moduleColumnCount, columnCount() - 1);
        m_overlay = nullptr;
        endRemoveColumns();
    }
    if (overlay && !overlay->figures.empty()) {
        beginInsertColumns({}, moduleColumnCount,
                           moduleColumnCount + static_cast<int>(overlay->figures.size()) - 1);
        m_overlay = std::move(overlay);
        endInsertColumns();
    }
    emit layoutAboutToBeChanged(); // of rows below others: only those of the root were told so far
    emit layoutChanged();
}

void ModuleModel::setMatches(std::optional<std::vector<NodeId>> matches)
{
    if (matches == m_matches)
        return;
    m_matches = std::move(matches);
    countMatches();
    tellChange({});
}

void ModuleModel::countMatches()
{
    std::vector<char> isMatch(m_plan.graph ? m_plan.graph->nodeCount() : 0);
    for (const NodeId node : m_matches.value_or(std::vector<NodeId>()))
        isMatch[node.index()] = 1;
    for (Row& row : m_rows)
        row.matches = static_cast<std::size_t>(
            std::ranges::count_if(row.nodes, [&](NodeId node) { return isMatch[node.index()] != 0; }));
}

// Of all rows below `parent`, each family of its own: a range of rows has one parent, and views repaint no
// more.
void ModuleModel::tellChange(const QModelIndex& parent)
{
    const int rows = rowCount(parent);
    if (rows == 0)
        return;
    emit dataChanged(index(0, 0, parent), index(rows - 1, moduleColumnCount - 1, parent));
    for (int row = 0; row < rows; ++row)
        tellChange(index(row, 0, parent));
}

// A drag moves few ops many times a second: what stays is neither counted nor told.
void ModuleModel::moveNodes(const Partition& before)
{
    std::vector<char> hasMoved(m_rows.size());
    for (const NodeId node : m_plan.graph->nodes()) {
        if (m_plan.partition->stageOf[node] == before.stageOf[node])
            continue;
        for (std::optional<std::size_t> at = m_plan.graph->modules().size() + node.index();
             at && !hasMoved[*at]; at = m_rows[*at].parent)
            hasMoved[*at] = 1;
    }
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (hasMoved[row])
            listStages(m_rows[row]);
    tellMoves({}, hasMoved);
}

// A range for each family, from the first that moved to the last; only these columns tell of stages.
void ModuleModel::tellMoves(const QModelIndex& parent, const std::vector<char>& hasMoved)
{
    int first = rowCount(parent);
    int last = -1;
    for (int row = 0; row < rowCount(parent); ++row) {
        const QModelIndex child = index(row, 0, parent);
        if (!hasMoved[child.internalId()])
            continue;
        first = std::min(first, row);
        last = row;
        tellMoves(child, hasMoved);
    }
    if (last >= 0)
        emit dataChanged(index(first, int(ModuleColumn::Stages), parent),
                         index(last, int(ModuleColumn::Time), parent));
}

void ModuleModel::buildRows()
{
    m_rows.clear();
    if (!m_plan.graph)
        return;
    addModules();
    addNodes();
    const auto firstNode = [this](std::size_t row) {
        return m_rows[row].nodes.empty() ? m_plan.graph->nodeCount() : m_rows[row].nodes.front().index();
    };
    for (Row& row : m_rows) {
        std::ranges::stable_sort(row.children, {}, firstNode);
        for (std::size_t i = 0; i < row.children.size(); ++i)
            m_rows[row.children[i]].rowInParent = static_cast<int>(i);
    }
}

void ModuleModel::addModules()
{
    const ModuleTree& modules = m_plan.graph->modules();
    m_rows.resize(modules.size() + m_plan.graph->nodeCount());
    for (const ModuleId id : modules.ids()) {
        const Module& module = modules[id];
        Row& row = m_rows[id.index()];
        row.name = shownText(module.parent ? module.name : m_plan.graph->name());
        row.kind = shortClass(module.className);
        row.search = shownText(module.path) + ' ' + row.kind;
        if (!module.parent)
            continue;
        row.parent = module.parent->index();
        m_rows[*row.parent].children.push_back(id.index());
    }
}

void ModuleModel::addNodes()
{
    const Graph& graph = *m_plan.graph;
    for (const NodeId id : graph.nodes()) {
        const std::size_t index = graph.modules().size() + id.index();
        Row& row = m_rows[index];
        row.node = id;
        row.name = shownText(graph[id].name);
        row.kind = shortTarget(graph[id].target);
        row.search = row.name + ' ' + row.kind;
        row.parent = graph[id].module.index();
        m_rows[*row.parent].children.push_back(index);
        for (std::optional<std::size_t> at = index; at; at = m_rows[*at].parent)
            m_rows[*at].nodes.push_back(id);
    }
}

void ModuleModel::sumCosts()
{
    for (Row& row : m_rows) {
        row.cost = m_plan.profile ? sumOf(*m_plan.profile, row.nodes) : NodeCost();
        listStages(row);
    }
}

void ModuleModel::listStages(Row& row) const
{
    row.stages = stagesWith(row.nodes, m_plan.partition.get());
}

void ModuleModel::sumCompared()
{
    if (!m_plan.graph)
        return; // nor are there rows
    const Profile* profile = comparedProfile(m_compared.get(), m_plan.graph->nodeCount());
    const Partition* partition = comparedPartition(m_compared.get(), m_plan.graph->nodeCount());
    for (Row& row : m_rows) {
        row.compared = profile ? std::optional(sumOf(*profile, row.nodes)) : std::nullopt;
        row.comparedStages = stagesWith(row.nodes, partition);
    }
}

const ModuleModel::Row& ModuleModel::rowOf(const QModelIndex& index) const
{
    return m_rows[index.internalId()];
}

QModelIndex ModuleModel::indexOfRow(std::size_t row) const
{
    return createIndex(m_rows[row].rowInParent, 0, quintptr(row));
}

QModelIndex ModuleModel::index(int row, int column, const QModelIndex& parent) const
{
    if (!hasIndex(row, column, parent))
        return {};
    if (!parent.isValid())
        return createIndex(0, column, quintptr(0));
    return createIndex(row, column, quintptr(rowOf(parent).children[static_cast<std::size_t>(row)]));
}

QModelIndex ModuleModel::parent(const QModelIndex& index) const
{
    if (!index.isValid() || !rowOf(index).parent)
        return {};
    return indexOfRow(*rowOf(index).parent);
}

int ModuleModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid())
        return m_rows.empty() ? 0 : 1;
    return parent.column() == 0 ? static_cast<int>(rowOf(parent).children.size()) : 0;
}

int ModuleModel::columnCount(const QModelIndex&) const
{
    return moduleColumnCount + (m_overlay ? static_cast<int>(m_overlay->figures.size()) : 0);
}

std::optional<std::size_t> ModuleModel::ownFigure(int column)
{
    return column < moduleColumnCount ? std::nullopt
                                      : std::optional(static_cast<std::size_t>(column - moduleColumnCount));
}

QVariant ModuleModel::ownData(const Row& row, std::size_t figure, int role) const
{
    std::optional<OverlayColour> colour;
    if (role == cellRole && m_overlay->colourBy == figure)
        colour = overlayColour(*m_overlay, *m_plan.graph, row.nodes);
    const bool isOfValue = role == Qt::DisplayRole || role == valueRole;
    return overlayCell(*m_overlay, figure, isOfValue ? ownFigures(row)[figure] : std::nullopt, colour, role);
}

const std::vector<std::optional<double>>& ModuleModel::ownFigures(const Row& row) const
{
    for (std::size_t figure = row.own.size(); figure < m_overlay->figures.size(); ++figure)
        row.own.push_back(row.node ? overlayFigure(*m_overlay, *m_plan.graph, figure, *row.node)
                                   : overlayFigure(*m_overlay, *m_plan.graph, figure, row.nodes));
    return row.own;
}

QString ModuleModel::text(const Row& row, ModuleColumn column) const
{
    const auto orNothing = [](const auto& quantity, const QString& text) {
        return quantity == std::decay_t<decltype(quantity)>() ? QString() : text;
    };
    switch (column) {
    case ModuleColumn::Name:
        return row.name;
    case ModuleColumn::Stages:
        return {};
    case ModuleColumn::Time:
        return orNothing(row.cost.time(), toText(row.cost.time()));
    case ModuleColumn::Activations:
        return orNothing(row.cost.savedBytes, toText(row.cost.savedBytes));
    case ModuleColumn::Parameters:
        return orNothing(row.cost.parameterBytes, toText(row.cost.parameterBytes));
    case ModuleColumn::Ops:
        return row.node ? QString() : QString::number(row.nodes.size());
    }
    return {};
}

CellContent ModuleModel::content(const Row& row, ModuleColumn column) const
{
    CellContent content;
    switch (column) {
    case ModuleColumn::Name:
        content.note = row.kind;
        content.faint = m_matches && row.matches == 0;
        if (row.matches > 0)
            content.badge = row.node ? QObject::tr("found") : QString::number(row.matches);
        content.bold = !row.node && row.parent && m_rows[*row.parent].parent == std::nullopt;
        break;
    case ModuleColumn::Stages:
        content.chips = row.stages;
        break;
    case ModuleColumn::Time: {
        const Seconds total = m_rows.front().cost.time();
        if (total.value() > 0) {
            content.bar = row.cost.time() / total;
            if (row.stages.size() == 1)
                content.barStage = row.stages.front();
        }
        break;
    }
    default:
        content.faint = true;
    }
    addComparison(content, row, column);
    return content;
}

void ModuleModel::addComparison(CellContent& content, const Row& row, ModuleColumn column) const
{
    if (column == ModuleColumn::Stages && !row.comparedStages.empty() && row.comparedStages != row.stages)
        content.note = tr("B: %1").arg(stageNumbers(row.comparedStages));
    if (!row.compared || !m_plan.profile)
        return;
    if (column == ModuleColumn::Time)
        setChange(content, row.compared->time(), row.cost.time());
    else if (column == ModuleColumn::Activations)
        setChange(content, row.compared->savedBytes, row.cost.savedBytes);
    else if (column == ModuleColumn::Parameters)
        setChange(content, row.compared->parameterBytes, row.cost.parameterBytes);
}

QVariant ModuleModel::value(const Row& row, ModuleColumn column) const
{
    switch (column) {
    case ModuleColumn::Name:
        return row.name;
    case ModuleColumn::Stages:
        return row.stages.empty() ? 0.0 : row.stages.front().index() + 1.0;
    case ModuleColumn::Time:
        return row.cost.time().value();
    case ModuleColumn::Activations:
        return row.cost.savedBytes.asDouble();
    case ModuleColumn::Parameters:
        return row.cost.parameterBytes.asDouble();
    case ModuleColumn::Ops:
        return static_cast<double>(row.nodes.size());
    }
    return {};
}

QString ModuleModel::help(const Row& row) const
{
    QString help = row.kind.isEmpty() ? row.name : row.name + QStringLiteral("  ·  ") + row.kind;
    if (!m_plan.profile)
        return help;
    const Seconds total = m_rows.front().cost.time();
    const QString share = total.value() > 0 ? percentText(row.cost.time() / total) : QString();
    help += QObject::tr("\nForward %1, backward %2: %3 of the model")
                .arg(toText(row.cost.forward.time), toText(row.cost.backward().time), share);
    help += QObject::tr("\nKeeps %1 for backward, has %2 of parameters")
                .arg(toText(row.cost.savedBytes), toText(row.cost.parameterBytes));
    if (!m_meter)
        m_meter.emplace(*m_plan.graph, *m_plan.profile);
    for (const QString& text : blockTexts(m_meter->figuresOf(row.nodes)))
        help += '\n' + text;
    if (row.compared)
        help += QObject::tr("\nIn B: forward %1, backward %2, keeps %3")
                    .arg(toText(row.compared->forward.time), toText(row.compared->backward().time),
                         toText(row.compared->savedBytes));
    return help;
}

QVariant ModuleModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = rowOf(index);
    if (const std::optional<std::size_t> own = ownFigure(index.column()))
        return role == searchRole ? QVariant(row.search) : ownData(row, *own, role);
    const auto column = static_cast<ModuleColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return text(row, column);
    case Qt::ToolTipRole:
        return toolTipText(help(row));
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter |
                                (column <= ModuleColumn::Stages ? Qt::AlignLeft : Qt::AlignRight));
    case Qt::AccessibleTextRole:
        if (column == ModuleColumn::Stages) {
            QStringList names;
            for (const StageId stage : row.stages)
                names << stageName(stage);
            return names.join(", ");
        }
        return withChange(text(row, column) + (column == ModuleColumn::Name ? ' ' + row.kind : QString()),
                          content(row, column));
    case cellRole:
        return QVariant::fromValue(content(row, column));
    case searchRole:
        return row.search;
    case valueRole:
        return value(row, column);
    default:
        return {};
    }
}

QVariant ModuleModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (const std::optional<std::size_t> own = ownFigure(section))
        return overlayHeader(*m_overlay, *own, role);
    const auto column = static_cast<ModuleColumn>(section);
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>(Qt::AlignVCenter |
                                (column <= ModuleColumn::Stages ? Qt::AlignLeft : Qt::AlignRight));
    if (role == unitRole)
        return static_cast<int>(column <= ModuleColumn::Stages ? ColumnUnit::None
                                : column == ModuleColumn::Time ? ColumnUnit::Time
                                : column == ModuleColumn::Ops  ? ColumnUnit::Number
                                                               : ColumnUnit::Size);
    if (role == Qt::ToolTipRole && column == ModuleColumn::Activations)
        return tr("Bytes that are kept from forward for backward");
    static constexpr std::array<const char*, moduleColumnCount> titles{
        QT_TR_NOOP("Module"), QT_TR_NOOP("Stages"),     QT_TR_NOOP("Time"),
        QT_TR_NOOP("Kept"),   QT_TR_NOOP("Parameters"), QT_TR_NOOP("Ops")};
    return role == Qt::DisplayRole ? tr(titles[static_cast<std::size_t>(section)]) : QVariant();
}

const std::vector<NodeId>& ModuleModel::nodesOf(const QModelIndex& index) const
{
    return rowOf(index).nodes;
}

std::optional<NodeId> ModuleModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? rowOf(index).node : std::nullopt;
}

QModelIndex ModuleModel::indexOf(NodeId node) const
{
    if (!m_plan.graph || node.index() >= m_plan.graph->nodeCount())
        return {};
    return indexOfRow(m_plan.graph->modules().size() + node.index());
}

QModelIndex ModuleModel::indexOf(const std::vector<NodeId>& nodes) const
{
    if (nodes.empty() || !m_plan.graph || nodes.back().index() >= m_plan.graph->nodeCount())
        return {};
    std::optional<std::size_t> found;
    for (std::optional<std::size_t> at = m_plan.graph->modules().size() + nodes.front().index(); at;
         at = m_rows[*at].parent)
        if (m_rows[*at].nodes == nodes)
            found = at;
    return found ? indexOfRow(*found) : QModelIndex();
}

} // namespace stagecraft
