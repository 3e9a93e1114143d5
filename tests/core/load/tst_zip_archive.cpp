// Zips with fields of 64 bits, as files over 4 GiB or of more than 65,535 records have them; small ones here.
#include "core/load/zip_archive.h"
#include "tests/core/load/torch_zip.h"
#include "tests/core/load/zip_writer.h"

#include <QtTest>

using namespace stagecraft;

namespace {

const std::vector<ZipRecord> records{{"root/a", "the first", false},
                                     {"root/b", QByteArray(5000, 'b'), true},
                                     {"root/empty", "", false},
                                     {"root/c", QByteArray(300, 'c'), false}};

Result<ZipArchive> opened(const QByteArray& zip)
{
    const std::span bytes(reinterpret_cast<const std::byte*>(zip.constData()),
                          static_cast<std::size_t>(zip.size()));
    return ZipArchive::open({bytes, nullptr});
}

// "ok", or what is said of the zip or of its first record that cannot be read.
QString said(const QByteArray& zip)
{
    const Result<ZipArchive> archive = opened(zip);
    if (!archive.has_value())
        return QString::fromStdString(archive.error().message);
    for (const ZipEntry& entry : archive->entries())
        if (const Result<OwnedBytes> record = archive->read(entry); !record.has_value())
            return QString::fromStdString(record.error().message);
    return "ok";
}

QByteArray number(quint64 value)
{
    return QByteArray(reinterpret_cast<const char*>(&value), sizeof value);
}

// A zip of `records` with the 64 bits that are `offset` bytes after the last `signature` set to `value`.
QByteArray with(const char* signature, qsizetype offset, quint64 value)
{
    QByteArray zip = zipOf(records, ZipFields::Wide);
    return zip.replace(zip.lastIndexOf(signature) + offset, 8, number(value));
}

constexpr const char* entry = "PK\1\2";
constexpr const char* wideEnd = "PK\6\6";
constexpr const char* locator = "PK\6\7";
constexpr qsizetype wideField = 46 + 6; // of an entry: after its name, root/c

} // namespace

class TestZipArchive : public QObject
{
    Q_OBJECT

private slots:
    void readsWideFields()
    {
        const QByteArray zip = zipOf(records, ZipFields::Wide);
        const Result<ZipArchive> archive = opened(zip);
        QVERIFY2(archive.has_value(), archive.has_value() ? "" : archive.error().message.c_str());
        QCOMPARE(archive->entries().size(), records.size());
        for (const ZipRecord& record : records) {
            const ZipEntry* found = archive->find(record.name.toStdString());
            QVERIFY2(found, record.name.constData());
            QCOMPARE(found->size, static_cast<std::uint64_t>(record.data.size()));
            const Result<OwnedBytes> data = archive->read(*found);
            QVERIFY2(data.has_value(), data.has_value() ? "" : data.error().message.c_str());
            QCOMPARE(QByteArray::fromStdString(std::string(data->text())), record.data);
        }
    }

    void readsMoreRecordsThanANarrowCountCanSay()
    {
        constexpr int count = 70'000;
        std::vector<ZipRecord> many;
        for (int i = 0; i < count; ++i)
            many.push_back({"root/" + QByteArray::number(i), QByteArray::number(i * 3), false});
        const QByteArray zip = zipOf(many, ZipFields::Wide);
        const Result<ZipArchive> archive = opened(zip);
        QVERIFY2(archive.has_value(), archive.has_value() ? "" : archive.error().message.c_str());
        QCOMPARE(archive->entries().size(), std::size_t{count});
        const Result<OwnedBytes> last = archive->read(*archive->find("root/69999"));
        QCOMPARE(QByteArray::fromStdString(std::string(last->text())), "209997");
    }

    // PyTorch's writer is what writes stages, too.
    void readsMoreRecordsOfPyTorchsWriter()
    {
        constexpr int count = 70'000;
        const std::string written = testing::zipOfNumbers(count);
        const QByteArray zip(written.data(), static_cast<qsizetype>(written.size()));
        const Result<ZipArchive> archive = opened(zip);
        QVERIFY2(archive.has_value(), archive.has_value() ? "" : archive.error().message.c_str());
        QVERIFY(archive->entries().size() > std::size_t{count});
        const auto isLast = [](const ZipEntry& entry) { return entry.name.ends_with("/69999"); };
        const auto last = std::ranges::find_if(archive->entries(), isLast);
        QVERIFY(last != archive->entries().end());
        QCOMPARE(QByteArray::fromStdString(std::string(archive->read(*last)->text())), "69999");
    }

    void aDamagedWideFieldIsRefused_data()
    {
        QTest::addColumn<QByteArray>("zip");
        QTest::addColumn<QString>("message");
        const auto row = [](const char* name, const QByteArray& zip, const char* message) {
            QTest::newRow(name) << zip << message;
        };
        constexpr quint64 most = ~quint64{0};
        const char* const damaged = "the zip directory is damaged";
        const char* const damagedEnd = "the zip64 directory is damaged";
        const char* const beyond = "the record root/c reaches beyond the end of the file";
        row("as written", zipOf(records, ZipFields::Wide), "ok");
        row("locator beyond the file", with(locator, 8, 1 << 20), damagedEnd);
        row("locator near the end of numbers", with(locator, 8, most - 8), damagedEnd);
        row("locator to a record", with(locator, 8, 0), damagedEnd);
        row("a count beyond the directory", with(wideEnd, 32, 71), damaged);
        row("a count of most", with(wideEnd, 32, most), damaged);
        row("a count that is one too many", with(wideEnd, 32, records.size() + 1), damaged);
        row("a directory larger than the file", with(wideEnd, 40, most), damaged);
        row("a directory that starts at most", with(wideEnd, 48, most), damaged);
        row("a directory that starts with a record", with(wideEnd, 48, 0), damaged);
        row("a field of no size", with(entry, wideField, 1), damaged);
        row("a field longer than there is", with(entry, wideField, 0xffff'0001), damaged);
        row("a field of something else", with(entry, wideField, 0x0018'0002), damaged);
        row("unpacked size of most", with(entry, wideField + 4, most), "the record root/c is damaged");
        row("size of most", with(entry, wideField + 12, most), beyond);
        row("size that adds up to none", with(entry, wideField + 12, most - 400), beyond);
        row("offset of most", with(entry, wideField + 20, most), beyond);
        row("offset of 64 bits", with(entry, wideField + 20, quint64{1} << 40), beyond);
        row("offset of another record", with(entry, wideField + 20, 1), "overlap");
        QByteArray large =
            zipOf({{"a", QByteArray(100, 'a'), true}, {"b", QByteArray(100, 'b'), true}}, ZipFields::Wide);
        for (qsizetype at = 0; (at = large.indexOf(entry, at)) >= 0; ++at)
            large.replace(at + 46 + 1 + 4, 8, number(most));
        row("more than any memory", large, "unpacked, its records would take");
    }

    void aDamagedWideFieldIsRefused()
    {
        QFETCH(const QByteArray, zip);
        QFETCH(const QString, message);
        const QString text = said(zip);
        QVERIFY2(text.contains(message), qPrintable(text));
    }

    // Nothing of what is there may be read past its end, whatever byte of it is wrong.
    void anyByteOfTheDirectoryMayBeWrong()
    {
        const QByteArray good = zipOf(records, ZipFields::Wide);
        for (qsizetype at = good.indexOf(entry); at < good.size(); ++at)
            for (const char value : {'\0', '\1', '\x7f', '\xff'}) {
                QByteArray bad = good;
                bad[at] = value;
                QVERIFY2(!said(bad).isEmpty(), qPrintable(QString::number(at)));
            }
    }
};

QTEST_GUILESS_MAIN(TestZipArchive)
#include "tst_zip_archive.moc"
