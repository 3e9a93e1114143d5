#include "app/window/recompute_actions.h"

#include "app/document/document.h"
#include "app/window/stage_recompute_menu.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/selection.h"

#include <QAction>
#include <QMenu>

#include <algorithm>
#include <cmath>

namespace stagecraft {

namespace {

// What holds as much as the plan that there is, about.
std::size_t nearestPoint(const TradeOfMemory& trade, const PlanCost& cost)
{
    Bytes most;
    for (const StageCost& stage : cost.stages)
        most = std::max(most, stage.peakMemory);
    const auto nearest = std::ranges::min_element(trade.points, {}, [&](const TradePoint& point) {
        return std::abs((point.memory - most).asDouble());
    });
    return static_cast<std::size_t>(nearest - trade.points.begin());
}

void showCurrent(TradeSlider& slider, const TradeOfMemory& trade, const PlanState& state)
{
    const auto same = std::ranges::find(trade.plans, state.request.plan.recompute.regions);
    if (same != trade.plans.end())
        slider.setCurrent(static_cast<std::size_t>(same - trade.plans.begin()), TradeSlider::Match::Same);
    else
        slider.setCurrent(nearestPoint(trade, *state.cost), TradeSlider::Match::Nearest);
}

} // namespace

RecomputeActions::RecomputeActions(Document& document, const Selection& selection, TradeSlider* slider,
                                   QMenu* menu)
    : m_document(document),
      m_selection(selection),
      m_trade(document),
      m_slider(slider),
      m_this(new QAction(this)),
      m_class(new QAction(this)),
      m_never(new QAction(this)),
      m_ofStage(new StageRecomputeMenu(document, selection, menu))
{
    const auto explain = [](QAction* action, const QString& name, const QString& help) {
        action->setWhatsThis(name);
        action->setToolTip(help);
        action->setStatusTip(help);
    };
    explain(m_this, tr("Recompute the selection"),
            tr("Keep no activations of what is selected: backward runs it again"));
    explain(m_class, tr("Recompute every module of its class"),
            tr("Keep no activations of any module of the class that is selected"));
    explain(m_never, tr("Never recompute the selection"),
            tr("Keep what backward needs of what is selected instead of running it again"));
    menu->addSeparator();
    menu->addActions(actions());
    menu->addMenu(m_ofStage);
    connect(m_this, &QAction::triggered, this, [this] { recompute(Extent::Selected); });
    connect(m_class, &QAction::triggered, this, [this] { recompute(Extent::WholeClass); });
    connect(m_never, &QAction::triggered, this, &RecomputeActions::recomputeNever);
    connect(&selection, &Selection::nodesChanged, this, &RecomputeActions::show);
    connect(&document, &Document::modelChanged, this, [this] {
        m_blocks =
            m_document.hasModel() ? repeatedBlocksOf(m_document.model()->graph) : std::vector<ModuleBlock>();
        show();
    });
    connect(&document, &Document::planChanged, this, &RecomputeActions::show);
    show();
    linkSlider();
}

void RecomputeActions::linkSlider()
{
    connect(&m_trade, &RecomputeTrade::changed, this, &RecomputeActions::showTrade);
    connect(m_slider, &TradeSlider::asked, &m_trade, &RecomputeTrade::seek);
    connect(m_slider, &TradeSlider::chosen, &m_trade, &RecomputeTrade::adopt);
    showTrade();
}

void RecomputeActions::showTrade()
{
    const PlanState& state = m_document.state();
    const bool canAsk = state.problem && state.request.profile.mode == TrainingMode::Train;
    m_slider->setState(m_trade.isRunning() ? OnDemandPanel::State::Searching
                       : canAsk            ? OnDemandPanel::State::Ready
                                           : OnDemandPanel::State::None);
    const auto trade = m_trade.found();
    m_slider->setPoints(trade ? trade->points : std::vector<TradePoint>());
    if (trade && state.cost)
        showCurrent(*m_slider, *trade, state);
}

bool RecomputeActions::canChoose() const
{
    return m_document.hasModel() && m_document.state().problem && !m_selection.nodes().empty() &&
           m_document.request().profile.mode == TrainingMode::Train;
}

Blocks RecomputeActions::regions(Extent extent) const
{
    const Graph& graph = m_document.model()->graph;
    const std::vector<NodeId>& nodes = m_selection.nodes();
    return extent == Extent::Selected ? regionsFor(graph, m_blocks, nodes)
                                      : blocksOfClass(graph, classToRunAgain(graph, m_blocks, nodes));
}

void RecomputeActions::recompute(Extent extent)
{
    if (!canChoose())
        return;
    const RecomputePlan now = regionsOf(m_document.model()->graph, m_document.state());
    adopt(withRegions(now, regions(extent)), tr("Recompute %1").arg(nameOf(extent)));
}

void RecomputeActions::recomputeNever()
{
    if (!canChoose())
        return;
    const RecomputePlan now = regionsOf(m_document.model()->graph, m_document.state());
    adopt(withoutRegions(now, m_selection.nodes()), tr("Never recompute %1").arg(nameOf(Extent::Selected)));
}

void RecomputeActions::adopt(const RecomputePlan& plan, const QString& text)
{
    m_document.setRequest(withRecomputed(m_document.asked(), plan), text);
}

QString RecomputeActions::nameOf(Extent extent) const
{
    const Graph& graph = m_document.model()->graph;
    const std::vector<NodeId>& nodes = m_selection.nodes();
    if (extent == Extent::WholeClass)
        return tr("every %1").arg(shortClass(classToRunAgain(graph, m_blocks, nodes)));
    const auto module = commonModule(graph, nodes);
    const Blocks blocks = module ? blockOf(graph, *module) : Blocks();
    if (!blocks.empty() && blocks.front() == nodes)
        return shownText(graph.modules()[*module].path);
    return nodes.size() == 1 ? shownText(graph[nodes.front()].name)
                             : tr("%n op(s)", nullptr, static_cast<int>(nodes.size()));
}

void RecomputeActions::show()
{
    const bool can = canChoose();
    const std::vector<NodeId>& nodes = m_selection.nodes();
    const auto again = m_document.state().again;
    m_this->setEnabled(can);
    m_class->setEnabled(can && !regions(Extent::WholeClass).empty());
    m_never->setEnabled(can && again &&
                        std::ranges::any_of(nodes, [&](NodeId node) { return again->runs(node); }));
    m_this->setText(can ? tr("Re&compute %1").arg(menuText(nameOf(Extent::Selected)))
                        : tr("Re&compute selection"));
    m_class->setText(m_class->isEnabled() ? tr("Recomp&ute %1").arg(menuText(nameOf(Extent::WholeClass)))
                                          : tr("Recomp&ute every module of its class"));
    m_never->setText(can ? tr("Ne&ver recompute %1").arg(menuText(nameOf(Extent::Selected)))
                         : tr("Ne&ver recompute selection"));
}

} // namespace stagecraft
