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
    }
};

QTEST_GUILESS_MAIN(TestOpenModel)
#include "tst_open_model.moc"
