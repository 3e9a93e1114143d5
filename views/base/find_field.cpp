#include "views/base/find_field.h"

#include "views/base/icons.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QKeyEvent>
#include <QLabel>

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

constexpr double besideText = 3.4; // em: the sign before it, and the ends of the field

} // namespace

FindField::FindField(QWidget* parent)
    : QLineEdit(parent), m_count(new QLabel(this)), m_completions(new CompletionList(this))
{
    addAction(themedIcon("find"), LeadingPosition)->setText(tr("Find"));
    m_hints = {tr("Find ops: name, op:linear, time>1ms"), tr("name, op:linear, time>1ms"), tr("Find ops")};
    setPlaceholderText(m_hints.front());
    setAccessibleName(tr("Find"));
    setAccessibleDescription(tr("Enter shows the next match, Shift+Enter the one before; Tab completes"));
    m_count->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_count->setTextFormat(Qt::PlainText);
    m_count->hide();
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            m_count->hide();
        fitText();
        emit searchChanged(text);
    });
    connect(this, &QLineEdit::textEdited, this, &FindField::completionsWanted);
    connect(m_completions, &CompletionList::taken, this, [this](const QString& text) {
        setText(text);
        emit completionsWanted(text);
    });
    onThemeChange(this, [this] { placeCount(); });
}

// A long query can be read whole while it is there; the field does not shrink under the person who types.
void FindField::fitText()
{
    if (text().isEmpty()) {
        if (m_leastWidth)
            setMinimumWidth(*std::exchange(m_leastWidth, std::nullopt));
        return;
    }
    if (!m_leastWidth)
        m_leastWidth = minimumWidth();
    const int wanted = fontMetrics().horizontalAdvance(text()) + em(this, besideText) + textMargins().right();
    setMinimumWidth(std::clamp(wanted, minimumWidth(), std::max(minimumWidth(), maximumWidth())));
}

void FindField::setMatches(int current, int count)
{
    m_isFound = count > 0;
    setToolTip(QString());
    showCount(count == 0    ? tr("none")
              : current > 0 ? tr("%1 of %2").arg(current).arg(count)
                            : QString::number(count),
              count == 0 ? tr("No matches") : tr("%1 matches").arg(count));
}

void FindField::setProblem(const QString& problem)
{
    m_isFound = false;
    setToolTip(toolTipText(problem));
    showCount(QStringLiteral("?"), problem);
}

void FindField::setCompletions(std::vector<Completion> completions)
{
    m_completions->setCompletions(std::move(completions));
}

void FindField::showCount(const QString& text, const QString& spoken)
{
    m_count->setVisible(!this->text().isEmpty());
    m_count->setText(text);
    m_count->setAccessibleName(spoken);
    placeCount();
}

void FindField::placeCount()
{
    const Theme theme = applicationTheme();
    setTextColor(m_count, m_isFound ? theme.mutedText : theme.danger);
    const QSize size = m_count->sizeHint();
    m_count->setGeometry(width() - size.width() - em(this, 0.5), (height() - size.height()) / 2, size.width(),
                         size.height());
    setTextMargins(0, 0, m_count->isHidden() ? 0 : size.width() + em(this, 0.3), 0);
    fitText();
}

// Tab would go to the next field before it came to keyPressEvent().
bool FindField::event(QEvent* event)
{
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<const QKeyEvent*>(event);
        if (key->key() == Qt::Key_Tab && m_completions->handleKey(Qt::Key_Tab))
            return true;
    }
    return QLineEdit::event(event);
}

void FindField::keyPressEvent(QKeyEvent* event)
{
    if (!(event->modifiers() & Qt::ShiftModifier) && m_completions->handleKey(event->key()))
        return;
    switch (event->key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (event->modifiers() & Qt::ShiftModifier)
            emit previousRequested();
        else
            emit nextRequested();
        return;
    case Qt::Key_Down:
        emit nextRequested();
        return;
    case Qt::Key_Up:
        emit previousRequested();
        return;
    case Qt::Key_Escape:
        clear();
        emit closed();
        return;
    default:
        QLineEdit::keyPressEvent(event);
    }
}

void FindField::focusInEvent(QFocusEvent* event)
{
    QLineEdit::focusInEvent(event);
    if (event->reason() == Qt::ShortcutFocusReason || event->reason() == Qt::MouseFocusReason)
        emit completionsWanted(text());
}

void FindField::resizeEvent(QResizeEvent* event)
{
    QLineEdit::resizeEvent(event);
    placeCount();
    showHint();
}

// The longest that there is room for: what is cut explains nothing.
void FindField::showHint()
{
    const int room = width() - em(this, besideText);
    const auto fits = [&](const QString& hint) { return fontMetrics().horizontalAdvance(hint) <= room; };
    const auto hint = std::ranges::find_if(m_hints, fits);
    setPlaceholderText(hint == m_hints.end() ? m_hints.back() : *hint);
}

} // namespace stagecraft
