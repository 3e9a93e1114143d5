// Plans of a tiny model in three stages that stagecraft-cli saves, for tests of what it says of them later.
#pragma once

#include "cli/cli_run.h"

#include <QFile>

namespace stagecraft::test {

inline QString plannedModel()
{
    return testModel("tiny/gpt2-tiny.pt2");
}

inline QStringList partitionOf(const QStringList& more)
{
    return QStringList{"partition", plannedModel()} + more;
}

inline CliRun savePlan(const QString& plan, const QStringList& more)
{
    return runCli(partitionOf(QStringList{"--stages", "3", "--time-limit", "4", "-o", plan} + more));
}

// Within 4 MB, which are too few without recomputation.
inline CliRun saveAutoPlan(const QString& plan)
{
    return savePlan(plan, {"--recompute", "auto", "--memory-limit", "4000000"});
}

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace stagecraft::test
