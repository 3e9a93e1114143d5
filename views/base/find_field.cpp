#include "views/base/find_field.h"

#include "views/base/icons.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QKeyEvent>
#include <QLabel>

namespace stagecraft {

FindField::FindField(QWidget* parent) : QLineEdit(parent), m_count(new QLabel(this))
{
    addAction(themedIcon("find"), LeadingPosition);
    setPlaceholderText(tr("Find by name"));
    setAccessibleName(tr("Find"));
    setAccessibleDescription(tr("Enter shows the next match, Shift+Enter the one before"));
    m_count->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_count->hide();
    connect(this, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (text.isEmpty())
            m_count->hide();
        emit searchChanged(text);
    });
    onThemeChange(this, [this] { placeCount(); });
}

void FindField::setMatches(int current, int count)
{
    m_matchCount = count;
    m_count->setVisible(!text().isEmpty());
    m_count->setText(count == 0    ? tr("none")
                     : current > 0 ? tr("%1 of %2").arg(current).arg(count)
                                   : QString::number(count));
    m_count->setAccessibleName(count == 0 ? tr("No matches") : tr("%1 matches").arg(count));
    placeCount();
}

void FindField::placeCount()
{
    const Theme theme = applicationTheme();
    setTextColor(m_count, m_matchCount == 0 ? theme.danger : theme.mutedText);
    const QSize size = m_count->sizeHint();
    m_count->setGeometry(width() - size.width() - em(this, 0.5), (height() - size.height()) / 2, size.width(),
                         size.height());
    setTextMargins(0, 0, m_count->isHidden() ? 0 : size.width() + em(this, 0.3), 0);
}

void FindField::keyPressEvent(QKeyEvent* event)
{
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

void FindField::resizeEvent(QResizeEvent* event)
{
    QLineEdit::resizeEvent(event);
    placeCount();
}

} // namespace stagecraft
