#include "views/code/code_stack.h"

#include "views/base/plain_text.h"
#include "views/code/code_diff.h"
#include "views/code/code_editor.h"
#include "views/code/reading_form.h"
#include "views/code/source_page.h"

#include <QTimer>

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::size_t columnStep = 8; // a drag of the dock's edge sets lines anew only now and then
constexpr int resizeDelay = 150;      // ms

} // namespace

CodeStack::CodeStack(Selection* selection, QWidget* parent)
    : QStackedWidget(parent),
      m_selection(selection),
      m_editor(new CodeEditor(selection)),
      m_diff(new DiffPage),
      m_source(new SourcePage),
      m_afterResize(new QTimer(this))
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
    connect(m_selection, &Selection::nodesChanged, this, &CodeStack::showSource);
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
        m_editor->showChangeBars(m_page.code ? shortForm(m_baseline).get() : nullptr);
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
    const auto fit = static_cast<std::size_t>(std::max(0, m_editor->columnsInSight()));
    return std::clamp<std::size_t>(fit / columnStep * columnStep, 32, 120);
}

std::shared_ptr<const StageCode> CodeStack::shortForm(const std::shared_ptr<const StageCode>& code)
{
    constexpr std::size_t mostKept = 2;
    if (!code || !m_isShort)
        return code;
    const auto known = std::ranges::find_if(
        m_shortForms, [&](const ShortForm& form) { return form.of == code && form.columns == m_columns; });
    if (known != m_shortForms.end())
        return known->text;
    if (m_shortForms.size() == mostKept)
        m_shortForms.erase(m_shortForms.begin());
    m_shortForms.push_back(
        {code, m_columns, std::make_shared<const StageCode>(readingForm(*code, m_columns))});
    return m_shortForms.back().text;
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
    m_isStale = !m_isInSight && m_page.code;
    if (m_isStale)
        return;
    m_editor->setLines(m_isShort ? CodeEditor::Lines::ForReading : CodeEditor::Lines::OfTheFile);
    layLines();
    if (m_isShort && columns() != m_columns) // its figures take other room than those before
        layLines();
}

void CodeStack::layLines()
{
    m_columns = columns();
    const std::shared_ptr<const StageCode> code = shortForm(m_page.code);
    const std::shared_ptr<const StageCode> baseline = m_page.code ? shortForm(m_baseline) : nullptr;
    m_editor->showCode(m_plan, m_page.program.get(), code.get(), baseline.get(), m_beside);
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
    return currentWidget() == m_diff ? m_diff->text() : pageText();
}

void CodeStack::resizeEvent(QResizeEvent* event)
{
    QStackedWidget::resizeEvent(event);
    m_afterResize->start();
}

} // namespace stagecraft
