// RangeRubber: what is drawn while a range of the charts is stretched with the mouse. Private to the charts.
#pragma once

#include "views/base/theme.h"

#include <qcustomplot.h>

namespace stagecraft {

class RangeRubber
{
public:
    // On that layer of the plot, which owns what it draws.
    RangeRubber(QCustomPlot* plot, const char* layer);

    void setTheme(const Theme& theme);
    // From pixel to pixel over the whole height of `charts`; nothing as long as that is a click.
    void stretch(double from, double to, const QRect& charts);
    void hide() { m_rect->setVisible(false); }
    // So near each other that nobody meant to drag.
    static bool isClick(double from, double to);

private:
    QCPItemRect* m_rect;
};

} // namespace stagecraft
