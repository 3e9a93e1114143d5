#include "app/document/model_watch.h"

#include "core/load/model.h"

#include <QFileInfo>

namespace stagecraft {

ModelWatch::ModelWatch(QObject* parent) : QObject(parent)
{
    // Who writes a file changes it many times, and may remove it first.
    m_pause.setSingleShot(true);
    m_pause.setInterval(400);
    connect(&m_pause, &QTimer::timeout, this, &ModelWatch::look);
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, &m_pause, qOverload<>(&QTimer::start));
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, &m_pause, qOverload<>(&QTimer::start));
}

void ModelWatch::watch(std::shared_ptr<const Model> model)
{
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    m_pause.stop();
    m_said.clear();
    m_model = std::move(model);
    if (!m_model || !m_model->file)
        return;
    const QFileInfo file(QString::fromStdString(m_model->file->path().string()));
    m_watcher.addPath(file.absoluteFilePath());
    m_watcher.addPath(file.absolutePath()); // another file may take the name
    m_pause.start();                        // it may have changed while it was being opened
}

void ModelWatch::look()
{
    if (!m_model || !m_model->file)
        return;
    const MappedFile& file = *m_model->file;
    const QString path = QFileInfo(QString::fromStdString(file.path().string())).absoluteFilePath();
    const bool isThere = QFileInfo::exists(path);
    if (isThere && !m_watcher.files().contains(path))
        m_watcher.addPath(path); // the watcher lets go of a file that is removed
    const QString name = QFileInfo(path).fileName();
    const bool isAsOpened = file.unchanged().has_value();
    QString message;
    if (!isThere)
        message = tr("%1 was moved or removed. What is shown is as it was opened.").arg(name);
    else if (!isAsOpened || !file.isAt(file.path()))
        message = tr("%1 was changed on the disk. What is shown is the model as it was opened.").arg(name);
    if (message == m_said)
        return;
    m_said = message;
    if (!message.isEmpty())
        isThere ? emit changed(message) : emit removed(message);
}

} // namespace stagecraft
