#include "app/window/recent_files.h"

#include <QFile>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

class TestRecentFiles : public QObject
{
    Q_OBJECT

private slots:
    void theNewestComesFirstAndOnce()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        addRecentFile(settings, "/models/a.pt2");
        addRecentFile(settings, "/models/b.pt2");
        addRecentFile(settings, "/models/a.pt2");
        QCOMPARE(recentFiles(settings), QStringList({"/models/a.pt2", "/models/b.pt2"}));
    }

    void tenAreKept()
    {
        QTemporaryDir folder;
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        for (int i = 0; i < 12; ++i)
            addRecentFile(settings, QString("/models/%1.pt2").arg(i));
        QCOMPARE(recentFiles(settings).size(), maxRecentFiles);
        QCOMPARE(recentFiles(settings).front(), "/models/11.pt2");
        QCOMPARE(recentFiles(settings).back(), "/models/2.pt2");
    }

    void filesThatComeAndGoByThemselvesLeaveNoEntry()
    {
        QTemporaryDir folder;
        QFile here(folder.filePath("here.pt2"));
        QVERIFY(here.open(QIODevice::WriteOnly));
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        for (const QString& path :
             {folder.filePath("gone.pt2"), QString("/models/gone.pt2"), here.fileName()})
            addRecentFile(settings, path);
        QCOMPARE(recentFiles(settings).size(), 3);
        QCOMPARE(recentFiles(settings, folder.path().toStdString()),
                 QStringList({QFileInfo(here).canonicalFilePath(), "/models/gone.pt2"}));
    }

    void twoWaysToOneFileAreOneEntry()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("model.pt2"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        QVERIFY(QFile::link(file.fileName(), folder.filePath("link.pt2")));
        QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
        addRecentFile(settings, file.fileName());
        addRecentFile(settings, folder.filePath("link.pt2"));
        addRecentFile(settings, folder.path() + "/./model.pt2");
        QCOMPARE(recentFiles(settings).size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestRecentFiles)
#include "tst_recent_files.moc"
