#include "views/code/code_text.h"

#include "core/measure/statistics.h"
#include "core/stage/annotated_code.h"
#include "views/base/format.h"
#include "views/base/plain_text.h"

#include <QHash>
#include <QObject>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr int longestDifference = 1500; // lines; beyond it a table of pairs is not worth its memory
constexpr std::size_t mostListed = 6;

// Equal lines have equal numbers, here and in all that is numbered with the same `known`.
std::vector<int> numbered(const QStringList& lines, int first, int end, QHash<QString, int>& known)
{
    std::vector<int> numbers;
    for (int line = first; line < end; ++line) {
        const auto found = known.constFind(lines[line]);
        const auto next = static_cast<int>(known.size());
        numbers.push_back(found != known.cend() ? *found : *known.insert(lines[line], next));
    }
    return numbers;
}

// Longest common subsequence of [oldFirst, oldEnd) and [newFirst, newEnd), as pairs of equal lines.
std::vector<std::pair<int, int>> commonLines(const QStringList& before, const QStringList& after,
                                             const LineChange& within)
{
    QHash<QString, int> known; // a drag waits for millions of comparisons: not of letters
    const std::vector<int> old = numbered(before, within.oldFirst, within.oldEnd, known);
    const std::vector<int> now = numbered(after, within.newFirst, within.newEnd, known);
    const auto rows = static_cast<int>(old.size());
    const auto columns = static_cast<int>(now.size());
    const std::size_t width = now.size() + 1;
    std::vector<short> length((old.size() + 1) * width);
    const auto at = [&](int row, int column) -> short& {
        return length[static_cast<std::size_t>(row) * width + static_cast<std::size_t>(column)];
    };
    const auto equal = [&](int row, int column) {
        return old[static_cast<std::size_t>(row)] == now[static_cast<std::size_t>(column)];
    };
    for (int row = rows - 1; row >= 0; --row)
        for (int column = columns - 1; column >= 0; --column)
            at(row, column) = equal(row, column) ? static_cast<short>(at(row + 1, column + 1) + 1)
                                                 : std::max(at(row + 1, column), at(row, column + 1));
    std::vector<std::pair<int, int>> pairs;
    for (int row = 0, column = 0; row < rows && column < columns;) {
        if (equal(row, column))
            pairs.emplace_back(within.oldFirst + row++, within.newFirst + column++);
        else if (at(row + 1, column) >= at(row, column + 1))
            ++row;
        else
            ++column;
    }
    return pairs;
}

QString valueLine(const PlanView& plan, ValueId id)
{
    const Value& value = (*plan.graph)[id];
    QString line = QStringLiteral("  ") + shownText(value.name);
    if (value.meta)
        line += QStringLiteral("  ") + shownText(metaText(*value.meta));
    if (plan.profile && plan.profile->valueBytes[id] > Bytes(0))
        line += QStringLiteral("  ") + toText(plan.profile->valueBytes[id]);
    return line;
}

QString countText(const std::vector<ValueId>& values)
{
    return values.size() == 1 ? QObject::tr("1 value") : QObject::tr("%1 values").arg(values.size());
}

// Of an op with several results, the one to worry about or the first, and how many more there are.
QString shortNote(const QString& note)
{
    const QStringList parts = note.split(QStringLiteral("; "));
    if (parts.size() < 2)
        return note;
    const auto alarming = std::ranges::find_if(parts, isAlarming);
    return QObject::tr("%1 +%2")
        .arg(alarming == parts.end() ? parts.front() : *alarming)
        .arg(parts.size() - 1);
}

bool areKnown(const PlanView& plan, const std::vector<NodeId>& nodes)
{
    const auto isKnown = [&](NodeId node) { return plan.profile->nodes.contains(node); };
    return !nodes.empty() && plan.profile && std::ranges::all_of(nodes, isKnown);
}

QString listText(const PlanView& plan, const QString& title, const std::vector<ValueId>& values)
{
    Bytes sum;
    for (const ValueId value : values)
        sum += plan.profile ? plan.profile->valueBytes[value] : Bytes(0);
    QStringList lines{title};
    if (sum > Bytes(0))
        lines.front() += ", " + toText(sum);
    for (std::size_t i = 0; i < std::min(values.size(), mostListed); ++i)
        lines << valueLine(plan, values[i]);
    if (values.size() > mostListed)
        lines << QObject::tr("  and %1 more").arg(values.size() - mostListed);
    return lines.join('\n');
}

} // namespace

std::vector<LineChange> changedLines(const QStringList& before, const QStringList& after)
{
    LineChange rest{.oldEnd = static_cast<int>(before.size()), .newEnd = static_cast<int>(after.size())};
    while (rest.oldFirst < rest.oldEnd && rest.newFirst < rest.newEnd &&
           before[rest.oldFirst] == after[rest.newFirst]) {
        ++rest.oldFirst;
        ++rest.newFirst;
    }
    while (rest.oldFirst < rest.oldEnd && rest.newFirst < rest.newEnd &&
           before[rest.oldEnd - 1] == after[rest.newEnd - 1]) {
        --rest.oldEnd;
        --rest.newEnd;
    }
    if (rest.oldFirst == rest.oldEnd && rest.newFirst == rest.newEnd)
        return {};
    if (rest.oldEnd - rest.oldFirst > longestDifference || rest.newEnd - rest.newFirst > longestDifference)
        return {rest};
    std::vector<LineChange> changes;
    auto pairs = commonLines(before, after, rest);
    pairs.emplace_back(rest.oldEnd, rest.newEnd);
    int oldNext = rest.oldFirst;
    int newNext = rest.newFirst;
    for (const auto& [oldLine, newLine] : pairs) {
        if (oldNext < oldLine || newNext < newLine)
            changes.push_back({oldNext, oldLine, newNext, newLine});
        oldNext = oldLine + 1;
        newNext = newLine + 1;
    }
    return changes;
}

std::vector<DiffLine> diffLines(const QStringList& before, const QStringList& after, int around)
{
    std::vector<DiffLine> lines;
    int next = 0;      // of `after`, not yet told
    int oldOffset = 0; // from a line of `after` to the same of `before`
    const auto add = [&](int first, int end) {
        for (int line = first; line < end; ++line)
            lines.push_back({DiffLine::Kind::Same, after[line], line + oldOffset, line});
    };
    const auto addAlike = [&](int end, int head, int tail) {
        const int skipped = end - next - head - tail;
        if (skipped <= 0)
            return add(next, end);
        add(next, next + head);
        lines.push_back({.kind = DiffLine::Kind::Skipped, .skipped = skipped});
        add(end - tail, end);
    };
    for (const LineChange& change : changedLines(before, after)) {
        addAlike(change.newFirst, lines.empty() ? 0 : around, around);
        for (int line = change.oldFirst; line < change.oldEnd; ++line)
            lines.push_back({.kind = DiffLine::Kind::Removed, .text = before[line], .oldNumber = line});
        for (int line = change.newFirst; line < change.newEnd; ++line)
            lines.push_back({.kind = DiffLine::Kind::Added, .text = after[line], .newNumber = line});
        next = change.newEnd;
        oldOffset = change.oldEnd - change.newEnd;
    }
    if (!lines.empty())
        addAlike(static_cast<int>(after.size()), around, 0);
    return lines;
}

QStringList linesOf(const std::string& text)
{
    QStringList lines = shownText(text, LineBreaks::Keep).split('\n');
    if (!lines.isEmpty() && lines.back().isEmpty())
        lines.pop_back();
    return lines;
}

QString lineCost(const Profile& profile, const std::vector<NodeId>& nodes)
{
    Seconds seconds(0);
    Bytes made;
    for (const NodeId node : nodes) {
        seconds += profile.nodes[node].time();
        made += profile.nodes[node].outputBytes;
    }
    const QString time = seconds.value() > 0 ? toText(seconds) : QString();
    const QString bytes = made > Bytes(0) ? toText(made) : QString();
    if (time.isEmpty() && bytes.isEmpty())
        return {};
    return time + QStringLiteral("  ") + bytes.rightJustified(8); // in columns, in a fixed-pitch font
}

QStringList textsBeside(const PlanView& plan, const StageCode& code, CodeBeside beside)
{
    QStringList texts;
    if (beside == CodeBeside::Statistics && plan.statistics && plan.graph)
        for (const std::string& note : statisticsNotes(code, *plan.graph, *plan.statistics))
            texts << shortNote(shownText(note));
    else
        for (const std::vector<NodeId>& nodes : code.nodesOfLine)
            texts << (areKnown(plan, nodes) ? lineCost(*plan.profile, nodes) : QString());
    for (std::size_t line = code.nodesOfLine.size(); line-- > 1;)
        if (!code.nodesOfLine[line].empty() && code.nodesOfLine[line] == code.nodesOfLine[line - 1])
            texts[static_cast<qsizetype>(line)].clear(); // a part of the line above
    return texts;
}

bool isAlarming(const QString& textBeside)
{
    return textBeside.contains(QLatin1String("NaN")) || textBeside.contains(QLatin1String("inf"));
}

QString lineHelp(const PlanView& plan, const std::vector<NodeId>& nodes)
{
    const NodeId first = nodes.front();
    const QString name = shownText((*plan.graph)[first].name);
    QStringList lines{nodes.size() == 1 ? name
                                        : QObject::tr("%1 and %2 more").arg(name).arg(nodes.size() - 1)};
    if (areKnown(plan, nodes)) {
        Seconds forward(0);
        Seconds backward(0);
        Bytes made;
        Bytes saved;
        for (const NodeId node : nodes) {
            const NodeCost& cost = plan.profile->nodes[node];
            forward += cost.forward.time;
            backward += cost.backward().time;
            made += cost.outputBytes;
            saved += cost.savedBytes;
        }
        lines << QObject::tr("Time: %1 forward, %2 backward").arg(toText(forward), toText(backward));
        lines << QObject::tr("Makes %1; keeps %2 for the backward pass").arg(toText(made), toText(saved));
    }
    if (!plan.statistics || nodes.size() > 1)
        return lines.join('\n');
    for (const ValueId result : (*plan.graph)[first].results)
        for (const auto& [arrow, figures] :
             {std::pair(QObject::tr("Values"), &plan.statistics->values[result].forward),
              std::pair(QObject::tr("Gradient"), &plan.statistics->values[result].backward)})
            if (*figures)
                lines << QStringLiteral("%1: %2").arg(arrow, statisticsText(**figures));
    return lines.join('\n');
}

QString receivedText(const PlanView& plan, const StageProgram& program)
{
    std::vector<ValueId> values;
    const bool first = program.stage.index() == 0;
    for (const StageInput& input : program.inputs)
        if (first || input.source == StageInput::Source::Previous)
            values.push_back(input.value);
    const QString title =
        first ? QObject::tr("Takes %1 from the caller").arg(countText(values))
              : QObject::tr("Receives %1 from stage %2").arg(countText(values)).arg(program.stage.index());
    return listText(plan, title, values);
}

QString sentText(const PlanView& plan, const StageProgram& program)
{
    const bool last = plan.partition && program.stage.index() + 1 == plan.partition->stageCount;
    const QString count = countText(program.outputs);
    const QString title = last
                              ? QObject::tr("Returns %1").arg(count)
                              : QObject::tr("Sends %1 to stage %2").arg(count).arg(program.stage.index() + 2);
    return listText(plan, title, program.outputs);
}

QString brokenText(const QString& text, int columns)
{
    QStringList lines;
    for (QString line : text.split('\n')) {
        const auto letters = std::ranges::find_if_not(line, [](QChar letter) { return letter == ' '; });
        const QString further(letters - line.cbegin() + 2, ' ');
        while (line.size() > columns) {
            const qsizetype blank = line.lastIndexOf(' ', columns);
            if (blank <= further.size())
                break;
            lines << line.left(blank);
            line = further + line.mid(blank).trimmed();
        }
        lines << line;
    }
    return lines.join('\n');
}

} // namespace stagecraft
