#include "views/plan/size_fields.h"

#include "core/graph/given_sizes.h"
#include "views/base/plain_text.h"
#include "views/base/theme.h"
#include "views/base/widgets.h"

#include <QComboBox>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <limits>
#include <tuple>

namespace stagecraft {

namespace {

// What a spin box can count to.
int within(std::int64_t value)
{
    return static_cast<int>(std::clamp<std::int64_t>(value, 0, std::numeric_limits<int>::max()));
}

int smallestValue(const OpenSize& size)
{
    return within(size.range.min || size.isDataDependent ? leastSize(size.range) : 1);
}

// Of a size that data decide, one below what it can be: it is not given.
int exportedValue(const OpenSize& size)
{
    return size.isDataDependent ? smallestValue(size) - 1
                                : within(size.range.hint.value_or(size.range.min.value_or(1)));
}

enum Meaning { Exactly, AtMost };

// Beside the value of a size that data decide.
QComboBox* addMeaning(const QSpinBox* value, const QString& place)
{
    auto* box = new QComboBox;
    box->addItems({SizeFields::tr("is"), SizeFields::tr("is at most")});
    box->setAccessibleName(SizeFields::tr("%1: exactly or at most").arg(place));
    box->setToolTip(SizeFields::tr("Figures from an upper bound are no more than upper bounds themselves"));
    box->setEnabled(value->value() != value->minimum());
    QObject::connect(value, &QSpinBox::valueChanged, box,
                     [value, box] { box->setEnabled(value->value() != value->minimum()); });
    leaveWheelToParent(box);
    return box;
}

std::set<std::string> symbolsOf(const SymInt& size)
{
    std::set<std::string> symbols;
    size.collectSymbols(symbols);
    return symbols;
}

// What stands at `place` of an input: the symbol itself, or an expression of it, which the place then says.
void addGiven(const Graph& graph, const std::string& place, const SymInt& size, std::vector<OpenSize>& sizes)
{
    for (const std::string& symbol : symbolsOf(size)) {
        const bool isDerived = size.text() != symbol;
        const std::string shown = isDerived ? symbol + ", " + place + " = " + size.text() : place;
        const auto known = std::ranges::find(sizes, symbol, &OpenSize::symbol);
        if (known != sizes.end()) {
            if (known->isDerived && !isDerived)
                std::tie(known->place, known->isDerived) = std::tuple(shown, false);
            continue;
        }
        const auto range = graph.symbolRanges().find(symbol);
        sizes.push_back({.symbol = symbol,
                         .place = shown,
                         .range = range == graph.symbolRanges().end() ? SymbolRange{} : range->second,
                         .isDerived = isDerived});
    }
}

// Sizes that data decide. Without a value for one that nothing bounds there is no profile.
void addDataDependent(const Graph& graph, std::vector<OpenSize>& sizes)
{
    for (const ValueId id : graph.values()) {
        const Value& value = graph[id];
        std::set<std::string> symbols;
        if (value.scalar)
            value.scalar->collectSymbols(symbols);
        if (value.meta)
            for (const SymInt& size : value.meta->sizes)
                size.collectSymbols(symbols);
        for (const std::string& symbol : symbols) {
            const auto range = graph.symbolRanges().find(symbol);
            if (range != graph.symbolRanges().end() && !range->second.hint &&
                std::ranges::find(sizes, symbol, &OpenSize::symbol) == sizes.end())
                sizes.push_back(
                    {.symbol = symbol, .place = value.name, .range = range->second, .isDataDependent = true});
        }
    }
}

} // namespace

std::vector<OpenSize> openSizes(const Graph& graph)
{
    std::vector<OpenSize> sizes;
    for (const ValueId id : graph.inputs()) {
        const Value& value = graph[id];
        if (value.isStored())
            continue;
        if (value.scalar)
            addGiven(graph, value.name, *value.scalar, sizes);
        if (value.meta)
            for (std::size_t d = 0; d < value.meta->sizes.size(); ++d)
                addGiven(graph, value.name + '[' + std::to_string(d) + ']', value.meta->sizes[d], sizes);
    }
    addDataDependent(graph, sizes);
    return sizes;
}

SizeFields::SizeFields(QWidget* parent) : QWidget(parent), m_form(new QFormLayout(this))
{
    setAccessibleName(tr("Sizes"));
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setHorizontalSpacing(em(this, 0.8));
    m_form->setVerticalSpacing(em(this, 0.4));
    m_form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    hide();
}

void SizeFields::setSizes(const std::vector<OpenSize>& sizes)
{
    if (std::ranges::equal(sizes, m_fields, {}, {}, &Field::size))
        return;
    while (m_form->rowCount() > 0)
        m_form->removeRow(0);
    m_fields.clear();
    for (const OpenSize& size : sizes) {
        auto* box = new QSpinBox;
        leaveWheelToParent(box);
        const QString place = shownText(size.place);
        box->setRange(std::min(smallestValue(size), exportedValue(size)),
                      within(size.range.max.value_or(std::numeric_limits<int>::max())));
        if (size.isDataDependent)
            box->setSpecialValueText(size.range.max ? tr("at most %1").arg(*size.range.max)
                                                    : tr("not given"));
        box->setValue(exportedValue(size));
        takeWhenFinished(box);
        box->setAccessibleName(place);
        const QString symbol = shownText(size.symbol);
        box->setToolTip(
            size.isDataDependent
                ? (size.range.max
                       ? tr("The size %1 of the model: what the data are decides it; without a value "
                            "it counts as the most that it can be")
                       : tr("The size %1 of the model: what the data are decides it, so a typical "
                            "value has to be given"))
                      .arg(symbol)
                : tr("The size %1 of the model, exported with %2").arg(symbol).arg(exportedValue(size)));
        auto* name = new QLabel(place); // without a mnemonic
        name->setTextFormat(Qt::PlainText);
        m_fields.push_back({size, box, size.isDataDependent ? addMeaning(box, place) : nullptr});
        if (QComboBox* meaning = m_fields.back().meaning) {
            auto* row = new QHBoxLayout;
            row->addWidget(meaning);
            row->addWidget(box, 1);
            m_form->addRow(name, row);
            connect(meaning, &QComboBox::currentIndexChanged, this, &SizeFields::bindingsChanged);
        } else {
            m_form->addRow(name, box);
        }
        connect(box, &QSpinBox::valueChanged, this, &SizeFields::bindingsChanged);
    }
    setVisible(!m_fields.empty());
}

void SizeFields::setBindings(const Bindings& bindings, const Bindings& bounds)
{
    for (const Field& field : m_fields) {
        const QSignalBlocker quiet(field.box);
        const std::string& symbol = field.size.symbol;
        const bool isBound = field.meaning && !bindings.contains(symbol) && bounds.contains(symbol);
        const Bindings& given = isBound ? bounds : bindings;
        const auto value = given.find(symbol);
        field.box->setValue(value == given.end() ? exportedValue(field.size) : within(value->second));
        if (field.meaning && value != given.end()) {
            const QSignalBlocker alsoQuiet(field.meaning);
            field.meaning->setCurrentIndex(isBound ? AtMost : Exactly);
        }
    }
}

Bindings SizeFields::bindings() const
{
    return given(false);
}

Bindings SizeFields::bounds() const
{
    return given(true);
}

Bindings SizeFields::given(bool asBounds) const
{
    Bindings values;
    for (const Field& field : m_fields) {
        const bool isBound = field.meaning && field.meaning->currentIndex() == AtMost;
        if (isBound == asBounds && field.box->value() != exportedValue(field.size))
            values[field.size.symbol] = field.box->value();
    }
    return values;
}

} // namespace stagecraft
