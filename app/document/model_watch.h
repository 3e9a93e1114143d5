// ModelWatch: notices that the file of the model that is shown changes on the disk.
//
// What is shown stays: the graph is in memory, and lost bytes of the weights are survived (MappedFile). But
// whatever reads weights fails from then on, and says so; better that the person hears of it before.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include <memory>

namespace stagecraft {

struct Model;

class ModelWatch : public QObject
{
    Q_OBJECT

public:
    explicit ModelWatch(QObject* parent = nullptr);

    // Null: nothing. What was watched before no longer is.
    void watch(std::shared_ptr<const Model> model);

signals:
    // Once for each change, when the file has been at rest for a moment. It was written to, or another file
    // has its name now: reading it again shows another model.
    void changed(const QString& message);
    // It has no name any more.
    void removed(const QString& message);

private:
    void look();

    std::shared_ptr<const Model> m_model;
    QFileSystemWatcher m_watcher;
    QTimer m_pause;
    QString m_said; // nothing is said twice
};

} // namespace stagecraft
