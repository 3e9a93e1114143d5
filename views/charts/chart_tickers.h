// Tick marks at round binary bytes and round times, for QCustomPlot's axes.
#pragma once

#include <QString>
#include <qcustomplot.h>

namespace stagecraft {

// "512 MiB", "1.5 GiB": without needless zeros. The sign is dropped.
QString tickBytes(double bytes);
// "5 ms", "1.5 s"; the sign is dropped: below zero is backward.
QString tickSeconds(double seconds);
// The power of two that divides `range` into about `count` parts.
double binaryTickStep(double range, int count);

class BytesTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

class SecondsTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

class CountTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override; // whole numbers only
    QString getTickLabel(double tick, const QLocale& locale, QChar format, int precision) override;
};

} // namespace stagecraft
