#include "views/pages/next_steps.h"

#include "views/base/plain_text.h"
#include "views/base/theme.h"

#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRegularExpression>

namespace stagecraft {

NextSteps::NextSteps(QWidget* parent)
    : QWidget(parent),
      m_title(new QLabel(tr("Run it"))),
      m_command(new QLineEdit),
      m_copy(new QPushButton(tr("Copy"))),
      m_read(new QPushButton(tr("Read how")))
{
    m_command->setReadOnly(true);
    m_command->setFont(codeFont(this));
    m_command->setAccessibleName(tr("Command for a terminal"));
    m_copy->setAccessibleName(tr("Copy the command"));
    m_copy->setToolTip(tr("Copy the command, to be pasted into a terminal"));
    m_read->setToolTip(tr("Open the README.md of the export: training, checkpoints, several machines"));
    for (QPushButton* button : {m_copy, m_read})
        button->setAutoDefault(false);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setHorizontalSpacing(em(this, 0.5));
    layout->addWidget(m_title, 0, 0);
    layout->addWidget(m_command, 0, 1);
    layout->addWidget(m_copy, 0, 2);
    layout->addWidget(m_read, 0, 3);
    layout->setColumnStretch(1, 1);
    connect(m_copy, &QPushButton::clicked, this, &NextSteps::copy);
    connect(m_read, &QPushButton::clicked, this, [this] { emit openRequested(m_guide); });
    hide();
}

void NextSteps::setSteps(const QString& command, const QString& guide)
{
    m_text = command;
    m_guide = guide;
    m_command->setText(shownText(command));
    m_command->setCursorPosition(0);
    m_copy->setText(tr("Copy"));
    for (QWidget* part : std::initializer_list<QWidget*>{m_title, m_command, m_copy})
        part->setVisible(!command.isEmpty());
    m_read->setVisible(!guide.isEmpty());
    setVisible(!command.isEmpty() || !guide.isEmpty());
}

void NextSteps::copy()
{
    QGuiApplication::clipboard()->setText(m_text);
    m_copy->setText(tr("Copied"));
}

QString shellWord(const QString& text)
{
    static const QRegularExpression harmless("^[A-Za-z0-9_./+@%:,=-]+$");
    if (harmless.match(text).hasMatch())
        return text;
    return '\'' + QString(text).replace("'", "'\\''") + '\'';
}

} // namespace stagecraft
