#include "core/base/output_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace stagecraft {

namespace {

constexpr std::size_t pieceBytes = std::size_t{4} << 20;
constexpr std::size_t syncBytes = std::size_t{32} << 20;

Error writeError(const std::filesystem::path& path, const std::string& reason = std::strerror(errno))
{
    return {ErrorCode::Unreadable, path.string() + ": cannot be written: " + reason};
}

} // namespace

void OutputFile::Closer::operator()(std::FILE* file) const
{
    std::fclose(file);
}

Result<OutputFile> OutputFile::create(const std::filesystem::path& path, const Progress& progress)
{
    std::FILE* file = std::fopen(path.c_str(), "wb");
    if (!file)
        return writeError(path);
    return OutputFile(path, file, progress);
}

Result<void> OutputFile::write(std::span<const std::byte> bytes)
{
    while (!bytes.empty()) {
        if (m_progress->stopRequested())
            return cancelled();
        const auto piece = bytes.first(std::min(bytes.size(), pieceBytes));
        STAGECRAFT_TRY(writePiece(piece));
        bytes = bytes.subspan(piece.size());
    }
    return {};
}

Result<void> OutputFile::writePiece(std::span<const std::byte> piece)
{
    if (std::fwrite(piece.data(), 1, piece.size(), m_file.get()) != piece.size())
        return writeError(m_path);
    m_size += Bytes(static_cast<std::int64_t>(piece.size()));
    m_unsynced += piece.size();
    if (m_unsynced < syncBytes)
        return {};
    m_unsynced = 0;
    return sync();
}

// Some file systems tell only now that there was no room; pipes cannot be synced.
Result<void> OutputFile::sync()
{
    const bool isOnDisk = std::fflush(m_file.get()) == 0 && fsync(fileno(m_file.get())) == 0;
    if (!isOnDisk && errno != EINVAL)
        return writeError(m_path);
    return {};
}

Result<void> OutputFile::write(std::string_view text)
{
    return write(std::as_bytes(std::span(text)));
}

Result<void> OutputFile::close()
{
    STAGECRAFT_TRY(sync());
    std::FILE* file = m_file.release();
    if (std::fclose(file) != 0)
        return writeError(m_path);
    return {};
}

namespace {

Result<Bytes> writeWhole(const std::filesystem::path& path, std::string_view text)
{
    const Progress neverStopped;
    STAGECRAFT_ASSIGN(file, OutputFile::create(path, neverStopped));
    STAGECRAFT_TRY(file.write(text));
    STAGECRAFT_TRY(file.close());
    return file.size();
}

} // namespace

Result<Bytes> writeTextFile(const std::filesystem::path& path, std::string_view text)
{
    namespace fs = std::filesystem;
    std::error_code failure;
    const fs::file_status there = fs::status(path, failure);
    if (fs::exists(there) && !fs::is_regular_file(there))
        return writeWhole(path, text);                                               // a pipe or a terminal
    const fs::path target = fs::exists(there) ? fs::canonical(path, failure) : path; // a link stays a link
    fs::path temporary = target;
    temporary += ".part";
    Result<Bytes> size = writeWhole(temporary, text);
    if (size.has_value()) {
        fs::rename(temporary, target, failure);
        if (!failure)
            return size;
        size = writeError(path, failure.message());
    } else {
        size =
            Error{size.error().code, path.string() + size.error().message.substr(temporary.string().size())};
    }
    fs::remove(temporary, failure);
    return size;
}

} // namespace stagecraft
