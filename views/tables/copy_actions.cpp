#include "views/tables/copy_actions.h"

#include "views/base/icons.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QClipboard>

namespace stagecraft {

QList<QAction*> makeCopyActions(QAbstractItemView* view, const std::function<TablePart()>& part)
{
    using Text = QString (*)(const QAbstractItemModel&, const TablePart&);
    const auto make = [&](const QString& title, Text text) {
        auto* action = new QAction(themedIcon("copy"), title, view);
        QObject::connect(action, &QAction::triggered, view, [view, part, text] {
            QApplication::clipboard()->setText(text(*view->model(), part()));
        });
        return action;
    };
    QAction* csv = make(QObject::tr("Copy as CSV"), tableCsv);
    csv->setShortcut(QKeySequence::Copy);
    csv->setShortcutContext(Qt::WidgetShortcut);
    view->addAction(csv);
    return {csv, make(QObject::tr("Copy as Markdown"), tableMarkdown)};
}

} // namespace stagecraft
