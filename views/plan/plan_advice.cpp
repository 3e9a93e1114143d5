#include "views/plan/plan_advice.h"

#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include <QObject>
#include <QStringList>

namespace stagecraft {

namespace {

QString sentence(const std::string& text)
{
    QString line = shownText(text);
    if (!line.isEmpty())
        line[0] = line[0].toUpper();
    return line;
}

class Writer
{
public:
    explicit Writer(const Theme& theme) : m_theme(theme) {}

    QString link(const QString& text, AdviceSubject subject)
    {
        m_text.subjects.push_back(std::move(subject));
        return QStringLiteral("<a href='subject:%1' style='color:%2;text-decoration:none'>%3</a>")
            .arg(m_text.subjects.size() - 1)
            .arg(m_theme.accent.name(), text.toHtmlEscaped());
    }
    // A reason, and what it is about where that can be shown.
    void reason(const std::string& text, AdviceSubject subject)
    {
        QString line = sentence(text).toHtmlEscaped();
        const std::size_t count = subject.nodes.size();
        if (count > 0)
            line += QStringLiteral(" · ") +
                    link(QObject::tr("show %1").arg(opCountText(count)), std::move(subject));
        paragraph(line);
    }
    void list(const QString& name, const QStringList& items)
    {
        if (!items.isEmpty())
            paragraph(QStringLiteral("<span style='color:%1'>%2</span> %3")
                          .arg(m_theme.mutedText.name(), name, items.join(", ")));
    }
    AdviceText take() { return std::move(m_text); }

private:
    void paragraph(const QString& html)
    {
        m_text.html += QStringLiteral("<p style='margin-top:0;margin-bottom:5px'>%1</p>").arg(html);
    }

    const Theme& m_theme;
    AdviceText m_text;
};

std::vector<NodeId> nodesOf(const Partition& partition, StageId stage)
{
    std::vector<NodeId> nodes;
    for (const NodeId node : partition.stageOf.ids())
        if (partition.stageOf[node] == stage)
            nodes.push_back(node);
    return nodes;
}

// What each of the report's reasons is about, in their order (core/advise/bottleneck.h).
std::vector<AdviceSubject> subjectsOf(const BottleneckReport& report, const Partition& partition)
{
    const std::vector<NodeId> stage = nodesOf(partition, report.stage);
    std::vector<AdviceSubject> subjects{{stage, {}}};
    if (!report.nodes.empty())
        subjects.push_back({{report.nodes.front().node}, {}});
    if (!report.cost.fits())
        subjects.push_back({stage, {}});
    subjects.push_back({report.bound.witness, {}});
    if (report.forced && !report.forced->nodes.empty())
        subjects.push_back({report.forced->nodes, {}});
    return subjects;
}

} // namespace

AdviceText reasonsText(const PlanAdvice& advice, const PlanView& plan, const Theme& theme)
{
    Writer writer(theme);
    const BottleneckReport& report = advice.report;
    std::vector<AdviceSubject> subjects = subjectsOf(report, *plan.partition);
    subjects.resize(report.reasons.size());
    for (std::size_t i = 0; i < report.reasons.size(); ++i)
        writer.reason(report.reasons[i], std::move(subjects[i]));
    const auto name = [&](NodeId node) { return shownText((*plan.graph)[node].name); };
    QStringList ops;
    for (const NodeShare& share : report.nodes)
        ops << writer.link(name(share.node), {{share.node}, {}}) + ' ' + toText(share.time);
    writer.list(QObject::tr("Longest:"), ops);
    QStringList values;
    for (const ValueShare& share : report.values) {
        const auto boundary = share.boundary.index();
        values << QObject::tr("%1 over %2|%3 %4")
                      .arg(writer.link(name(share.producer), {{share.producer}, share.boundary}),
                           QString::number(boundary + 1), QString::number(boundary + 2),
                           share.time.value() > 0 ? toText(share.time) : toText(share.bytes));
    }
    writer.list(QObject::tr("Crossing:"), values);
    return writer.take();
}

QString suggestionTitle(const Suggestion& suggestion)
{
    if (suggestion.kind == Suggestion::Kind::ChangeSchedule)
        return QObject::tr("Run it by another schedule: %1")
            .arg(termText(traitsOf(suggestion.options.schedule).title));
    return sentence(suggestion.text);
}

QString suggestionGain(const Suggestion& suggestion)
{
    const auto gained = [](const QString& what, Seconds now, Seconds gain) {
        const QString change = changeText(now + gain, now);
        return change.isEmpty() ? QString() : QStringLiteral("%1 %2 (%3)").arg(what, toText(now), change);
    };
    const PlanCost& cost = suggestion.solution.cost;
    QStringList gains{gained(QObject::tr("slowest"), cost.bottleneckTime, suggestion.bottleneckGain),
                      gained(QObject::tr("step"), cost.iteration, suggestion.iterationGain)};
    gains.removeAll(QString());
    if (!cost.fits())
        gains << QObject::tr("still over the memory limit");
    return gains.isEmpty() ? QObject::tr("keeps within the memory limit") : gains.join(", ");
}

QString suggestionQuality(const Suggestion& suggestion)
{
    const Solution& solution = suggestion.solution;
    return qualityText(solution.cost, solution.bound, solution.iterationBound);
}

} // namespace stagecraft
