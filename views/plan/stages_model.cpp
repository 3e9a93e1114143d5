#include "views/plan/stages_model.h"

#include "core/profile/summary.h"
#include "views/base/format.h"
#include "views/base/terms.h"
#include "views/plan/stage_changes.h"
#include "views/tables/table_roles.h"

#include <algorithm>
#include <array>

namespace stagecraft {

namespace {

using Change = CellContent::Change;

struct ColumnText
{
    const char* title;
    const char* help;
    ColumnUnit unit = ColumnUnit::None;
};
constexpr std::array<ColumnText, stageColumnCount> columnTexts{{
    {QT_TR_NOOP("Stage"), QT_TR_NOOP("The stage, in pipeline order")},
    {QT_TR_NOOP("Time"),
     QT_TR_NOOP(
         "Compute, receive and send for one microbatch, as the objective counts them. Ops in the graph "
         "take what they take in a step of the whole model; a stage hands its own to its device by "
         "itself, and adds gradients to those of the microbatches before"),
     ColumnUnit::Time},
    {QT_TR_NOOP("Peak"), QT_TR_NOOP("The most that the stage holds at once, against the limit of its device"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Idle"),
     QT_TR_NOOP(
         "The share of a step in which the stage's device computes nothing: it waits, or is held up by "
         "transfers. The mean of all devices is the bubble")},
    {QT_TR_NOOP("Sent"), QT_TR_NOOP("Activations down and gradients up, for one microbatch"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Received"),
     QT_TR_NOOP("Activations from above and gradients from below, for one microbatch"), ColumnUnit::Size},
    {QT_TR_NOOP("Forward"), QT_TR_NOOP("Forward compute for one microbatch"), ColumnUnit::Time},
    {QT_TR_NOOP("Backward"), QT_TR_NOOP("Backward compute for one microbatch"), ColumnUnit::Time},
    {QT_TR_NOOP("Run again"),
     QT_TR_NOOP("Of the backward pass: forward passes that are run again instead of having all of them "
                "kept (Recompute, in the plan's options)"),
     ColumnUnit::Time},
    {QT_TR_NOOP("Kept"),
     QT_TR_NOOP("Activations kept from forward to backward, of all microbatches in flight"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Not kept"),
     QT_TR_NOOP("What it would keep besides, of all microbatches in flight, if nothing were run again"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Buffers"),
     QT_TR_NOOP("Of its peak, what the run-time of the pipeline holds (Run-time, in the plan's options)"),
     ColumnUnit::Size},
    {QT_TR_NOOP("Parameters"), QT_TR_NOOP("Bytes of the parameters themselves"), ColumnUnit::Size},
    {QT_TR_NOOP("In flight"),
     QT_TR_NOOP("Microbatches whose activations it keeps at once, by schedule and position")},
    {QT_TR_NOOP("Ops"), QT_TR_NOOP("Operators in the stage"), ColumnUnit::Number},
}};

QString stageColumnHelp(StageColumn column)
{
    return QObject::tr(columnTexts[static_cast<std::size_t>(column)].help);
}

Qt::Alignment alignmentOf(StageColumn column)
{
    return Qt::AlignVCenter | (column == StageColumn::Stage ? Qt::AlignLeft : Qt::AlignRight);
}

BoundaryId above(StageId stage)
{
    return BoundaryId(stage.index() - 1);
}

BoundaryId below(StageId stage)
{
    return BoundaryId(stage.index());
}

void setTimeBar(CellContent& content, const PlanCost& cost, StageId stage)
{
    Seconds sum;
    Seconds most;
    for (const StageId other : cost.stages.ids()) {
        sum += timeOf(cost, other);
        most = std::max(most, timeOf(cost, other));
    }
    if (!(most.value() > 0))
        return;
    content.bar = timeOf(cost, stage) / most;
    content.tick = sum / static_cast<double>(cost.stages.size()) / most;
    content.barStage = stage;
}

// Does the stage run on the slowest device? All that runs there has its part in it.
bool isSlowest(const PlanCost& cost, StageId stage)
{
    if (cost.stages.size() < 2)
        return false;
    return cost.sharesDevices() ? cost.deviceOf(stage) == cost.slowestDevice : cost.bottleneck == stage;
}

const DeviceCost* deviceOf(const PlanCost& cost, StageId stage)
{
    const std::size_t device = cost.deviceOf(stage);
    return device < cost.devices.size() ? &cost.devices[device] : nullptr;
}

bool fitsOnDevice(const PlanCost& cost, StageId stage)
{
    const DeviceCost* device = deviceOf(cost, stage);
    return cost.stages[stage].fits() && (!device || device->fits());
}

// The bar ends at the limit; a peak beyond it squeezes the scale so that the limit's tick moves inwards.
void setPeakBar(CellContent& content, const PlanCost& cost, StageId stage)
{
    const StageCost& figures = cost.stages[stage];
    double full = 0;
    if (figures.memoryLimit != Bytes::max())
        full = std::max(figures.memoryLimit, figures.peakMemory).asDouble();
    else
        for (const StageCost& other : cost.stages)
            full = std::max(full, other.peakMemory.asDouble());
    if (!(full > 0))
        return;
    content.bar = figures.peakMemory.asDouble() / full;
    content.barStage = stage;
    content.overLimit = !fitsOnDevice(cost, stage);
    if (!figures.fits())
        content.tick = figures.memoryLimit.asDouble() / full;
}

// Where stages share devices: what runs on that of this one, and what it comes to.
QString deviceHelp(const PlanCost& cost, StageId stage)
{
    const DeviceCost* device = cost.sharesDevices() ? deviceOf(cost, stage) : nullptr;
    if (!device)
        return {};
    QString text = QObject::tr("\nDevice %1 runs %2: %3 for one microbatch, holds %4 at once, idle %5")
                       .arg(cost.deviceOf(stage) + 1)
                       .arg(stagesTerm(device->stages), toText(device->load), toText(device->peakMemory),
                            percentText(device->idle));
    if (!device->fits())
        text += QObject::tr("\n%1 over the limit of %2")
                    .arg(toText(device->peakMemory - device->memoryLimit), toText(device->memoryLimit));
    return text;
}

QString memoryHelp(const StageCost& cost)
{
    QString text = QObject::tr("State (parameters, gradients, optimizer) %1\nActivations %2 for each of %3 "
                               "microbatches in flight\nWhile one op runs %4")
                       .arg(toText(cost.stateBytes), toText(cost.savedBytes))
                       .arg(cost.inFlight)
                       .arg(toText(cost.transientBytes));
    if (cost.waitingBytes > Bytes{})
        text +=
            QObject::tr("\nGradients between the two parts of backward %1").arg(toText(cost.waitingBytes));
    if (cost.releasedBytes > Bytes{})
        text += QObject::tr("\nLet go between these parts %1").arg(toText(cost.releasedBytes));
    if (cost.runtimeBytes > Bytes{})
        text += QObject::tr("\nBuffers of the run-time %1").arg(toText(cost.runtimeBytes));
    if (cost.memoryLimit != Bytes::max())
        text += cost.fits() ? QObject::tr("\nFits into %1").arg(toText(cost.memoryLimit))
                            : QObject::tr("\n%1 over the limit of %2")
                                  .arg(toText(cost.peakMemory - cost.memoryLimit), toText(cost.memoryLimit));
    return text;
}

// What of a stage's times its time is.
QString countedText(Objective objective)
{
    switch (objective) {
    case Objective::Sum:
    case Objective::Iteration:
        return QObject::tr("Its time is all three together");
    case Objective::Compute:
        return QObject::tr("Its time is computing alone: that is what the plan is searched for");
    case Objective::Overlap:
        return QObject::tr("Its time is the longest of the three: transfers run beside the computing");
    }
    return {};
}

QString cellHelp(const PlanCost& cost, StageId stage, StageColumn column)
{
    const StageCost& figures = cost.stages[stage];
    switch (column) {
    case StageColumn::Stage:
    case StageColumn::Gap:
        return stageColumnHelp(column) + deviceHelp(cost, stage);
    case StageColumn::Time:
        return QObject::tr(
                   "Compute %1, receive %2, send %3, for one microbatch\n%4\nThe tick is the average of "
                   "all stages")
                   .arg(toText(figures.compute()), toText(figures.receive), toText(figures.send),
                        countedText(cost.objective)) +
               deviceHelp(cost, stage);
    case StageColumn::Peak:
        return memoryHelp(figures) + deviceHelp(cost, stage);
    case StageColumn::Kept:
        return QObject::tr("%1 for each of %2 microbatches in flight")
            .arg(toText(figures.savedBytes))
            .arg(figures.inFlight);
    case StageColumn::Backward:
        return QObject::tr("Gradients of activations %1, of parameters %2")
            .arg(toText(figures.backwardInput), toText(figures.backwardWeight));
    default:
        return stageColumnHelp(column);
    }
}

} // namespace

QString stageColumnTitle(StageColumn column)
{
    return QObject::tr(columnTexts[static_cast<std::size_t>(column)].title);
}

Bytes bytesReceived(const PlanCost& cost, StageId stage)
{
    Bytes sum;
    if (stage.index() > 0 && cost.boundaries.contains(above(stage)))
        sum += cost.boundaries[above(stage)].forwardBytes;
    if (cost.boundaries.contains(below(stage)))
        sum += cost.boundaries[below(stage)].backwardBytes;
    return sum;
}

Bytes bytesSent(const PlanCost& cost, StageId stage)
{
    Bytes sum;
    if (cost.boundaries.contains(below(stage)))
        sum += cost.boundaries[below(stage)].forwardBytes;
    if (stage.index() > 0 && cost.boundaries.contains(above(stage)))
        sum += cost.boundaries[above(stage)].backwardBytes;
    return sum;
}

double idleShare(const PlanCost& cost, StageId stage)
{
    const DeviceCost* device = deviceOf(cost, stage);
    return device ? device->idle : 0;
}

Bytes bytesKept(const StageCost& cost)
{
    return cost.savedBytes * cost.inFlight;
}

Table<StageId, Bytes> savedWithout(const PlanView& plan)
{
    if (!plan.again || !plan.again->without || !plan.partition)
        return {};
    Table<StageId, std::vector<NodeId>> nodes(plan.partition->stageCount);
    for (const NodeId node : plan.partition->stageOf.ids())
        nodes[plan.partition->stageOf[node]].push_back(node);
    Table<StageId, Bytes> saved(plan.partition->stageCount);
    for (const StageId stage : nodes.ids())
        saved[stage] = keptByStage(*plan.again->without, nodes[stage]);
    return saved;
}

double stageCellValue(const PlanCost& cost, StageId stage, StageColumn column)
{
    const StageCost& figures = cost.stages[stage];
    switch (column) {
    case StageColumn::Stage:
        return stage.index() + 1;
    case StageColumn::Time:
        return timeOf(cost, stage).value();
    case StageColumn::Peak:
        return figures.peakMemory.asDouble();
    case StageColumn::Gap:
        return idleShare(cost, stage);
    case StageColumn::Sent:
        return bytesSent(cost, stage).asDouble();
    case StageColumn::Received:
        return bytesReceived(cost, stage).asDouble();
    case StageColumn::Forward:
        return figures.forward.value();
    case StageColumn::Backward:
        return (figures.backwardInput + figures.backwardWeight).value();
    case StageColumn::Again:
        return figures.recomputed.value();
    case StageColumn::Kept:
        return bytesKept(figures).asDouble();
    case StageColumn::Freed: // the model knows
        break;
    case StageColumn::Buffers:
        return figures.runtimeBytes.asDouble();
    case StageColumn::Parameters:
        return figures.parameterBytes.asDouble();
    case StageColumn::InFlight:
        return figures.inFlight;
    case StageColumn::Ops:
        return static_cast<double>(figures.nodeCount);
    }
    return 0;
}

QString stageCellText(const PlanCost& cost, StageId stage, StageColumn column)
{
    const StageCost& figures = cost.stages[stage];
    switch (column) {
    case StageColumn::Stage:
        return stageName(stage);
    case StageColumn::Time:
        return toText(timeOf(cost, stage));
    case StageColumn::Peak:
        return toText(figures.peakMemory);
    case StageColumn::Gap:
        return percentText(idleShare(cost, stage));
    case StageColumn::Sent:
        return toText(bytesSent(cost, stage));
    case StageColumn::Received:
        return toText(bytesReceived(cost, stage));
    case StageColumn::Forward:
        return toText(figures.forward);
    case StageColumn::Backward:
        return toText(figures.backwardInput + figures.backwardWeight);
    case StageColumn::Again:
        return figures.recomputed > Seconds{} ? toText(figures.recomputed) : QString();
    case StageColumn::Kept:
        return toText(bytesKept(figures));
    case StageColumn::Freed: // the model knows
        break;
    case StageColumn::Buffers:
        return toText(figures.runtimeBytes);
    case StageColumn::Parameters:
        return toText(figures.parameterBytes);
    case StageColumn::InFlight:
        return QString::number(figures.inFlight);
    case StageColumn::Ops:
        return QString::number(figures.nodeCount);
    }
    return {};
}

CellContent stageCellContent(const PlanCost& cost, const PlanCost* base, StageId stage, StageColumn column)
{
    CellContent content;
    const bool slowest = isSlowest(cost, stage);
    if (column == StageColumn::Stage) {
        content.chips = {stage};
        content.bold = slowest;
        if (cost.sharesDevices())
            content.note = QObject::tr("device %1").arg(cost.deviceOf(stage) + 1);
        if (slowest)
            content.badge = QObject::tr("slowest");
    }
    if (column == StageColumn::Time) {
        setTimeBar(content, cost, stage);
        content.bold = slowest;
    }
    if (column == StageColumn::Peak)
        setPeakBar(content, cost, stage);
    content.faint = column > StageColumn::Gap;
    if (base && base->stages.contains(stage))
        addChange(content, *base, cost, stage, column);
    return content;
}

// Rows stay where they are while their number does: a drag only changes data.
void StagesModel::setPlans(std::shared_ptr<const PlanCost> cost, std::shared_ptr<const PlanCost> preview)
{
    const auto rowsOf = [](const PlanCost* plan) { return plan ? plan->stages.size() : 0; };
    const PlanCost* next = preview ? preview.get() : cost.get();
    const bool sameRows = rowsOf(next) == rowsOf(shown());
    if (!sameRows)
        beginResetModel();
    m_cost = std::move(cost);
    m_preview = std::move(preview);
    if (!sameRows)
        endResetModel();
    else if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, stageColumnCount - 1));
}

void StagesModel::setSavedWithout(Table<StageId, Bytes> saved)
{
    m_savedWithout = std::move(saved);
}

std::optional<Bytes> StagesModel::freed(StageId stage) const
{
    if (!m_savedWithout.contains(stage))
        return std::nullopt;
    const StageCost& cost = shown()->stages[stage];
    return std::max(Bytes{}, m_savedWithout[stage] - cost.savedBytes) * cost.inFlight;
}

QVariant StagesModel::freedData(StageId stage, int role) const
{
    const std::optional<Bytes> bytes = freed(stage);
    const QString text = bytes ? toText(*bytes) : QString();
    switch (role) {
    case Qt::DisplayRole:
        return text;
    case Qt::AccessibleTextRole:
        return stageColumnTitle(StageColumn::Freed) + ": " + text;
    case valueRole:
        return bytes ? bytes->asDouble() : 0;
    default:
        return {};
    }
}

void StagesModel::setCompared(std::shared_ptr<const PlanCost> other)
{
    m_compared = std::move(other);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, stageColumnCount - 1));
}

int StagesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || !shown() ? 0 : static_cast<int>(shown()->stages.size());
}

int StagesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : stageColumnCount;
}

QVariant StagesModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const StageId stage(static_cast<std::size_t>(index.row()));
    const auto column = static_cast<StageColumn>(index.column());
    if (column == StageColumn::Freed &&
        (role == Qt::DisplayRole || role == Qt::AccessibleTextRole || role == valueRole))
        return freedData(stage, role);
    switch (role) {
    case Qt::DisplayRole:
        if (column == StageColumn::Stage) // its chip says it
            return QString();
        return stageCellText(*shown(), stage, column);
    case Qt::ToolTipRole:
        return stageName(stage) + '\n' + cellHelp(*shown(), stage, column);
    case Qt::TextAlignmentRole:
        return static_cast<int>(alignmentOf(column));
    case Qt::AccessibleTextRole:
        return stageColumnTitle(column) + ": " + stageCellText(*shown(), stage, column) +
               (isSlowest(*shown(), stage) && column == StageColumn::Stage ? QObject::tr(", the slowest")
                                                                           : QString());
    case valueRole:
        return stageCellValue(*shown(), stage, column);
    case cellRole:
        return QVariant::fromValue(stageCellContent(*shown(), base(), stage, column));
    default:
        return {};
    }
}

QVariant StagesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= stageColumnCount)
        return {};
    const auto column = static_cast<StageColumn>(section);
    switch (role) {
    case Qt::DisplayRole:
        return stageColumnTitle(column);
    case Qt::ToolTipRole:
        return stageColumnHelp(column);
    case Qt::TextAlignmentRole:
        return static_cast<int>(alignmentOf(column));
    case unitRole:
        return static_cast<int>(columnTexts[static_cast<std::size_t>(section)].unit);
    default:
        return {};
    }
}

} // namespace stagecraft
