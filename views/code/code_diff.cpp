#include "views/code/code_diff.h"

#include "views/base/colors.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"
#include "views/code/read_only_editor.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

using DiffKind = DiffLine::Kind;

constexpr int numbersMargin = 0; // of both texts, and the sign
enum DiffMarker { AddedMarker, RemovedMarker, SkippedMarker };

constexpr int linesAround = 3;

QString signOf(DiffKind kind)
{
    if (kind == DiffKind::Added)
        return QStringLiteral("+");
    return kind == DiffKind::Removed ? QStringLiteral("-") : QStringLiteral(" ");
}

QString numberText(int line, int width)
{
    return (line < 0 ? QString() : QString::number(line + 1)).rightJustified(width);
}

// "12  13 +"
QString marginText(const DiffLine& line, int width)
{
    return numberText(line.oldNumber, width) + ' ' + numberText(line.newNumber, width) + ' ' +
           signOf(line.kind) + ' ';
}

QString linesText(std::ptrdiff_t count)
{
    return count == 1 ? QObject::tr("1 line") : QObject::tr("%1 lines").arg(count);
}

QString shownLine(const DiffLine& line)
{
    return line.kind == DiffKind::Skipped ? QObject::tr("⋯ %1 alike").arg(linesText(line.skipped))
                                          : line.text;
}

std::optional<int> markerOf(DiffKind kind)
{
    switch (kind) {
    case DiffKind::Added:
        return AddedMarker;
    case DiffKind::Removed:
        return RemovedMarker;
    case DiffKind::Skipped:
        return SkippedMarker;
    case DiffKind::Same:
        break;
    }
    return {};
}

const StageCode* codeAt(const CodeVersion& version, std::size_t stage)
{
    return stage < version.stages.size() ? version.stages[stage].get() : nullptr;
}

bool areAlike(const StageCode* a, const StageCode* b)
{
    return a == b || (a && b && a->text == b->text);
}

QString summaryText(const std::vector<DiffLine>& lines, const QString& before, const QString& after)
{
    const auto added = std::ranges::count(lines, DiffKind::Added, &DiffLine::kind);
    const auto removed = std::ranges::count(lines, DiffKind::Removed, &DiffLine::kind);
    if (added == 0 && removed == 0)
        return QObject::tr("The code of this stage is the same in %1 and %2").arg(before, after);
    return QObject::tr("%1 only in %2 (−), %3 only in %4 (+)")
        .arg(linesText(removed), before, linesText(added), after);
}

} // namespace

// ---------------------------------------------------------------- one stage
DiffPage::DiffPage(QWidget* parent) : QWidget(parent), m_summary(new QLabel), m_editor(new ReadOnlyEditor)
{
    m_summary->setContentsMargins(em(this, 0.5), em(this, 0.25), em(this, 0.5), em(this, 0.25));
    m_summary->setTextFormat(Qt::PlainText);
    m_summary->setWordWrap(true);
    m_editor->setMargins(1);
    m_editor->setMarginType(numbersMargin, QsciScintilla::TextMargin);
    m_editor->setMarginMarkerMask(numbersMargin, 0);
    for (const int marker : {AddedMarker, RemovedMarker, SkippedMarker})
        m_editor->markerDefine(QsciScintilla::Background, marker);
    m_editor->setAccessibleName(tr("Lines of the code that differ"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_summary);
    layout->addWidget(m_editor, 1);
    setFocusProxy(m_editor);
    onThemeChange(this, [this] { applyTheme(); });
    applyTheme();
}

void DiffPage::applyTheme()
{
    const Theme theme = applicationTheme();
    m_editor->applyPythonTheme();
    m_editor->setMarkerBackgroundColor(mixed(theme.surface, theme.success, 0.18), AddedMarker);
    m_editor->setMarkerBackgroundColor(mixed(theme.surface, theme.danger, 0.18), RemovedMarker);
    m_editor->setMarkerBackgroundColor(theme.window, SkippedMarker);
    showLines();
}

void DiffPage::setTexts(const QString& beforeName, const StageCode* before, const QString& afterName,
                        const StageCode* after)
{
    m_lines = diffLines(before ? linesOf(before->text) : QStringList(),
                        after ? linesOf(after->text) : QStringList(), linesAround);
    m_summary->setText(summaryText(m_lines, beforeName, afterName));
    showLines();
}

QString DiffPage::text() const
{
    QStringList texts;
    for (const DiffLine& line : m_lines)
        texts << (line.kind == DiffKind::Skipped ? QString() : signOf(line.kind)) + shownLine(line);
    return texts.join('\n');
}

// Scintilla counts its own lines alone, so the numbers of the two texts are texts in the margin.
void DiffPage::showLines()
{
    QStringList texts;
    int largest = 0;
    for (const DiffLine& line : m_lines) {
        texts << shownLine(line);
        largest = std::max({largest, line.oldNumber, line.newNumber});
    }
    m_editor->setText(texts.join('\n'));
    m_editor->clearMarginText();
    m_editor->markerDeleteAll();
    const auto width = static_cast<int>(QString::number(largest + 1).size());
    for (int at = 0; at < static_cast<int>(m_lines.size()); ++at) {
        const DiffLine& line = m_lines[static_cast<std::size_t>(at)];
        m_editor->setMarginText(at, marginText(line, width), QsciScintilla::STYLE_LINENUMBER);
        if (const std::optional<int> marker = markerOf(line.kind))
            m_editor->markerAdd(at, *marker);
    }
    m_editor->setMarginWidth(numbersMargin, QString(2 * width + 4, '8'));
}

// ---------------------------------------------------------------- all stages
CodeDiff::CodeDiff(QWidget* parent)
    : QWidget(parent),
      m_tabs(new QTabBar),
      m_page(new DiffPage),
      m_empty(new QLabel(tr("The code of two plans is compared here once both have some.")))
{
    setAccessibleName(tr("Code compared"));
    m_tabs->setAccessibleName(tr("Stages"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_tabs);
    layout->addWidget(m_empty, 1);
    layout->addWidget(m_page, 1);
    setFocusProxy(m_page);
    setTabOrder(m_page->focusProxy(), m_tabs); // Tab into the page begins with it
    connect(m_tabs, &QTabBar::currentChanged, this, &CodeDiff::showPage);
    setVersions({}, {});
}

void CodeDiff::setVersions(CodeVersion before, CodeVersion after)
{
    m_before = std::move(before);
    m_after = std::move(after);
    const auto count = static_cast<int>(std::max(m_before.stages.size(), m_after.stages.size()));
    const QSignalBlocker quiet(m_tabs);
    while (m_tabs->count() > count)
        m_tabs->removeTab(m_tabs->count() - 1);
    while (m_tabs->count() < count)
        m_tabs->addTab(QString());
    for (int index = 0; index < count; ++index) {
        const auto stage = static_cast<std::size_t>(index);
        const bool same = areAlike(codeAt(m_before, stage), codeAt(m_after, stage));
        const QString name = QString::number(index + 1);
        m_tabs->setTabText(index, same ? name : name + QStringLiteral(" •"));
        m_tabs->setTabToolTip(index, same ? tr("%1: the same code").arg(stageName(StageId(stage)))
                                          : tr("%1: the code differs").arg(stageName(StageId(stage))));
        m_tabs->setAccessibleTabName(index, m_tabs->tabToolTip(index));
    }
    m_tabs->setVisible(count > 0);
    m_page->setVisible(count > 0);
    m_empty->setVisible(count == 0);
    showPage();
}

void CodeDiff::showStage(StageId stage)
{
    if (static_cast<int>(stage.index()) < m_tabs->count())
        m_tabs->setCurrentIndex(static_cast<int>(stage.index()));
}

std::optional<StageId> CodeDiff::shownStage() const
{
    if (m_tabs->currentIndex() < 0)
        return {};
    return StageId(static_cast<std::size_t>(m_tabs->currentIndex()));
}

void CodeDiff::showPage()
{
    if (const std::optional<StageId> stage = shownStage())
        m_page->setTexts(m_before.name, codeAt(m_before, stage->index()), m_after.name,
                         codeAt(m_after, stage->index()));
}

} // namespace stagecraft
