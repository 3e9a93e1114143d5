// RecentList: the files that were opened last, on the welcome page and in their menu. Whether they are still
// there is found out in a thread of its own: a network drive that is gone takes seconds to say so.
#pragma once

#include "app/jobs/job.h"

#include <QObject>
#include <QStringList>

class QMenu;

namespace stagecraft {

class WelcomePage;

class RecentList : public QObject
{
    Q_OBJECT

public:
    // Both outlive it.
    RecentList(QMenu* menu, WelcomePage* page, QObject* parent);

    // They can be chosen until they are known to be gone.
    void show(const QStringList& files);

signals:
    void chosen(const QString& file);

private:
    void showMissing(const QStringList& missing);

    QMenu* m_menu;
    WelcomePage* m_page;
    JobQueue m_queue;
    Job<QStringList> m_look;
};

} // namespace stagecraft
