// QuantityField: a line for a figure with its unit, as people type it (core/base/typed_figures.h). What it
// shows is rounded; as long as its text is not changed its value is the exact one. What is typed is shown
// with its unit as soon as the field is left.
#pragma once

#include "core/base/result.h"

#include <QLineEdit>

#include <optional>
#include <string>
#include <string_view>

namespace stagecraft {

// How a figure is read and shown; figures are in bytes, bytes/s, seconds, FLOP/s.
struct FigureKind
{
    Result<double> (*parse)(std::string_view text);
    std::string (*print)(double value);
};
extern const FigureKind memoryFigure;
extern const FigureKind bandwidthFigure;
extern const FigureKind latencyFigure;
extern const FigureKind flopRateFigure;

class QuantityField : public QLineEdit
{
    Q_OBJECT

public:
    explicit QuantityField(const FigureKind& kind, QWidget* parent = nullptr);

    // None: the field is empty.
    void setValue(std::optional<double> value);
    // Fails, saying what to write, where the text cannot be read.
    Result<std::optional<double>> value() const;

private:
    const FigureKind* m_kind;
    std::optional<double> m_exact; // of m_shown
    QString m_shown;
};

} // namespace stagecraft
