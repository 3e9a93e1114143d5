#include "views/plan/plan_advice.h"
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"
#include "views/base/terms.h"

#include "core/plan/node_stages.h"
#include <QObject>
#include <QStringList>

#include "core/plan/node_stages.h"
namespace stagecraft {
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
namespace {
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
QString sentence(const std::string& text)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    QString line = shownText(text);
#include "core/plan/node_stages.h"
    if (!line.isEmpty())
#include "core/plan/node_stages.h"
        line[0] = line[0].toUpper();
#include "core/plan/node_stages.h"
    return line;
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
class Writer
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
public:
#include "core/plan/node_stages.h"
    explicit Writer(const Theme& theme) : m_theme(theme) {}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
    QString link(const QString& text, AdviceSubject subject)
#include "core/plan/node_stages.h"
    {
#include "core/plan/node_stages.h"
        m_text.subjects.push_back(std::move(subject));
#include "core/plan/node_stages.h"
        return QStringLiteral("<a href='subject:%1' style='color:%2;text-decoration:none'>%3</a>")
#include "core/plan/node_stages.h"
            .arg(m_text.subjects.size() - 1)
#include "core/plan/node_stages.h"
            .arg(m_theme.accent.name(), text.toHtmlEscaped());
#include "core/plan/node_stages.h"
    }
#include "core/plan/node_stages.h"
    // A reason, and what it is about where that can be shown.
#include "core/plan/node_stages.h"
    void reason(const std::string& text, AdviceSubject subject)
#include "core/plan/node_stages.h"
    {
#include "core/plan/node_stages.h"
        QString line = sentence(text).toHtmlEscaped();
#include "core/plan/node_stages.h"
        const std::size_t count = subject.nodes.size();
#include "core/plan/node_stages.h"
        if (count > 0)
#include "core/plan/node_stages.h"
            line += QStringLiteral(" · ") +
#include "core/plan/node_stages.h"
                    link(QObject::tr("show %1").arg(opCountText(count)), std::move(subject));
#include "core/plan/node_stages.h"
        paragraph(line);
#include "core/plan/node_stages.h"
    }
#include "core/plan/node_stages.h"
    void list(const QString& name, const QStringList& items)
#include "core/plan/node_stages.h"
    {
#include "core/plan/node_stages.h"
        if (!items.isEmpty())
#include "core/plan/node_stages.h"
            paragraph(QStringLiteral("<span style='color:%1'>%2</span> %3")
#include "core/plan/node_stages.h"
                          .arg(m_theme.mutedText.name(), name, items.join(", ")));
#include "core/plan/node_stages.h"
    }
#include "core/plan/node_stages.h"
    AdviceText take()
    {
        return std::move(m_text);
    }
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
private:
#include "core/plan/node_stages.h"
    void paragraph(const QString& html)
#include "core/plan/node_stages.h"
    {
#include "core/plan/node_stages.h"
        m_text.html += QStringLiteral("<p style='margin-top:0;margin-bottom:5px'>%1</p>").arg(html);
#include "core/plan/node_stages.h"
    }
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
    const Theme& m_theme;
#include "core/plan/node_stages.h"
    AdviceText m_text;
#include "core/plan/node_stages.h"
};
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
// What each of the report's reasons is about, in their order (core/advise/bottleneck.h).
#include "core/plan/node_stages.h"
std::vector<AdviceSubject> subjectsOf(const BottleneckReport& report, const Partition& partition)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    const std::vector<NodeId> stage = nodesOf(partition, report.stage);
#include "core/plan/node_stages.h"
    std::vector<AdviceSubject> subjects{{stage, {}}};
#include "core/plan/node_stages.h"
    if (!report.nodes.empty())
#include "core/plan/node_stages.h"
        subjects.push_back({{report.nodes.front().node}, {}});
#include "core/plan/node_stages.h"
    if (!report.cost.fits())
#include "core/plan/node_stages.h"
        subjects.push_back({stage, {}});
#include "core/plan/node_stages.h"
    subjects.push_back({report.bound.witness, {}});
#include "core/plan/node_stages.h"
    if (report.forced && !report.forced->nodes.empty())
#include "core/plan/node_stages.h"
        subjects.push_back({report.forced->nodes, {}});
#include "core/plan/node_stages.h"
    return subjects;
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
} // namespace
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
AdviceText reasonsText(const PlanAdvice& advice, const PlanView& plan, const Theme& theme)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    Writer writer(theme);
#include "core/plan/node_stages.h"
    const BottleneckReport& report = advice.report;
#include "core/plan/node_stages.h"
    std::vector<AdviceSubject> subjects = subjectsOf(report, *plan.partition);
#include "core/plan/node_stages.h"
    subjects.resize(report.reasons.size());
#include "core/plan/node_stages.h"
    for (std::size_t i = 0; i < report.reasons.size(); ++i)
#include "core/plan/node_stages.h"
        writer.reason(report.reasons[i], std::move(subjects[i]));
#include "core/plan/node_stages.h"
    const auto name = [&](NodeId node) { return shownText((*plan.graph)[node].name); };
#include "core/plan/node_stages.h"
    QStringList ops;
#include "core/plan/node_stages.h"
    for (const NodeShare& share : report.nodes)
#include "core/plan/node_stages.h"
        ops << writer.link(name(share.node), {{share.node}, {}}) + ' ' + toText(share.time);
#include "core/plan/node_stages.h"
    writer.list(QObject::tr("Longest:"), ops);
#include "core/plan/node_stages.h"
    QStringList values;
#include "core/plan/node_stages.h"
    for (const ValueShare& share : report.values) {
#include "core/plan/node_stages.h"
        const auto boundary = share.boundary.index();
#include "core/plan/node_stages.h"
        values << QObject::tr("%1 over %2|%3 %4")
#include "core/plan/node_stages.h"
                      .arg(writer.link(name(share.producer), {{share.producer}, share.boundary}),
#include "core/plan/node_stages.h"
                           QString::number(boundary + 1), QString::number(boundary + 2),
#include "core/plan/node_stages.h"
                           share.time.value() > 0 ? toText(share.time) : toText(share.bytes));
#include "core/plan/node_stages.h"
    }
#include "core/plan/node_stages.h"
    writer.list(QObject::tr("Crossing:"), values);
#include "core/plan/node_stages.h"
    return writer.take();
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
QString suggestionTitle(const Suggestion& suggestion)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    if (suggestion.kind == Suggestion::Kind::ChangeSchedule)
#include "core/plan/node_stages.h"
        return QObject::tr("Run it by another schedule: %1")
#include "core/plan/node_stages.h"
            .arg(termText(traitsOf(suggestion.options.schedule).title));
#include "core/plan/node_stages.h"
    return sentence(suggestion.text);
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
QString suggestionGain(const Suggestion& suggestion)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    const auto gained = [](const QString& what, Seconds now, Seconds gain) {
#include "core/plan/node_stages.h"
        const QString change = changeText(now + gain, now);
#include "core/plan/node_stages.h"
        return change.isEmpty() ? QString() : QStringLiteral("%1 %2 (%3)").arg(what, toText(now), change);
#include "core/plan/node_stages.h"
    };
#include "core/plan/node_stages.h"
    const PlanCost& cost = suggestion.solution.cost;
#include "core/plan/node_stages.h"
    QStringList gains{gained(QObject::tr("slowest"), cost.bottleneckTime, suggestion.bottleneckGain),
#include "core/plan/node_stages.h"
                      gained(QObject::tr("step"), cost.iteration, suggestion.iterationGain)};
#include "core/plan/node_stages.h"
    gains.removeAll(QString());
#include "core/plan/node_stages.h"
    if (!cost.fits())
#include "core/plan/node_stages.h"
        gains << QObject::tr("still over the memory limit");
#include "core/plan/node_stages.h"
    return gains.isEmpty() ? QObject::tr("keeps within the memory limit") : gains.join(", ");
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
QString suggestionQuality(const Suggestion& suggestion)
#include "core/plan/node_stages.h"
{
#include "core/plan/node_stages.h"
    const Solution& solution = suggestion.solution;
#include "core/plan/node_stages.h"
    return qualityText(solution.cost, solution.bound, solution.iterationBound);
#include "core/plan/node_stages.h"
}
#include "core/plan/node_stages.h"

#include "core/plan/node_stages.h"
} // namespace stagecraft
#include "core/plan/node_stages.h"
