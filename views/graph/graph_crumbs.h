// GraphCrumbs: where in the model one is: the boxes around what is selected in the graph, outermost first.
//
//     Stage 2 › layers.8-15 ×8 › self_attn › linear        a click goes to the box
#pragma once

#include "views/graph/graph_paint_data.h"

#include <QWidget>

class QHBoxLayout;

namespace stagecraft {

class GraphCrumbs : public QWidget
{
    Q_OBJECT

public:
    explicit GraphCrumbs(QWidget* parent);

    // Of the item, which is the last; nothing is shown for none. Returns whether anything is.
    bool show(const GraphPaint& paint, std::optional<ItemId> item);
    QStringList names() const;

signals:
    void chosen(stagecraft::ItemId box);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void addCrumb(const QString& name, std::optional<ItemId> goesTo);

    QHBoxLayout* m_row;
    QStringList m_names;
    std::vector<ItemId> m_path; // as m_names
    QColor m_ground;
    QColor m_border;
};

} // namespace stagecraft
