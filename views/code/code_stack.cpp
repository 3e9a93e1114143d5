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

std::size_t CodeStack::formColumns() const
{
    return std::clamp<std::size_t>(m_columns, CodeEditor::columnStep * 2, 120);
}

CodeStack::ShortForm* CodeStack::keptForm(const std::shared_ptr<const StageCode>& code)
{
    const auto known = std::ranges::find_if(m_shortForms, [&](const ShortForm& form) {
        return form.of == code && form.columns == formColumns();
    });
    return known == m_shortForms.end() ? nullptr : &*known;
}

void CodeStack::keepForm(const std::shared_ptr<const StageCode>& code, StageCode&& text)
{
    constexpr std::size_t mostKept = 2;
    if (m_shortForms.size() == mostKept) {
        const auto isOver = [this](const ShortForm& form) {
            return form.of != m_page.code && form.of != m_baseline;
        };
        const auto over = std::ranges::find_if(m_shortForms, isOver);
        m_shortForms.erase(over == m_shortForms.end() ? m_shortForms.begin() : over);
    }
    text = wrappedLines(std::move(text), formColumns());
    m_shortForms.push_back({code, formColumns(), std::make_shared<const StageCode>(std::move(text))});
}

std::shared_ptr<const StageCode> CodeStack::shortForm(const std::shared_ptr<const StageCode>& code)
{
    if (!code || !m_isShort)
        return code;
    if (!keptForm(code))
        keepForm(code, readingForm(*code, formColumns()));
    return keptForm(code)->text;
}

bool CodeStack::takePartOfForm(const std::shared_ptr<const StageCode>& code)
{
    constexpr std::size_t linesOfTurn = 3000; // of the file; some 5 ms
    if (!code || !m_isShort || keptForm(code))
        return false;
    if (!m_formInWork || m_formInWork->of != code || m_formInWork->columns != formColumns())
        m_formInWork.emplace(code, formColumns(), ReadingForm(*code, formColumns()));
    if (m_formInWork->text.takeLines(linesOfTurn))
        return true;
    keepForm(code, std::move(m_formInWork->text).made());
    m_formInWork.reset();
    return false;
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
        m_turn = Turn::Shorten;
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
    constexpr std::size_t manyLetters = 20000; // some 5 ms
    return m_page.code && m_page.program && m_page.code->text.size() > manyLetters &&
           m_editor->stage() == m_page.program->stage;
}

// What makes and shows the lines of a large stage, each in a turn of the event loop: a drag goes on between.
void CodeStack::takeTurn()
{
    if (!takeTurnOf(m_turn))
        m_turn = static_cast<Turn>(static_cast<int>(m_turn) + 1);
    if (m_turn != Turn::None)
        m_nextTurn->start(0);
    else if (m_isShort && columns() != m_columns)
        showCode();
}

// Has it more to do?
bool CodeStack::takeTurnOf(Turn turn)
{
    switch (turn) {
    case Turn::Shorten:
        return takePartOfForm(m_page.code);
    case Turn::ShortenBaseline:
        return takePartOfForm(m_baseline);
    case Turn::Divide:
        linesOfForm(m_page.code);
        linesOfForm(m_baseline);
        break;
    case Turn::Compare:
        m_newLines = newLines();
        break;
    case Turn::Lines:
        m_editor->replaceLines(m_plan, m_page.program.get(), shortForm(m_page.code),
                               std::exchange(m_newLines, {}));
        break;
    case Turn::Color:
        return m_editor->colorLines();
    case Turn::Notes:
        m_editor->showReplaced();
        m_editor->showNotes(m_page.program.get(), shortForm(m_page.code).get(), m_beside);
        break;
    case Turn::Bars:
        m_editor->showChangeBars(linesOfForm(m_baseline));
        m_editor->showSelection();
        break;
    case Turn::Folds:
        m_editor->showFolds(shortForm(m_page.code).get());
        break;
    case Turn::None:
        break;
    }
    return false;
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
