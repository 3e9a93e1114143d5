// KeptColumns: which columns the tables of a window show, how wide and in which order, over sessions.
#pragma once

#include <QObject>

#include <memory>

class QSettings;
class QWidget;

namespace stagecraft {

class KeptColumns : public QObject
{
    Q_OBJECT

public:
    // Of all tables with TableTools that `window` has now: puts them back as they were, and keeps them when
    // it closes.
    KeptColumns(QWidget* window, std::shared_ptr<QSettings> settings);

private:
    void keep() const;

    QWidget* m_window;
    std::shared_ptr<QSettings> m_settings;
};

} // namespace stagecraft
