// The key table: every key of the window, from its actions, and those that the views take themselves.
#pragma once

#include <QString>

#include <utility>
#include <vector>

class QMenuBar;
class QWidget;

namespace stagecraft {

struct KeySection
{
    QString title;
    std::vector<std::pair<QString, QString>> keys; // what to do, the key for it
};

// A section a menu, of the actions that have a key; then the gestures and keys of the views.
std::vector<KeySection> keySections(const QMenuBar& menus);

// Shows them in a window that closes with Esc; deletes itself.
void showKeyTable(QWidget* parent, const std::vector<KeySection>& sections);

} // namespace stagecraft
