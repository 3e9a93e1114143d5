// CodeTools: what one can do with a page of code besides reading it.
//
//     Code, differences, source   which of them is shown: the code of the stage, how that differs from before
//                      the last move, the line of the model's own source that the selected op comes from
//     Copy page        as an export writes it; of the differences, those
//     Save page…       to a .py file, a .diff file of the differences
//     Short lines      lines that fit the view, or as they are written
//     Fold modules     leaves of each module the line that names it
#pragma once

#include "core/base/result.h"
#include "views/code/code_text.h"

#include <QObject>

class QAction;
class QActionGroup;
class QMenu;

namespace stagecraft {

class CodeStack;

class CodeTools : public QObject
{
    Q_OBJECT

public:
    // The actions are those of `stack` and its editor, and stand in their menus.
    explicit CodeTools(CodeStack* stack);

    void setShows(CodeShows shows);
    // The name that a page is proposed to be saved under: "stage_1".
    void setPageName(const QString& name);
    QMenu* menu() const { return m_menu; }
    Result<void> writeTo(const QString& path) const;

signals:
    void showsChosen(CodeShows shows);

private:
    void addShows();
    QAction* add(const QString& icon, const QString& text);
    void copy() const;
    void save();

    CodeStack* m_stack;
    QMenu* m_menu;
    QActionGroup* m_shows;
    QString m_name;
};

} // namespace stagecraft
