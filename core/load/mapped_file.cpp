#include "core/load/mapped_file.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stagecraft {

namespace {

class Descriptor
{
public:
    explicit Descriptor(int number) : m_number(number) {}
    ~Descriptor()
    {
        if (m_number >= 0)
            ::close(m_number);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int number() const { return m_number; }

private:
    int m_number;
};

Error unreadable(const std::filesystem::path& path)
{
    const ErrorCode code = errno == ENOENT ? ErrorCode::NotFound : ErrorCode::Unreadable;
    return {code, path.string() + ": " + std::strerror(errno)};
}

} // namespace

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::filesystem::path& path)
{
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)); // a FIFO must not block
    struct stat status
    {
    };
    if (file.number() < 0 || ::fstat(file.number(), &status) != 0)
        return unreadable(path);
    if (!S_ISREG(status.st_mode))
        return Error{ErrorCode::Unreadable, path.string() + ": not a file"};
    const auto size = static_cast<std::size_t>(status.st_size);
    if (size == 0)
        return std::shared_ptr<const MappedFile>(new MappedFile({}));
    void* const address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (address == MAP_FAILED)
        return unreadable(path);
    return std::shared_ptr<const MappedFile>(new MappedFile({static_cast<const std::byte*>(address), size}));
}

MappedFile::~MappedFile()
{
    if (!m_bytes.empty())
        ::munmap(const_cast<std::byte*>(m_bytes.data()), m_bytes.size());
}

} // namespace stagecraft
