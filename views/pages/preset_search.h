// PresetSearch: finds published models (core/forms/form.h) of all families by words of their names.
#pragma once

#include <QLineEdit>

class QCompleter;
class QSortFilterProxyModel;

namespace stagecraft {

class PresetSearch : public QLineEdit
{
    Q_OBJECT

public:
    explicit PresetSearch(QWidget* parent = nullptr);

signals:
    void chosen(const QString& preset);

private:
    void find(const QString& words);

    QSortFilterProxyModel* m_found;
    QCompleter* m_completer;
};

} // namespace stagecraft
