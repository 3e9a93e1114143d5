#include "core/base/output_file.h"
#include "core/base/temporary_name.h"
#include "core/base/writing.h"

#include <QtTest>

#include <csignal>
#include <optional>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

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
        QCOMPARE(QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden), QStringList("a.txt"));
    }

    // Who ends the program at once says so only where it ends.
    void whoWritesIsNotEnded()
    {
        const auto saidBy = [](bool isWriting, int& status) {
            int ends[2];
            if (::pipe(ends) != 0)
                return QByteArray("no pipe");
            const pid_t child = ::fork();
            if (child == 0) {
                ::dup2(ends[1], STDERR_FILENO);
                std::optional<Writing> writing;
                if (isWriting)
                    writing.emplace();
                endAtOnce(7, "over\n");
                writing.reset();
                endAtOnce(8, "over later\n");
                std::_Exit(9);
            }
            ::close(ends[1]);
            QByteArray said(100, '\0');
            const ssize_t size = ::read(ends[0], said.data(), std::size_t(said.size()));
            ::close(ends[0]);
            ::waitpid(child, &status, 0);
            return said.left(std::max<ssize_t>(size, 0));
        };
        int status = 0;
        QCOMPARE(saidBy(false, status), QByteArray("over\n"));
        QCOMPARE(WEXITSTATUS(status), 7);
        QCOMPARE(saidBy(true, status), QByteArray("over later\n"));
        QCOMPARE(WEXITSTATUS(status), 8);
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
        QCOMPARE(QDir(m_folder.path()).entryList({".*"}, QDir::Files | QDir::Hidden), QStringList());
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

    void aLinkToNothingIsFollowed()
    {
        const QString link = m_folder.filePath("early.txt");
        QVERIFY(QFile::link("late.txt", link));
        QVERIFY(writeTextFile(link.toStdString(), "new").has_value());
        QVERIFY(QFileInfo(link).isSymLink());
        QCOMPARE(content(m_folder.filePath("late.txt")), QByteArray("new"));
        const QString ring = m_folder.filePath("ring.txt");
        QVERIFY(QFile::link("ring.txt", ring));
        QVERIFY(!writeTextFile(ring.toStdString(), "new").has_value());
        QVERIFY(QFileInfo(ring).isSymLink());
    }

    // Whoever may write to the folder could put a link where the temporary file is expected.
    void noLinkAtATemporaryNameIsFollowed()
    {
        const QString path = m_folder.filePath("plan.txt");
        const QString victim = m_folder.filePath("victim.txt");
        QVERIFY(writeTextFile(victim.toStdString(), "precious").has_value());
        QVERIFY(QFile::link(victim, path + ".part"));
        QVERIFY(writeTextFile(path.toStdString(), "new").has_value());
        QCOMPARE(content(victim), QByteArray("precious"));
        QVERIFY(QFileInfo(path + ".part").isSymLink());
        QVERIFY(temporaryBeside("a/b.txt", ".part") != temporaryBeside("a/b.txt", ".part"));
        QCOMPARE(temporaryBeside("a/b.txt", ".part").parent_path().string(), std::string("a"));
    }

    void nothingIsWrittenOverByCreate()
    {
        const Progress neverStopped;
        const QString path = m_folder.filePath("there.txt");
        const QString link = m_folder.filePath("to-there.txt");
        QVERIFY(writeTextFile(path.toStdString(), "old").has_value());
        QVERIFY(QFile::link(path, link));
        for (const QString& name : {path, link})
            QCOMPARE(OutputFile::create(name.toStdString(), neverStopped).error().message,
                     name.toStdString() + ": cannot be written: File exists");
        QCOMPARE(content(path), QByteArray("old"));
    }

    void keepsTheOldPermissions()
    {
        const QString path = m_folder.filePath("script.py");
        QVERIFY(writeTextFile(path.toStdString(), "old").has_value());
        for (const mode_t mode : {mode_t{0755}, mode_t{0600}, mode_t{0664}}) {
            QCOMPARE(::chmod(path.toStdString().c_str(), mode), 0);
            QVERIFY(writeTextFile(path.toStdString(), "new").has_value());
            struct stat there
            {
            };
            QCOMPARE(::stat(path.toStdString().c_str(), &there), 0);
            QCOMPARE(there.st_mode & 07777, mode);
        }
    }

    void keepsAProtectedFile()
    {
        if (::geteuid() == 0)
            QSKIP("nothing is protected from root");
        const QString path = m_folder.filePath("protected.txt");
        QVERIFY(writeTextFile(path.toStdString(), "old").has_value());
        QCOMPARE(::chmod(path.toStdString().c_str(), 0444), 0);
        QCOMPARE(writeTextFile(path.toStdString(), "new").error().message,
                 path.toStdString() + ": cannot be written: Permission denied");
        QCOMPARE(content(path), QByteArray("old"));
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
        QVERIFY(!writeTextFile("", "text").has_value());
        QVERIFY(!writeTextFile("/", "text").has_value());
        QVERIFY(!writeTextFile(m_folder.filePath("new/").toStdString(), "text").has_value());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
