// CodeTools: what one can do with a page of code besides reading it.
//
//     Copy page        as an export writes it; of the differences, those
//     Save page…       to a .py file, a .diff file of the differences
//     Short lines      lines that fit the view, or as they are written
//     Fold modules     leaves of each module the line that names it
//     Show source      the line of the model that the selected op comes from
#pragma once

#include "core/base/result.h"

#include <QObject>

class QAction;
class QMenu;

namespace stagecraft {

class CodeStack;

class CodeTools : public QObject
{
    Q_OBJECT

public:
    // The actions are those of `stack` and its editor, and stand in their menus.
    explicit CodeTools(CodeStack* stack);

    // The name that a page is proposed to be saved under: "stage_1".
    void setPageName(const QString& name);
    QMenu* menu() const { return m_menu; }
    Result<void> writeTo(const QString& path) const;

signals:
    void sourceRequested();

private:
    QAction* add(const QString& icon, const QString& text);
    void copy() const;
    void save();

    CodeStack* m_stack;
    QMenu* m_menu;
    QString m_name;
};

} // namespace stagecraft
