#include "app/document/graph_drawing.h"

#include "core/workflow.h"

namespace stagecraft {

namespace {

// What boxes are worth opening for: their time, or where that is not known, their size.
Table<NodeId, double> openingWeights(const Graph& graph, const Profile* profile)
{
    Table<NodeId, double> weights(graph.nodeCount(), 1.0);
    for (const NodeId node : graph.nodes()) {
        if (profile)
            weights[node] = profile->nodes[node].time().value();
    }
    return weights;
}

// What the person opened, in a drawing of another plan: there, boxes may stand around what was drawn that
// were none before, as when a fold is split. They are opened, so that nothing disappears.
Expansion carriedOver(Expansion expansion, const Layout& before, const RunTree& tree)
{
    for (const LayoutItem& item : before.items)
        if (item.node)
            expansion.reveal(tree, *item.node);
    return expansion;
}

} // namespace

GraphDrawing::GraphDrawing(JobQueue& queue, std::function<Subject()> subject)
    : m_subject(std::move(subject)), m_engine(std::make_shared<LayoutEngine>()), m_job(queue)
{
    m_delay.setSingleShot(true);
    connect(&m_delay, &QTimer::timeout, this, &GraphDrawing::start);
}

void GraphDrawing::forget()
{
    stopWaiting();
    m_layout.reset();
    m_expansion = {};
    m_isChosen = false;
    m_maxItems.reset();
    m_opening.reset();
    m_engine = std::make_shared<LayoutEngine>();
}

void GraphDrawing::setExpansion(const Expansion& expansion)
{
    m_expansion = expansion;
    m_isChosen = true;
    refresh();
}

void GraphDrawing::setDetail(std::size_t maxItems)
{
    m_maxItems = maxItems;
    m_isChosen = false;
    refresh();
}

void GraphDrawing::setTreeOptions(const RunTreeOptions& options)
{
    m_treeOptions = options;
    m_opening.reset();
    refresh();
}

void GraphDrawing::setView(Size pixels)
{
    constexpr std::chrono::milliseconds whileItIsDragged{120};
    if (pixels == m_view)
        return;
    m_view = pixels;
    if (m_layout && !m_isChosen && !isWaiting())
        refresh(whileItIsDragged);
}

GraphDrawing::Work GraphDrawing::work(const Subject& subject) const
{
    return [engine = m_engine, subject, chosen = m_isChosen ? std::optional(m_expansion) : std::nullopt,
            before = m_layout, maxItems = m_maxItems, options = m_treeOptions, opening = m_opening,
            made = m_occasion, view = m_view](const Progress& progress) mutable -> Result<Drawn> {
        const auto& [graph, groups, partition, profile] = subject;
        const Occasion occasion{partition->stageCount, view, profile != nullptr};
        const Table<NodeId, double> weights = openingWeights(*graph, profile.get());
        const bool isNew = !opening || (!chosen && made != occasion);
        if (isNew)
            opening = chooseOpening(*graph, *groups, *partition, weights, options, view);
        options.dissolved = opening->dissolved;
        const bool isOfOtherPlan = before && before->tree->partition != *partition;
        Expansion expansion = chosen.value_or(Expansion());
        if ((chosen && isOfOtherPlan) || (!chosen && maxItems)) {
            const RunTree tree = makeRunTree(*graph, *groups, *partition, options);
            if (chosen)
                expansion = carriedOver(*chosen, *before, tree);
            else
                expansion = openingExpansion(tree, weights, *maxItems);
        }
        if (chosen && made.stageCount != occasion.stageCount)
            opening->shape = choosePageShape(*graph, makeRunTree(*graph, *groups, *partition, options), view);
        STAGECRAFT_ASSIGN(layout, drawPlan(*engine, graph, *groups, *partition, expansion, options, progress,
                                           opening->shape));
        return Drawn{std::move(layout), *opening, occasion};
    };
}

void GraphDrawing::start()
{
    const Subject subject = m_subject();
    if (!subject.graph)
        return;
    m_job.start(tr("Drawing"), work(subject), [this](Result<Drawn> drawn) {
        if (drawn.has_value())
            take(*std::move(drawn));
        else
            emit failed(drawn.error());
    });
}

void GraphDrawing::take(Drawn drawn)
{
    for (const std::string& note : drawn.layout.notes)
        emit noticed(QString::fromStdString(note));
    m_opening = std::move(drawn.opening);
    m_occasion = drawn.occasion;
    m_expansion = drawn.layout.expansion;
    m_layout = std::make_shared<const Layout>(std::move(drawn.layout));
    const bool isOfOtherView = !m_isChosen && m_occasion.view != m_view;
    emit changed();
    if (isOfOtherView)
        refresh();
}

} // namespace stagecraft
