// PictureTools: a chart as a picture that other programs draw sharply at any size; its numbers as a table.
//
//     Save picture…   SVG, PDF or PNG, as it is shown: the range, the theme
//     Save series…    CSV, where the chart has numbers of its own
#pragma once

#include "core/base/result.h"

#include <QList>
#include <QObject>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace stagecraft {

class PictureTools : public QObject
{
    Q_OBJECT

public:
    // `series` gives a CSV; null: there is none. The actions go to the menu of `view`.
    PictureTools(QWidget* view, QString name, std::function<QString()> series = nullptr);

    // By its ending: .svg, .pdf, .png, .csv. Fails on another.
    Result<void> writeTo(const QString& path) const;

private:
    void save(const QString& title, const QString& proposed, const QString& filters);

    QWidget* m_view;
    QString m_name;
    std::function<QString()> m_series;
};

} // namespace stagecraft
