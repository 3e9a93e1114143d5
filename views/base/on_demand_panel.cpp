#include "views/base/on_demand_panel.h"

#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

OnDemandPanel::OnDemandPanel(Texts texts, QWidget* content, QWidget* parent)
    : QWidget(parent),
      m_texts(std::move(texts)),
      m_content(content),
      m_hint(new QLabel),
      m_ask(new QPushButton(m_texts.button)),
      m_note(new QLabel)
{
    m_ask->setFocusPolicy(Qt::TabFocus); // when it goes after a click, nothing far away gets the focus
    m_hint->setAlignment(Qt::AlignCenter);
    for (QLabel* label : {m_hint, m_note})
        label->setWordWrap(true);
    m_note->setTextFormat(Qt::PlainText);
    m_note->setContentsMargins(em(this, 0.6), em(this, 0.2), em(this, 0.6), em(this, 0.3));
    m_note->hide();
    const auto color = [this] { setTextColor(m_note, applicationTheme().mutedText); };
    color();
    onThemeChange(this, color);
    auto* request = new QHBoxLayout;
    request->addStretch();
    request->addWidget(m_ask);
    request->addStretch();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addStretch();
    layout->addWidget(m_hint);
    layout->addLayout(request);
    layout->addStretch();
    layout->addWidget(m_content, 100);
    layout->addWidget(m_note);
    connect(m_ask, &QPushButton::clicked, this, &OnDemandPanel::asked);
    showState();
}

void OnDemandPanel::setState(State state)
{
    m_state = state;
    showState();
}

void OnDemandPanel::setNote(const QString& note)
{
    m_note->setText(note);
    showState();
}

void OnDemandPanel::setAnswer(Answer answer)
{
    m_answer = answer;
    showState();
}

void OnDemandPanel::showState()
{
    const bool isThere = m_answer == Answer::There;
    m_content->setVisible(isThere);
    m_hint->setVisible(!isThere);
    m_ask->setVisible(!isThere && m_state != State::None);
    m_ask->setEnabled(m_state == State::Ready);
    m_note->setVisible(!m_note->text().isEmpty() && m_state != State::None);
    m_hint->setText(m_state == State::None        ? m_texts.nothing
                    : m_state == State::Searching ? tr("Searching")
                                                  : m_texts.promise);
}

} // namespace stagecraft
