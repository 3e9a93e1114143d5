#include "tests/core/load/zip_writer.h"

#include "core/load/zip_archive.h"

#include <zlib.h>

using namespace stagecraft;

namespace {

void put(QByteArray& out, quint64 value, int bytes)
{
    for (int i = 0; i < bytes; ++i)
        out += static_cast<char>(value >> (8 * i));
}

QByteArray deflated(const QByteArray& data)
{
    QByteArray packed(static_cast<qsizetype>(compressBound(static_cast<uLong>(data.size()))) + 64, '\0');
    z_stream stream{};
    deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(static_cast<qsizetype>(stream.total_out));
    deflateEnd(&stream);
    return packed;
}

// What the header of a record and its entry in the directory have alike.
QByteArray commonFields(const ZipRecord& record, qsizetype packedSize, bool wide)
{
    const auto crc =
        ::crc32(0, reinterpret_cast<const Bytef*>(record.data.data()), static_cast<uInt>(record.data.size()));
    QByteArray common;
    put(common, wide ? 45 : 20, 2);
    put(common, 0, 2);
    put(common, record.deflate ? 8 : 0, 2);
    put(common, 0, 4); // time
    put(common, crc, 4);
    put(common, wide ? 0xffffffff : static_cast<quint64>(packedSize), 4);
    put(common, wide ? 0xffffffff : static_cast<quint64>(record.data.size()), 4);
    put(common, static_cast<quint64>(record.name.size()), 2);
    return common;
}

// The zip64 end of the directory that lies between `start` and the end of `out`, and where to find it.
void putWideEnd(QByteArray& out, std::size_t count, qsizetype start)
{
    const auto end = static_cast<quint64>(out.size());
    put(out, 0x06064b50, 4);
    put(out, 56 - 12, 8);
    put(out, 45, 2);
    put(out, 45, 2);
    put(out, 0, 4 + 4);
    put(out, count, 8);
    put(out, count, 8);
    put(out, end - static_cast<quint64>(start), 8);
    put(out, static_cast<quint64>(start), 8);
    put(out, 0x07064b50, 4);
    put(out, 0, 4);
    put(out, end, 8);
    put(out, 1, 4);
}

} // namespace

std::vector<ZipRecord> zipRecords(const QByteArray& zip)
{
    std::vector<ZipRecord> records;
    const std::span bytes(reinterpret_cast<const std::byte*>(zip.constData()),
                          static_cast<std::size_t>(zip.size()));
    const Result<ZipArchive> archive = ZipArchive::open({bytes, nullptr});
    if (!archive.has_value())
        return records;
    for (const ZipEntry& entry : archive.value().entries()) {
        const Result<OwnedBytes> data = archive.value().read(entry);
        const std::string_view text = data.value().text();
        records.push_back({QByteArray::fromStdString(entry.name),
                           QByteArray(text.data(), static_cast<qsizetype>(text.size())), entry.method != 0});
    }
    return records;
}

QByteArray zipOf(const std::vector<ZipRecord>& records, ZipFields fields)
{
    const bool wide = fields == ZipFields::Wide;
    QByteArray out;
    QByteArray directory;
    for (const ZipRecord& record : records) {
        const QByteArray data = record.deflate ? deflated(record.data) : record.data;
        QByteArray sizes;
        if (wide) {
            put(sizes, 1, 2); // the zip64 field
            put(sizes, 8 + 8, 2);
            put(sizes, static_cast<quint64>(record.data.size()), 8);
            put(sizes, static_cast<quint64>(data.size()), 8);
        }
        const qsizetype start = out.size() + 30 + record.name.size() + sizes.size();
        const qsizetype padding = record.deflate ? 0 : (64 - (start + 4) % 64) % 64 + 4;
        const QByteArray common = commonFields(record, data.size(), wide);
        QByteArray place = sizes;
        if (wide) {
            place[2] = 8 + 8 + 8;
            put(place, static_cast<quint64>(out.size()), 8);
        }
        put(directory, 0x02014b50, 4);
        put(directory, 20, 2);
        directory += common;
        put(directory, static_cast<quint64>(place.size()), 2);
        directory += QByteArray(2 + 2 + 2 + 4, '\0');
        put(directory, wide ? 0xffffffff : static_cast<quint64>(out.size()), 4);
        directory += record.name + place;
        put(out, 0x04034b50, 4);
        out += common;
        put(out, static_cast<quint64>(sizes.size() + padding), 2);
        out += record.name + sizes;
        if (padding > 0) {
            put(out, 0x4246, 2); // a field that is only padding
            put(out, static_cast<quint64>(padding - 4), 2);
            out += QByteArray(padding - 4, 'Z');
        }
        out += data;
    }
    const qsizetype directoryStart = out.size();
    out += directory;
    if (wide)
        putWideEnd(out, records.size(), directoryStart);
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, wide ? 0xffff : records.size(), 2);
    put(out, wide ? 0xffff : records.size(), 2);
    put(out, wide ? 0xffffffff : static_cast<quint64>(directory.size()), 4);
    put(out, wide ? 0xffffffff : static_cast<quint64>(directoryStart), 4);
    put(out, 0, 2);
    return out;
}
