// Draws every view with sample data, light and dark, into a folder: for looking at them.
//
//     QT_QPA_PLATFORM=offscreen picture_views FOLDER [NAME]
#include "tests/views/charts/sample_schedule.h"
#include "tests/views/sample_plan.h"
#include "views/base/color_by.h"
#include "views/base/find_field.h"
#include "views/base/message_bar.h"
#include "views/base/progress_chip.h"
#include "views/base/theme.h"
#include "views/charts/charts.h"
#include "views/charts/schedule_view.h"
#include "views/code/code_view.h"
#include "views/model/details_panel.h"
#include "views/model/module_tree_view.h"
#include "views/pages/export_dialog.h"
#include "views/pages/welcome_page.h"
#include "views/plan/plan_options_panel.h"
#include "views/plan/stages_table.h"

#include <QApplication>
#include <QDir>
#include <QTreeView>
#include <QVBoxLayout>
#include <QtTest/QTest>

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
    plan.cost = sample::costOf(*plan.graph, *plan.profile, *moved, Bytes(std::int64_t{12} << 30));
    plan.partition = moved;
    table->setPreview(plan);
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

std::vector<StagePage> pagesOf(const PlanView& plan)
{
    std::vector<StagePage> pages;
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

QWidget* details(Selection* selection)
{
    auto* view = new DetailsPanel(selection);
    view->setPlan(sample::plan(12, 4));
    selection->setNodes({NodeId(36)});
    return view;
}

QWidget* detailsOfMany(Selection* selection)
{
    auto* view = new DetailsPanel(selection);
    view->setPlan(sample::plan(12, 4));
    std::vector<NodeId> nodes;
    for (std::size_t i = 10; i < 40; ++i)
        nodes.push_back(NodeId(i));
    selection->setNodes(nodes);
    return view;
}

QWidget* welcome(Selection*)
{
    auto* page = new WelcomePage;
    page->setGallery({{"gpt2.pt2", "GPT-2", "Transformer decoder", "494 ops, 124 M parameters"},
                      {"resnet50.pt2", "ResNet-50", "Residual CNN", "228 ops, 25.6 M parameters"},
                      {"moe.pt2", "Mixture of experts", "Routed feed-forward", "310 ops, 42 M parameters"},
                      {"branches.pt2", "Branches", "Parallel towers that join", "96 ops, 3 M parameters"}});
    page->setRecentFiles({"/usr/share/dict", "/models/llama-3-8b.pt2"});
    page->setKeys({{"Open a model", "Ctrl+O"},
                   {"Find by name", "Ctrl+F"},
                   {"Move a boundary by one op", "Left, Right"},
                   {"Split before the selection", "S"},
                   {"Fit everything", "0"}});
    return page;
}

QWidget* exporting(Selection*)
{
    auto* dialog = new ExportDialog;
    dialog->setModelName("gpt2", 4);
    dialog->setFolder("/models/gpt2-stages");
    std::vector<ExportedFile> files{{"manifest.json", Bytes(8421)}, {"pipeline.py", Bytes(12093)}};
    for (int stage = 0; stage < 4; ++stage)
        for (const auto& [ending, size] : {std::pair(".py", 22'000), std::pair(".safetensors", 126'000'000),
                                           std::pair(".pt2", 126'400'000)})
            files.push_back({"stage_" + std::to_string(stage) + ending, Bytes(size)});
    dialog->setFiles(files);
    dialog->setFolderOccupied(true);
    return dialog;
}

QWidget* verified(Selection* selection)
{
    auto* dialog = static_cast<ExportDialog*>(exporting(selection));
    dialog->setFolderOccupied(false);
    dialog->setExported({.folder = "/models/gpt2-stages", .files = {{"manifest.json", Bytes(8421)}}});
    VerifyReport report{.stageCount = 4};
    report.comparisons.push_back({Comparison::Kind::Output, "output 0", "f32[8, 64]", 2.4e-7, 1e-7, true});
    for (int layer = 0; layer < 8; ++layer)
        report.comparisons.push_back({Comparison::Kind::ParameterGradient,
                                      "h." + std::to_string(layer) + ".attn.weight", "f32[64, 64]",
                                      layer == 5 ? 0.25 : 0, layer == 5 ? 0.1 : 0, layer != 5});
    dialog->setVerified(report);
    return dialog;
}

QWidget* options(Selection*)
{
    auto* panel = new PlanOptionsPanel;
    DeviceSpec device{.id = "h100-sxm",
                      .name = "NVIDIA H100 SXM 80GB",
                      .memoryBandwidth = 3.35e12,
                      .linkBandwidth = 4.5e11,
                      .memory = Bytes(std::int64_t{80} << 30)};
    panel->setDevices({device});
    return panel;
}

QWidget* smallParts(Selection*)
{
    auto* all = new QWidget;
    auto* layout = new QVBoxLayout(all);
    const auto bar = [&](Message::Severity severity, const QString& text) {
        auto* messages = new MessageBar;
        layout->addWidget(messages);
        messages->post({.text = "an older one"});
        messages->post({.severity = severity,
                        .text = text,
                        .details = "line 1\nline 2",
                        .actions = {{"restore", "Restore"}}});
    };
    bar(Message::Severity::Info, "This model was split before: 4 stages.");
    bar(Message::Severity::Warning, "3 kinds of operator are estimated by size.");
    bar(Message::Severity::Error, "gpt2.pt2: record data/weights/weight_3 is missing; export the model again "
                                  "with its weights");
    auto* chip = new ProgressChip;
    layout->addWidget(chip, 0, Qt::AlignLeft);
    chip->start("Measuring");
    chip->setProgress("Measuring", 0.41);
    auto* find = new FindField;
    layout->addWidget(find);
    find->setText("linear");
    find->setMatches(3, 48);
    auto* selector = new ColorBySelector;
    layout->addWidget(selector, 0, Qt::AlignLeft);
    auto* stagesLegend = new Legend;
    stagesLegend->setStages(12);
    auto* heat = new Legend;
    heat->setHeat("Time, log scale", "1.2 us", "3.4 ms");
    auto* kinds = new Legend;
    const Theme theme = applicationTheme();
    kinds->setCategories("Operator", {{"linear", categoryColor(theme, 0)},
                                      {"attention", categoryColor(theme, 1)},
                                      {"norm", categoryColor(theme, 2)},
                                      {"elementwise", categoryColor(theme, 3)}});
    for (Legend* legend : {stagesLegend, heat, kinds})
        layout->addWidget(legend);
    layout->addStretch();
    return all;
}

QWidget* scheduleOf(Selection* selection, ScheduleKind kind, std::size_t stages, std::size_t devices)
{
    auto* view = new ScheduleView(selection);
    view->setFigures(sample::scheduleFigures(kind, stages, devices, 8));
    selection->setStage(StageId(1));
    return view;
}

QWidget* schedule(Selection* selection)
{
    return scheduleOf(selection, ScheduleKind::OneFOneB, 4, 4);
}

QWidget* scheduleInV(Selection* selection)
{
    return scheduleOf(selection, ScheduleKind::ZeroBubbleV, 16, 8);
}

const std::vector<Picture>& pictures()
{
    static const std::vector<Picture> all{
        {"charts", {900, 380}, charts},
        {"charts-limit", {900, 380}, chartsOverLimit},
        {"code", {760, 480}, code},
        {"details", {360, 620}, details},
        {"details-many", {360, 480}, detailsOfMany},
        {"export", {720, 600}, exporting},
        {"options", {340, 460}, options},
        {"small", {820, 460}, smallParts},
        {"verified", {720, 600}, verified},
        {"welcome", {1280, 720}, welcome},
        {"welcome-narrow", {640, 900}, welcome},
        {"tree", {560, 520}, tree},
        {"schedule", {1000, 320}, schedule},
        {"schedule-v", {1000, 360}, scheduleInV},
        {"stages", {1180, 260}, stages},
        {"stages-preview", {560, 420}, stagesPreview},
    };
    return all;
}

// `made` is the mode that the view is made in: it must look the same after a change.
void draw(const Picture& picture, ThemeMode made, ThemeMode shown, const QString& path)
{
    applyTheme(*qApp, made);
    Selection selection;
    const std::unique_ptr<QWidget> widget(picture.make(&selection));
    widget->resize(picture.size);
    widget->show();
    QTest::qWait(picture.name == "small" ? 700 : 0); // the progress chip waits 400 ms before it shows
    QApplication::processEvents();
    if (made != shown)
        applyTheme(*qApp, shown);
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
    for (const Picture& picture : pictures()) {
        if (!picture.name.startsWith(only))
            continue;
        draw(picture, ThemeMode::Light, ThemeMode::Light, folder.filePath(picture.name + "-light.png"));
        draw(picture, ThemeMode::Dark, ThemeMode::Dark, folder.filePath(picture.name + "-dark.png"));
        draw(picture, ThemeMode::Light, ThemeMode::Dark, folder.filePath(picture.name + "-switched.png"));
    }
}
