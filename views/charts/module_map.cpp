#include "views/charts/module_map.h"

#include "views/base/color_by.h"
#include "views/base/plain_text.h"
#include "views/base/widgets.h"
#include "views/charts/module_map_drawing.h"
#include "views/charts/picture_tools.h"
#include "views/graph/graph_colors.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace stagecraft {

ModuleMap::ModuleMap(Selection* selection, QWidget* parent)
    : QWidget(parent),
      m_shape(new QComboBox),
      m_measure(new QComboBox),
      m_colors(new QComboBox),
      m_path(new QLabel),
      m_legend(new Legend),
      m_drawing(new ModuleMapDrawing(selection)),
      m_empty(new QLabel(tr("What each module takes appears here once the model is profiled.")))
{
    setAccessibleName(tr("Map"));
    setAccessibleDescription(tr("Where time and memory go, by module"));
    m_shape->addItem(tr("Treemap"), int(MapShape::Treemap));
    m_shape->addItem(tr("Flame graph"), int(MapShape::Flames));
    m_shape->setAccessibleName(tr("Shape"));
    for (const MapMeasure measure :
         {MapMeasure::Time, MapMeasure::AtPeak, MapMeasure::Kept, MapMeasure::Parameters})
        m_measure->addItem(measureName(measure), int(measure));
    m_measure->setAccessibleName(tr("What sizes stand for"));
    m_colors->addItem(colorByName(ColorBy::Stage), int(ColorBy::Stage));
    m_colors->addItem(colorByName(ColorBy::Own), int(ColorBy::Own));
    m_colors->setAccessibleName(tr("What colours stand for"));
    m_colors->hide();
    m_path->setTextFormat(Qt::RichText);
    m_path->setAccessibleName(tr("Which module is shown"));
    m_path->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(em(this, 0.5), em(this, 0.3), em(this, 0.5), em(this, 0.3));
    head->setSpacing(em(this, 0.6));
    head->addWidget(m_shape);
    head->addWidget(m_measure);
    head->addWidget(m_colors);
    head->addWidget(m_path, 1);
    head->addWidget(m_legend);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(head);
    layout->addWidget(m_drawing, 1);
    layout->addWidget(m_empty, 1);

    connect(m_shape, &QComboBox::currentIndexChanged, this,
            [this] { m_drawing->setShape(static_cast<MapShape>(m_shape->currentData().toInt())); });
    connect(m_measure, &QComboBox::currentIndexChanged, this, [this] {
        m_drawing->setMeasure(static_cast<MapMeasure>(m_measure->currentData().toInt()));
        showState();
    });
    connect(m_colors, &QComboBox::currentIndexChanged, this, &ModuleMap::showColors);
    connect(m_path, &QLabel::linkActivated, this,
            [this](const QString& module) { m_drawing->enter(ModuleId(module.toUInt())); });
    connect(m_drawing, &ModuleMapDrawing::entered, this, &ModuleMap::showPath);
    new PictureTools(this, tr("Map"), [this] { return m_drawing->seriesCsv(); });
    setFocusProxy(m_drawing);
    setTabOrder(m_drawing, m_shape); // Tab into the panel begins with it
    setTabOrder(m_shape, m_measure);
    setTabOrder(m_measure, m_colors);
    onThemeChange(this, [this] { showColors(); });
    setPlan({});
}

void ModuleMap::setPlan(const PlanView& plan)
{
    if (plan.graph != m_drawing->plan().graph)
        setOverlay(nullptr); // it is of the graph that was
    m_drawing->setPlan(plan);
    showColors();
    showState();
    showPath();
}

void ModuleMap::setOverlay(std::shared_ptr<const Overlay> overlay)
{
    if (overlay == m_overlay)
        return;
    m_overlay = std::move(overlay);
    m_colors->setVisible(m_overlay != nullptr);
    m_colors->setCurrentIndex(m_colors->findData(int(m_overlay ? ColorBy::Own : ColorBy::Stage)));
    showColors();
}

void ModuleMap::showColors()
{
    const PlanView& plan = m_drawing->plan();
    const auto by = static_cast<ColorBy>(m_colors->currentData().toInt());
    m_drawing->setOverlay(by == ColorBy::Own ? m_overlay : nullptr);
    showLegend(*m_legend, graphColors(plan, by, applicationTheme(), m_overlay.get()),
               plan.partition ? plan.partition->stageCount : 0);
}

void ModuleMap::setShape(MapShape shape)
{
    m_shape->setCurrentIndex(m_shape->findData(int(shape)));
}

void ModuleMap::setMeasure(MapMeasure measure)
{
    m_measure->setCurrentIndex(m_measure->findData(int(measure)));
}

const std::vector<ModuleBox>& ModuleMap::drawnBoxes() const
{
    return m_drawing->boxes();
}

bool ModuleMap::isMatch(std::size_t box) const
{
    return m_drawing->isMatch(box);
}

QString ModuleMap::describe(std::size_t box) const
{
    return m_drawing->describe(box);
}

ModuleId ModuleMap::shownModule() const
{
    return m_drawing->shownModule();
}

// Every module around is a link to it.
void ModuleMap::showPath()
{
    const PlanView& plan = m_drawing->plan();
    if (!plan.graph)
        return m_path->clear();
    const ModuleTree& modules = plan.graph->modules();
    QString path;
    for (std::optional<ModuleId> module = m_drawing->shownModule(); module;
         module = modules[*module].parent) {
        const QString name =
            shownText(modules[*module].parent ? modules[*module].name : plan.graph->name()).toHtmlEscaped();
        path.prepend(*module == m_drawing->shownModule()
                         ? QStringLiteral("<b>%1</b>").arg(name)
                         : QStringLiteral("<a href='%1'>%2</a> › ").arg(module->index()).arg(name));
    }
    m_path->setText(path);
}

void ModuleMap::showState()
{
    const bool isKnown = m_drawing->plan().profile != nullptr;
    m_empty->setText(isKnown ? tr("Nothing of this model takes any: choose another measure.")
                             : tr("What each module takes appears here once the model is profiled."));
    m_drawing->setVisible(!m_drawing->isEmpty());
    m_empty->setVisible(m_drawing->isEmpty());
    m_legend->setVisible(isKnown);
}

} // namespace stagecraft
