// What a run of a graph in text form gives, as text.
#pragma once

#include "program_run.h"

#include <QString>
#include <QStringList>

namespace stagecraft {

// "f32[2,2] 1 2 3 4"
inline QString textOf(const NamedArray& array)
{
    QStringList sizes;
    for (const std::int64_t size : array.shape)
        sizes += QString::number(size);
    QString text = QString("%1[%2]").arg(array.dtype.c_str(), sizes.join(','));
    for (const double number : array.numbers)
        text += ' ' + QString::number(number);
    return text;
}

// "f32[2,2] 1 2 3 4; f32[] 5", or the message of the error.
inline QString outputsOf(const Result<GraphRun>& run)
{
    if (!run.has_value())
        return QString::fromStdString(run.error().message);
    QStringList texts;
    for (const NamedArray& output : run->outputs)
        texts += textOf(output);
    return texts.join("; ");
}

} // namespace stagecraft
