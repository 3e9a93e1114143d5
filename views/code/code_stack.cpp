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
    m_diff->setTexts(tr("the code before"), m_baseline ? m_baseline.get() : m_page.code.get(),
                     tr("the code now"), m_page.code.get());
    showSource();
}

std::size_t CodeStack::columns() const
{
    const auto fit = static_cast<std::size_t>(std::max(0, m_editor->columnsInSight()));
    return std::clamp<std::size_t>(fit / columnStep * columnStep, 32, 120);
}

StageCode CodeStack::shortForm(const StageCode& code) const
{
    return m_isShort ? readingForm(code, m_columns) : code;
}

void CodeStack::showCode()
{
    m_columns = columns();
    if (!m_page.code)
        return m_editor->showCode(m_plan, m_page.program.get(), nullptr, nullptr, m_beside);
    const StageCode code = shortForm(*m_page.code);
    if (!m_baseline)
        return m_editor->showCode(m_plan, m_page.program.get(), &code, nullptr, m_beside);
    const StageCode baseline = shortForm(*m_baseline);
    m_editor->showCode(m_plan, m_page.program.get(), &code, &baseline, m_beside);
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
