#include "views/base/completion_list.h"

#include "views/base/cell_delegate.h"
#include "views/base/widgets.h"

#include <QEvent>

#include <algorithm>

namespace stagecraft {

CompletionList::CompletionList(QWidget* field) : QListWidget(field), m_field(field)
{
    setWindowFlags(Qt::ToolTip);
    setAttribute(Qt::WA_ShowWithoutActivating);
    setFocusPolicy(Qt::NoFocus);
    setAccessibleName(tr("Completions"));
    setItemDelegate(new CellDelegate(this));
    setUniformItemSizes(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMouseTracking(true);
    connect(this, &QListWidget::itemEntered, this, [this](QListWidgetItem* item) { setCurrentItem(item); });
    connect(this, &QListWidget::itemClicked, this, [this] { take(currentRow()); });
    onThemeChange(field, [this] { drawFrame(); });
    drawFrame();
    filterEvents(field, [this](const QEvent* event) {
        if (event->type() == QEvent::FocusOut || event->type() == QEvent::Hide ||
            event->type() == QEvent::WindowDeactivate)
            hide();
        return false;
    });
    hide();
}

// It stands on whatever is below the field.
void CompletionList::drawFrame()
{
    const Theme theme = applicationTheme();
    setStyleSheet(QStringLiteral("QListView { border: 1px solid %1; background: %2; }")
                      .arg(theme.border.name(), theme.raised.name()));
}

void CompletionList::setCompletions(std::vector<Completion> completions)
{
    m_completions = std::move(completions);
    clear();
    for (const Completion& completion : m_completions) {
        auto* item = new QListWidgetItem(completion.shown, this);
        item->setData(cellRole, QVariant::fromValue(CellContent{.note = completion.help}));
        item->setData(Qt::AccessibleTextRole, completion.shown + ", " + completion.help);
    }
    setCurrentRow(-1);
    const bool isWanted = !m_completions.empty() && m_field->hasFocus();
    if (isWanted)
        place();
    setVisible(isWanted);
}

void CompletionList::place()
{
    int width = m_field->width();
    const QFontMetrics metrics(font());
    for (const Completion& completion : m_completions)
        width =
            std::max(width, metrics.horizontalAdvance(completion.shown + completion.help) + em(this, 2.4));
    width = std::min(width, std::max(m_field->width(), em(this, 34)));
    const int height = static_cast<int>(m_completions.size()) * sizeHintForRow(0) + 2 * frameWidth();
    const QPoint below = m_field->mapToGlobal(QPoint(m_field->width() - width, m_field->height() + 2));
    setGeometry(QRect(below, QSize(width, height)));
}

bool CompletionList::handleKey(int key)
{
    if (isHidden())
        return false;
    switch (key) {
    case Qt::Key_Down:
        setCurrentRow(std::min(currentRow() + 1, count() - 1));
        return true;
    case Qt::Key_Up:
        if (currentRow() < 0)
            return false;
        setCurrentRow(currentRow() - 1);
        return true;
    case Qt::Key_Tab:
        take(std::max(currentRow(), 0));
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (currentRow() < 0) {
            hide();
            return false;
        }
        take(currentRow());
        return true;
    case Qt::Key_Escape:
        hide();
        return true;
    default:
        return false;
    }
}

void CompletionList::take(int row)
{
    if (row < 0 || row >= count())
        return;
    const QString text = m_completions[static_cast<std::size_t>(row)].text;
    hide();
    emit taken(text);
}

} // namespace stagecraft
