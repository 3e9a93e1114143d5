#include "views/model/details_html.h"

#include "core/measure/statistics.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/charts/memory_rows.h"

#include <QObject>

#include <algorithm>
#include <array>
#include <map>

namespace stagecraft {

namespace {

constexpr std::size_t mostLinks = 12;
constexpr std::size_t mostKinds = 8;
constexpr std::size_t mostFrames = 6;
constexpr std::size_t mostParts = 24;

QString escaped(const std::string& text)
{
    return shownText(text).toHtmlEscaped();
}

// Collects rows of a table under headings.
class Page
{
public:
    explicit Page(const Theme& theme) : m_theme(theme) {}

    void title(const QString& text, const QString& below)
    {
        m_html += QStringLiteral("<p style='margin-bottom:2px'><span style='font-size:large'><b>%1</b></span>"
                                 "<br><span style='color:%2'>%3</span></p>")
                      .arg(text, m_theme.mutedText.name(), below);
    }
    void heading(const QString& text)
    {
        close();
        m_html += QStringLiteral("<p style='margin-top:10px;margin-bottom:2px;color:%1'><b>%2</b></p>")
                      .arg(m_theme.mutedText.name(), text);
    }
    void row(const QString& name, const QString& value)
    {
        if (value.isEmpty())
            return;
        if (!m_open)
            m_html += QStringLiteral("<table cellspacing='0' cellpadding='1'>");
        m_open = true;
        m_html += QStringLiteral("<tr><td style='color:%1;padding-right:12px'>%2</td><td>%3</td></tr>")
                      .arg(m_theme.mutedText.name(), name, value);
    }
    void line(const QString& html)
    {
        close();
        m_html += QStringLiteral("<p style='margin:1px 0'>%1</p>").arg(html);
    }
    // Of plain text: a share may read "< 0.01 %".
    QString muted(const QString& text) const
    {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(m_theme.mutedText.name(), text.toHtmlEscaped());
    }
    QString html()
    {
        close();
        return m_html;
    }

private:
    void close()
    {
        if (m_open)
            m_html += QStringLiteral("</table>");
        m_open = false;
    }

    const Theme& m_theme;
    QString m_html;
    bool m_open = false;
};

QString link(const QString& target, const QString& text, const Theme& theme)
{
    return QStringLiteral("<a href=\"%1\" style='color:%2;text-decoration:none'>%3</a>")
        .arg(target, theme.accent.name(), text);
}

QString nodeLink(const PlanView& plan, NodeId node, const Theme& theme)
{
    return link(QStringLiteral("node:%1").arg(node.index()), escaped((*plan.graph)[node].name), theme);
}

QString stageText(const Theme& theme, StageId stage)
{
    return QStringLiteral("<span style='color:%1'>&#9632;</span> %2")
        .arg(stageColor(theme, stage).name())
        .arg(stage.index() + 1);
}

QString stridesText(const TensorMeta& meta)
{
    QStringList strides;
    for (const SymInt& stride : meta.strides)
        strides << shownText(stride.text()).toHtmlEscaped();
    return strides.isEmpty() ? QString() : '(' + strides.join(", ") + ')';
}

void addCosts(Page& page, const PlanView& plan, const NodeCost& cost, const QString& source)
{
    const Seconds total = plan.profile->totals.timeForward + plan.profile->totals.timeBackward;
    QString share;
    if (total.value() > 0)
        share =
            page.muted(QObject::tr(" · %1 of the model, %2").arg(percentText(cost.time() / total), source));
    const auto bytes = [](Bytes count) { return count > Bytes(0) ? toText(count) : QString(); };
    const auto time = [](Seconds seconds) { return seconds.value() > 0 ? toText(seconds) : QString(); };
    page.heading(QObject::tr("Time"));
    page.row(QObject::tr("Total"), toText(cost.time()) + share);
    page.row(QObject::tr("Forward"), time(cost.forward.time));
    page.row(QObject::tr("Backward"), time(cost.backward().time));
    page.row(QObject::tr("Of it run again"), time(cost.recomputed.time));
    const Flops flops = cost.forward.flops + cost.backward().flops;
    page.row(QObject::tr("Work"), flops.value() > 0 ? toText(flops) : QString());
    page.row(QObject::tr("Traffic"), bytes(cost.forward.bytesRead + cost.forward.bytesWritten));
    page.heading(QObject::tr("Memory"));
    page.row(QObject::tr("Makes"), bytes(cost.outputBytes));
    page.row(QObject::tr("Kept for backward"), bytes(cost.savedBytes));
    page.row(QObject::tr("While it runs"), bytes(cost.temporaryPeak));
    page.row(QObject::tr("Parameters"), bytes(cost.parameterBytes));
    page.row(QObject::tr("Buffers"), bytes(cost.bufferBytes));
}

// What a composite operator is made of: linear is a product and an addition.
void addParts(Page& page, const PlanView& plan, NodeId id)
{
    std::vector<const OpPart*> parts;
    for (const OpPart& part : plan.profile->parts)
        if (part.node == id)
            parts.push_back(&part);
    if (parts.size() < 2)
        return;
    page.heading(QObject::tr("Parts"));
    QString pass;
    for (std::size_t i = 0; i < std::min(parts.size(), mostParts); ++i) {
        const OpPart& part = *parts[i];
        QStringList figures;
        if (part.cost.flops.value() > 0)
            figures << toText(part.cost.flops);
        const Bytes traffic = part.cost.bytesRead + part.cost.bytesWritten;
        if (traffic > Bytes(0))
            figures << toText(traffic);
        if (part.cost.time.value() > 0)
            figures << toText(part.cost.time);
        QString name = shortTarget(part.op).toHtmlEscaped();
        if (part.isBias)
            name += page.muted(QObject::tr(" (bias)"));
        if (const QString text = passText(part.phase, part.isRecomputed);
            pass != text && part.phase != Phase::Forward)
            page.row(page.muted(pass = text), QStringLiteral("&nbsp;"));
        page.row(name, figures.join(QStringLiteral(" · ")));
    }
    if (parts.size() > mostParts)
        page.line(page.muted(QObject::tr("and %1 more").arg(parts.size() - mostParts)));
}

void addStatistics(Page& page, const PlanView& plan, const Theme& theme, NodeId id)
{
    if (!plan.statistics)
        return;
    const auto warn = [&](const QString& text) {
        page.line(QStringLiteral("<b style='color:%1'>%2</b>").arg(theme.danger.name(), text));
    };
    const auto isKnown = [&](ValueId value) { return plan.statistics->values[value].forward.has_value(); };
    if (!std::ranges::any_of((*plan.graph)[id].results, isKnown))
        return;
    page.heading(QObject::tr("In a real step"));
    if (plan.statistics->firstNonFinite == id)
        warn(QObject::tr("The first NaN or infinity is made here: all it reads is finite."));
    if (plan.statistics->firstNonFiniteGradient == id)
        warn(QObject::tr("The first NaN or infinity of the backward pass is made here."));
    for (const ValueId result : (*plan.graph)[id].results) {
        const ValueStatistics& figures = plan.statistics->values[result];
        if (figures.forward)
            page.row(QObject::tr("Values"), statisticsText(*figures.forward));
        if (figures.backward)
            page.row(QObject::tr("Gradient"), statisticsText(*figures.backward));
    }
}

QString valueText(const PlanView& plan, ValueId id, const Page& page)
{
    const Value& value = (*plan.graph)[id];
    QString text = value.meta ? shownText(metaText(*value.meta)) : QString();
    if (plan.profile && plan.profile->valueBytes[id] > Bytes(0))
        text += QStringLiteral(" · ") + toText(plan.profile->valueBytes[id]);
    return page.muted(text);
}

void addInputs(Page& page, const PlanView& plan, const Theme& theme, const Node& node)
{
    if (node.inputs.empty())
        return;
    page.heading(QObject::tr("Reads"));
    for (std::size_t i = 0; i < std::min(node.inputs.size(), mostLinks); ++i) {
        const Value& value = (*plan.graph)[node.inputs[i]];
        const QString name = value.producer          ? nodeLink(plan, *value.producer, theme)
                             : !value.target.empty() ? escaped(value.target)
                                                     : escaped(value.name);
        page.row(name, valueText(plan, node.inputs[i], page));
    }
    if (node.inputs.size() > mostLinks)
        page.line(page.muted(QObject::tr("and %1 more").arg(node.inputs.size() - mostLinks)));
}

void addResults(Page& page, const PlanView& plan, const Theme& theme, const Node& node)
{
    for (const ValueId id : node.results) {
        const Value& value = (*plan.graph)[id];
        page.heading(QObject::tr("Gives %1").arg(escaped(value.name)));
        if (value.meta) {
            page.row(QObject::tr("Shape"), escaped(metaText(*value.meta)));
            page.row(QObject::tr("Strides"), stridesText(*value.meta));
        }
        if (plan.profile && plan.profile->valueBytes[id] > Bytes(0))
            page.row(QObject::tr("Size"), toText(plan.profile->valueBytes[id]));
        QStringList users;
        for (std::size_t i = 0; i < std::min(value.users.size(), mostLinks); ++i)
            users << nodeLink(plan, value.users[i], theme);
        if (value.users.size() > mostLinks)
            users << page.muted(QObject::tr("%1 more").arg(value.users.size() - mostLinks));
        page.row(QObject::tr("Read by"), users.join(", "));
        if (plan.graph->isOutput(id))
            page.row(QObject::tr("Returned"), QObject::tr("by the model"));
    }
}

void addSource(Page& page, const PlanView& plan, const Theme& theme, const Node& node)
{
    if (!node.source)
        return;
    const auto frames = plan.graph->source(*node.source);
    if (frames.empty())
        return;
    page.heading(QObject::tr("Source"));
    // Innermost first: that line made the operator.
    const std::size_t shown = std::min(frames.size(), mostFrames);
    for (std::size_t i = 0; i < shown; ++i) {
        const SourceFrame& frame = frames[frames.size() - 1 - i];
        const QString file = shownText(frame.file);
        const QString where = file.section('/', -1) + ':' + QString::number(frame.line);
        page.line(link(QStringLiteral("source:%1:%2").arg(frame.line).arg(file.toHtmlEscaped()),
                       where.toHtmlEscaped(), theme) +
                  page.muted(QObject::tr(" in %1").arg(shownText(frame.function))));
        if (!frame.text.empty())
            page.line(QStringLiteral("<code>&nbsp;&nbsp;%1</code>").arg(escaped(frame.text)));
    }
}

} // namespace

QString nodeDetails(const PlanView& plan, const Theme& theme, NodeId id)
{
    const Node& node = (*plan.graph)[id];
    Page page(theme);
    page.title(escaped(node.name), escaped(node.target));
    const Module& module = plan.graph->modules()[node.module];
    QString path = escaped(module.path);
    if (!module.className.empty())
        path +=
            page.muted((path.isEmpty() ? QString() : QStringLiteral(" · ")) + shortClass(module.className));
    page.row(QObject::tr("Module"), path);
    page.row(QObject::tr("Op"), opNumberText(id, plan.graph->nodeCount()));
    if (plan.partition)
        page.row(QObject::tr("Stage"), stageText(theme, plan.partition->stageOf[id]));
    if (plan.profile)
        addCosts(page, plan, plan.profile->nodes[id], originText(*plan.profile, std::array{id}));
    if (plan.profile)
        addParts(page, plan, id);
    addStatistics(page, plan, theme, id);
    addResults(page, plan, theme, node);
    addInputs(page, plan, theme, node);
    addSource(page, plan, theme, node);
    return page.html();
}

QString groupDetails(const PlanView& plan, const Theme& theme, const std::vector<NodeId>& nodes)
{
    Page page(theme);
    std::map<QString, std::size_t> kinds;
    std::map<StageId, std::size_t> stages;
    NodeCost sum;
    for (const NodeId node : nodes) {
        ++kinds[shortTarget((*plan.graph)[node].target)];
        if (plan.partition)
            ++stages[plan.partition->stageOf[node]];
        if (plan.profile)
            sum += plan.profile->nodes[node];
    }
    page.title(opCountText(nodes.size()), QObject::tr("selected"));
    QStringList stageNumbers;
    for (const auto& [stage, count] : stages)
        stageNumbers << stageText(theme, stage);
    page.row(stages.size() == 1 ? QObject::tr("Stage") : QObject::tr("Stages"), stageNumbers.join(", "));
    if (plan.profile)
        addCosts(page, plan, sum, originText(*plan.profile, nodes));
    if (plan.profile) // the rows above are sums over the ops
        for (const QString& text : blockTexts(BlockMeter(*plan.graph, *plan.profile).figuresOf(nodes)))
            page.line(page.muted(text));
    std::vector<std::pair<QString, std::size_t>> sorted(kinds.begin(), kinds.end());
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<QString, std::size_t>::second);
    page.heading(QObject::tr("Operators"));
    for (std::size_t i = 0; i < std::min(sorted.size(), mostKinds); ++i)
        page.row(sorted[i].first.toHtmlEscaped(), QString::number(sorted[i].second));
    if (sorted.size() > mostKinds)
        page.line(page.muted(QObject::tr("and %1 more kinds").arg(sorted.size() - mostKinds)));
    return page.html();
}

} // namespace stagecraft
