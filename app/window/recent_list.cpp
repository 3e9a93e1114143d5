#include "app/window/recent_list.h"

#include "views/base/plain_text.h"
#include "views/pages/welcome_page.h"

#include <QFileInfo>
#include <QMenu>

namespace stagecraft {

RecentList::RecentList(QMenu* menu, WelcomePage* page, QObject* parent)
    : QObject(parent), m_menu(menu), m_page(page), m_look(m_queue)
{
    m_menu->setToolTipsVisible(true);
}

void RecentList::show(const QStringList& files)
{
    m_page->setRecentFiles(files);
    m_menu->clear();
    for (const QString& file : files) {
        QAction* action = m_menu->addAction(menuText(shownText(QFileInfo(file).fileName())));
        action->setToolTip(toolTipText(shownText(file)));
        action->setData(file);
        connect(action, &QAction::triggered, this, [this, file] { emit chosen(file); });
    }
    m_menu->setEnabled(!files.isEmpty());
    m_look.start(
        tr("Looking for files"),
        [files](const Progress& progress) -> Result<QStringList> {
            QStringList missing;
            for (const QString& file : files)
                if (!progress.stopRequested() && !QFileInfo::exists(file))
                    missing << file;
            return missing;
        },
        [this](const Result<QStringList>& missing) {
            if (missing.has_value())
                showMissing(*missing);
        });
}

void RecentList::showMissing(const QStringList& missing)
{
    for (QAction* action : m_menu->actions())
        action->setEnabled(!missing.contains(action->data().toString()));
    m_page->setMissingFiles(missing);
}

} // namespace stagecraft
