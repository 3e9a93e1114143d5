#include "core/stage/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace stagecraft {

namespace {

Error writeError(const std::filesystem::path& path)
{
    return {ErrorCode::Unreadable, path.string() + ": cannot be written: " + std::strerror(errno)};
}

} // namespace

void OutputFile::Closer::operator()(std::FILE* file) const
{
    std::fclose(file);
}

Result<OutputFile> OutputFile::create(const std::filesystem::path& path)
{
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file)
        return writeError(path);
    return OutputFile(path, file);
}

Result<void> OutputFile::write(std::span<const std::byte> bytes)
{
    if (!bytes.empty() && std::fwrite(bytes.data(), 1, bytes.size(), m_file.get()) != bytes.size())
        return writeError(m_path);
    m_size += Bytes(static_cast<std::int64_t>(bytes.size()));
    return {};
}

Result<void> OutputFile::write(std::string_view text)
{
    return write(std::as_bytes(std::span(text)));
}

Result<void> OutputFile::close()
{
    // Some file systems tell only now that there was no room.
    const bool isOnDisk = std::fflush(m_file.get()) == 0 && fsync(fileno(m_file.get())) == 0;
    if (!isOnDisk && errno != EINVAL)
        return writeError(m_path);
    std::FILE* file = m_file.release();
    if (std::fclose(file) != 0)
        return writeError(m_path);
    return {};
}

Result<Bytes> writeTextFile(const std::filesystem::path& path, std::string_view text)
{
    STAGECRAFT_ASSIGN(file, OutputFile::create(path));
    STAGECRAFT_TRY(file.write(text));
    STAGECRAFT_TRY(file.close());
    return file.size();
}

} // namespace stagecraft
