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
    m_isExpansionSettled = false;
    m_engine = std::make_shared<LayoutEngine>();
}

void GraphDrawing::setExpansion(const Expansion& expansion)
{
    m_expansion = expansion;
    m_isExpansionSettled = true;
    refresh();
}

void GraphDrawing::setDetail(std::size_t maxItems)
{
    m_maxItems = maxItems;
    m_isExpansionSettled = false;
    refresh();
}

void GraphDrawing::setTreeOptions(const RunTreeOptions& options)
{
    m_treeOptions = options;
    refresh();
}

GraphDrawing::Work GraphDrawing::work(const Subject& subject) const
{
    return [engine = m_engine, subject,
            chosen = m_isExpansionSettled ? std::optional(m_expansion) : std::nullopt, before = m_layout,
            maxItems = m_maxItems, options = m_treeOptions](const Progress& progress) -> Result<Layout> {
        const auto& [graph, groups, partition, profile] = subject;
        Expansion expansion = chosen.value_or(Expansion());
        const bool isOfOtherPlan = before && before->tree->partition != *partition;
        if (!chosen || isOfOtherPlan) {
            const RunTree tree = makeRunTree(*graph, *groups, *partition, options);
            expansion = chosen ? carriedOver(*chosen, *before, tree)
                               : openingExpansion(tree, openingWeights(*graph, profile.get()), maxItems);
        }
        return drawPlan(*engine, graph, *groups, *partition, expansion, options, progress);
    };
}

void GraphDrawing::start()
{
    const Subject subject = m_subject();
    if (!subject.graph)
        return;
    m_job.start(tr("Drawing"), work(subject),
                [this, hadCosts = subject.profile != nullptr](Result<Layout> layout) {
                    if (!layout.has_value()) {
                        emit failed(layout.error());
                        return;
                    }
                    m_isExpansionSettled = m_isExpansionSettled || hadCosts;
                    take(*std::move(layout));
                });
}

void GraphDrawing::take(Layout layout)
{
    for (const std::string& note : layout.notes)
        emit noticed(QString::fromStdString(note));
    m_expansion = layout.expansion;
    m_layout = std::make_shared<const Layout>(std::move(layout));
    emit changed();
}

} // namespace stagecraft
