#include "core/run/memory_guard.h"
#include "core/run/scratch_memory.h"
#include "raw_memory.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cstring>

using namespace stagecraft;

namespace {

constexpr std::size_t size = std::size_t{3} << 20;

} // namespace

class TestScratchMemory : public QObject
{
    Q_OBJECT

private:
    QTemporaryDir m_folder;

private slots:
    void isMemoryOfAFileWithoutAName()
    {
        const ScratchMemory scratch(m_folder.path().toStdString());
        const std::optional<ScratchPiece> piece = ScratchMemory::take(size);
        QVERIFY(piece);
        QCOMPARE(piece->size, size);
        std::memset(piece->data, 7, size);
        QCOMPARE(static_cast<const char*>(piece->data)[size - 1], char{7});
        QVERIFY(QDir(m_folder.path()).isEmpty());
        QFile maps("/proc/self/maps");
        QVERIFY(maps.open(QIODevice::ReadOnly));
        const QByteArray address = QByteArray::number(reinterpret_cast<quintptr>(piece->data), 16);
        const QByteArray all = maps.readAll();
        const qsizetype line = all.indexOf(address + '-');
        QVERIFY(line >= 0);
        QVERIFY(all.mid(line, all.indexOf('\n', line) - line).contains(m_folder.path().toUtf8()));
        ScratchMemory::giveBack(*piece);
    }

    void isTakenOnlyWhereItIsWanted()
    {
        QVERIFY(!ScratchMemory::take(size));
        {
            const ScratchMemory scratch(m_folder.path().toStdString());
            QVERIFY(!ScratchMemory::take(1000));
            {
                const ScratchMemory nowhere("/nonexistent");
                QVERIFY(!ScratchMemory::take(size));
            }
            const std::optional<ScratchPiece> piece = ScratchMemory::take(size);
            QVERIFY(piece);
            ScratchMemory::giveBack(*piece);
            QVERIFY(!ScratchMemory::take(std::size_t{1} << 60)); // no disk has it
            QVERIFY(!ScratchMemory::take(~std::size_t{0}));
        }
        QVERIFY(!ScratchMemory::take(size));
    }

    // As LibTorch's own libraries take it for what they need meanwhile, by its address alone.
    void isGivenBackByItsAddress()
    {
        guardMemory();
        const auto isMapped = [](const void* data) {
            QFile maps("/proc/self/maps");
            return maps.open(QIODevice::ReadOnly) &&
                   maps.readAll().contains(QByteArray::number(reinterpret_cast<quintptr>(data), 16) + '-');
        };
        void* piece = nullptr;
        {
            const ScratchMemory scratch(m_folder.path().toStdString());
            piece = takeRawMemory(size);
        }
        std::memset(piece, 7, size);
        QVERIFY(isMapped(piece));
        giveBackRawMemory(piece);
        QVERIFY(!isMapped(piece));
        void* other = takeRawMemory(size); // no piece of a file
        std::memset(other, 7, size);
        giveBackRawMemory(other);
    }
};

QTEST_GUILESS_MAIN(TestScratchMemory)
#include "tst_scratch_memory.moc"
