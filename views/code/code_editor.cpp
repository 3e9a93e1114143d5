#include "views/code/code_editor.h"

#include "core/base/contains.h"
#include "views/base/colors.h"
#include "views/base/plain_text.h"
#include "views/code/code_margins.h"
#include "views/code/line_folds.h"
#include "views/code/reading_form.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <Qsci/qscistyledtext.h>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

// Of the margin of texts, as UTF-8.
QByteArray marginText(const QsciScintilla& editor, int line)
{
    const auto at = static_cast<unsigned long>(line);
    QByteArray text(editor.SendScintilla(QsciScintilla::SCI_MARGINGETTEXT, at, static_cast<void*>(nullptr)),
                    '\0');
    editor.SendScintilla(QsciScintilla::SCI_MARGINGETTEXT, at, static_cast<void*>(text.data()));
    return text;
}

long marginStyle(const QsciScintilla& editor, int line)
{
    return editor.SendScintilla(QsciScintilla::SCI_MARGINGETSTYLE, static_cast<unsigned long>(line)) +
           editor.SendScintilla(QsciScintilla::SCI_MARGINGETSTYLEOFFSET);
}

} // namespace

CodeEditor::CodeEditor(Selection* selection, QWidget* parent) : ReadOnlyEditor(parent), m_selection(selection)
{
    setExtraAscent(1);
    setExtraDescent(2);
    setAccessibleName(tr("Python code of the stage"));
    setMouseTracking(true);
    viewport()->setMouseTracking(true);
    setAnnotationDisplay(AnnotationBoxed);
    setUpMargins(*this);
    connect(this, &QsciScintilla::marginClicked, this, [this](int, int line, Qt::KeyboardModifiers) {
        if (!nodesOfLine(line).empty())
            m_selection->setNodes(nodesOfLine(line));
    });
    connect(m_selection, &Selection::hoveredChanged, this, &CodeEditor::showSelection);
    connect(m_selection, &Selection::nodesChanged, this, &CodeEditor::showSelection);
    connect(m_selection, &Selection::matchesChanged, this, &CodeEditor::showSelection);
    applyTheme();
}

void CodeEditor::applyTheme()
{
    m_theme = applicationTheme();
    applyPythonTheme();
    clearMarginText(); // what is written keeps the colours that it was written in
    const QFont font = codeFont(this);
    m_costStyle.setFont(font);
    m_costStyle.setColor(m_theme.mutedText);
    m_costStyle.setPaper(m_theme.window);
    m_alarmStyle.setFont(font);
    m_alarmStyle.setColor(m_theme.danger);
    m_alarmStyle.setPaper(m_theme.window);
    m_exchangeStyle.setFont(font);
    m_exchangeStyle.setColor(m_theme.text);
    colorMarkers(*this, m_theme);
    if (m_stage) {
        setMarkerBackgroundColor(stageColor(m_theme, *m_stage), StageMarker);
        setMarkerForegroundColor(stageColor(m_theme, *m_stage), StageMarker);
    }
}

void CodeEditor::setLines(Lines lines)
{
    m_isNumbered = lines == Lines::OfTheFile;
    SendScintilla(SCI_SETHSCROLLBAR, m_isNumbered ? 1UL : 0UL);
}

void CodeEditor::showLines(const PlanView& plan, const StageProgram* program,
                           const std::shared_ptr<const StageCode>& code, const NewLines& lines)
{
    replaceLines(plan, program, code, lines);
    showReplaced();
}

void CodeEditor::replaceLines(const PlanView& plan, const StageProgram* program,
                              const std::shared_ptr<const StageCode>& code, const NewLines& lines)
{
    if (!m_beforeReplace)
        m_beforeReplace = place();
    viewport()->setUpdatesEnabled(false); // else it is painted where nobody looked
    m_plan = plan;
    m_nodesOfLine = {code, code ? &code->nodesOfLine : &ofNoCode};
    m_stage = program ? std::optional(program->stage) : std::nullopt;
    for (const int line : std::exchange(m_annotated, {}))
        clearAnnotations(line); // of all together each line would be an event
    replaceChangedLines(lines);
    wrapBehind(m_isNumbered ? endless : columnsInSight() / columnStep * columnStep, m_lines);
}

// Scintilla finds colours from the first line that changed down to what it paints, all at once.
bool CodeEditor::colorLines()
{
    constexpr long linesOfTurn = 3000; // some 3 ms
    const auto lineAt = [this](long position) { return SendScintilla(SCI_LINEFROMPOSITION, position); };
    const long first = lineAt(SendScintilla(SCI_GETENDSTYLED));
    const long top = SendScintilla(SCI_DOCLINEFROMVISIBLE, std::max(0L, topOf(*m_beforeReplace)));
    const long last = std::min<long>(top + SendScintilla(SCI_LINESONSCREEN) + 1, m_lines.size());
    const long end = std::min(first + linesOfTurn, last);
    if (first < end)
        SendScintilla(SCI_COLOURISE, SendScintilla(SCI_POSITIONFROMLINE, first),
                      SendScintilla(SCI_POSITIONFROMLINE, end));
    return end < last;
}

void CodeEditor::showReplaced()
{
    if (!m_beforeReplace)
        return;
    returnTo(*std::exchange(m_beforeReplace, std::nullopt));
    viewport()->setUpdatesEnabled(true);
}

void CodeEditor::showNotes(const StageProgram* program, const StageCode* code, CodeBeside beside)
{
    const Place before = place();
    setMarginWidth(LineNumbers,
                   m_isNumbered ? QString(QString::number(m_lines.size()).size() + 1, '8') : QString());
    markerDeleteAll(StageMarker);
    if (m_stage) {
        setMarkerBackgroundColor(stageColor(m_theme, *m_stage), StageMarker);
        setMarkerForegroundColor(stageColor(m_theme, *m_stage), StageMarker);
        for (int line = 0; line < m_lines.size(); ++line)
            if (!nodesOfLine(line).empty())
                markerAdd(line, StageMarker);
    }
    showMargin(code, beside);
    showExchange(program);
    returnTo(before);
}

void CodeEditor::showFolds(const StageCode* code)
{
    const Place before = place(); // lines above it may go out of sight
    writeFolds(*this, code ? foldLines(*code) : std::vector<FoldLine>());
    returnTo(before);
}

CodeEditor::Place CodeEditor::place() const
{
    const long top = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    if (top == displayLine(forwardLine()))
        return {.isForward = true, .top = top};
    Place place{.top = top};
    int line = static_cast<int>(SendScintilla(SCI_DOCLINEFROMVISIBLE, static_cast<unsigned long>(top)));
    for (; line < m_lines.size() && isInSight(line); ++line)
        for (const NodeId node : nodesOfLine(line)) {
            if (lineOf(node) != line)
                break; // a call: what it runs stands elsewhere
            place.nodes.emplace_back(node, displayLine(line) - top);
        }
    return place;
}

void CodeEditor::returnTo(const Place& place)
{
    SendScintilla(SCI_SETFIRSTVISIBLELINE, static_cast<unsigned long>(std::max(0L, topOf(place))));
}

long CodeEditor::topOf(const Place& place) const
{
    for (const auto& [node, below] : place.nodes)
        if (const auto line = lineOf(node))
            return displayLine(*line) - below;
    return place.isForward ? displayLine(forwardLine()) : place.top;
}

std::optional<int> CodeEditor::lineOf(NodeId node) const
{
    const auto runsIt = [node](const std::vector<NodeId>& nodes) { return contains(nodes, node); };
    const auto found = std::ranges::find_if(*m_nodesOfLine, runsIt);
    if (found == m_nodesOfLine->end())
        return {};
    return static_cast<int>(found - m_nodesOfLine->begin());
}

// Boxes of text between the lines take lines on the screen too.
long CodeEditor::displayLine(int line) const
{
    return SendScintilla(SCI_VISIBLEFROMDOCLINE, static_cast<unsigned long>(std::max(0, line)));
}

void CodeEditor::replaceChangedLines(const NewLines& lines)
{
    const auto& [all, changes] = lines;
    if (changes.empty())
        return;
    setReadOnly(false);
    setAnnotationDisplay(AnnotationHidden); // else each line is laid out as it is written, seen or not
    for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
        const QByteArray text =
            all.mid(change->newFirst, change->newEnd - change->newFirst).join('\n').toUtf8() +
            (change->newEnd > change->newFirst ? "\n" : "");
        SendScintilla(SCI_SETTARGETSTART, SendScintilla(SCI_POSITIONFROMLINE, change->oldFirst));
        const long end = change->oldEnd >= m_lines.size()
                             ? SendScintilla(SCI_GETLENGTH)
                             : SendScintilla(SCI_POSITIONFROMLINE, change->oldEnd);
        SendScintilla(SCI_SETTARGETEND, end);
        SendScintilla(SCI_REPLACETARGET, static_cast<uintptr_t>(text.size()), text.constData());
    }
    m_lines = all;
    setAnnotationDisplay(AnnotationBoxed);
    setReadOnly(true);
    setModified(false);
}

void CodeEditor::showMargin(const StageCode* code, CodeBeside beside)
{
    QStringList texts = code ? textsBeside(m_plan, *code, beside) : QStringList();
    if (beside == CodeBeside::Cost && !m_isNumbered && isNarrow())
        for (QString& text : texts) // the rest stands in the tip of the line
            text = text.section(QStringLiteral("  "), 0, 0);
    qsizetype longest = 0;
    for (int line = 0; line < lines(); ++line) {
        const QString text = line < texts.size() ? texts[line] : QString();
        longest = std::max(longest, text.size());
        const QsciStyle& style = isAlarming(text) ? m_alarmStyle : m_costStyle;
        if (text.toUtf8() != marginText(*this, line) ||
            (!text.isEmpty() && marginStyle(*this, line) != style.style()))
            setMarginText(line, text, style); // each one is an event: most lines keep theirs
    }
    setMarginWidth(CostMargin, longest == 0 ? QString() : QString(longest + 1, '8'));
}

void CodeEditor::showChangeBars(const std::optional<QStringList>& baseline)
{
    markerDeleteAll(ChangedMarker);
    if (!baseline)
        return;
    for (const LineChange& change : changedLines(*baseline, m_lines))
        for (int line = change.newFirst; line < change.newEnd; ++line)
            markerAdd(line, ChangedMarker);
}

// The stage's own modules stay in sight, by their names.
void CodeEditor::fold()
{
    std::vector<long> around;
    for (long line = forwardLine(); line >= 0;
         line = SendScintilla(SCI_GETFOLDPARENT, static_cast<unsigned long>(line)))
        around.push_back(line);
    for (auto line = static_cast<long>(m_lines.size()); line-- > 0;) {
        const auto at = static_cast<unsigned long>(line);
        const bool isHeader = (SendScintilla(SCI_GETFOLDLEVEL, at) & SC_FOLDLEVELHEADERFLAG) != 0;
        const long action = contains(around, line) ? SC_FOLDACTION_EXPAND : SC_FOLDACTION_CONTRACT;
        if (isHeader)
            SendScintilla(SCI_FOLDLINE, at, action);
    }
    revealForward();
}

void CodeEditor::unfold()
{
    SendScintilla(SCI_FOLDALL, SC_FOLDACTION_EXPAND);
    revealForward();
}

// Notes stand as far in as the line above them, in a box that takes a letter on either side. They are laid
// out anew when the lines are, and fit until then.
int CodeEditor::roomBelow(int line) const
{
    const QString& text = m_lines[line];
    const auto indent = std::ranges::find_if_not(text, [](QChar c) { return c.isSpace(); }) - text.begin();
    return std::max(8, columnsInSight() / columnStep * columnStep - static_cast<int>(indent) - 2);
}

void CodeEditor::showExchange(const StageProgram* program)
{
    if (!program || !m_plan.graph || m_lines.isEmpty())
        return;
    const QColor ground = m_theme.highContrast
                              ? m_theme.surface
                              : mixed(m_theme.surface, stageColor(m_theme, program->stage), 0.16);
    m_exchangeStyle.setPaper(ground);
    // Below the signature: the last line before the first op.
    int line = forwardLine();
    while (line + 1 < m_lines.size() && nodesOfLine(line + 1).empty())
        ++line;
    const auto write = [this](int below, const QString& text) {
        m_annotated.push_back(below);
        annotate(below, m_isNumbered ? text : brokenText(text, roomBelow(below)), m_exchangeStyle);
    };
    write(line, receivedText(m_plan, *program));
    write(static_cast<int>(m_lines.size()) - 1, sentText(m_plan, *program));
}

const std::vector<NodeId>& CodeEditor::nodesOfLine(int line) const
{
    static const std::vector<NodeId> none;
    if (line < 0 || static_cast<std::size_t>(line) >= m_nodesOfLine->size())
        return none;
    return (*m_nodesOfLine)[static_cast<std::size_t>(line)];
}

const std::vector<NodeId>& CodeEditor::nodesAt(const QPoint& position) const
{
    const long at =
        SendScintilla(SCI_POSITIONFROMPOINT, static_cast<unsigned long>(std::max(0, position.x())),
                      static_cast<long>(position.y()));
    return nodesOfLine(static_cast<int>(SendScintilla(SCI_LINEFROMPOSITION, at)));
}

void CodeEditor::showSelection()
{
    markerDeleteAll(SelectedMarker);
    markerDeleteAll(HoveredMarker);
    markerDeleteAll(MatchMarker);
    const std::vector<NodeId> matches = m_selection->matches().value_or(std::vector<NodeId>());
    const std::optional<NodeId> hovered = m_selection->hovered();
    for (int line = 0; line < m_lines.size(); ++line) {
        const std::vector<NodeId>& nodes = nodesOfLine(line);
        if (std::ranges::any_of(nodes,
                                [&](NodeId node) { return std::ranges::binary_search(matches, node); }))
            markerAdd(line, MatchMarker);
        if (std::ranges::any_of(nodes, [this](NodeId node) { return m_selection->contains(node); }))
            markerAdd(line, SelectedMarker);
        else if (hovered && contains(nodes, *hovered))
            markerAdd(line, HoveredMarker);
    }
}

// `nodes` ascend.
bool CodeEditor::runsJust(int line, const std::vector<NodeId>& nodes) const
{
    const std::vector<NodeId>& run = nodesOfLine(line);
    return run.size() == nodes.size() &&
           std::ranges::all_of(run, [&](NodeId node) { return std::ranges::binary_search(nodes, node); });
}

void CodeEditor::reveal(const std::vector<NodeId>& nodes)
{
    showReplaced();
    for (int line = 0; line < m_lines.size(); ++line)
        if (runsJust(line, nodes) && isInSight(line))
            return; // the call that was clicked, say
    for (int line = 0; line < m_lines.size(); ++line) {
        const auto isMeant = [&](NodeId node) { return std::ranges::binary_search(nodes, node); };
        if (!std::ranges::any_of(nodesOfLine(line), isMeant))
            continue;
        SendScintilla(SCI_ENSUREVISIBLE, line);
        if (!isInSight(line)) {
            setCursorPosition(line, 0);
            const long above = SendScintilla(SCI_LINESONSCREEN) / 3;
            SendScintilla(SCI_SETFIRSTVISIBLELINE,
                          static_cast<unsigned long>(std::max(0L, displayLine(line) - above)));
        }
        return;
    }
}

// The line of `def forward`, which stands behind all methods; without one, the line before the first op's.
int CodeEditor::forwardLine() const
{
    for (auto line = static_cast<int>(m_lines.size()); line-- > 0;)
        if (m_lines[line].startsWith(QLatin1String("    def forward(")))
            return line;
    const auto runs = [](const std::vector<NodeId>& nodes) { return !nodes.empty(); };
    const auto firstOp = std::ranges::find_if(*m_nodesOfLine, runs) - m_nodesOfLine->begin();
    return std::max(0, static_cast<int>(std::min<std::ptrdiff_t>(firstOp, m_lines.size())) - 1);
}

void CodeEditor::revealForward()
{
    showReplaced();
    setCursorPosition(forwardLine(), 0);
    returnTo({.isForward = true});
}

int CodeEditor::columnsInSight() const
{
    const double letter = QFontMetricsF(codeFont(this)).horizontalAdvance('8'); // often no whole pixels
    return letter > 0 ? static_cast<int>((viewport()->width() - marginsWidth()) / letter) : 0;
}

// Would figures take as much room as the code beside them?
bool CodeEditor::isNarrow() const
{
    constexpr int enough = 64; // letters of both
    return viewport()->width() < enough * QFontMetrics(codeFont(this)).horizontalAdvance('8');
}

bool CodeEditor::isInSight(int line) const
{
    const long top = SendScintilla(SCI_GETFIRSTVISIBLELINE);
    const long at = displayLine(line);
    return SendScintilla(SCI_GETLINEVISIBLE, line) != 0 && at >= top &&
           at < top + SendScintilla(SCI_LINESONSCREEN);
}

bool CodeEditor::viewportEvent(QEvent* event)
{
    if (event->type() != QEvent::ToolTip)
        return QsciScintilla::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const std::vector<NodeId>& nodes = nodesAt(help->pos());
    const bool isBeside = help->pos().x() < marginsWidth();
    if (!nodes.empty() && isBeside && m_plan.graph)
        QToolTip::showText(help->globalPos(), toolTipText(lineHelp(m_plan, nodes)), this);
    else
        QToolTip::hideText();
    return true;
}

int CodeEditor::marginsWidth() const
{
    int width = 0;
    for (const int margin : {LineNumbers, StageMargin, CostMargin, ChangeMargin, FoldMargin})
        width += marginWidth(margin);
    return width;
}

void CodeEditor::mouseMoveEvent(QMouseEvent* event)
{
    QsciScintilla::mouseMoveEvent(event);
    if (event->buttons() != Qt::NoButton)
        return;
    // Of several the one that is selected.
    const std::vector<NodeId>& nodes = nodesAt(event->pos());
    const auto isSelected = [this](NodeId node) { return m_selection->contains(node); };
    const auto selected = std::ranges::find_if(nodes, isSelected);
    const auto meant = selected == nodes.end() ? nodes.begin() : selected;
    if (meant == nodes.end())
        m_selection->setHovered({});
    else
        m_selection->setHovered(*meant, nodes);
}

void CodeEditor::mousePressEvent(QMouseEvent* event)
{
    QsciScintilla::mousePressEvent(event);
    const std::vector<NodeId>& nodes = nodesAt(event->pos());
    if (event->button() == Qt::LeftButton && !nodes.empty())
        m_selection->setNodes(nodes);
}

void CodeEditor::leaveEvent(QEvent* event)
{
    m_selection->setHovered({});
    QsciScintilla::leaveEvent(event);
}

void CodeEditor::selectCurrentLine()
{
    int line = 0;
    int column = 0;
    getCursorPosition(&line, &column);
    if (const std::vector<NodeId> nodes = nodesOfLine(line); !nodes.empty()) {
        m_selection->setNodes(nodes);
        m_selection->reveal(m_selection->nodes());
    }
}

void CodeEditor::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
        return selectCurrentLine();
    if (event->key() == Qt::Key_Escape && !m_selection->isEmpty())
        return m_selection->clear();
    ReadOnlyEditor::keyPressEvent(event);
}

} // namespace stagecraft
