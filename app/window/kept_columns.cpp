#include "app/window/kept_columns.h"

#include "views/base/widgets.h"
#include "views/tables/table_tools.h"

#include <QEvent>
#include <QSettings>
#include <QWidget>

namespace stagecraft {

namespace {

QString keyOf(const TableTools& table)
{
    return QStringLiteral("columns/") + table.name();
}

} // namespace

KeptColumns::KeptColumns(QWidget* window, std::shared_ptr<QSettings> settings)
    : QObject(window), m_window(window), m_settings(std::move(settings))
{
    for (TableTools* table : m_window->findChildren<TableTools*>())
        if (const QByteArray columns = m_settings->value(keyOf(*table)).toByteArray(); !columns.isEmpty())
            table->restoreColumns(columns);
    filterEvents(m_window, [this](const QEvent* event) {
        if (event->type() == QEvent::Close)
            keep();
        return false;
    });
}

void KeptColumns::keep() const
{
    for (const TableTools* table : m_window->findChildren<TableTools*>())
        m_settings->setValue(keyOf(*table), table->columns());
}

} // namespace stagecraft
