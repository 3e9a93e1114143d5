// A whole window without a person, as its tests begin.
#pragma once

#include "app/window/main_window.h"
#include "core/plan/editing.h"
#include "tests/patience.h"

#include <QApplication>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>

namespace stagecraft {

inline const QString tinyModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");

struct WindowFixture
{
    // Edits are kept in `dataFolder`; empty: nowhere.
    explicit WindowFixture(const QString& dataFolder = {}, Seconds searchTime = Seconds(0.2))
    {
        environment.resources = STAGECRAFT_RESOURCES;
        environment.devices = readDevices(environment.resources / "devices").value();
        environment.settings =
            std::make_shared<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
        environment.settings->setValue("exportFolder", folder.path());
        environment.searchTime = searchTime;
        environment.dataFolder = dataFolder.toStdString();
        start();
    }
    ~WindowFixture() { delete window.data(); }

    // Again, where the window before was closed: what that kept is there.
    void start()
    {
        window = new MainWindow(environment);
        window->resize(1600, 1000);
        window->show();
        if (!QTest::qWaitForWindowExposed(window))
            qFatal("the window does not show");
    }

    Document& document() const { return window->document(); }
    bool settle() const
    {
        return QTest::qWaitFor([&] { return document().hasModel() && window->isSettled(); }, patience);
    }
    bool open(const QString& path) const
    {
        window->open(path);
        return settle();
    }
    std::size_t boundary(std::size_t index) const
    {
        return stageOrder(*document().shown().partition).boundaries[index];
    }

    QTemporaryDir folder;
    Environment environment;
    QPointer<MainWindow> window;
};

// All that the menus offer.
inline void collectActions(const QMenu* menu, QList<QAction*>& actions)
{
    for (QAction* action : menu->actions()) {
        if (action->menu())
            collectActions(action->menu(), actions);
        else if (!action->isSeparator())
            actions << action;
    }
}

inline QList<QAction*> menuActions(const MainWindow& window)
{
    QList<QAction*> actions;
    for (QAction* action : window.menuBar()->actions())
        collectActions(action->menu(), actions);
    return actions;
}

// Presses that button of the next question that the program asks, and counts the questions.
class Answers : public QObject
{
public:
    explicit Answers(QMessageBox::StandardButton button) : m_button(button) { startTimer(5); }
    int asked() const { return m_asked; }
    const QString& text() const { return m_text; }

protected:
    void timerEvent(QTimerEvent*) override
    {
        auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (!question)
            return;
        ++m_asked;
        m_text = question->text();
        question->button(m_button)->click();
    }

private:
    QMessageBox::StandardButton m_button;
    int m_asked = 0;
    QString m_text;
};

} // namespace stagecraft
