#include "views/tables/row_filter.h"

#include "views/base/cell_delegate.h"
#include "views/base/every_word.h"
#include "views/base/icons.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QAction>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QTimer>
#include <QTreeView>

namespace stagecraft {

RowFilter::RowFilter(QTreeView* view)
    : QWidget(view), // until it is laid out
      m_view(view),
      m_field(new QLineEdit),
      m_count(new QLabel),
      m_action(new QAction(themedIcon("find"), tr("Filter rows"), this)),
      m_later(new QTimer(this))
{
    m_field->setPlaceholderText(tr("Rows with these words; Esc: all rows"));
    m_field->setAccessibleName(tr("Filter rows"));
    m_field->setClearButtonEnabled(true);
    for (QAction* clear : m_field->findChildren<QAction*>()) // Qt's own button has no name
        clear->setText(tr("Clear the filter"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(em(this, 0.4), em(this, 0.2), em(this, 0.4), em(this, 0.2));
    layout->addWidget(m_field, 1);
    layout->addWidget(m_count);
    hide();

    m_action->setShortcut(QKeySequence(Qt::Key_Slash));
    m_action->setShortcutContext(Qt::WidgetShortcut);
    m_view->addAction(m_action);
    m_later->setSingleShot(true);
    m_later->setInterval(0);
    connect(m_action, &QAction::triggered, this, &RowFilter::open);
    connect(m_later, &QTimer::timeout, this, &RowFilter::apply);
    connect(m_field, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_wanted = everyWordOf(text);
        m_isOn = !text.trimmed().isEmpty();
        apply();
    });
    followModel();
    onKeyPress(m_field, [this](int key, Qt::KeyboardModifiers) { return handleKey(key); });
    filterEvents(m_view, [this](const QEvent* event) {
        if (event->type() == QEvent::HideToParent)
            forget();
        return false;
    });
    filterEvents(m_field, [this](const QEvent* event) {
        if (event->type() == QEvent::FocusOut && !m_isOn)
            hide();
        return false;
    });
}

void RowFilter::followModel()
{
    const auto applyLater = [this] {
        if (m_isOn)
            m_later->start();
    };
    const QAbstractItemModel* model = m_view->model();
    connect(model, &QAbstractItemModel::modelReset, this, applyLater);
    connect(model, &QAbstractItemModel::rowsInserted, this, applyLater);
    connect(model, &QAbstractItemModel::rowsRemoved, this, applyLater);
    connect(model, &QAbstractItemModel::dataChanged, this, applyLater);
    connect(model, &QAbstractItemModel::layoutChanged, this, applyLater);
    connect(m_view->header(), &QHeaderView::sectionResized, this, applyLater); // a column came or went
}

void RowFilter::open()
{
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

void RowFilter::forget()
{
    m_field->clear();
    hide();
}

void RowFilter::close()
{
    forget();
    m_view->setFocus(Qt::OtherFocusReason);
}

bool RowFilter::handleKey(int key)
{
    if (key == Qt::Key_Escape)
        close();
    else if (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Down)
        goToFirst();
    else
        return false;
    return true;
}

void RowFilter::apply()
{
    m_later->stop();
    const Count count = applyBelow({}, {});
    if (m_isOn)
        dropHidden();
    showCount(count);
}

RowFilter::Count RowFilter::applyBelow(const QModelIndex& parent, const QString& words)
{
    const QAbstractItemModel& model = *m_view->model();
    Count sum;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        const QModelIndex index = model.index(row, 0, parent);
        const QString own = words + wordsOf(index);
        const bool matches = !m_isOn || m_wanted.match(own).hasMatch();
        const bool isLeaf = !model.hasChildren(index);
        const Count below = isLeaf ? Count{matches ? 1 : 0, 1} : applyBelow(index, own);
        m_view->setRowHidden(row, parent, !matches && below.left == 0);
        if (m_isOn && !isLeaf && !matches && below.left > 0)
            m_view->expand(index);
        sum.left += below.left;
        sum.all += below.all;
    }
    return sum;
}

QString RowFilter::wordsOf(const QModelIndex& row) const
{
    QString words;
    for (int column = 0; column < m_view->model()->columnCount(row.parent()); ++column) {
        if (m_view->isColumnHidden(column))
            continue;
        const QModelIndex cell = row.siblingAtColumn(column);
        const auto content = cell.data(cellRole).value<CellContent>();
        const QString text = cell.data().toString();
        words += text.isEmpty() ? cell.data(Qt::AccessibleTextRole).toString() : text; // of chips
        words += ' ' + content.note + ' ' + content.badge + ' ';
    }
    return words;
}

// What keys and menus would act on must be in sight.
void RowFilter::dropHidden()
{
    const auto isHidden = [this](QModelIndex index) {
        for (; index.isValid(); index = index.parent())
            if (m_view->isRowHidden(index.row(), index.parent()))
                return true;
        return false;
    };
    QItemSelectionModel* selection = m_view->selectionModel();
    if (isHidden(selection->currentIndex()))
        selection->clearCurrentIndex();
    for (const QModelIndex& row : selection->selectedRows())
        if (isHidden(row))
            selection->select(row, QItemSelectionModel::Deselect | QItemSelectionModel::Rows);
}

void RowFilter::goToFirst()
{
    m_view->setFocus(Qt::OtherFocusReason);
    QModelIndex first = m_view->model()->index(0, 0);
    while (first.isValid() && m_view->isRowHidden(first.row(), first.parent()))
        first = m_view->indexBelow(first);
    if (first.isValid() && !m_view->currentIndex().isValid())
        m_view->setCurrentIndex(first);
}

void RowFilter::showCount(const Count& count)
{
    m_count->setVisible(m_isOn);
    m_count->setText(tr("%1 of %2").arg(count.left).arg(count.all));
}

} // namespace stagecraft
