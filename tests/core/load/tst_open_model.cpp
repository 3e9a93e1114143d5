#include "core/graph/graph_text.h"
#include "core/load/model.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace stagecraft;

namespace {

const QString testData = STAGECRAFT_TEST_DATA;
const QString resources = STAGECRAFT_RESOURCES;

QStringList modelFiles()
{
    QStringList files;
    const QStringList folders{resources + "/examples", testData + "/models/tiny", testData + "/oracle/models",
                              testData + "/models/small/torch-2.14"};
    for (const QString& folder : folders)
        for (const QString& file : QDir(folder).entryList({"*.pt2"}))
            files += folder + "/" + file;
    return files;
}

std::string opened(const Result<Model>& model)
{
    return model.has_value() ? "ok" : model.error().message;
}

} // namespace

class TestOpenModel : public QObject
{
    Q_OBJECT

private slots:
    void opensEveryModel_data()
    {
        QTest::addColumn<QString>("file");
        for (const QString& file : modelFiles())
            QTest::newRow(qPrintable(QFileInfo(file).fileName())) << file;
    }

    void opensEveryModel()
    {
        QFETCH(QString, file);
        const Result<Model> model = openModel(file.toStdString());
        QCOMPARE(opened(model), "ok");
        const std::string text = printGraph(model->graph);
        const Result<Graph> again = parseGraph(text);
        QVERIFY2(again.has_value(), again.has_value() ? "" : again.error().message.c_str());
        QCOMPARE(printGraph(*again), text);
    }
};

QTEST_GUILESS_MAIN(TestOpenModel)
#include "tst_open_model.moc"
