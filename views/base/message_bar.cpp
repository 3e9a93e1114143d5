#include "views/base/message_bar.h"

#include "views/base/colors.h"
#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace stagecraft {

namespace {

struct Look
{
    QColor color;
    QString icon;
    QString spokenName;
};

Look lookOf(Message::Severity severity)
{
    const Theme theme = applicationTheme();
    switch (severity) {
    case Message::Severity::Info:
        return {theme.accent, "info", QObject::tr("Note")};
    case Message::Severity::Warning:
        return {theme.warning, "warning", QObject::tr("Warning")};
    case Message::Severity::Error:
        break;
    }
    return {theme.danger, "error", QObject::tr("Error")};
}

// Texts of the engine begin as parts of sentences do. What begins with a name (of a file, a model, a tensor:
// a dot, a digit, an underscore or a capital in it, or a colon after it) stays as it is spelt.
QString asSentence(const QString& text)
{
    static const QRegularExpression plainWord(QStringLiteral("^\\p{Ll}+(?:['’-]\\p{Ll}+)*(?=[ ,;!?]|[.]?$)"));
    return plainWord.match(text).hasMatch() ? text.left(1).toUpper() + text.mid(1) : text;
}

bool isWrong(const Message& message)
{
    return message.severity != Message::Severity::Info;
}

// What fits into a line or two: how it begins, which is what is wrong, and how it ends, which is what would
// do; the middle is among the details.
QString shortened(const QString& text)
{
    constexpr qsizetype most = 220;
    if (text.size() <= most)
        return text;
    static const QRegularExpression clauseEnd(QStringLiteral("(?<=[.;]) "));
    const QStringList clauses = text.split(clauseEnd);
    QString tail;
    for (qsizetype i = clauses.size() - 1; i > 0 && tail.size() + clauses[i].size() < most / 2; --i)
        tail.prepend(' ' + clauses[i]);
    const QString head = text.left(std::min(most - tail.size(), text.size() - tail.size()));
    const qsizetype clause =
        std::max(head.lastIndexOf(QStringLiteral(". ")), head.lastIndexOf(QStringLiteral("; ")));
    const bool isWhole = clause > most / 4;
    return head.left(isWhole ? clause + 1 : head.lastIndexOf(' ')) + (isWhole ? " " : "") + QChar(0x2026) +
           tail;
}

} // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      m_icon(new QLabel),
      m_text(new QLabel),
      m_more(new QToolButton),
      m_actions(new QHBoxLayout),
      m_detailsButton(new QToolButton),
      m_copy(new QToolButton),
      m_closeAll(new QToolButton),
      m_close(new QToolButton),
      m_details(new QPlainTextEdit)
{
    setAccessibleName(tr("Messages"));
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_detailsButton->setText(tr("Details"));
    m_detailsButton->setCheckable(true);
    m_copy->setIcon(themedIcon("copy"));
    m_copy->setToolTip(tr("Copy the message"));
    m_copy->setAccessibleName(tr("Copy the message"));
    m_more->setToolTip(tr("All messages; the one that is chosen is shown"));
    m_more->setAccessibleName(m_more->toolTip());
    m_more->setPopupMode(QToolButton::InstantPopup);
    auto* all = new QMenu(m_more);
    connect(all, &QMenu::aboutToShow, this, [this, all] { listAll(all); });
    m_more->setMenu(all);
    m_closeAll->setText(tr("Close all"));
    m_closeAll->setToolTip(tr("Dismiss all messages"));
    m_close->setIcon(themedIcon("close"));
    m_close->setToolTip(tr("Dismiss (Esc)"));
    m_close->setAccessibleName(tr("Dismiss the message"));
    m_details->setReadOnly(true);
    m_details->setFont(codeFont(this));
    m_details->setAccessibleName(tr("Details of the message"));
    m_details->hide();

    auto* line = new QHBoxLayout;
    line->setSpacing(em(this, 0.4));
    line->addWidget(m_icon);
    line->addWidget(m_text, 1);
    line->addLayout(m_actions);
    for (QWidget* widget : {m_detailsButton, m_copy, m_more, m_closeAll, m_close})
        line->addWidget(widget);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(em(this, 0.7), em(this, 0.35), em(this, 0.4), em(this, 0.35));
    layout->addLayout(line);
    layout->addWidget(m_details);
    connect(m_closeAll, &QToolButton::clicked, this, &MessageBar::clear);
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(m_detailsButton, &QToolButton::toggled, this, [this](bool wanted) {
        fitDetails();
        m_details->setVisible(wanted);
    });
    connect(m_copy, &QToolButton::clicked, this, [this] {
        const Message& message = m_messages.back();
        const QString details = message.details.isEmpty() ? QString() : "\n\n" + message.details;
        QGuiApplication::clipboard()->setText(message.text + details);
    });
    onThemeChange(this, [this] {
        if (!m_messages.empty())
            showFirst();
    });
    hide();
}

void MessageBar::post(Message message)
{
    if (!message.id.isEmpty())
        std::erase_if(m_messages, [&](const Message& old) { return old.id == message.id; });
    message.text = asSentence(shownText(message.text, LineBreaks::Keep));
    message.details = shownText(message.details, LineBreaks::Keep);
    const auto equal = std::ranges::find_if(m_messages, [&](const Message& old) {
        return old.id == message.id && old.severity == message.severity && old.text == message.text;
    });
    if (equal != m_messages.end()) {
        message.count = equal->count + 1;
        m_messages.erase(equal);
    }
    auto place = m_messages.begin();
    for (auto other = m_messages.begin(); other != m_messages.end(); ++other)
        if (isWrong(message) || !isWrong(*other))
            place = other + 1;
    m_messages.insert(place, std::move(message));
    showFirst();
}

void MessageBar::remove(const QString& id)
{
    if (std::erase_if(m_messages, [&](const Message& message) { return message.id == id; }) > 0)
        showFirst();
}

void MessageBar::clear()
{
    m_messages.clear();
    showFirst();
}

void MessageBar::dismiss()
{
    m_messages.pop_back();
    showFirst();
}

void MessageBar::showFirst()
{
    setVisible(!m_messages.empty());
    clearLayout(m_actions);
    m_detailsButton->setChecked(false);
    if (m_messages.empty())
        return m_text->clear();
    const Message& message = m_messages.back();
    const Look look = lookOf(message.severity);
    m_icon->setPixmap(iconPixmap(look.icon, look.color, em(this, 1.15), devicePixelRatioF()));
    const QString shown = shortened(message.text);
    m_text->setText(message.count > 1 ? tr("%1 (%2 times)").arg(shown, QString::number(message.count))
                                      : shown);
    m_text->setTextFormat(Qt::PlainText);
    m_more->setText(m_messages.size() > 1 ? tr("%1 more").arg(m_messages.size() - 1) : QString());
    m_more->setVisible(m_messages.size() > 1);
    m_closeAll->setVisible(m_messages.size() > 1);
    const QString details = shown == message.text ? message.details : message.text + '\n' + message.details;
    m_detailsButton->setVisible(!details.trimmed().isEmpty());
    m_details->setPlainText(details.trimmed());
    setAccessibleDescription(look.spokenName + ": " + message.text);
    for (const Message::Action& action : message.actions) {
        auto* button = new QPushButton(action.label);
        m_actions->addWidget(button);
        connect(button, &QPushButton::clicked, this, [this, id = message.id, action = action.id]() mutable {
            // The button, and with it this function, goes with the message.
            const QString messageId = std::move(id);
            const QString actionId = std::move(action);
            dismiss();
            emit actionTriggered(messageId, actionId);
        });
    }
    update();
}

void MessageBar::listAll(QMenu* menu)
{
    menu->clear();
    const int most = em(this, 40);
    for (std::size_t i = m_messages.size(); i-- > 0;) {
        const Message& message = m_messages[i];
        const Look look = lookOf(message.severity);
        const QPixmap icon = iconPixmap(look.icon, look.color, em(this, 1.15), devicePixelRatioF());
        const QString text =
            fontMetrics().elidedText(QString(message.text).replace('\n', ' '), Qt::ElideRight, most);
        menu->addAction(icon, menuText(text), this,
                        [this, id = message.id, whole = message.text] { bringUp(id, whole); });
    }
}

// Others may have come and gone while the list was open.
void MessageBar::bringUp(const QString& id, const QString& text)
{
    const auto chosen = std::ranges::find_if(
        m_messages, [&](const Message& message) { return message.id == id && message.text == text; });
    if (chosen == m_messages.end())
        return;
    std::rotate(chosen, chosen + 1, m_messages.end());
    showFirst();
}

// What the message is about stays in sight below it, in a low window, too.
void MessageBar::fitDetails()
{
    const int most = window()->height() / 10;
    m_details->setFixedHeight(std::clamp(most, em(this, 4), em(this, 9)));
}

void MessageBar::resizeEvent(QResizeEvent* event)
{
    QFrame::resizeEvent(event);
    fitDetails();
}

void MessageBar::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Escape && !m_messages.empty())
        return dismiss();
    QFrame::keyPressEvent(event);
}

void MessageBar::paintEvent(QPaintEvent*)
{
    if (m_messages.empty())
        return;
    const Theme theme = applicationTheme();
    const QColor color = lookOf(m_messages.back().severity).color;
    QPainter painter(this);
    painter.fillRect(rect(), theme.highContrast ? theme.surface : mixed(theme.surface, color, 0.09));
    painter.fillRect(QRect(0, 0, em(this, 0.2), height()), color);
    painter.setPen(theme.border);
    painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

} // namespace stagecraft
