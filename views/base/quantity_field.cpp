#include "views/base/quantity_field.h"

#include "core/base/typed_figures.h"
#include "views/base/plain_text.h"

#include <cmath>

namespace stagecraft {

namespace {

Result<double> readMemory(std::string_view text)
{
    STAGECRAFT_ASSIGN(bytes, parseMemory(text));
    return bytes.asDouble();
}

Result<double> readLatency(std::string_view text)
{
    STAGECRAFT_ASSIGN(seconds, parseLatency(text));
    return seconds.value();
}

} // namespace

const FigureKind memoryFigure{readMemory,
                              [](double value) { return typedMemory(Bytes(std::llround(value))); }};
const FigureKind bandwidthFigure{parseBandwidth, typedBandwidth};
const FigureKind latencyFigure{readLatency, [](double value) { return typedLatency(Seconds(value)); }};
const FigureKind flopRateFigure{parseFlopRate, typedFlopRate};

QuantityField::QuantityField(const FigureKind& kind, QWidget* parent) : QLineEdit(parent), m_kind(&kind)
{
    connect(this, &QLineEdit::editingFinished, this, [this] {
        const Result<std::optional<double>> typed = value();
        if (typed.has_value() && text() != m_shown)
            setValue(*typed); // so that a bare number says what it is taken for
    });
}

void QuantityField::setValue(std::optional<double> value)
{
    m_exact = value;
    m_shown = value ? shownText(m_kind->print(*value)) : QString();
    setText(m_shown);
}

Result<std::optional<double>> QuantityField::value() const
{
    const QString typed = text().trimmed();
    if (typed == m_shown)
        return m_exact;
    if (typed.isEmpty())
        return std::optional<double>();
    STAGECRAFT_ASSIGN(value, m_kind->parse(typed.toStdString()));
    return std::optional(value);
}

} // namespace stagecraft
