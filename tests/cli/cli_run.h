// Runs stagecraft-cli and keeps what it said.
#pragma once

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QStringList>

namespace stagecraft::test {

struct CliRun
{
    int status = -1;
    QByteArray output;
    QByteArray errors;

    QJsonObject json() const { return QJsonDocument::fromJson(output).object(); }
    // An error is one line that begins with the program's name.
    bool isOneLineError() const
    {
        return errors.startsWith("stagecraft-cli: ") && errors.count('\n') == 1 && errors.endsWith('\n');
    }
};

inline CliRun runCli(const QStringList& arguments)
{
    QProcess process;
    process.start(STAGECRAFT_CLI, arguments);
    process.waitForFinished(600'000); // a guard against hanging: machines are busy
    CliRun run;
    run.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

inline QString example(const QString& name)
{
    return QString(STAGECRAFT_RESOURCES) + "/examples/" + name + ".pt2";
}

inline QString testModel(const QString& path)
{
    return QString(STAGECRAFT_TEST_DATA) + "/models/" + path;
}

// Every .pt2 with weights: four tiny models, sixteen small ones of two versions of PyTorch.
inline QStringList modelsWithWeights()
{
    QStringList found;
    for (const QString folder : {"tiny", "small/torch-2.6", "small/torch-2.14"})
        for (const QString& name : QDir(testModel(folder)).entryList({"*.pt2"}, QDir::Files, QDir::Name))
            found << folder + '/' + name;
    return found;
}

} // namespace stagecraft::test
