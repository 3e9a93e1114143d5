#include "views/plan/advice_panel.h"

#include "views/base/format.h"
#include "views/base/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

QLabel* textLabel()
{
    auto* label = new QLabel;
    label->setWordWrap(true);
    label->setTextFormat(Qt::RichText);
    label->setTextInteractionFlags(Qt::TextBrowserInteraction);
    return label;
}

} // namespace

AdvicePanel::AdvicePanel(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_selection(selection),
      m_heading(new QLabel(tr("Why no faster"))),
      m_reasons(textLabel()),
      m_helpHeading(new QLabel),
      m_rows(new QVBoxLayout)
{
    setAccessibleName(tr("Advice"));
    setAccessibleDescription(tr("Why the slowest stage is slow, and the changes that would help"));
    m_reasons->setAccessibleName(tr("Why no faster"));
    for (QLabel* heading : {m_heading, m_helpHeading})
        heading->setFont(boldFont(heading->font()));
    m_rows->setSpacing(em(this, spacing::medium));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.6), em(this, 0.7), em(this, 0.6));
    layout->setSpacing(em(this, spacing::medium));
    for (QWidget* widget : {m_heading, m_reasons, m_helpHeading})
        layout->addWidget(widget);
    layout->addLayout(m_rows);
    layout->addStretch();
    connect(m_reasons, &QLabel::linkActivated, this, [this](const QString& link) {
        const std::size_t subject = link.section(':', 1).toUInt();
        if (subject < m_subjects.size())
            select(m_subjects[subject]);
    });
    onThemeChange(this, [this] { showAdvice(); });
    onShow(this, [this] { emit shown(); });
    showAdvice();
}

void AdvicePanel::setAdvice(std::shared_ptr<const PlanAdvice> advice, const PlanView& plan, State state)
{
    if (advice == m_advice && state == m_state && plan.partition == m_plan.partition)
        return;
    m_advice = plan.graph && plan.partition ? std::move(advice) : nullptr;
    m_plan = plan;
    m_state = state;
    showAdvice();
}

void AdvicePanel::showAdvice()
{
    clearLayout(m_rows);
    m_subjects.clear();
    setVisible(m_state != State::None);
    const bool hasSuggestions = m_advice && !m_advice->suggestions.empty();
    m_helpHeading->setVisible(m_state == State::Ready);
    m_helpHeading->setText(hasSuggestions ? tr("What would help") : tr("Nothing tried would help."));
    if (!m_advice) {
        m_reasons->setText(m_state == State::Searching ? tr("Looking for reasons and remedies") : QString());
        return;
    }
    AdviceText text = reasonsText(*m_advice, m_plan, applicationTheme());
    m_reasons->setText(text.html);
    m_subjects = std::move(text.subjects);
    for (std::size_t i = 0; i < m_advice->suggestions.size(); ++i)
        m_rows->addWidget(makeSuggestion(i));
}

QWidget* AdvicePanel::makeSuggestion(std::size_t index)
{
    const Suggestion& suggestion = m_advice->suggestions[index];
    const Theme theme = applicationTheme();
    auto* row = new QWidget;
    auto* text = textLabel();
    QString html = QStringLiteral("%1<br><span style='color:%2'>%3</span>")
                       .arg(suggestionTitle(suggestion).toHtmlEscaped(), theme.mutedText.name(),
                            suggestionGain(suggestion).toHtmlEscaped());
    if (const QString quality = suggestionQuality(suggestion); !quality.isEmpty())
        html += QStringLiteral(" · <span style='color:%1'>%2</span>")
                    .arg(theme.mutedText.name(), quality.toHtmlEscaped());
    if (!suggestion.moved.empty())
        html += QStringLiteral(" · <a href='moved' style='color:%1;text-decoration:none'>%2</a>")
                    .arg(theme.accent.name(), tr("show %1").arg(opCountText(suggestion.moved.size())));
    text->setText(html);
    text->setAccessibleName(suggestionTitle(suggestion));
    auto* apply = new QPushButton(tr("Apply"));
    apply->setAccessibleName(tr("Apply: %1").arg(suggestionTitle(suggestion)));
    apply->setToolTip(tr("Change the plan so; it can be undone"));
    apply->setEnabled(m_state == State::Ready);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(text, 1);
    layout->addWidget(apply, 0, Qt::AlignTop);
    connect(text, &QLabel::linkActivated, this, [this, nodes = suggestion.moved] { select({nodes, {}}); });
    connect(apply, &QPushButton::clicked, this, [this, index] { emit applyRequested(index); });
    return row;
}

void AdvicePanel::select(const AdviceSubject& subject)
{
    if (subject.boundary)
        m_selection->setBoundary(subject.boundary);
    m_selection->setNodes(subject.nodes);
    m_selection->reveal(subject.nodes);
}

} // namespace stagecraft
