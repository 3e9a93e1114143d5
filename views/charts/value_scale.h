// ValueScale: how high a value stands in a chart: as high as it is, or by its logarithm.
//
// By the logarithm, what points down stays below the axis; what is less than the least value stands on it:
//
//     100 ms │   █
//      10 ms │ █ █        each line is ten times the one below (bytes: some power of two)
//       1 ms ┼─█─█───█─
//      10 ms │     █
#pragma once

#include "views/charts/plot_axes.h"

namespace stagecraft {

class ValueScale
{
public:
    ValueScale() = default; // as they are
    // Logarithms to `base`, from its power at or below `smallest`; at most `decades` of them below `largest`.
    // As they are where nothing is larger than zero.
    static ValueScale logarithmic(double smallest, double largest, double base, int decades);

    bool isLogarithmic() const { return m_base > 0; }
    double shown(double value) const;
    double value(double shown) const; // the inverse; of the axis: the least value

private:
    double m_base = 0; // 0: as they are
    double m_least = 1;
};

// Ticks at whole powers of the base, with the texts of the values that stand there.
class LogarithmTicker : public QCPAxisTicker
{
public:
    LogarithmTicker(const ValueScale& scale, QString (*text)(double)) : m_scale(scale), m_text(text) {}

protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;

private:
    ValueScale m_scale;
    QString (*m_text)(double);
};

} // namespace stagecraft
