// Layout and names of fields: PKWARE's APPNOTE.TXT 6.3, sections 4.3 and 4.5.
#include "core/load/zip_archive.h"

#include "core/base/available_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>
#include <zlib.h>

namespace stagecraft {

static_assert(std::endian::native == std::endian::little, "zip fields are read as they lie in memory");

namespace {

using ByteSpan = std::span<const std::byte>;

constexpr std::uint32_t localSignature = 0x04034b50;
constexpr std::uint32_t entrySignature = 0x02014b50;
constexpr std::uint32_t endSignature = 0x06054b50;
constexpr std::uint32_t end64Signature = 0x06064b50;
constexpr std::uint32_t end64LocatorSignature = 0x07064b50;

constexpr std::size_t localSize = 30;
constexpr std::size_t entrySize = 46;
constexpr std::size_t endSize = 22;
constexpr std::size_t end64Size = 56;
constexpr std::size_t end64LocatorSize = 20;
constexpr std::size_t maxCommentSize = 0xffff;

constexpr std::uint16_t stored = 0;
constexpr std::uint16_t deflated = 8;
constexpr std::uint16_t encryptedFlag = 1;
constexpr std::uint16_t zip64Extra = 1;
constexpr std::uint64_t maxDeflateRatio = 1032;
constexpr std::uint64_t smallRecord = 1 << 20;

// The number at `offset`; the caller has checked that it is there.
template <class Number>
Number number(ByteSpan bytes, std::size_t offset)
{
    Number value{};
    std::memcpy(&value, bytes.subspan(offset, sizeof value).data(), sizeof value);
    return value;
}

bool startsWith(ByteSpan bytes, std::size_t size, std::uint32_t signature)
{
    return bytes.size() >= size && number<std::uint32_t>(bytes, 0) == signature;
}

// Is [offset, offset + size) inside `total` bytes?
bool fits(std::uint64_t offset, std::uint64_t size, std::uint64_t total)
{
    return offset <= total && size <= total - offset;
}

// The zip64 field of an entry's extra data, empty if there is none.
ByteSpan zip64Field(ByteSpan extra)
{
    while (extra.size() >= 4) {
        const auto id = number<std::uint16_t>(extra, 0);
        const auto size = number<std::uint16_t>(extra, 2);
        if (!fits(4, size, extra.size()))
            return {};
        if (id == zip64Extra)
            return extra.subspan(4, size);
        extra = extra.subspan(4u + size);
    }
    return {};
}

// Replaces `value` by the next number of the zip64 field where it says "see there".
bool widen(std::uint64_t& value, ByteSpan& field)
{
    if (value != 0xffffffff)
        return true;
    if (field.size() < 8)
        return false;
    value = number<std::uint64_t>(field, 0);
    field = field.subspan(8);
    return true;
}

std::uint32_t crcOf(ByteSpan bytes)
{
    return static_cast<std::uint32_t>(
        ::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

Error malformed(const std::string& what)
{
    return {ErrorCode::BadFormat, what};
}

} // namespace

struct ZipArchive::Directory
{
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
    std::uint64_t count = 0;
};

bool looksLikeZip(ByteSpan bytes)
{
    return startsWith(bytes, 4, localSignature) || startsWith(bytes, endSize, endSignature);
}

Result<ZipArchive> ZipArchive::open(OwnedBytes bytes)
{
    ZipArchive archive(std::move(bytes));
    STAGECRAFT_ASSIGN(directory, archive.findDirectory());
    STAGECRAFT_TRY(archive.readDirectory(directory));
    return archive;
}

Result<ZipArchive::Directory> ZipArchive::findDirectory() const
{
    const ByteSpan all = m_bytes.bytes;
    const Error cutShort = malformed("the file is cut short: the zip directory at its end is missing");
    if (all.size() < endSize)
        return cutShort;
    const std::size_t last = all.size() - endSize;
    const std::size_t first = last > maxCommentSize ? last - maxCommentSize : 0;
    std::optional<std::size_t> end;
    for (std::size_t at = last + 1; at-- > first && !end;)
        if (number<std::uint32_t>(all, at) == endSignature &&
            number<std::uint16_t>(all, at + 20) == last - at)
            end = at;
    if (!end)
        return cutShort;

    Directory directory{number<std::uint32_t>(all, *end + 16), number<std::uint32_t>(all, *end + 12),
                        number<std::uint16_t>(all, *end + 10)};
    std::uint64_t limit = *end;
    const bool hasLocator = *end >= end64LocatorSize &&
                            number<std::uint32_t>(all, *end - end64LocatorSize) == end64LocatorSignature;
    if (hasLocator) {
        const auto at = number<std::uint64_t>(all, *end - end64LocatorSize + 8);
        if (!fits(at, end64Size, *end) || number<std::uint32_t>(all, at) != end64Signature)
            return malformed("the zip64 directory is damaged");
        directory = {number<std::uint64_t>(all, at + 48), number<std::uint64_t>(all, at + 40),
                     number<std::uint64_t>(all, at + 32)};
        limit = at;
    }
    if (!fits(directory.offset, directory.size, limit) || directory.count > directory.size / entrySize)
        return malformed("the zip directory is damaged");
    return directory;
}

Result<void> ZipArchive::readDirectory(const Directory& directory)
{
    ByteSpan rest = m_bytes.bytes.subspan(directory.offset, directory.size);
    m_entries.reserve(directory.count);
    for (std::uint64_t i = 0; i < directory.count; ++i) {
        STAGECRAFT_ASSIGN(entry, readEntry(rest));
        if (!fits(entry.headerOffset, entry.packedSize, directory.offset))
            return malformed("the record " + entry.name + " reaches beyond the end of the file");
        m_entries.push_back(std::move(entry));
    }
    m_byName.reserve(m_entries.size());
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        if (!m_byName.emplace(m_entries[i].name, i).second)
            return malformed("the record " + m_entries[i].name + " is there twice");
    return checkRecords();
}

// Otherwise a small file could unpack to any size.
Result<void> ZipArchive::checkRecords() const
{
    Bytes unpacked;
    std::vector<const ZipEntry*> inPlace;
    for (const ZipEntry& entry : m_entries) {
        inPlace.push_back(&entry);
        if (entry.method == deflated)
            unpacked += Bytes(static_cast<std::int64_t>(std::min<std::uint64_t>(entry.size, INT64_MAX)));
    }
    // Small ones need no look at what there is.
    constexpr Bytes always(std::int64_t{256} << 20);
    if (const Bytes available = unpacked > always ? availableMemory() : Bytes::max(); unpacked > available)
        return malformed("unpacked, its records would take " + formatBytes(unpacked) +
                         " of memory, and this machine has " + formatBytes(available) + " free");
    std::ranges::sort(inPlace, {}, &ZipEntry::headerOffset);
    for (std::size_t i = 1; i < inPlace.size(); ++i)
        if (inPlace[i]->headerOffset - inPlace[i - 1]->headerOffset < localSize + inPlace[i - 1]->packedSize)
            return malformed("the records " + inPlace[i - 1]->name + " and " + inPlace[i]->name + " overlap");
    return {};
}

Result<ZipEntry> ZipArchive::readEntry(ByteSpan& rest) const
{
    const Error damaged = malformed("the zip directory is damaged");
    if (!startsWith(rest, entrySize, entrySignature))
        return damaged;
    const std::size_t nameSize = number<std::uint16_t>(rest, 28);
    const std::size_t extraSize = number<std::uint16_t>(rest, 30);
    const std::size_t commentSize = number<std::uint16_t>(rest, 32);
    if (!fits(entrySize, nameSize + extraSize + commentSize, rest.size()))
        return damaged;

    ZipEntry entry;
    const ByteSpan name = rest.subspan(entrySize, nameSize);
    entry.name.assign(reinterpret_cast<const char*>(name.data()), name.size());
    entry.method = number<std::uint16_t>(rest, 10);
    entry.crc = number<std::uint32_t>(rest, 16);
    entry.packedSize = number<std::uint32_t>(rest, 20);
    entry.size = number<std::uint32_t>(rest, 24);
    entry.headerOffset = number<std::uint32_t>(rest, 42);
    ByteSpan wide = zip64Field(rest.subspan(entrySize + nameSize, extraSize));
    if (!widen(entry.size, wide) || !widen(entry.packedSize, wide) || !widen(entry.headerOffset, wide))
        return damaged;
    if (number<std::uint16_t>(rest, 8) & encryptedFlag)
        return Error{ErrorCode::Unsupported, "the record " + entry.name + " is encrypted"};
    rest = rest.subspan(entrySize + nameSize + extraSize + commentSize);
    return entry;
}

const ZipEntry* ZipArchive::find(std::string_view name) const
{
    const auto found = m_byName.find(name);
    return found == m_byName.end() ? nullptr : &m_entries[found->second];
}

Result<ByteSpan> ZipArchive::packedBytes(const ZipEntry& entry) const
{
    const ByteSpan all = m_bytes.bytes;
    const Error damaged = malformed("the record " + entry.name + " is damaged");
    if (!fits(entry.headerOffset, localSize, all.size()))
        return damaged;
    const ByteSpan header = all.subspan(entry.headerOffset);
    if (!startsWith(header, localSize, localSignature))
        return damaged;
    const std::uint64_t start =
        localSize + number<std::uint16_t>(header, 26) + std::uint64_t{number<std::uint16_t>(header, 28)};
    if (!fits(start, entry.packedSize, header.size()))
        return malformed("the record " + entry.name + " reaches beyond the end of the file");
    return header.subspan(start, entry.packedSize);
}

Result<OwnedBytes> ZipArchive::read(const ZipEntry& entry, CrcCheck check) const
{
    STAGECRAFT_ASSIGN(packed, packedBytes(entry));
    OwnedBytes record{packed, m_bytes.owner};
    if (entry.method == stored) {
        if (entry.size != entry.packedSize)
            return malformed("the record " + entry.name + " is damaged");
    } else if (entry.method == deflated) {
        STAGECRAFT_ASSIGN(unpacked, inflated(entry, packed));
        record = std::move(unpacked);
    } else {
        return Error{ErrorCode::Unsupported, "the record " + entry.name +
                                                 " is packed in a way that is not supported (method " +
                                                 std::to_string(entry.method) + ")"};
    }
    const bool checks = check == CrcCheck::Always || entry.size <= smallRecord;
    if (checks && entry.crc != 0 && crcOf(record.bytes) != entry.crc)
        return malformed("the record " + entry.name + " is damaged: its checksum is wrong");
    return record;
}

Result<OwnedBytes> ZipArchive::inflated(const ZipEntry& entry, ByteSpan packed) const
{
    const Error damaged = malformed("the record " + entry.name + " is damaged: it cannot be unpacked");
    if (entry.size / maxDeflateRatio > entry.packedSize) // before memory is taken for it
        return damaged;
    // Not filled with zeros: a size that lies costs addresses, no memory. Never empty, for zlib's sake.
    const std::size_t room = entry.size + 1;
    const std::shared_ptr<std::byte[]> memory(new (std::nothrow) std::byte[room]);
    if (!memory)
        return Error{ErrorCode::Unreadable, "not enough memory to unpack " + entry.name};
    z_stream stream{};
    if (::inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return damaged;
    stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(packed.data()));
    stream.next_out = reinterpret_cast<Bytef*>(memory.get());
    std::size_t inLeft = packed.size();
    std::size_t outLeft = room;
    int status = Z_OK;
    while (status == Z_OK) { // zlib counts in 32 bits
        stream.avail_in = static_cast<uInt>(std::min<std::size_t>(inLeft, UINT32_MAX));
        stream.avail_out = static_cast<uInt>(std::min<std::size_t>(outLeft, UINT32_MAX));
        inLeft -= stream.avail_in;
        outLeft -= stream.avail_out;
        status = ::inflate(&stream, Z_NO_FLUSH);
        inLeft += stream.avail_in;
        outLeft += stream.avail_out;
    }
    ::inflateEnd(&stream);
    if (status != Z_STREAM_END || room - outLeft != entry.size)
        return damaged;
    const ByteSpan unpacked(memory.get(), entry.size);
    return OwnedBytes{unpacked, memory};
}

} // namespace stagecraft
