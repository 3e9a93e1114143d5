#include "core/base/output_file.h"

#include "core/base/temporary_name.h"
#include "core/base/writing.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
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
    constexpr int how = O_WRONLY | O_CLOEXEC | O_NOCTTY;
    int descriptor = ::open(path.c_str(), how | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
    if (descriptor < 0 && errno == EEXIST) {
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored))
            return writeError(path, std::strerror(EEXIST));
        descriptor = ::open(path.c_str(), how); // a pipe or a terminal
    }
    std::FILE* const file = descriptor < 0 ? nullptr : ::fdopen(descriptor, "wb");
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
    m_hash.add(piece);
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

Result<void> OutputFile::takeModeOf(const std::filesystem::path& old)
{
    struct stat there
    {
    };
    if (::stat(old.c_str(), &there) != 0)
        return writeError(old);
    const int descriptor = fileno(m_file.get());
    // Only a privileged program may give a file away; for others it is theirs already, or becomes theirs.
    [[maybe_unused]] const int givenBack = ::fchown(descriptor, there.st_uid, there.st_gid);
    if (::fchmod(descriptor, there.st_mode & 07777) != 0)
        return writeError(m_path);
    return {};
}

namespace {

namespace fs = std::filesystem;

// What may be written in place of a regular file that is there, or of nothing. A link is followed by name, so
// that it stays one, also where it leads to a file that is still to be made.
Result<fs::path> behindLinks(fs::path path)
{
    constexpr int mostLinks = 40; // as the kernel has it
    std::error_code failure;
    for (int i = 0; fs::is_symlink(fs::symlink_status(path, failure)); ++i) {
        if (i == mostLinks)
            return writeError(path, std::strerror(ELOOP));
        path = path.parent_path() / fs::read_symlink(path, failure);
    }
    if (failure && failure != std::errc::no_such_file_or_directory)
        return writeError(path, failure.message());
    if (path.filename().empty())
        return writeError(path, "it names no file");
    return path;
}

using Fill = std::function<Result<void>(OutputFile&)>;

Result<Bytes> writeInto(OutputFile file, const Fill& fill)
{
    STAGECRAFT_TRY(fill(file));
    STAGECRAFT_TRY(file.close());
    return file.size();
}

Result<Bytes> writeBeside(const fs::path& temporary, const fs::path& target, const Progress& progress,
                          const Fill& fill)
{
    STAGECRAFT_ASSIGN(file, OutputFile::create(temporary, progress));
    std::error_code failure;
    if (fs::exists(target, failure)) {
        // A file that is protected from writing is not replaced either.
        if (::access(target.c_str(), W_OK) != 0)
            return writeError(temporary);
        STAGECRAFT_TRY(file.takeModeOf(target));
    }
    STAGECRAFT_ASSIGN(size, writeInto(std::move(file), fill));
    if (::rename(temporary.c_str(), target.c_str()) != 0)
        return writeError(temporary);
    return size;
}

} // namespace

Result<Bytes> writeTextFile(const fs::path& path, std::string_view text)
{
    const Progress neverStopped;
    return writeFile(path, neverStopped, [text](OutputFile& file) { return file.write(text); });
}

Result<Bytes> writeFile(const fs::path& path, const Progress& progress, const Fill& fill)
{
    std::error_code failure;
    const fs::file_status there = fs::status(path, failure);
    if (fs::exists(there) && !fs::is_regular_file(there)) {
        STAGECRAFT_ASSIGN(file, OutputFile::create(path, progress));
        return writeInto(std::move(file), fill);
    }
    const Writing writing;
    STAGECRAFT_ASSIGN(target, behindLinks(path));
    const fs::path temporary = temporaryBeside(target, temporaryEnding);
    Result<Bytes> size = writeBeside(temporary, target, progress, fill);
    if (size.has_value())
        return size;
    fs::remove(temporary, failure);
    std::string message = size.error().message; // the person knows nothing of the temporary name
    if (message.starts_with(temporary.string()))
        message.replace(0, temporary.string().size(), path.string());
    return Error{size.error().code, std::move(message)};
}

} // namespace stagecraft
