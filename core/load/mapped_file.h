// MappedFile: a file's bytes in memory without reading it: the operating system fetches pages when touched.
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>

namespace stagecraft {

class MappedFile
{
public:
    // Fails, naming the file, where it cannot be opened or is no ordinary file. An empty file has no bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    // Whole file. Another program that shortens the file meanwhile makes reading the lost part fatal.
    std::span<const std::byte> bytes() const { return m_bytes; }

private:
    explicit MappedFile(std::span<const std::byte> bytes) : m_bytes(bytes) {}

    std::span<const std::byte> m_bytes;
};

} // namespace stagecraft
