// ZipArchive: the records of a zip in memory, stored ones in place.
//
// Reads the central directory at the end of the file, with zip64; deflated records are unpacked. Every count
// and offset is checked against the bytes there are before it is used. Archives inside archives work alike:
// an archive is opened over any bytes.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stagecraft {

// Bytes, and what keeps them alive: a mapped file, or memory that a record was unpacked into.
struct OwnedBytes
{
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;

    std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

struct ZipEntry
{
    std::string name;
    std::uint64_t headerOffset = 0; // of the local header
    std::uint64_t packedSize = 0;
    std::uint64_t size = 0;
    std::uint32_t crc = 0; // 0: the writer gave none
    std::uint16_t method = 0;
};

enum class CrcCheck { Always, IfSmall };

class ZipArchive
{
public:
    // Fails where the bytes are no zip, are cut short, list a name twice or bytes in two records, or are more
    // than this machine's memory when unpacked. Messages do not say which archive it is: the caller does.
    static Result<ZipArchive> open(OwnedBytes bytes);

    ZipArchive(ZipArchive&&) = default; // not copied: m_byName looks into m_entries
    ZipArchive& operator=(ZipArchive&&) = default;

    const std::vector<ZipEntry>& entries() const { return m_entries; }
    // Null if there is none.
    const ZipEntry* find(std::string_view name) const;
    // In place where the entry is stored. IfSmall checks sums up to 1 MiB, so that weights are not fetched
    // from disk. Fails, naming the record, where the sum is wrong, the record reaches beyond the file, is
    // encrypted or is packed in a way other than stored or deflated.
    Result<OwnedBytes> read(const ZipEntry& entry, CrcCheck check = CrcCheck::Always) const;

private:
    struct Directory;

    explicit ZipArchive(OwnedBytes bytes) : m_bytes(std::move(bytes)) {}

    Result<Directory> findDirectory() const;
    Result<void> readDirectory(const Directory& directory);
    Result<void> checkRecords() const;
    Result<ZipEntry> readEntry(std::span<const std::byte>& rest) const;
    Result<std::span<const std::byte>> packedBytes(const ZipEntry& entry) const;
    Result<OwnedBytes> inflated(const ZipEntry& entry, std::span<const std::byte> packed) const;

    OwnedBytes m_bytes;
    std::vector<ZipEntry> m_entries;
    std::unordered_map<std::string_view, std::size_t> m_byName; // views into m_entries
};

// Does the file start as a zip does?
bool looksLikeZip(std::span<const std::byte> bytes);

} // namespace stagecraft
