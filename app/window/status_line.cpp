#include "app/window/status_line.h"

#include "app/document/document.h"
#include "app/document/tried_plan.h"
#include "views/base/elided_label.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/progress_chip.h"
#include "views/base/selection.h"
#include "views/base/terms.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QStatusBar>
#include <QToolButton>

#include <algorithm>

namespace stagecraft {

namespace {

QString slowestHelp(const Document& document)
{
    const QString help =
        QObject::tr("The device that takes longest for one microbatch sets the pace of all; how far "
                    "it is above the mean of all devices is what balancing could gain at most");
    const auto& profile = document.state().profile;
    const QString times = profile ? estimateHelp(*profile) : QString();
    return times.isEmpty() ? help : help + '\n' + times;
}

void say(QLabel* label, const QString& text)
{
    label->setText(text);
    label->setVisible(!text.isEmpty());
}

QWidget* makeRow(QWidget* parent)
{
    auto* row = new QWidget(parent);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    return row;
}

} // namespace

StatusLine::StatusLine(QStatusBar* bar, Document& document, const Selection& selection, QAction* options)
    : QObject(bar),
      m_document(document),
      m_selection(selection),
      m_labels(makeRow(bar)),
      m_model(addLabel(tr("Model"))),
      m_selected(addLabel(tr("Selection"))),
      m_setup(new QToolButton(bar)),
      m_stages(addLabel(tr("Stages and devices"))),
      m_slowest(addLabel(tr("Slowest stage"))),
      m_bound(addLabel(tr("Bound"))),
      m_chip(new ProgressChip(bar))
{
    m_stages->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Preferred); // short, and of no use in part
    m_selected->setToolTip(tr("What is selected; ops are numbered in the order in which they run"));
    m_setup->setAutoRaise(true);
    m_setup->setAccessibleName(tr("What the plan is made for"));
    connect(m_setup, &QToolButton::clicked, options, &QAction::trigger);
    qobject_cast<QHBoxLayout*>(m_labels->layout())->addStretch(1);
    bar->addWidget(m_labels, 1);
    bar->addPermanentWidget(m_setup);
    bar->addPermanentWidget(m_chip);
    connect(&document, &Document::modelChanged, this, &StatusLine::showModel);
    connect(&document, &Document::drawingChanged, this, &StatusLine::showModel);
    connect(&document, &Document::planChanged, this, &StatusLine::showPlan);
    connect(&document, &Document::previewChanged, this, &StatusLine::showPlan);
    connect(&document, &Document::askedChanged, this, &StatusLine::showPlan);
    connect(&selection, &Selection::nodesChanged, this, &StatusLine::showSelection);
    for (JobQueue* queue : document.queues())
        watch(*queue);
    connect(m_chip, &ProgressChip::cancelRequested, this, [this] {
        if (m_shownQueue)
            m_shownQueue->cancelAll();
    });
    onKeyPress(bar->window(), [this](int key, Qt::KeyboardModifiers) { // that no view in it has a use for
        const bool isToCancel = key == Qt::Key_Escape && m_chip->isVisible();
        if (isToCancel)
            m_chip->cancel();
        return isToCancel;
    });
}

void StatusLine::watch(JobQueue& queue)
{
    m_queues.emplace_back(&queue);
    connect(&queue, &JobQueue::currentChanged, this, &StatusLine::showJob);
    connect(&queue, &JobQueue::progressed, this,
            [this, &queue](const QString& activity, std::optional<double> fraction) {
                if (m_shownQueue == &queue)
                    m_chip->setProgress(activity, fraction);
            });
}

// Where there is no room, what the plan is made for stays whole.
ElidedLabel* StatusLine::addLabel(const QString& name)
{
    auto* label = new ElidedLabel(m_labels);
    label->setAccessibleName(name);
    label->setContentsMargins(em(m_labels, spacing::medium), 0, em(m_labels, spacing::medium), 0);
    m_labels->layout()->addWidget(label);
    return label;
}

void StatusLine::showModel()
{
    QString name, text;
    const QFontMetrics fontMetrics(m_model->font());
    if (m_document.hasModel()) {
        const Graph& graph = m_document.model()->graph;
        name = shownText(m_document.model()->name);
        text = fontMetrics.elidedText(name, Qt::ElideMiddle, em(m_labels, 16)) + ", " +
               opCountText(graph.nodeCount());
        if (const auto& drawing = m_document.drawing()) {
            const auto hidden = std::ranges::count_if(
                graph.nodes(), [&](NodeId node) { return drawing->tree->isHidden(node); });
            if (hidden > 0)
                text += tr(", %1 hidden").arg(static_cast<qlonglong>(hidden));
        }
    }
    say(m_model, text);
    m_model->setToolTip(name + '\n' +
                        tr("Operators in the model; hidden ones compute nothing and are not drawn"));
    showSelection();
    showPlan();
}

void StatusLine::showSelection()
{
    say(m_selected, selectionText(m_document, m_selection));
}

void StatusLine::showPlan()
{
    const auto& cost = m_document.shown().cost;
    const QString setup = setupText(m_document);
    m_setup->setText(setup);
    m_setup->setToolTip(setup + '\n' + tr("What the plan is made for; a click shows where it is chosen"));
    m_setup->setVisible(!setup.isEmpty());
    const bool isPlan = m_document.isDragging() || hasPlan(m_document.state());
    say(m_stages, isPlan ? stagesText(cost->stages.size(), cost->devices.size()) : unsplitText(m_document));
    say(m_slowest, slowestText(m_document));
    m_slowest->setToolTip(slowestHelp(m_document));
    const std::optional<Bound> bound = m_document.bound();
    const Seconds step = m_document.stepBound();
    const bool isToSay = isPlan && (cost->stages.size() > 1 || !cost->fits());
    m_bound->setToolTip(isToSay && bound ? qualityHelp(*cost, bound, step) : QString());
    say(m_bound, isToSay ? qualityText(*cost, bound, step) : QString());
}

void StatusLine::showJob()
{
    const auto busy = std::ranges::find_if(
        m_queues, [](const QPointer<JobQueue>& queue) { return queue && queue->isBusy(); });
    JobQueue* const queue = busy == m_queues.end() ? nullptr : busy->data();
    const QString name = queue ? queue->currentName() : QString();
    const bool isSame = queue == m_shownQueue && name == m_shownJob;
    m_shownQueue = queue;
    m_shownJob = name;
    if (isSame)
        return;
    if (queue)
        m_chip->start(name);
    else
        m_chip->finish();
}

// What is known while there is no plan is of the whole model, which nobody asked for.
QString unsplitText(const Document& document)
{
    if (!document.hasModel())
        return {};
    const auto stages = static_cast<int>(document.asked().plan.stageCount);
    return document.isFirstSearch() ? StatusLine::tr("splitting into %n stage(s)…", nullptr, stages)
                                    : StatusLine::tr("not split yet");
}

// Of the plan that is shown; of the one that is looked for while there is none.
QString setupText(const Document& document)
{
    if (!document.hasModel())
        return {};
    const bool isPlan = document.isDragging() || hasPlan(document.state());
    return planSetup(isPlan ? document.shown().request : document.asked(), document.devices());
}

QString selectionText(const Document& document, const Selection& selection)
{
    const std::vector<NodeId>& nodes = selection.nodes();
    if (nodes.empty() || !document.hasModel())
        return {};
    if (nodes.size() > 1)
        return StatusLine::tr("%1 selected").arg(opCountText(nodes.size()));
    const Node& node = document.model()->graph[nodes.front()];
    return StatusLine::tr("%1 (op %2)").arg(shownText(node.name), QString::number(nodes.front().index() + 1));
}

QString slowestText(const Document& document)
{
    const auto& cost = document.shown().cost;
    if (!cost || cost->stages.size() < 2)
        return {};
    Seconds sum;
    for (const DeviceCost& device : cost->devices)
        sum += device.load;
    const Seconds mean = sum / static_cast<double>(cost->devices.size());
    QString text = StatusLine::tr("slowest: %1, %2").arg(slowestTerm(*cost), toText(cost->bottleneckTime));
    const double above = cost->bottleneckTime / mean - 1;
    return above > 1e-3 ? text + StatusLine::tr(" (%1 above the mean)").arg(percentText(above)) : text;
}

} // namespace stagecraft
