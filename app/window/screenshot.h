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
    enum class Framing { Opening, WholeGraph };

    // Begins when it is made; `window` outlives it.
    Screenshot(MainWindow& window, QString path, Framing framing);

signals:
    // `error` is empty if the picture was written.
    void finished(const QString& error);

private:
    void look();

    MainWindow& m_window;
    QString m_path;
    Framing m_framing; // still to be done; Opening: nothing
    QString m_failure; // what went wrong in the document
    QTimer m_timer;
    int m_calmLooks = 0;
};

} // namespace stagecraft
