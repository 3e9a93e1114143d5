#include "views/model/operators_model.h"

#include "views/base/figure_change.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/model/overlay_columns.h"
#include "views/tables/table_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace stagecraft {

namespace {

struct OperatorColumnText
{
    const char* title;
    const char* help;
    ColumnUnit unit = ColumnUnit::None;
};

constexpr std::array<OperatorColumnText, operatorColumnCount> operatorTexts{{
    {QT_TR_NOOP("Op"), QT_TR_NOOP("Its name in the model")},
    {QT_TR_NOOP("Operator"), QT_TR_NOOP("What it computes")},
    {QT_TR_NOOP("Module"), QT_TR_NOOP("The module that it comes from")},
    {QT_TR_NOOP("Stage"), QT_TR_NOOP("The stage that it is in")},
    {QT_TR_NOOP("Time"), QT_TR_NOOP("Forward and backward"), ColumnUnit::Time},
    {QT_TR_NOOP("Forward"), QT_TR_NOOP("Time of the forward pass"), ColumnUnit::Time},
    {QT_TR_NOOP("Backward"), QT_TR_NOOP("Time of the backward pass"), ColumnUnit::Time},
    {QT_TR_NOOP("Kept"), QT_TR_NOOP("Bytes that are kept from forward for backward"), ColumnUnit::Size},
    {QT_TR_NOOP("Made"), QT_TR_NOOP("Bytes of its results"), ColumnUnit::Size},
    {QT_TR_NOOP("Parameters"), QT_TR_NOOP("Bytes of the parameters that it is the first to read"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Work"), QT_TR_NOOP("Floating-point operations, forward and backward"), ColumnUnit::Work},
    {QT_TR_NOOP("Makes"), QT_TR_NOOP("Type and sizes of its first result")},
    {QT_TR_NOOP("No."), QT_TR_NOOP("In the order in which ops run")},
}};

const OperatorColumnText& textsOf(OperatorColumn column)
{
    return operatorTexts[static_cast<std::size_t>(column)];
}

bool isOnTheLeft(OperatorColumn column)
{
    return textsOf(column).unit == ColumnUnit::None && column != OperatorColumn::Number;
}

std::optional<double> costFigure(const NodeCost& cost, OperatorColumn column)
{
    switch (column) {
    case OperatorColumn::Time:
        return cost.time().value();
    case OperatorColumn::Forward:
        return cost.forward.time.value();
    case OperatorColumn::Backward:
        return cost.backward().time.value();
    case OperatorColumn::Kept:
        return cost.savedBytes.asDouble();
    case OperatorColumn::Made:
        return cost.outputBytes.asDouble();
    case OperatorColumn::Parameters:
        return cost.parameterBytes.asDouble();
    case OperatorColumn::Work:
        return (cost.forward.flops + cost.backward().flops).value();
    default:
        return {};
    }
}

std::optional<double> stageNumber(const Partition* partition, NodeId node)
{
    return partition ? std::optional(partition->stageOf[node].index() + 1.0) : std::nullopt;
}

QString figureText(ColumnUnit unit, double figure)
{
    return figure == 0 ? QString() : amountText(unit, figure);
}

} // namespace

void OperatorsModel::setPlan(const PlanView& plan)
{
    const bool isSameGraph = plan.graph == m_plan.graph;
    if (!isSameGraph)
        setOverlay(nullptr); // it is of the graph that was
    const bool isSame = isSameGraph && plan.profile == m_plan.profile && plan.partition == m_plan.partition;
    m_plan = plan;
    if (isSame)
        return;
    m_longest = 0;
    m_largest = 0;
    if (m_plan.profile)
        for (const NodeCost& cost : m_plan.profile->nodes) {
            m_longest = std::max(m_longest, cost.time().value());
            m_largest = std::max(m_largest, cost.savedBytes.asDouble());
        }
    if (!isSameGraph) {
        m_nodes.reset();
        return fillRows();
    }
    if (m_sortedBy >= 0)
        sort(m_sortedBy, m_order);
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void OperatorsModel::setCompared(std::shared_ptr<const ComparedPlan> other)
{
    if (other == m_compared)
        return;
    m_compared = std::move(other);
    if (!m_rows.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void OperatorsModel::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    if (columnCount() > operatorColumnCount) {
        beginRemoveColumns({}, operatorColumnCount, columnCount() - 1);
        m_overlay = nullptr;
        endRemoveColumns();
    }
    if (m_sortedBy >= operatorColumnCount)
        sort(-1);
    if (!overlay || overlay->figures.empty())
        return;
    beginInsertColumns({}, operatorColumnCount,
                       operatorColumnCount + static_cast<int>(overlay->figures.size()) - 1);
    m_overlay = std::move(overlay);
    endInsertColumns();
}

void OperatorsModel::setNodes(std::optional<std::vector<NodeId>> nodes)
{
    if (nodes == m_nodes)
        return;
    m_nodes = std::move(nodes);
    fillRows();
}

void OperatorsModel::fillRows()
{
    beginResetModel();
    m_rows.clear();
    if (m_plan.graph && m_nodes)
        m_rows = *m_nodes;
    else if (m_plan.graph)
        for (const NodeId node : m_plan.graph->nodes())
            m_rows.push_back(node);
    sortRows();
    endResetModel();
}

void OperatorsModel::sort(int column, Qt::SortOrder order)
{
    m_sortedBy = column;
    m_order = order;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<NodeId> nodes;
    for (const QModelIndex& old : before)
        nodes.push_back(nodeOf(old));
    sortRows();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << indexOf(nodes[static_cast<std::size_t>(i)]).siblingAtColumn(before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged();
}

void OperatorsModel::sortRows()
{
    std::ranges::sort(m_rows);
    const auto column = static_cast<OperatorColumn>(m_sortedBy);
    const auto byKey = [this]<class Key>(const std::vector<Key>& keys) {
        const auto key = [&](NodeId node) -> const Key& { return keys[node.index()]; };
        if (m_order == Qt::AscendingOrder)
            std::ranges::stable_sort(m_rows, std::ranges::less(), key);
        else
            std::ranges::stable_sort(m_rows, std::ranges::greater(), key);
    };
    const std::size_t count = m_plan.graph ? m_plan.graph->nodeCount() : 0;
    if (m_sortedBy >= 0 &&
        (ownFigure(m_sortedBy) || !isOnTheLeft(column) || column == OperatorColumn::Stage)) {
        byKey(sortKeys());
    } else if (m_sortedBy >= 0) {
        std::vector<QString> texts(count);
        for (const NodeId node : m_rows)
            texts[node.index()] = text(node, column);
        byKey(texts);
    }
    m_rowOf.assign(count, -1);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        m_rowOf[m_rows[row].index()] = static_cast<int>(row);
}

// Of the column that rows are sorted by, which is one of figures.
std::vector<double> OperatorsModel::sortKeys() const
{
    std::vector<double> keys(m_plan.graph ? m_plan.graph->nodeCount() : 0);
    const std::optional<std::size_t> own = ownFigure(m_sortedBy);
    for (const NodeId node : m_rows)
        keys[node.index()] = own ? overlayFigure(*m_overlay, *m_plan.graph, *own, node)
                                       .value_or(std::numeric_limits<double>::lowest())
                                 : figure(node, static_cast<OperatorColumn>(m_sortedBy)).value_or(0);
    return keys;
}

QModelIndex OperatorsModel::indexOf(NodeId node) const
{
    const bool isThere = node.index() < m_rowOf.size() && m_rowOf[node.index()] >= 0;
    return isThere ? index(m_rowOf[node.index()], 0) : QModelIndex();
}

int OperatorsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int OperatorsModel::columnCount(const QModelIndex& parent) const
{
    const int own = m_overlay ? static_cast<int>(m_overlay->figures.size()) : 0;
    return parent.isValid() ? 0 : operatorColumnCount + own;
}

std::optional<std::size_t> OperatorsModel::ownFigure(int column) const
{
    return column < operatorColumnCount
               ? std::nullopt
               : std::optional(static_cast<std::size_t>(column - operatorColumnCount));
}

QVariant OperatorsModel::ownData(NodeId node, std::size_t figure, int role) const
{
    const Graph& graph = *m_plan.graph;
    const bool isOfValue = role == Qt::DisplayRole || role == valueRole;
    return overlayCell(*m_overlay, figure,
                       isOfValue ? overlayFigure(*m_overlay, graph, figure, node) : std::nullopt,
                       role == cellRole ? overlayColour(*m_overlay, graph, node) : std::nullopt, role);
}

std::optional<double> OperatorsModel::figure(NodeId node, OperatorColumn column) const
{
    if (column == OperatorColumn::Number)
        return node.index() + 1;
    if (column == OperatorColumn::Stage)
        return stageNumber(m_plan.partition.get(), node);
    return m_plan.profile ? costFigure(m_plan.profile->nodes[node], column) : std::nullopt;
}

std::optional<double> OperatorsModel::comparedFigure(NodeId node, OperatorColumn column) const
{
    const std::size_t count = m_plan.graph->nodeCount();
    if (column == OperatorColumn::Stage)
        return stageNumber(comparedPartition(m_compared.get(), count), node);
    const Profile* profile = comparedProfile(m_compared.get(), count);
    return profile ? costFigure(profile->nodes[node], column) : std::nullopt;
}

void OperatorsModel::addComparison(CellContent& content, NodeId node, OperatorColumn column) const
{
    const std::optional<double> from = comparedFigure(node, column);
    const std::optional<double> to = figure(node, column);
    if (!from || !to)
        return;
    const ColumnUnit unit = textsOf(column).unit;
    if (column == OperatorColumn::Stage && *from != *to)
        content.note = tr("B: %1").arg(*from);
    else if (unit == ColumnUnit::Time)
        setChange(content, Seconds(*from), Seconds(*to));
    else if (unit == ColumnUnit::Size)
        setChange(content, Bytes(std::llround(*from)), Bytes(std::llround(*to)));
    else if (unit == ColumnUnit::Work)
        setChange(content, Flops(*from), Flops(*to));
}

// What does not fit is read here, and what B has there.
QString OperatorsModel::help(NodeId node, OperatorColumn column) const
{
    const std::optional<double> other = comparedFigure(node, column);
    if (other && textsOf(column).unit != ColumnUnit::None)
        return tr("Here %1, in B %2")
            .arg(amountText(textsOf(column).unit, figure(node, column).value_or(0)),
                 amountText(textsOf(column).unit, *other));
    return isOnTheLeft(column) ? toolTipText(text(node, column)) : QString();
}

QString OperatorsModel::text(NodeId node, OperatorColumn column) const
{
    const Graph& graph = *m_plan.graph;
    switch (column) {
    case OperatorColumn::Name:
        return shownText(graph[node].name);
    case OperatorColumn::Operator:
        return shortTarget(graph[node].target);
    case OperatorColumn::Module:
        return shownText(graph.modules()[graph[node].module].path);
    case OperatorColumn::Stage:
        return m_plan.partition ? stageName(m_plan.partition->stageOf[node]) : QString();
    case OperatorColumn::Shape:
        for (const ValueId value : graph[node].results)
            if (graph[value].meta)
                return shownText(metaText(*graph[value].meta));
        return {};
    case OperatorColumn::Number:
        return QString::number(node.index() + 1);
    default:
        return figureText(textsOf(column).unit, figure(node, column).value_or(0));
    }
}

CellContent OperatorsModel::content(NodeId node, OperatorColumn column) const
{
    CellContent content;
    const std::optional<StageId> stage =
        m_plan.partition ? std::optional(m_plan.partition->stageOf[node]) : std::nullopt;
    if (column == OperatorColumn::Stage && stage)
        content.chips = {*stage};
    const double most = column == OperatorColumn::Time   ? m_longest
                        : column == OperatorColumn::Kept ? m_largest
                                                         : 0;
    if (most > 0) {
        content.bar = figure(node, column).value_or(0) / most;
        content.barStage = stage;
    }
    content.faint = column == OperatorColumn::Module || column > OperatorColumn::Kept;
    addComparison(content, node, column);
    return content;
}

QVariant OperatorsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const NodeId node = nodeOf(index);
    if (const auto own = ownFigure(index.column()))
        return ownData(node, *own, role);
    const auto column = static_cast<OperatorColumn>(index.column());
    switch (role) {
    case Qt::DisplayRole:
        return column == OperatorColumn::Stage ? QString() : text(node, column); // its chip says it
    case Qt::ToolTipRole:
        return help(node, column);
    case Qt::TextAlignmentRole:
        return headerData(index.column(), Qt::Horizontal, role);
    case Qt::AccessibleTextRole:
        return withChange(text(node, column), content(node, column));
    case cellRole:
        return QVariant::fromValue(content(node, column));
    case valueRole:
        if (const auto value = figure(node, column))
            return *value;
        return isOnTheLeft(column) ? QVariant(text(node, column)) : QVariant();
    default:
        return {};
    }
}

QVariant OperatorsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (const auto own = ownFigure(section))
        return overlayHeader(*m_overlay, *own, role);
    const auto column = static_cast<OperatorColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return tr(textsOf(column).title);
    case Qt::ToolTipRole:
        return tr(textsOf(column).help);
    case Qt::TextAlignmentRole:
        return static_cast<int>(Qt::AlignVCenter | (isOnTheLeft(column) ? Qt::AlignLeft : Qt::AlignRight));
    case unitRole:
        return static_cast<int>(textsOf(column).unit);
    default:
        return {};
    }
}

} // namespace stagecraft
