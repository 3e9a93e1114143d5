// The reference figures of tests/data/oracle and tests/data/architectures: counted by Python, not estimated.
#pragma once

#include "core/profile/model/profile_model.h"
#include "tests/core/profile/plain_options.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QString>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stagecraft::test {

inline QJsonObject readOracle(const QString& path)
{
    QFile file(QString(STAGECRAFT_TEST_DATA "/") + path);
    return file.open(QFile::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
}

// Figures by the oracle's names; counts are exact, also FLOPs below 2^53.
using Figures = std::map<std::string, double>;

inline Figures profileFigures(const ProfileTotals& totals)
{
    return {{"parameters", static_cast<double>(totals.parameters)},
            {"parameter_bytes", totals.parameterBytes.asDouble()},
            {"flops_forward", totals.flopsForward.value()},
            {"flops_total", (totals.flopsForward + totals.flopsBackward).value()},
            {"saved_bytes", totals.savedBytes.asDouble()},
            {"live_after_forward", totals.liveAfterForward.asDouble()},
            {"peak_forward", totals.peakForward.asDouble()},
            {"peak_backward", totals.peakBackward.asDouble()},
            {"peak", totals.peak.asDouble()},
            {"gradient_bytes", totals.gradientBytes.asDouble()}};
}

// One line for each expected figure that differs.
inline QString differences(const Figures& ours, const Figures& expected)
{
    QString text;
    for (const auto& [name, value] : expected)
        if (const auto found = ours.find(name); found == ours.end() || found->second != value)
            text += QString("\n  %1: ours %2, expected %3")
                        .arg(QString::fromStdString(name))
                        .arg(found == ours.end() ? -1 : found->second, 0, 'f', 0)
                        .arg(value, 0, 'f', 0);
    return text;
}

// An oracle's row for one attention route: {"flops_exact": {...}, "memory": {...}}.
inline Figures expectedFigures(const QJsonObject& route)
{
    const QJsonObject flops = route["flops_exact"].toObject(), memory = route["memory"].toObject();
    Figures figures{{"flops_forward", flops["forward"].toDouble()},
                    {"flops_total", flops["total"].toDouble()}};
    for (const char* name :
         {"saved_bytes", "live_after_forward", "peak_forward", "peak_backward", "peak", "gradient_bytes"})
        if (memory.contains(name))
            figures[name] = memory[name].toDouble();
    return figures;
}

inline LoweringKind loweringOf(const QString& route)
{
    if (route == "efficient")
        return LoweringKind::Efficient;
    return route == "cpu" ? LoweringKind::Cpu : LoweringKind::Math;
}

inline Precision precisionOf(const QString& name)
{
    if (name == "bf16")
        return Precision::BFloat16;
    if (name == "fp16")
        return Precision::Float16;
    return name == "autocast-bf16" ? Precision::AutocastBFloat16 : Precision::AsExported;
}

} // namespace stagecraft::test
