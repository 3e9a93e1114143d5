// A graph view to drive in tests.
#pragma once

#include "graph_sample.h"
#include "views/graph/graph_view.h"

#include <QTest>

namespace stagecraft::sample {

// A graph view with four stages of the sample model, every box open, as large as a small window.
struct GraphFixture
{
    explicit GraphFixture(std::size_t stages = 4, bool isOpen = true)
        : plan(sample::plan(4, stages)), view(&selection)
    {
        tree = treeOf(plan);
        view.resize(900, 700);
        view.setPlan(plan);
        view.setGraphLayout(layoutOf(plan, tree, isOpen ? fullExpansion(*tree) : Expansion()));
        view.show();
        if (!QTest::qWaitForWindowExposed(&view))
            qFatal("the window does not show");
    }

    const Layout& layout() const { return *view.graphLayout(); }
    ItemId itemOf(std::size_t node) const { return *layout().itemOf[NodeId(node)]; }
    void scrollTo(double y) { view.centerOn(layout().size.width / 2, y); }

    // Presses the handle of a boundary and moves the mouse by `dy` in steps.
    void dragHandle(BoundaryId boundary, int dy, Qt::KeyboardModifiers modifiers = {})
    {
        const QPoint from = view.boundaryHandle(boundary)->center();
        QTest::mousePress(view.viewport(), Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 5; ++step)
            QTest::mouseMove(view.viewport(), from + QPoint(0, dy * step / 5));
    }

    // A little below a boundary's line, right of its handle.
    QPoint below(BoundaryId boundary) const
    {
        return {view.viewport()->width() / 2, view.boundaryHandle(boundary)->center().y() + 30};
    }

    PlanView plan;
    Selection selection;
    std::shared_ptr<const RunTree> tree;
    GraphView view;
};

} // namespace stagecraft::sample
