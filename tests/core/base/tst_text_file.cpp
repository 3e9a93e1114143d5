#include "core/base/text_file.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace stagecraft;

class TestTextFile : public QObject
{
    Q_OBJECT

private slots:
    void readsUpToItsLimit()
    {
        QTemporaryDir folder;
        QFile file(folder.filePath("text"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray text(3'000'000, 'x');
        file.write(text);
        file.close();
        const std::string path = file.fileName().toStdString();
        QCOMPARE(readTextFile(path, Bytes(text.size())).value().size(), 3'000'000u);
        const Result<std::string> refused = readTextFile(path, Bytes(text.size() - 1));
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::Unsupported);
    }

    // What never ends is not held.
    void aDeviceWithoutEndIsRefused()
    {
        const Result<std::string> refused = readTextFile("/dev/zero", Bytes(1 << 20));
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::Unsupported);
    }

    void saysWhatCannotBeRead()
    {
        for (const char* path : {"/nowhere/at/all", "/"}) {
            const Result<std::string> missing = readTextFile(path, Bytes(100));
            QVERIFY(!missing.has_value());
            QCOMPARE(missing.error().code, ErrorCode::Unreadable);
            QVERIFY(missing.error().message.starts_with(path));
        }
    }
};

QTEST_GUILESS_MAIN(TestTextFile)
#include "tst_text_file.moc"
