// One plan, one figure: what the tables, charts, labels, lines and the command line's texts say of it is the
// same, under every schedule and objective.
#include "app/document/schedule_figures.h"
#include "app/document/stages_memory.h"
#include "app/window/status_line.h"
#include "core/layout/item_text.h"
#include "core/plan/editing.h"
#include "core/plan/sources/partition_json.h"
#include "core/plan/stage_labels.h"
#include "core/workflow.h"
#include "views/base/format.h"
#include "views/base/theme.h"
#include "views/charts/chart_data.h"
#include "views/charts/schedule_view.h"
#include "views/graph/graph_boundaries.h"
#include "views/graph/graph_navigation.h"
#include "views/graph/graph_tooltip.h"
#include "views/model/details_html.h"
#include "views/model/module_model.h"
#include "views/plan/stages_model.h"
#include "views/plan/stages_table.h"

#include "document_fixture.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QSignalSpy>

#include <cmath>
#include <set>

using namespace stagecraft;

Q_DECLARE_METATYPE(PlanRequest)

namespace {

bool settle(Document& document)
{
    return QTest::qWaitFor([&] { return document.isSettled(); }, patience);
}

QString cellOf(const PlanCost& cost, StageId stage, StageColumn column)
{
    return stageCellText(cost, stage, column);
}

QString allText(const QWidget& widget)
{
    QString text;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        text += label->text() + '\n';
    return text;
}

} // namespace

class TestFigures : public QObject
{
    Q_OBJECT

private:
    std::unique_ptr<Document> m_document;
    QJsonObject m_json; // of its plan

    QJsonObject makeJson() const
    {
        const PlanState& state = m_document->state();
        const Solution solution{
            .partition = *state.partition, .cost = *state.cost, .bound = *m_document->bound()};
        return QJsonDocument::fromJson(QByteArray::fromStdString(partitionJson(*state.problem, solution)))
            .object();
    }

    void devicesAndStages(const PlanRequest& request)
    {
        const PlanCost& cost = *m_document->state().cost;
        QCOMPARE(cost.stages.size(), request.plan.stageCount);
        QCOMPARE(cost.devices.size() * request.plan.stagesPerDevice, request.plan.stageCount);
        QCOMPARE(m_json["device_count"].toInt(), static_cast<int>(cost.devices.size()));
        const std::string staging = stagingText(m_document->state().problem->options);
        QCOMPARE(stagesText(cost.stages.size(), cost.devices.size()), QString::fromStdString(staging));
        QCOMPARE(m_json["devices"].toArray().size(), static_cast<int>(cost.devices.size()));
        QCOMPARE(scheduleFigures(m_document->state())->timeline.devices.size(), cost.devices.size());
        for (const StageId stage : cost.stages.ids()) {
            const auto& stages = cost.devices[cost.deviceOf(stage)].stages;
            QVERIFY(std::ranges::find(stages, stage) != stages.end());
        }
    }

    void slowest()
    {
        const PlanCost& cost = *m_document->state().cost;
        Seconds load;
        for (const StageId stage : cost.devices[cost.slowestDevice].stages)
            load += timeOf(cost, stage);
        QVERIFY(std::abs(load / cost.bottleneckTime - 1) < 1e-12);
        for (const DeviceCost& device : cost.devices)
            QVERIFY(device.load <= cost.bottleneckTime);
        const QString name = QString::fromStdString(slowestLabel(cost));
        QCOMPARE(name.startsWith("device"), cost.sharesDevices());
        const QString time = toText(cost.bottleneckTime);
        QVERIFY(slowestText(*m_document).startsWith("slowest: " + name + ", " + time));
        Selection selection;
        StagesTable table(&selection);
        table.setPlan(m_document->planView());
        QVERIFY2(
            allText(table).contains("<b>" + slowestName(cost) + "</b> is the slowest: <b>" + time + "</b>"),
            qPrintable(allText(table)));
        const Solution solution{
            .partition = *m_document->state().partition, .cost = cost, .bound = *m_document->bound()};
        const QString text = QString::fromStdString(partitionText(*m_document->state().problem, solution));
        QVERIFY2(text.contains("bottleneck: " + name + ", " + time), qPrintable(text));
        QCOMPARE(m_json["bottleneck_device"].toInt(), static_cast<int>(cost.slowestDevice));
        // The rows that are marked are of it, and where it is one stage, its row says its time.
        for (const StageId stage : cost.stages.ids()) {
            const bool isMarked = !stageCellContent(cost, nullptr, stage, StageColumn::Stage).badge.isEmpty();
            QCOMPARE(isMarked, cost.deviceOf(stage) == cost.slowestDevice);
            if (isMarked && !cost.sharesDevices())
                QCOMPARE(cellOf(cost, stage, StageColumn::Time), time);
            QVERIFY(std::abs(timeOf(cost, stage) / cost.stages[stage].load - 1) < 1e-12);
        }
    }

    void idleAndBubble()
    {
        const PlanCost& cost = *m_document->state().cost;
        const auto figures = scheduleFigures(m_document->state());
        QCOMPARE(toText(figures->timeline.makespan), toText(cost.iteration));
        QVERIFY(std::abs(figures->bubble.total() - cost.bubble) < 1e-9);
        double idle = 0;
        for (std::size_t device = 0; device < cost.devices.size(); ++device) {
            idle += cost.devices[device].idle;
            QVERIFY(std::abs(cost.devices[device].idle - figures->timeline.idleShare(device)) < 1e-12);
            QCOMPARE(m_json["devices"][static_cast<int>(device)]["idle"].toDouble(),
                     cost.devices[device].idle);
        }
        QVERIFY(std::abs(idle / static_cast<double>(cost.devices.size()) - cost.bubble) < 1e-9);
        for (const StageId stage : cost.stages.ids())
            QCOMPARE(cellOf(cost, stage, StageColumn::Gap),
                     percentText(cost.devices[cost.deviceOf(stage)].idle));
        QCOMPARE(m_json["bubble"].toDouble(), cost.bubble);
        Selection selection;
        StagesTable table(&selection);
        table.setPlan(m_document->planView());
        const QString totals = allText(table);
        QVERIFY2(totals.contains((QStringLiteral("Step %1 · bubble %2 · ")
                                      .arg(toText(cost.iteration), percentText(cost.bubble)))
                                     .toHtmlEscaped()),
                 qPrintable(totals));
        ScheduleView schedule(&selection);
        schedule.setFigures(figures);
        QVERIFY(schedule.summary().startsWith(
            QStringLiteral("step %1, bubble %2:").arg(toText(cost.iteration), percentText(cost.bubble))));
    }

    void memory()
    {
        const PlanView plan = m_document->planView();
        const PlanCost& cost = *plan.cost;
        const auto figures = scheduleFigures(m_document->state());
        const MemoryCurve curve = memoryCurve(plan, stageOrder(*plan.partition));
        for (std::size_t device = 0; device < cost.devices.size(); ++device) {
            QCOMPARE(figures->timeline.devices[device].peakMemory.count(),
                     cost.devices[device].peakMemory.count());
            QCOMPARE(figures->memoryLimits[device], cost.devices[device].memoryLimit);
        }
        for (const StageId stage : cost.stages.ids()) {
            const DeviceCost& device = cost.devices[cost.deviceOf(stage)];
            QCOMPARE(curve.peaks[stage.index()], cost.stages[stage].peakMemory.asDouble());
            QVERIFY(cost.stages[stage].peakMemory <= device.peakMemory);
            if (!cost.sharesDevices())
                QCOMPARE(cellOf(cost, stage, StageColumn::Peak), toText(device.peakMemory));
            const auto limits = planLimits(plan.profile->options.device);
            QCOMPARE(cost.stages[stage].memoryLimit, limits.front());
        }
    }

    void bytes()
    {
        const PlanView plan = m_document->planView();
        const PlanCost& cost = *plan.cost;
        const StageOrder order = stageOrder(*plan.partition);
        const std::vector<Bytes> across = bytesAcross(*plan.graph, *plan.profile, order.nodes);
        Bytes both;
        for (const BoundaryId boundary : cost.boundaries.ids()) {
            const BoundaryCost& figures = cost.boundaries[boundary];
            const Bytes here = figures.forwardBytes + figures.backwardBytes;
            both += here;
            QCOMPARE(across[order.boundaries[boundary.index()]].count(), here.count());
            const QString label = boundaryText(&figures, 0);
            QVERIFY2(label.contains(toText(here)), qPrintable(label));
            QCOMPARE(label.contains("both ways"), figures.backwardBytes > Bytes{});
            QVERIFY(boundaryTooltip(plan, boundary).contains(toText(here)));
        }
        if (!cost.sharesDevices())
            QCOMPARE(cost.bytesSent.count(), both.count());
        QCOMPARE(m_json["bytes_sent"].toDouble(), cost.bytesSent.asDouble());
    }

    // The curves of the panel of the step's memory reach what the table of the stages says, to the byte.
    void memoryOverTheStep()
    {
        const PlanCost& cost = *m_document->state().cost;
        const auto shown = stagesMemory(m_document->state());
        QVERIFY(shown);
        QCOMPARE(shown->memory.size(), cost.stages.size());
        for (const StageId stage : cost.stages.ids()) {
            const StageMoment& peak = peakOf(shown->memory[stage.index()]);
            QCOMPARE(peak.bytes, cost.stages[stage].peakMemory);
            QCOMPARE(toText(peak.bytes), cellOf(cost, stage, StageColumn::Peak));
        }
        QCOMPARE(shown->sharesDevices(), cost.sharesDevices());
        QCOMPARE(shown->end, cost.iteration);
        for (std::size_t i = 0; i < cost.devices.size(); ++i) {
            Bytes most;
            for (const MemoryStep& step : shown->devices[i].memory)
                most = std::max(most, step.bytes);
            QCOMPARE(most, cost.devices[i].peakMemory);
            QCOMPARE(shown->devices[i].limit, cost.devices[i].memoryLimit);
        }
    }

private slots:
    void initTestCase() { m_document = openedDocument(); }
    void cleanupTestCase() { m_document.reset(); }

    void plans_data()
    {
        QTest::addColumn<PlanRequest>("request");
        PlanRequest request = m_document->request();
        const auto row = [&](const char* name, ScheduleKind schedule, std::size_t stages, std::size_t each,
                             Objective objective) {
            request.plan.schedule = schedule;
            request.plan.stageCount = stages;
            request.plan.stagesPerDevice = each;
            request.plan.objective = objective;
            QTest::newRow(name) << request;
        };
        using enum ScheduleKind;
        row("1f1b", OneFOneB, 4, 1, Objective::Sum);
        row("1f1b, computing alone", OneFOneB, 3, 1, Objective::Compute);
        row("gpipe, transfers beside", GPipe, 4, 1, Objective::Overlap);
        row("interleaved", Interleaved, 8, 2, Objective::Iteration);
        row("interleaved, slowest device", Interleaved, 4, 2, Objective::Sum);
        row("looped-bfs", LoopedBfs, 6, 2, Objective::Iteration);
        row("zb1p", ZeroBubble1, 4, 1, Objective::Sum);
        row("zb1p, two each", ZeroBubble1, 4, 2, Objective::Iteration);
        row("zbv", ZeroBubbleV, 4, 2, Objective::Iteration);
        request.profile.mode = TrainingMode::Infer;
        row("inference", OneFOneB, 4, 1, Objective::Sum);
    }

    void plans()
    {
        QFETCH(PlanRequest, request);
        m_document->setRequest(request);
        QVERIFY(settle(*m_document));
        QVERIFY(m_document->request() == request);
        QVERIFY(m_document->bound());
        m_json = makeJson();
        devicesAndStages(request);
        slowest();
        idleAndBubble();
        memory();
        memoryOverTheStep();
        bytes();
    }

    // Boxes, folded or not, say how many ops a click on them selects; those of a stage add up to its row.
    void opsOfBoxes()
    {
        PlanRequest request = m_document->request();
        request.plan.stageCount = 2;
        m_document->setRequest(request);
        QVERIFY(settle(*m_document));
        m_document->setExpansion(Expansion()); // as folded as it gets
        QVERIFY(settle(*m_document));
        const Layout& layout = *m_document->drawing();
        const PlanView plan = m_document->planView();
        int boxes = 0;
        for (const ItemId id : layout.items.ids()) {
            const LayoutItem& item = layout.items[id];
            if (!item.box || item.kind == ItemKind::Stage)
                continue;
            const std::vector<NodeId> nodes = nodesShownBy(layout, id);
            const QString detail = QString::fromStdString(itemDetail(layout, item));
            QVERIFY2(detail.endsWith(opCountText(nodes.size())), qPrintable(detail));
            QVERIFY(groupDetails(plan, applicationTheme(), nodes).contains(opCountText(nodes.size())));
            ++boxes;
        }
        QVERIFY(boxes > 0);
        for (const BoxId id : layout.tree->boxes.ids()) {
            const RunBox& box = layout.tree->boxes[id];
            if (box.depth == 1 && box.stage)
                QCOMPARE(std::to_string(box.end - box.first),
                         cellOf(*plan.cost, *box.stage, StageColumn::Ops).toStdString());
        }
    }

    // "op 180" is the same op wherever it is said.
    void numbersOfOps()
    {
        m_document->setExpansion(fullExpansion(*m_document->drawing()->tree));
        QVERIFY(settle(*m_document));
        const PlanView plan = m_document->planView();
        const Layout& layout = *m_document->drawing();
        Selection selection;
        int ops = 0;
        for (const ItemId id : layout.items.ids()) {
            const LayoutItem& item = layout.items[id];
            if (!item.node)
                continue;
            const QString number = opNumberText(*item.node, plan.graph->nodeCount());
            QVERIFY(number.startsWith(QString::number(item.node->index() + 1)));
            QVERIFY(itemTooltip(layout, plan, id).contains(number));
            QVERIFY(nodeDetails(plan, applicationTheme(), *item.node).contains(number));
            selection.setNodes({*item.node});
            QVERIFY(selectionText(*m_document, selection)
                        .contains("op " + QString::number(item.node->index() + 1)));
            ++ops;
        }
        QVERIFY(ops > 0);
    }

    // Every row of the tree that changes its stage is told, not only the first; all are as in a new tree.
    void stagesOfTheTreeAreFresh()
    {
        ModuleModel model;
        model.setPlan(m_document->planView());
        QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
        PlanView other = m_document->planView();
        auto partition = std::make_shared<Partition>(*other.partition);
        for (const NodeId node : partition->stageOf.ids())
            partition->stageOf[node] = StageId(1);
        other.partition = partition;
        model.setPlan(other);
        std::set<std::pair<quintptr, int>> told; // by parent and row
        for (const QList<QVariant>& change : changes) {
            const auto first = change[0].toModelIndex();
            const auto last = change[1].toModelIndex();
            QCOMPARE(first.parent(), last.parent());
            for (int row = first.row(); row <= last.row(); ++row)
                told.insert({first.parent().isValid() ? first.parent().internalId() + 1 : 0, row});
        }
        ModuleModel fresh;
        fresh.setPlan(other);
        std::size_t moved = 0;
        for (const NodeId node : other.graph->nodes()) {
            const QModelIndex index = model.indexOf(node);
            const auto stages = [node](const ModuleModel& of) {
                return of.indexOf(node)
                    .siblingAtColumn(int(ModuleColumn::Stages))
                    .data(Qt::AccessibleTextRole);
            };
            QCOMPARE(stages(model), stages(fresh));
            if (m_document->planView().partition->stageOf[node] == StageId(1))
                continue;
            QVERIFY(told.contains({index.parent().internalId() + 1, index.row()}));
            ++moved;
        }
        QVERIFY(moved > 0);
    }
};

QTEST_MAIN(TestFigures)
#include "tst_figures.moc"
