#include "app/document/opened_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace stagecraft;

namespace {

const QString tinyModel = QStringLiteral(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2");

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

} // namespace

class TestOpenedFile : public QObject
{
    Q_OBJECT

private slots:
    void aModelOpens()
    {
        const Result<OpenedFile> opened = openFile(tinyModel.toStdString(), Progress());
        QVERIFY2(opened.has_value(), opened.has_value() ? "" : opened.error().message.c_str());
        QVERIFY(opened->model->graph.nodeCount() > 100);
        QCOMPARE(opened->groups->groupOf.size(), opened->model->graph.nodeCount());
        QVERIFY(!opened->plan);
        QCOMPARE(opened->fingerprint.size(), std::size_t{64});
    }

    void aPlanWithoutItsModelSaysWhichOne()
    {
        QTemporaryDir folder;
        const QString plan = folder.filePath("plan.stagecraft");
        PlanFile file;
        file.model.path = folder.filePath("gone.pt2").toStdString();
        file.model.sha256 = std::string(64, '0');
        file.stageOfNode = {{"relu", 0}};
        QVERIFY(writePlan(file, plan.toStdString()).has_value());
        const Result<OpenedFile> opened = openFile(plan.toStdString(), Progress());
        QVERIFY(!opened.has_value());
        QVERIFY2(opened.error().message.find("gone.pt2") != std::string::npos,
                 opened.error().message.c_str());
    }

    void aPlanTellsThatItsModelHasChanged()
    {
        QTemporaryDir folder;
        const QString model = folder.filePath("m.pt2"), plan = folder.filePath("p.stagecraft");
        const QString models = QString(STAGECRAFT_TEST_DATA) + "/models/small/";
        QVERIFY(QFile::copy(models + "torch-2.6/skip-static.pt2", model));
        PlanFile file;
        file.model.path = model.toStdString();
        file.model.fingerprint = contentFingerprint(file.model.path).value();
        file.stageOfNode = {{"linear", 0}};
        QVERIFY(writePlan(file, plan.toStdString()).has_value());
        const auto notes = [&] { return openFile(plan.toStdString(), Progress()).value().notes; };
        const std::size_t before = notes().size();
        QFile::remove(model);
        QVERIFY(QFile::copy(models + "torch-2.14/skip-static.pt2", model));
        QCOMPARE(notes().size(), before + 1);
        QVERIFY(notes().back().find("is not what it was when the plan was saved") != std::string::npos);
    }

    void fingerprintsTellContentNotNames()
    {
        QTemporaryDir folder;
        QByteArray large(3 << 20, 'x');
        write(folder.filePath("a"), large);
        write(folder.filePath("b"), large);
        large.back() = 'y';
        write(folder.filePath("c"), large);
        write(folder.filePath("d"), large + 'z');
        const auto print = [&](const char* name) {
            return contentFingerprint(folder.filePath(name).toStdString()).value();
        };
        QCOMPARE(print("a"), print("b"));
        QVERIFY(print("a") != print("c"));
        QVERIFY(print("c") != print("d"));
        QVERIFY(!contentFingerprint(folder.filePath("gone").toStdString()).has_value());
    }
};

QTEST_GUILESS_MAIN(TestOpenedFile)
#include "tst_opened_file.moc"
