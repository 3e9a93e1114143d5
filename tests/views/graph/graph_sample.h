// Layouts of the sample plan, for tests of the graph view.
#pragma once

#include "core/layout/layout_engine.h"
#include "core/layout/make_run_tree.h"
#include "tests/views/sample_plan.h"
#include "views/graph/graph_paint_data.h"

#include <memory>

namespace stagecraft::sample {

inline std::shared_ptr<const RunTree>
treeOf(const PlanView& plan, RunTreeOptions::Folding folding = RunTreeOptions::Folding::ShowEach)
{
    return std::make_shared<const RunTree>(
        makeRunTree(*plan.graph, makeGroupTree(*plan.graph), *plan.partition, {.folding = folding}));
}

inline std::shared_ptr<const Layout>
layoutOf(const PlanView& plan, const std::shared_ptr<const RunTree>& tree, const Expansion& expansion)
{
    LayoutEngine engine;
    return std::make_shared<const Layout>(*engine.layout(plan.graph, tree, expansion));
}

inline std::shared_ptr<const Layout> openLayoutOf(const PlanView& plan)
{
    const auto tree = treeOf(plan);
    return layoutOf(plan, tree, fullExpansion(*tree));
}

// The plan of four stages with all boxes open, ready to be painted.
inline GraphPaint openPaint()
{
    GraphPaint paint;
    paint.plan = plan(4, 4);
    paint.setLayout(openLayoutOf(paint.plan));
    paint.markPlan(Lines::Move);
    return paint;
}

} // namespace stagecraft::sample
