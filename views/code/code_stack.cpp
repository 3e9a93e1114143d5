#include "views/code/code_stack.h"

#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/code/code_diff.h"
#include "views/code/code_editor.h"
#include "views/code/reading_form.h"
#include "views/code/source_page.h"

#include <QEvent>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr int resizeDelay = 150; // ms

} // namespace

CodeStack::CodeStack(Selection* selection, QWidget* parent)
    : QStackedWidget(parent),
      m_selection(selection),
      m_editor(new CodeEditor(selection)),
      m_diff(new DiffPage),
      m_source(new SourcePage),
      m_afterResize(new QTimer(this)),
      m_nextTurn(new QTimer(this))
{
    addWidget(m_editor);
    addWidget(m_diff);
    addWidget(m_source);
    setFocusProxy(m_editor);
    m_afterResize->setSingleShot(true);
    m_afterResize->setInterval(resizeDelay);
    connect(m_afterResize, &QTimer::timeout, this, [this] {
        if (m_isShort && columns() != m_columns)
            showCode();
    });
    m_nextTurn->setSingleShot(true);
    connect(m_nextTurn, &QTimer::timeout, this, &CodeStack::takeTurn);
    connect(m_selection, &Selection::nodesChanged, this, &CodeStack::showSource);
    filterEvents(m_editor->viewport(), [timer = QPointer(m_afterResize)](const QEvent* event) {
        if (timer && event->type() == QEvent::Resize) // also where a scroll bar comes beside it
            timer->start();
        return false;
    });
}

void CodeStack::setShows(Shows shows)
{
    setCurrentIndex(static_cast<int>(shows));
    setFocusProxy(currentWidget());
    showDifference();
    showSource();
}

void CodeStack::setShortLines(bool wanted)
{
    if (wanted == m_isShort)
        return;
    m_isShort = wanted;
    showCode();
    emit shortLinesChanged(wanted);
}

void CodeStack::setSourceFolder(const QString& folder)
{
    m_source->setFolder(folder);
}

void CodeStack::showPage(const PlanView& plan, const StagePage& page,
                         std::shared_ptr<const StageCode> baseline, CodeBeside beside)
{
    m_plan = plan;
    m_page = page;
    m_baseline = std::move(baseline);
    m_beside = beside;
    showCode();
    showDifference();
    showSource();
}

void CodeStack::setBaseline(std::shared_ptr<const StageCode> baseline)
{
    if (baseline == m_baseline)
        return;
    m_baseline = std::move(baseline);
    if (!m_isStale)
        m_editor->showChangeBars(m_page.code ? linesOfForm(m_baseline) : std::nullopt);
    showDifference();
}

// Nobody waits in a drag for lines that nobody sees.
void CodeStack::showDifference()
{
    if (currentWidget() != m_diff)
        return;
    m_diff->setTexts(tr("the code before"), m_baseline ? m_baseline.get() : m_page.code.get(),
                     tr("the code now"), m_page.code.get());
}

std::size_t CodeStack::columns() const
{
    constexpr int step = CodeEditor::columnStep;
    return static_cast<std::size_t>(std::max(0, m_editor->columnsInSight() / step * step));
}

std::shared_ptr<const StageCode> CodeStack::shortForm(const std::shared_ptr<const StageCode>& code)
{
    constexpr std::size_t mostKept = 2;
    if (!code || !m_isShort)
        return code;
    const std::size_t columns = std::clamp<std::size_t>(m_columns, 32, 120);
    const auto known = std::ranges::find_if(
        m_shortForms, [&](const ShortForm& form) { return form.of == code && form.columns == columns; });
    if (known != m_shortForms.end())
        return known->text;
    if (m_shortForms.size() == mostKept) {
        const auto isOver = [this](const ShortForm& form) {
            return form.of != m_page.code && form.of != m_baseline;
        };
        const auto over = std::ranges::find_if(m_shortForms, isOver);
        m_shortForms.erase(over == m_shortForms.end() ? m_shortForms.begin() : over);
    }
    m_shortForms.push_back({code, columns, std::make_shared<const StageCode>(readingForm(*code, columns))});
    return m_shortForms.back().text;
}

std::optional<QStringList> CodeStack::linesOfForm(const std::shared_ptr<const StageCode>& code)
{
    const std::shared_ptr<const StageCode> text = shortForm(code);
    const auto form = std::ranges::find(m_shortForms, text, &ShortForm::text);
    if (!text || form == m_shortForms.end())
        return text ? std::optional(linesOf(text->text)) : std::nullopt;
    if (!form->lines)
        form->lines = linesOf(text->text);
    return form->lines;
}

bool CodeStack::setInSight(bool inSight)
{
    m_isInSight = inSight;
    if (!inSight || !m_isStale)
        return false;
    showCode();
    return true;
}

void CodeStack::showCode()
{
    m_nextTurn->stop();
    m_isStale = !m_isInSight && m_page.code;
    if (m_isStale)
        return;
    m_editor->setLines(m_isShort ? CodeEditor::Lines::ForReading : CodeEditor::Lines::OfTheFile);
    m_columns = columns();
    if (isLongUpdate()) {
        m_turn = 0;
        return m_nextTurn->start(0);
    }
    layLines();
    if (m_isShort && columns() != m_columns) { // its figures take other room than those before
        m_columns = columns();
        layLines();
    }
}

void CodeStack::layLines()
{
    const std::shared_ptr<const StageCode> code = shortForm(m_page.code);
    m_editor->showLines(m_plan, m_page.program.get(), code, newLines());
    m_editor->showNotes(m_page.program.get(), code.get(), m_beside);
    m_editor->showChangeBars(m_page.code ? linesOfForm(m_baseline) : std::nullopt);
    m_editor->showFolds(code.get());
    m_editor->showSelection();
}

NewLines CodeStack::newLines()
{
    const QStringList lines = linesOfForm(m_page.code).value_or(QStringList());
    return {.all = lines, .changes = changedLines(m_editor->shownLines(), lines)};
}

bool CodeStack::isLongUpdate() const
{
    constexpr std::size_t manyLines = 600; // of the file; some 8 ms
    return m_page.code && m_page.program && m_page.code->nodesOfLine.size() > manyLines &&
           m_editor->stage() == m_page.program->stage;
}

// What makes and shows the lines of a large stage, each in a turn of the event loop: a drag goes on between.
void CodeStack::takeTurn()
{
    enum Turn { Shorten, ShortenBaseline, Divide, Compare, Lines, Notes, Bars, Folds };
    switch (m_turn++) {
    case Shorten:
        shortForm(m_page.code);
        break;
    case ShortenBaseline:
        shortForm(m_baseline);
        break;
    case Divide:
        linesOfForm(m_page.code);
        linesOfForm(m_baseline);
        break;
    case Compare:
        m_newLines = newLines();
        break;
    case Lines:
        m_editor->showLines(m_plan, m_page.program.get(), shortForm(m_page.code),
                            std::exchange(m_newLines, {}));
        break;
    case Notes:
        m_editor->showNotes(m_page.program.get(), shortForm(m_page.code).get(), m_beside);
        break;
    case Bars:
        m_editor->showChangeBars(linesOfForm(m_baseline));
        m_editor->showSelection();
        break;
    case Folds:
        m_editor->showFolds(shortForm(m_page.code).get());
        if (m_isShort && columns() != m_columns)
            showCode();
        return;
    }
    m_nextTurn->start(0);
}

void CodeStack::showSource()
{
    if (currentWidget() != m_source)
        return;
    const std::vector<NodeId>& nodes = m_selection->nodes();
    const bool isOne = m_plan.graph && !nodes.empty() && nodes.front().index() < m_plan.graph->nodeCount();
    m_source->setNode(m_plan.graph, isOne ? std::optional(nodes.front()) : std::nullopt);
}

QString CodeStack::pageText() const
{
    return m_page.code ? dataText(m_page.code->text) : QString();
}

QString CodeStack::shownText() const
{
    switch (shows()) {
    case Shows::Differences:
        return m_diff->text();
    case Shows::Source:
        return m_source->text();
    case Shows::Code:
        break;
    }
    return pageText();
}

} // namespace stagecraft
