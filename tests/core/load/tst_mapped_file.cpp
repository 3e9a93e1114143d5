#include "core/load/mapped_file.h"

#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stagecraft;

namespace {

namespace fs = std::filesystem;

constexpr std::size_t bigSize = std::size_t{8} << 20;

void fill(const fs::path& path, std::size_t size, char content)
{
    std::ofstream(path, std::ios::binary) << std::string(size, content);
}

std::size_t countOf(std::span<const std::byte> bytes, char content)
{
    return static_cast<std::size_t>(std::ranges::count(bytes, static_cast<std::byte>(content)));
}

QString said(const MappedFile& file)
{
    const Result<void> same = file.unchanged();
    return same.has_value() ? "ok" : QString::fromStdString(same.error().message);
}

} // namespace

class TestMappedFile : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    fs::path m_path;

    std::shared_ptr<const MappedFile> opened()
    {
        fill(m_path, bigSize, 'a');
        return *MappedFile::open(m_path);
    }

public slots:
    // Where a child is meant to end by a signal, nobody needs to see how.
    static void initMain() { qputenv("QTEST_DISABLE_STACK_DUMP", "1"); }

private slots:
    void init() { m_path = m_folder.filePath("weights").toStdString(); }

    void aFileThatGetsShorterIsSurvived_data()
    {
        QTest::addColumn<qulonglong>("left");
        for (const qulonglong left : {0ull, 1ull, 4096ull, 5000ull, (8ull << 20) - 1})
            QTest::addRow("%llu bytes", left) << left;
    }
    void aFileThatGetsShorterIsSurvived()
    {
        QFETCH(qulonglong, left);
        const auto file = opened();
        QCOMPARE(countOf(file->bytes().first(bigSize / 2), 'a'), bigSize / 2);
        QCOMPARE(said(*file), "ok");
        fs::resize_file(m_path, left);
        QVERIFY(countOf(file->bytes(), 'a') >= left);
        QVERIFY2(said(*file).endsWith("was changed after it was opened; open it again"),
                 qPrintable(said(*file)));
        QVERIFY(said(*file).startsWith(QString::fromStdString(m_path.string())));
        // Growing back does not bring the bytes back.
        fs::resize_file(m_path, bigSize);
        QVERIFY(said(*file) != "ok");
        QVERIFY(countOf(file->bytes(), 'a') >= left);
    }

    void manyThreadsAndFilesAtOnce()
    {
        std::vector<std::shared_ptr<const MappedFile>> files;
        for (int i = 0; i < 4; ++i) {
            m_path = m_folder.filePath(QString::number(i)).toStdString();
            files.push_back(opened());
        }
        std::vector<std::jthread> threads;
        for (const auto& file : files)
            for (int i = 0; i < 2; ++i)
                threads.emplace_back([file] {
                    for (int round = 0; round < 20; ++round)
                        std::ignore = countOf(file->bytes(), 'a');
                });
        for (int i = 0; i < 3; ++i)
            fs::resize_file(files[static_cast<std::size_t>(i)]->path(), 100);
        threads.clear();
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(said(*files[i]) != "ok");
        QCOMPARE(said(*files[3]), "ok");
        QCOMPARE(countOf(files[3]->bytes(), 'a'), bigSize);
        files.clear(); // their guards are taken again
        const auto again = opened();
        QCOMPARE(countOf(again->bytes(), 'a'), bigSize);
        QCOMPARE(said(*again), "ok");
    }

    void aFileThatIsWrittenOverIsSeen()
    {
        const auto file = opened();
        QTest::qSleep(20); // clocks of file systems tick slowly
        fill(m_path, bigSize, 'b');
        QVERIFY(said(*file).contains("was changed after it was opened"));
    }

    void settingTheTimeBackDoesNotHideIt()
    {
        const auto file = opened();
        const auto before = fs::last_write_time(m_path);
        QTest::qSleep(20);
        std::fstream(m_path, std::ios::in | std::ios::out | std::ios::binary) << "b";
        fs::last_write_time(m_path, before);
        QVERIFY(said(*file).contains("was changed after it was opened"));
    }

    void anotherFileOfTheNameDoesNotMatter()
    {
        const auto file = opened();
        const fs::path other = m_folder.filePath("other").toStdString();
        fill(other, 10, 'b');
        QTest::qSleep(20);
        fs::rename(other, m_path);
        QCOMPARE(said(*file), "ok");
        QCOMPARE(countOf(file->bytes(), 'a'), bigSize);
        QVERIFY(!file->isAt(m_path));
    }

    void newNamesAndPermissionsDoNotMatter()
    {
        const auto file = opened();
        const fs::path link = m_folder.filePath("link").toStdString();
        const fs::path moved = m_folder.filePath("moved").toStdString();
        QTest::qSleep(20);
        fs::create_hard_link(m_path, link);
        QCOMPARE(said(*file), "ok");
        QVERIFY(file->isAt(link));
        fs::permissions(m_path, fs::perms::owner_read);
        QCOMPARE(said(*file), "ok");
        fs::rename(m_path, moved);
        QCOMPARE(said(*file), "ok");
        fs::remove(moved);
        fs::remove(link);
        QCOMPARE(said(*file), "ok");
        QCOMPARE(countOf(file->bytes(), 'a'), bigSize);
    }

    // Whoever else maps files gets the signal as before.
    void otherPeoplesFaultsStayTheirs()
    {
        constexpr int cannotTry = 101;
        constexpr int hasRead = 102;
        constexpr int hasReadOn = 103;
        const auto file = opened();
        const fs::path other = m_folder.filePath("not-ours").toStdString();
        fill(other, bigSize, 'c');
        const pid_t child = ::fork();
        if (child == 0) {
            const int descriptor = ::open(other.c_str(), O_RDWR);
            const auto* bytes = static_cast<const volatile char*>(
                ::mmap(nullptr, bigSize, PROT_READ, MAP_SHARED, descriptor, 0));
            if (::ftruncate(descriptor, 0) != 0)
                ::_exit(cannotTry);
            ::_exit(bytes[bigSize / 2] == 'c' ? hasRead : hasReadOn);
        }
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        // A sanitizer makes an exit of its own of the signal.
        QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) < cannotTry || WEXITSTATUS(status) > hasReadOn);
        QVERIFY(!WIFEXITED(status) || WEXITSTATUS(status) != 0);
    }

    void whatCannotBeMapped()
    {
        QVERIFY(!MappedFile::open(m_folder.filePath("nothing").toStdString()).has_value());
        QVERIFY(!MappedFile::open(m_folder.path().toStdString()).has_value());
        QVERIFY(!MappedFile::open("/dev/null").has_value());
        fill(m_path, 0, 'a');
        const auto empty = MappedFile::open(m_path);
        QVERIFY(empty.has_value());
        QVERIFY(empty.value()->bytes().empty());
        QCOMPARE(said(*empty.value()), "ok");
    }
};

QTEST_GUILESS_MAIN(TestMappedFile)
#include "tst_mapped_file.moc"
