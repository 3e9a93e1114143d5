// Draws every view with sample data, light and dark, into a folder: for looking at them.
//
//     QT_QPA_PLATFORM=offscreen picture_views FOLDER [NAME]
#include "tests/views/sample_plan.h"
#include "views/charts.h"
#include "views/code_view.h"
#include "views/module_tree_view.h"
#include "views/stages_table.h"
#include "views/theme.h"

#include <QApplication>
#include <QDir>
#include <QTreeView>

#include <functional>
#include <vector>

using namespace stagecraft;

namespace {

struct Picture
{
    QString name;
    QSize size;
    std::function<QWidget*(Selection*)> make;
};

QWidget* stages(Selection* selection)
{
    auto* table = new StagesTable(selection);
    const PlanView plan = sample::plan(12, 4);
    table->setPlan(plan);
    selection->setStage(StageId(1));
    return table;
}

QWidget* stagesPreview(Selection* selection)
{
    auto* table = new StagesTable(selection);
    PlanView plan = sample::plan(12, 10);
    plan.cost = sample::costOf(*plan.graph, *plan.profile, *plan.partition, Bytes(std::int64_t{12} << 30));
    table->setPlan(plan);
    auto moved = std::make_shared<Partition>(*plan.partition);
    for (std::size_t i = 18; i < 22; ++i)
        moved->stageOf[NodeId(i)] = StageId(1);
    table->setPreview(sample::costOf(*plan.graph, *plan.profile, *moved, Bytes(std::int64_t{12} << 30)));
    return table;
}

QWidget* tree(Selection* selection)
{
    auto* view = new ModuleTreeView(selection);
    view->setPlan(sample::plan(12, 4));
    auto* rows = view->findChild<QTreeView*>();
    rows->expandToDepth(1);
    rows->expand(rows->model()->index(2, 0, rows->model()->index(1, 0, rows->model()->index(0, 0))));
    selection->setNodes({NodeId(18), NodeId(19)});
    return view;
}

QWidget* charts(Selection* selection)
{
    auto* view = new ExecutionCharts(selection);
    view->setPlan(sample::plan(12, 4));
    selection->setNodes({NodeId(40), NodeId(41), NodeId(42)});
    selection->setHovered(NodeId(63));
    return view;
}

QWidget* chartsOverLimit(Selection* selection)
{
    auto* view = new ExecutionCharts(selection);
    PlanView plan = sample::plan(40, 10);
    plan.cost = sample::costOf(*plan.graph, *plan.profile, *plan.partition, Bytes(std::int64_t{16} << 30));
    view->setPlan(plan);
    view->setAxis(ExecutionAxis::CumulativeTime);
    selection->setBoundary(BoundaryId(3));
    return view;
}

std::vector<CodeView::Page> pagesOf(const PlanView& plan)
{
    std::vector<CodeView::Page> pages;
    for (const StageId stage : plan.cost->stages.ids())
        pages.push_back({sample::programOf(plan, stage), sample::codeOf(plan, stage)});
    return pages;
}

QWidget* code(Selection* selection)
{
    auto* view = new CodeView(selection);
    const PlanView plan = sample::plan(12, 4);
    view->setPlan(plan);
    view->setPages(pagesOf(plan));
    view->showStage(StageId(1));
    view->setBaseline();
    auto moved = std::make_shared<Partition>(*plan.partition);
    for (std::size_t i = 22; i < 25; ++i)
        moved->stageOf[NodeId(i)] = StageId(1);
    const PlanView after = sample::withPartition(plan, moved);
    view->setPlan(after);
    view->setPages(pagesOf(after));
    view->setState(CodeView::State::Updating);
    selection->setNodes({NodeId(29)});
    return view;
}

const std::vector<Picture>& pictures()
{
    static const std::vector<Picture> all{
        {"charts", {900, 380}, charts},  {"charts-limit", {900, 380}, chartsOverLimit},
        {"code", {760, 480}, code},      {"tree", {560, 520}, tree},
        {"stages", {1180, 260}, stages}, {"stages-preview", {560, 420}, stagesPreview},
    };
    return all;
}

void draw(const Picture& picture, const QString& path)
{
    Selection selection;
    const std::unique_ptr<QWidget> widget(picture.make(&selection));
    widget->resize(picture.size);
    widget->show();
    QApplication::processEvents();
    QApplication::processEvents();
    widget->grab().save(path);
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QDir folder(argc > 1 ? argv[1] : ".");
    const QString only = argc > 2 ? argv[2] : "";
    folder.mkpath(".");
    for (const auto& [mode, suffix] :
         {std::pair(ThemeMode::Light, "light"), std::pair(ThemeMode::Dark, "dark")}) {
        applyTheme(application, mode);
        for (const Picture& picture : pictures())
            if (picture.name.startsWith(only))
                draw(picture, folder.filePath(QStringLiteral("%1-%2.png").arg(picture.name, suffix)));
    }
}
