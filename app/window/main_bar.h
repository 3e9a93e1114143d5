// MainBar: the tool bar of the window, and what it has beside actions.
#pragma once

#include "app/window/actions.h"

class QMainWindow;
class QSlider;
class QSpinBox;

namespace stagecraft {

class ColorBySelector;
class FindField;

// Owned by the window, as its children.
struct MainBar
{
    QSpinBox* stageCount;
    QSlider* detail; // about 2^n items are open
    ColorBySelector* colorBy;
    FindField* find;
};

constexpr int usualDetail = 7; // of the slider, until someone moves it

MainBar makeMainBar(QMainWindow* window, const Actions& actions);
// While there is no model, none of it is of use.
void setUsable(const MainBar& bar, bool isUsable);

} // namespace stagecraft
