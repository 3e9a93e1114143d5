// The window, and what happens meanwhile to the file of its model.
#include "app/window/main_window.h"
#include "tests/patience.h"
#include "views/base/message_bar.h"

#include <QFile>
#include <QFileDialog>
#include <QImage>
#include <QPointer>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>

#include <fstream>

using namespace stagecraft;

namespace {

namespace fs = std::filesystem;

struct Fixture
{
    Fixture()
    {
        Environment environment;
        environment.resources = STAGECRAFT_RESOURCES;
        environment.devices = readDevices(environment.resources / "devices").value();
        environment.settings =
            std::make_shared<QSettings>(folder.filePath("settings.ini"), QSettings::IniFormat);
        environment.searchTime = Seconds(0.2);
        window = new MainWindow(environment);
        window->show();
        fs::copy_file(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2", path);
        window->open(QString::fromStdString(path.string()));
        if (!settle())
            qFatal("the model does not open");
    }
    ~Fixture() { delete window.data(); }

    Document& document() const { return window->document(); }
    bool settle() const
    {
        return QTest::qWaitFor([&] { return document().hasModel() && window->isSettled(); }, patience);
    }
    QString said() const { return window->messageBar().accessibleDescription(); }
    QPushButton* button(const QString& text) const
    {
        for (QPushButton* button : window->messageBar().findChildren<QPushButton*>())
            if (button->text() == text)
                return button;
        return nullptr;
    }

    QTemporaryDir folder;
    fs::path path = folder.filePath("m.pt2").toStdString();
    QPointer<MainWindow> window;
};

} // namespace

class TestMainWindowFiles : public QObject
{
    Q_OBJECT

private slots:
    // As re-running the export script does.
    void aModelThatGetsShorterIsSurvivedAndReadAgain()
    {
        const Fixture f;
        const auto shown = f.document().model();
        const auto plan = f.document().state().partition;
        fs::resize_file(f.path, 1000);
        QVERIFY(QTest::qWaitFor([&] { return f.button("Reload") != nullptr; }, patience));
        QVERIFY2(f.said().contains("m.pt2 was changed on the disk"), qPrintable(f.said()));
        // Whatever reads weights says why it cannot.
        f.document().analyses().gatherStatistics();
        QVERIFY(
            QTest::qWaitFor([&] { return f.said().contains("was changed after it was opened"); }, patience));
        QVERIFY(!f.document().analyses().statistics());
        QCOMPARE(f.document().model(), shown);
        QCOMPARE(f.document().state().partition, plan);
        fs::copy_file(STAGECRAFT_TEST_DATA "/models/tiny/gpt2-tiny.pt2", f.path,
                      fs::copy_options::overwrite_existing);
        f.window->actionTable().reload->trigger();
        QVERIFY(QTest::qWaitFor([&] { return f.document().model() != shown; }, patience));
        QVERIFY(f.settle());
        QVERIFY(f.document().model()->unchanged().has_value());
        f.document().analyses().gatherStatistics();
        QVERIFY(QTest::qWaitFor([&] { return f.document().analyses().statistics() != nullptr; }, patience));
    }

    void theEndingOfAPictureDecidesItsFormat_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("start"); // of the file; empty: there is to be none
        QTest::newRow("SVG") << "a.svg" << QByteArray("<?xml");
        QTest::newRow("none") << "a" << QByteArray("<?xml");
        QTest::newRow("PDF") << "a.pdf" << QByteArray("%PDF-");
        QTest::newRow("PNG") << "a.PNG" << QByteArray("\x89PNG");
        QTest::newRow("unknown") << "a.jpeg" << QByteArray();
    }

    // With the dialog as it opens: nobody looks at its list of formats.
    void theEndingOfAPictureDecidesItsFormat()
    {
        QFETCH(const QString, name);
        QFETCH(const QByteArray, start);
        const Fixture f;
        QTimer::singleShot(0, f.window, [&] {
            auto* dialog = f.window->findChild<QFileDialog*>();
            dialog->selectFile(f.folder.filePath(name));
            QMetaObject::invokeMethod(dialog, "accept");
        });
        f.window->actionTable().exportPicture->trigger();
        QFile file(f.folder.filePath(name == "a" ? "a.svg" : name));
        if (start.isEmpty()) {
            QVERIFY(!file.exists());
            QVERIFY2(f.said().contains(name) && f.said().contains(".svg or .pdf or .png"),
                     qPrintable(f.said()));
            return;
        }
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readAll().startsWith(start));
        if (name.endsWith("PNG")) {
            const QImage image(file.fileName());
            QVERIFY(image.width() > 200 && image.height() > 200);
        }
    }

    void nothingIsSavedOverTheModel()
    {
        const Fixture f;
        const fs::path link = f.folder.filePath("plan.stagecraft").toStdString();
        fs::create_hard_link(f.path, link);
        const auto size = fs::file_size(f.path);
        f.document().savePlan(link);
        QVERIFY2(f.said().contains("would be written over"), qPrintable(f.said()));
        QCOMPARE(fs::file_size(link), size);
        f.window->messageBar().clear();
        for (QAction* action : {f.window->actionTable().saveSchedule, f.window->actionTable().exportPicture,
                                f.window->actionTable().exportReport}) {
            const QString name = action == f.window->actionTable().exportPicture  ? "a.svg"
                                 : action == f.window->actionTable().exportReport ? "a.html"
                                                                                  : "a.json";
            fs::create_hard_link(f.path, f.folder.filePath(name).toStdString());
            QTimer::singleShot(0, f.window, [&] {
                auto* dialog = f.window->findChild<QFileDialog*>();
                dialog->setOption(QFileDialog::DontConfirmOverwrite);
                dialog->selectFile(f.folder.filePath(name));
                QMetaObject::invokeMethod(dialog, "accept");
            });
            action->trigger();
            QVERIFY2(f.said().contains("is open here, and would be written over"), qPrintable(f.said()));
            QCOMPARE(fs::file_size(f.folder.filePath(name).toStdString()), size);
            f.window->messageBar().clear();
        }
    }
};

QTEST_MAIN(TestMainWindowFiles)
#include "tst_main_window_files.moc"
