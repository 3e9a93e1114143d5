// MappedFile: a file's bytes in memory without reading it: the operating system fetches pages when touched.
//
// The file belongs to others, who may cut it short, write over it or pull its disk out while it is open here.
// Reading lost bytes then gives zeros instead of ending the program, and unchanged() says that it happened:
// ask after reading, before what was read is used for good.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <sys/stat.h>

namespace stagecraft {

class MappedFile
{
public:
    // Fails, naming the file, where it cannot be opened or is no ordinary file. An empty file has no bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return m_path; }
    // Whole file, as long as nobody changes it.
    std::span<const std::byte> bytes() const { return m_bytes; }

    // Was all that was read so far, by whichever thread, the file as it was opened? Fails, naming the file,
    // where bytes could not be read, or the file was written to since. Another file that took its name does
    // not matter, nor does its removal: the bytes of the one that was opened stay.
    Result<void> unchanged() const;
    // The same file, by whatever name?
    bool isAt(const std::filesystem::path& path) const;

private:
    struct Guard;

    MappedFile(std::filesystem::path path, int descriptor, const struct stat& asOpened,
               std::span<const std::byte> bytes);
    bool wasWritten() const;

    std::filesystem::path m_path;
    int m_descriptor;
    struct stat m_asOpened;
    std::span<const std::byte> m_bytes;
    Guard* m_guard = nullptr; // null for no bytes
};

} // namespace stagecraft
