#include "views/base/on_demand_panel.h"

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
      m_ask(new QPushButton(m_texts.button))
{
    m_ask->setFocusPolicy(Qt::TabFocus); // when it goes after a click, nothing far away gets the focus
    m_hint->setAlignment(Qt::AlignCenter);
    m_hint->setWordWrap(true);
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
    connect(m_ask, &QPushButton::clicked, this, &OnDemandPanel::asked);
    showState();
}

void OnDemandPanel::setState(State state)
{
    m_state = state;
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
    m_hint->setText(m_state == State::None        ? m_texts.nothing
                    : m_state == State::Searching ? tr("Searching")
                                                  : m_texts.promise);
}

} // namespace stagecraft
