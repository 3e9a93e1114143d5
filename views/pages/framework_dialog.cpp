#include "views/pages/framework_dialog.h"

#include "views/base/dialog_size.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace stagecraft {

namespace {

// Who reads the text there, and where it goes.
QString readerOf(Framework framework)
{
    switch (framework) {
    case Framework::TorchCsv:
        return QObject::tr("The order of the stages' work: a file for _load_csv() of a schedule of "
                           "torch.distributed.pipelining");
    case Framework::Torchtitan:
        return QObject::tr("Lines of the configuration of a training job (*.toml)");
    case Framework::GraphPp:
        return QObject::tr("Lines of the configuration of a training job (*.toml) with graph_pp");
    case Framework::Megatron:
        return QObject::tr("Arguments of the training script");
    case Framework::DeepSpeed:
        return QObject::tr("The layers of a PipelineModule in their order, and where each part begins");
    case Framework::Fqns:
        return QObject::tr("A list of lists: the names of the modules that each stage runs");
    }
    return {};
}

} // namespace

FrameworkDialog::FrameworkDialog(QWidget* parent)
    : QDialog(parent),
      m_framework(new QComboBox),
      m_reader(new QLabel),
      m_notice(new QFrame),
      m_noticeText(new QLabel),
      m_apply(new QPushButton(tr("Use that plan"))),
      m_caption(new QLabel),
      m_text(new QPlainTextEdit),
      m_copy(new QPushButton(tr("Copy"))),
      m_save(new QPushButton(tr("Save…")))
{
    setWindowTitle(tr("The plan for other frameworks"));
    for (const auto& entry : frameworkNames.entries)
        m_framework->addItem(shownText(entry.title), static_cast<int>(entry.kind));
    m_framework->setAccessibleName(tr("Framework"));
    m_reader->setForegroundRole(QPalette::PlaceholderText);
    m_caption->setForegroundRole(QPalette::PlaceholderText);
    m_noticeText->setAccessibleName(tr("What is in the way"));
    for (QLabel* label : {m_reader, m_noticeText, m_caption}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_noticeText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setReadOnly(true);
    m_text->setFont(codeFont(this));
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("The plan as it is read there"));
    m_apply->setToolTip(tr("The plan of the window becomes this one; Undo brings the other back"));

    auto* noticeRow = new QHBoxLayout(m_notice);
    noticeRow->addWidget(m_noticeText, 1);
    noticeRow->addWidget(m_apply, 0, Qt::AlignBottom);
    auto* form = new QFormLayout;
    form->addRow(tr("For"), m_framework);
    form->addRow(QString(), m_reader);
    auto* close = new QPushButton(tr("Close"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_copy);
    buttons->addStretch();
    buttons->addWidget(close);
    buttons->addWidget(m_save);
    for (QPushButton* button : {m_apply, m_copy, close})
        button->setAutoDefault(false);
    m_save->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 1), em(this, 1), em(this, 1), em(this, 0.8));
    layout->setSpacing(em(this, 0.7));
    layout->addLayout(form);
    layout->addWidget(m_notice);
    layout->addWidget(m_caption);
    layout->addWidget(m_text, 1);
    layout->addLayout(buttons);
    resizeOnScreen(this, {em(this, 46), em(this, 34)});

    connect(m_framework, &QComboBox::currentIndexChanged, this, &FrameworkDialog::frameworkChanged);
    connect(m_apply, &QPushButton::clicked, this, &FrameworkDialog::applyRequested);
    connect(m_copy, &QPushButton::clicked, this, &FrameworkDialog::copy);
    connect(m_save, &QPushButton::clicked, this, &FrameworkDialog::saveRequested);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    onThemeChange(this, [this] { color(); });
    setSearching();
}

void FrameworkDialog::setModelName(const QString& name)
{
    setWindowTitle(tr("The plan of %1 for other frameworks").arg(titleText(shownText(name))));
}

void FrameworkDialog::setSearching()
{
    showState(State::Searching, {}, {});
}

void FrameworkDialog::setText(const QString& text, const QString& unsaid)
{
    showState(State::Plan, text, unsaid);
}

void FrameworkDialog::setNearest(const QString& text, const QString& why, const QString& costs)
{
    showState(State::Nearest, text, tr("%1; %2.").arg(why, costs));
}

void FrameworkDialog::setProblem(const QString& message)
{
    showState(State::Problem, {}, message);
}

Framework FrameworkDialog::framework() const
{
    return static_cast<Framework>(m_framework->currentData().toInt());
}

QString FrameworkDialog::text() const
{
    return m_plan;
}

void FrameworkDialog::showState(State state, const QString& text, const QString& notice)
{
    m_state = state;
    m_reader->setText(readerOf(framework()));
    m_plan = text;
    m_text->setPlainText(text);
    m_noticeText->setText(shownText(notice));
    m_notice->setVisible(!notice.isEmpty());
    m_apply->setVisible(state == State::Nearest);
    m_caption->setText(state == State::Searching ? tr("Looking for the nearest plan that can be said there")
                       : state == State::Plan    ? tr("The plan that is open")
                       : state == State::Nearest ? tr("The nearest plan, not the one that is open")
                                                 : QString());
    m_caption->setVisible(!m_caption->text().isEmpty());
    m_copy->setText(tr("Copy"));
    m_copy->setEnabled(!text.isEmpty());
    m_save->setEnabled(!text.isEmpty());
    color();
}

void FrameworkDialog::color()
{
    const Theme theme = applicationTheme();
    setTextColor(m_noticeText, m_state == State::Problem ? theme.danger : theme.warning);
}

void FrameworkDialog::copy()
{
    QApplication::clipboard()->setText(text());
    m_copy->setText(tr("Copied"));
}

} // namespace stagecraft
