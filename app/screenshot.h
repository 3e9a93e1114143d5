// Screenshot: waits until everything that a window shows has been computed, and keeps a picture of it.
#pragma once

#include <QObject>
#include <QString>
#include <QTimer>

namespace stagecraft {

class MainWindow;

class Screenshot : public QObject
{
    Q_OBJECT

public:
    // Begins when it is made; `window` outlives it.
    Screenshot(MainWindow& window, QString path, QObject* parent = nullptr);

signals:
    // `error` is empty if the picture was written.
    void finished(const QString& error);

private:
    void look();

    MainWindow& m_window;
    QString m_path;
    QString m_failure; // what went wrong in the document
    QTimer m_timer;
    int m_calmLooks = 0;
};

} // namespace stagecraft
