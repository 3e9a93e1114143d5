// Every sample program, forward and backward on the CPU, against the same program run by real PyTorch.
#include "program_run.h"

#include <QtTest>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>

#include <cmath>
#include <cstring>

using namespace stagecraft;

namespace {

constexpr std::uint64_t seed = 7;

struct Job
{
    QString name;
    QString path;
    ProgramRun ours;
};

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QFile::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

std::vector<double> readNumbers(const QString& path)
{
    QFile file(path);
    if (!file.open(QFile::ReadOnly))
        qFatal("cannot read %s", qPrintable(path));
    const QByteArray bytes = file.readAll();
    std::vector<double> numbers(static_cast<std::size_t>(bytes.size()) / sizeof(double));
    std::memcpy(numbers.data(), bytes.constData(), numbers.size() * sizeof(double));
    return numbers;
}

QJsonArray shapeJson(const std::vector<std::int64_t>& shape)
{
    QJsonArray json;
    for (const std::int64_t size : shape)
        json.append(qint64{size});
    return json;
}

// Writes a run's inputs for the script, and says where they are.
QJsonObject writeInputs(const Job& job, const QDir& root)
{
    root.mkpath(job.name);
    QJsonArray inputs;
    for (const NamedArray& input : job.ours.inputs) {
        const QString file = QString("input_%1.bin").arg(inputs.size());
        writeFile(root.filePath(job.name + "/" + file),
                  QByteArray(input.bytes.data(), static_cast<qsizetype>(input.bytes.size())));
        inputs.append(QJsonObject{{"file", file},
                                  {"dtype", QString::fromStdString(input.dtype)},
                                  {"shape", shapeJson(input.shape)}});
    }
    return {{"model", job.path}, {"folder", job.name}, {"inputs", inputs}};
}

// The largest difference, relative to the largest number.
double difference(const std::vector<double>& ours, const std::vector<double>& theirs)
{
    double scale = 1e-6;
    double worst = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        scale = std::max(scale, std::abs(theirs[i]));
        const bool bothNan = std::isnan(ours[i]) && std::isnan(theirs[i]);
        if (!bothNan && ours[i] != theirs[i])
            worst = std::max(worst, std::abs(ours[i] - theirs[i]));
    }
    return worst / scale;
}

} // namespace

class TestPrograms : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        QJsonArray jobs;
        for (const QString& path : samplePaths()) {
            const QString name = path.section('/', -3).replace('/', '_').chopped(4);
            Result<ProgramRun> run = runProgram(path.toStdString(), seed);
            if (!run.has_value())
                QFAIL(qPrintable(name + ": " + QString::fromStdString(run.error().message)));
            m_jobs.push_back({name, path, std::move(run).value()});
            jobs.append(writeInputs(m_jobs.back(), QDir(m_folder.path())));
        }
        writeFile(m_folder.filePath("jobs.json"), QJsonDocument(jobs).toJson());
        QProcess python;
        python.setProcessChannelMode(QProcess::MergedChannels);
        python.start(STAGECRAFT_PYTHON,
                     {QFINDTESTDATA("run_programs.py"), m_folder.path(), QString::number(seed)});
        QVERIFY2(python.waitForFinished(170000) && python.exitCode() == 0, python.readAll().constData());
    }

    void matchPyTorch_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < m_jobs.size(); ++i)
            QTest::newRow(qPrintable(m_jobs[i].name)) << static_cast<int>(i);
    }

    void matchPyTorch()
    {
        QFETCH(int, index);
        const Job& job = m_jobs[static_cast<std::size_t>(index)];
        const QDir folder(m_folder.filePath(job.name));
        QFile file(folder.filePath("results.json"));
        QVERIFY(file.open(QFile::ReadOnly));
        const QJsonObject theirs = QJsonDocument::fromJson(file.readAll()).object();
        const QJsonArray outputs = theirs["outputs"].toArray();
        QCOMPARE(job.ours.outputs.size(), static_cast<std::size_t>(outputs.size()));
        for (int i = 0; i < outputs.size(); ++i)
            compare(folder, outputs[i].toObject(), job.ours.outputs[static_cast<std::size_t>(i)]);
        const QJsonObject gradients = theirs["gradients"].toObject();
        int compared = 0;
        for (const NamedArray& gradient : job.ours.gradients) {
            const QJsonValue entry = gradients[QString::fromStdString(gradient.name)];
            // A tied parameter has one gradient, under its first name here and there.
            if (entry.isUndefined())
                continue;
            compare(folder, entry.toObject(), gradient);
            ++compared;
        }
        QCOMPARE(compared, gradients.size());
    }

private:
    static QStringList samplePaths()
    {
        QStringList paths;
        for (const char* folder :
             {"/models/tiny", "/models/run", "/models/small/torch-2.14", "/models/small/torch-2.6"})
            for (const QFileInfo& info :
                 QDir(QString(STAGECRAFT_TEST_DATA) + folder).entryInfoList({"*.pt2"}))
                paths.append(info.absoluteFilePath());
        return paths;
    }

    static void compare(const QDir& folder, const QJsonObject& theirs, const NamedArray& ours)
    {
        QCOMPARE(shapeJson(ours.shape), theirs["shape"].toArray());
        const std::vector<double> numbers = readNumbers(folder.filePath(theirs["file"].toString()));
        QCOMPARE(ours.numbers.size(), numbers.size());
        const double worst = difference(ours.numbers, numbers);
        QVERIFY2(worst < 2e-5, qPrintable(QString("%1 differs by %2").arg(ours.name.c_str()).arg(worst)));
    }

    QTemporaryDir m_folder;
    std::vector<Job> m_jobs;
};

QTEST_GUILESS_MAIN(TestPrograms)
#include "tst_programs.moc"
