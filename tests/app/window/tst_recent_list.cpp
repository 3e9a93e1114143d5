#include "app/window/recent_list.h"
#include "tests/patience.h"
#include "views/pages/welcome_page.h"

#include <QMenu>
#include <QSignalSpy>
#include <QtTest>

using namespace stagecraft;

class TestRecentList : public QObject
{
    Q_OBJECT

private slots:
    void whatIsGoneIsFoundOutElsewhere()
    {
        QMenu menu;
        WelcomePage page;
        RecentList list(&menu, &page, nullptr);
        const QString here = QCoreApplication::applicationFilePath();
        list.show({"/nowhere/gone.pt2", here});
        const QList<QAction*> files = menu.actions();
        QCOMPARE(files.size(), 2);
        QVERIFY(files[0]->isEnabled()); // nobody has waited for an answer
        QVERIFY(QTest::qWaitFor([&] { return !files[0]->isEnabled(); }, patience));
        QVERIFY(files[1]->isEnabled());
        QSignalSpy chosen(&list, &RecentList::chosen);
        files[1]->trigger();
        QCOMPARE(chosen.count(), 1);
        QCOMPARE(chosen[0][0].toString(), here);
    }

    void withoutFilesThereIsNoMenu()
    {
        QMenu menu;
        WelcomePage page;
        RecentList list(&menu, &page, nullptr);
        list.show({});
        QVERIFY(!menu.isEnabled());
    }
};

QTEST_MAIN(TestRecentList)
#include "tst_recent_list.moc"
