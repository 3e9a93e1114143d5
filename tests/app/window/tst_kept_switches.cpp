#include "app/window/kept_switches.h"

#include <QAction>
#include <QSettings>
#include <QWidget>
#include <QtTest>

using namespace stagecraft;

namespace {

struct Session
{
    explicit Session(const std::shared_ptr<QSettings>& settings)
        : kept(new QAction("Kept", &window)), other(new QAction("Other", &window))
    {
        for (QAction* action : {kept, other})
            action->setCheckable(true);
        kept->setProperty("keptAs", "charts/kept");
        new KeptSwitches(&window, settings);
    }

    QWidget window;
    QAction* kept;
    QAction* other;
};

} // namespace

class TestKeptSwitches : public QObject
{
    Q_OBJECT

private slots:
    void aSwitchIsAsItWasLeft()
    {
        const QTemporaryDir folder;
        const auto settings =
            std::make_shared<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
        {
            const Session first(settings);
            QVERIFY(!first.kept->isChecked());
            first.kept->setChecked(true);
            first.other->setChecked(true);
        }
        const Session second(settings);
        QVERIFY(second.kept->isChecked());
        QVERIFY(!second.other->isChecked());
        QCOMPARE(settings->allKeys(), QStringList{"charts/kept"});
    }
};

QTEST_MAIN(TestKeptSwitches)
#include "tst_kept_switches.moc"
