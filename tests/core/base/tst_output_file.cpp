#include "core/base/output_file.h"

#include <QtTest>

#include <csignal>
#include <sys/resource.h>

using namespace stagecraft;

namespace {

QByteArray content(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("unreadable");
}

// Lets no file grow beyond `bytes`, as a full disk does.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit{.rlim_cur = bytes, .rlim_max = m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

class TestOutputFile : public QObject
{
    Q_OBJECT

private slots:
    void writesAndReplaces()
    {
        const QString path = m_folder.filePath("a.txt");
        QCOMPARE(writeTextFile(path.toStdString(), "one").value(), Bytes(3));
        QCOMPARE(writeTextFile(path.toStdString(), "three").value(), Bytes(5));
        QCOMPARE(content(path), QByteArray("three"));
        QVERIFY(!QFile::exists(path + ".part"));
    }

    void keepsTheOldFileWhereThereIsNoRoom()
    {
        const QString path = m_folder.filePath("b.txt");
        QVERIFY(writeTextFile(path.toStdString(), "old").has_value());
        {
            const FileSizeLimit limit(100);
            const auto written = writeTextFile(path.toStdString(), std::string(1000, 'x'));
            QVERIFY(!written.has_value());
            QCOMPARE(written.error().message, path.toStdString() + ": cannot be written: File too large");
        }
        QCOMPARE(content(path), QByteArray("old"));
        QVERIFY(!QFile::exists(path + ".part"));
    }

    void aLinkStaysALink()
    {
        const QString path = m_folder.filePath("target.txt");
        const QString link = m_folder.filePath("link.txt");
        QVERIFY(writeTextFile(path.toStdString(), "old").has_value());
        QVERIFY(QFile::link(path, link));
        QVERIFY(writeTextFile(link.toStdString(), "new").has_value());
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(content(path), QByteArray("new"));
    }

    void aDeviceIsWrittenTo()
    {
        QVERIFY(writeTextFile("/dev/null", "gone").has_value());
        QVERIFY(!QFileInfo("/dev/null").isFile());
        QVERIFY(!writeTextFile("/dev/full", "no room").has_value());
    }

    void aFolderIsNotAFile()
    {
        QVERIFY(!writeTextFile(m_folder.path().toStdString(), "text").has_value());
        QVERIFY(!writeTextFile(m_folder.filePath("no/such/file").toStdString(), "text").has_value());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
