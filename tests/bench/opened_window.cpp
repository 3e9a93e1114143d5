#include "tests/bench/opened_window.h"

#include <QApplication>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>

namespace stagecraft::bench {

int measureWindows(int argc, char** argv, const QStringList& examples,
                   const std::function<void(MainWindow&)>& measure)
{
    const QApplication application(argc, argv);
    const QTemporaryDir folder;
    Environment environment;
    environment.resources = STAGECRAFT_RESOURCES;
    environment.devices = readDevices(environment.resources / "devices").value();
    environment.settings = std::make_shared<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
    QStringList models =
        QApplication::arguments().mid(1).filter(QRegularExpression(QStringLiteral("^(?!--)")));
    if (models.isEmpty())
        for (const QString& name : examples)
            models << QString(STAGECRAFT_RESOURCES "/examples/%1.pt2").arg(name);
    for (const QString& model : models) {
        MainWindow window(environment);
        window.resize(1600, 1000);
        window.show();
        window.open(model);
        const Document& document = window.document();
        if (!QTest::qWaitFor([&] { return document.hasModel() && document.isSettled(); }, 300000)) {
            std::printf("%s: does not settle\n", qPrintable(model));
            continue;
        }
        std::printf("%s, %zu nodes\n", document.model()->name.c_str(), document.model()->graph.nodeCount());
        measure(window);
    }
    return 0;
}

} // namespace stagecraft::bench
