#include "core/stage/export_folder.h"

#include "core/base/contains.h"
#include "core/base/output_file.h"
#include "core/base/temporary_name.h"
#include "core/stage/manifest.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <optional>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view oldEnding = "-old";

Error cannot(const fs::path& path, const std::string& what)
{
    return {ErrorCode::Unreadable, path.string() + ": " + what};
}

Error cannot(const fs::path& path, const std::string& what, int reason)
{
    return cannot(path, what + ": " + std::strerror(reason));
}

std::optional<struct stat> linkStatus(const fs::path& path)
{
    struct stat status
    {
    };
    return ::lstat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool isSameEntry(const fs::path& a, const fs::path& b)
{
    const auto one = linkStatus(a);
    const auto other = linkStatus(b);
    return one && other && one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

std::vector<std::string> namesIn(const fs::path& folder)
{
    std::vector<std::string> names;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure); !failure && entry != fs::directory_iterator();
         entry.increment(failure))
        names.push_back(entry->path().filename().string());
    return names;
}

bool isFolder(const fs::path& path)
{
    const auto status = linkStatus(path);
    return status && S_ISDIR(status->st_mode);
}

// Of the folders that exports have what is in them, as in "examples/train.py".
std::vector<std::string> entriesOf(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const std::string& name : namesIn(folder))
        if (isExportFolderName(name) && isFolder(folder / name))
            for (const std::string& inner : namesIn(folder / name))
                names.push_back((fs::path(name) / inner).string());
        else
            names.push_back(name);
    return names;
}

// While it is held no other export is put in place in that folder: of two at once to one name, the later
// replaces the earlier. Where locks are not known, nothing is held.
class PlaceLock
{
public:
    explicit PlaceLock(const fs::path& folder)
        : m_descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
    {
        if (m_descriptor >= 0)
            ::flock(m_descriptor, LOCK_EX);
    }
    ~PlaceLock()
    {
        if (m_descriptor >= 0)
            ::close(m_descriptor);
    }
    PlaceLock(const PlaceLock&) = delete;
    PlaceLock& operator=(const PlaceLock&) = delete;

private:
    int m_descriptor;
};

// ---------------------------------------------------------------- the old export

// Renames to a name that is free; errno says why not.
bool moveToFree(const fs::path& from, const fs::path& to)
{
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL || linkStatus(to)) // EINVAL: the file system does not know how
        return false;
    return ::rename(from.c_str(), to.c_str()) == 0;
}

// Takes what an export wrote out of `old`, and brings everything else in it to `folder`. The manifest goes
// last: until then it says what is whose. What cannot be brought stays where it is.
void clearExport(const fs::path& old, const fs::path& folder, const std::vector<std::string>& written)
{
    for (const std::string& name : entriesOf(old)) {
        if (name == manifestFileName && contains(written, name))
            continue;
        if (contains(written, name) || isSameEntry(old / name, folder / name))
            ::unlink((old / name).c_str());
        else {
            if (const fs::path inner = fs::path(name).parent_path(); !inner.empty())
                ::mkdir((folder / inner).c_str(), 0777); // the new export may lack it
            moveToFree(old / name, folder / name);
        }
    }
    for (const std::string& name : namesIn(old))
        if (isExportFolderName(name))
            ::rmdir((old / name).c_str());
    if (namesIn(old) == std::vector<std::string>{manifestFileName})
        ::unlink((old / manifestFileName).c_str());
    ::rmdir(old.c_str());
}

// Could an export that was killed while it wrote leave this?
bool isUnfinished(const std::string& name)
{
    const auto target = targetOfTemporary(name, temporaryEnding);
    return target && (isExportFileName(target->string()) || *target == manifestFileName);
}

// What an export wrote to a folder that it did not finish, or did not finish clearing.
std::vector<std::string> leftFiles(const fs::path& folder)
{
    const Result<std::vector<std::string>> written = exportedFiles(folder);
    if (written.has_value())
        return *written;
    std::vector<std::string> names; // nobody knows what is whose in one with another manifest
    if (!linkStatus(folder / manifestFileName))
        std::ranges::copy_if(entriesOf(folder), std::back_inserter(names), [](const std::string& name) {
            return isExportFileName(name) || isUnfinished(name);
        });
    return names;
}

// ---------------------------------------------------------------- what killed exports left behind

// ".NAME.partial-"
std::string partialPrefix(const fs::path& wanted)
{
    constexpr std::size_t longest = 180; // of 255 bytes that file systems allow
    return "." + wanted.filename().string().substr(0, longest) + ".partial-";
}

// The process that made a folder of this name; none for other names.
std::optional<pid_t> makerOf(const std::string& name, const std::string& prefix)
{
    pid_t maker = 0;
    if (!name.starts_with(prefix))
        return std::nullopt;
    const char* const end = name.data() + name.size();
    const auto [rest, status] = std::from_chars(name.data() + prefix.size(), end, maker);
    const bool isWhole = rest == end || *rest == '-';
    return status == std::errc() && isWhole && maker > 0 ? std::optional(maker) : std::nullopt;
}

// Neither on this machine nor, where the file system is shared and knows locks, on another.
bool isDead(pid_t maker, const fs::path& folder)
{
    if (::kill(maker, 0) == 0 || errno != ESRCH)
        return false;
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0)
        return false;
    const bool isHeld = ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    ::close(descriptor);
    return !isHeld;
}

// Only folders of this person: whatever another one puts beside the export must not get into it.
void clearLeftovers(const fs::path& wanted)
{
    const fs::path parent = wanted.parent_path();
    const std::string prefix = partialPrefix(wanted);
    for (const std::string& name : namesIn(parent)) {
        const fs::path left = parent / name;
        const std::optional<pid_t> maker = makerOf(name, prefix);
        const auto status = maker ? linkStatus(left) : std::nullopt;
        if (!status || !S_ISDIR(status->st_mode) || status->st_uid != ::geteuid() || !isDead(*maker, left))
            continue;
        if (name.ends_with(oldEnding) && !linkStatus(wanted))
            ::rename(left.c_str(), wanted.c_str()); // it was killed with one moved away and the other not in
        else
            clearExport(left, wanted, leftFiles(left));
    }
}

// ---------------------------------------------------------------- what may be replaced

Result<fs::path> wantedFolder(const fs::path& asked)
{
    std::error_code failure;
    fs::path folder = asked.empty() ? fs::path() : fs::absolute(asked, failure).lexically_normal();
    if (!folder.has_filename())
        folder = folder.parent_path();
    if (asked.empty() || failure || !folder.has_filename())
        return Error{ErrorCode::BadUsage,
                     "'" + asked.string() + "' is no folder to export to; name one to be made or replaced"};
    if (!fs::is_symlink(folder, failure))
        return folder;
    const fs::path target = fs::canonical(folder, failure);
    if (failure)
        return cannot(folder, "is a link that leads nowhere");
    return target;
}

// A folder that is replaced is another folder of the same name: whoever is in it stays in the old one.
Result<void> checkPlace(const fs::path& folder)
{
    std::error_code failure;
    for (fs::path here = fs::current_path(failure); !failure && here.has_filename();
         here = here.parent_path())
        if (fs::equivalent(here, folder, failure) && !failure)
            return cannot(folder, "is the current folder, or around it, and would be replaced; name another "
                                  "one, or start from elsewhere");
    const auto own = linkStatus(folder);
    const auto around = linkStatus(folder.parent_path());
    if (own && around && own->st_dev != around->st_dev)
        return cannot(folder, "is a mount point, which cannot be replaced; name a folder inside of it");
    return {};
}

// What an export in the folder wrote; none where it is missing or empty.
Result<std::vector<std::string>> replacedFiles(const fs::path& folder)
{
    std::error_code failure;
    const fs::file_status status = fs::status(folder, failure);
    if (status.type() == fs::file_type::not_found)
        return std::vector<std::string>{};
    if (!fs::is_directory(status))
        return cannot(folder, "there is a file of that name");
    STAGECRAFT_TRY(checkPlace(folder));
    if (linkStatus(folder / manifestFileName)) {
        Result<std::vector<std::string>> written = exportedFiles(folder);
        if (!written.has_value())
            return cannot(folder, "its manifest.json is not one of an export, so nothing is replaced (" +
                                      written.error().message + ")");
        return written;
    }
    if (fs::is_empty(folder, failure) && !failure)
        return std::vector<std::string>{};
    return cannot(folder, "holds other files; choose an empty folder or an earlier export");
}

Result<void> checkNames(const fs::path& folder, const std::vector<std::string>& names,
                        const std::vector<std::string>& replaced, const ExportFolder::IsInput& isInput)
{
    for (const std::string& name : replaced)
        if (isInput(folder / name))
            return Error{ErrorCode::BadUsage,
                         (folder / name).string() +
                             ": is what is to be exported, and would be replaced; choose "
                             "another folder"};
    for (const std::string& name : names) {
        const fs::path around = fs::path(name).parent_path();
        const bool isBlocked = linkStatus(folder / around) && !isFolder(folder / around);
        const std::string met = isBlocked ? around.string() : name;
        if (!contains(replaced, met) && linkStatus(folder / met))
            return cannot(folder / met, "is there, but not of the earlier export; move it elsewhere first");
    }
    return {};
}

} // namespace

Result<std::unique_ptr<ExportFolder>>
ExportFolder::begin(const fs::path& wanted, const std::vector<std::string>& names, const IsInput& isInput)
{
    STAGECRAFT_ASSIGN(folder, wantedFolder(wanted));
    clearLeftovers(folder);
    {
        const PlaceLock lock(folder.parent_path()); // what is there is of one export
        STAGECRAFT_ASSIGN(replaced, replacedFiles(folder));
        STAGECRAFT_TRY(checkNames(folder, names, replaced, isInput));
    }
    std::unique_ptr<ExportFolder> made(new ExportFolder(folder));
    STAGECRAFT_TRY(made->make());
    return made;
}

Result<void> ExportFolder::make()
{
    std::error_code failure;
    const fs::path parent = m_wanted.parent_path();
    for (fs::path missing = parent; !missing.empty() && !fs::exists(missing, failure);
         missing = missing.parent_path())
        m_madeParents.push_back(missing);
    fs::create_directories(parent, failure);
    if (failure)
        return cannot(parent, "the folder cannot be made: " + failure.message());
    const fs::path path =
        parent / (partialPrefix(m_wanted) + std::to_string(::getpid()) + "-" + unguessableText(12));
    if (::mkdir(path.c_str(), 0777) != 0)
        return cannot(parent, "nothing can be written there", errno);
    m_path = path;
    m_lock = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (m_lock >= 0)
        ::flock(m_lock, LOCK_EX | LOCK_NB); // the process's number says the same where locks are not known
    return {};
}

ExportFolder::~ExportFolder()
{
    std::error_code ignored;
    if (!m_path.empty())
        fs::remove_all(m_path, ignored);
    for (const fs::path& parent : m_madeParents)
        fs::remove(parent, ignored); // only if nothing is in it
    if (m_lock >= 0)
        ::close(m_lock);
}

Error ExportFolder::named(const Error& error) const
{
    std::string message = error.message;
    const std::string path = m_path.string();
    for (std::size_t at = 0; (at = message.find(path, at)) != std::string::npos;)
        message.replace(at, path.size(), m_wanted.string());
    return {error.code, message};
}

Result<std::vector<std::string>> ExportFolder::putInPlace()
{
    const PlaceLock lock(m_wanted.parent_path());
    if (linkStatus(m_wanted))
        return replace();
    if (!moveToFree(m_path, m_wanted))
        return cannot(m_wanted, "cannot be put in place", errno);
    m_path.clear();
    return std::vector<std::string>{};
}

// Other people's files get a second name in the new folder, which is theirs before it is in place.
Result<std::vector<std::string>> ExportFolder::replace()
{
    STAGECRAFT_ASSIGN(replaced, replacedFiles(m_wanted));
    STAGECRAFT_TRY(checkNames(m_wanted, entriesOf(m_path), replaced, [](const fs::path&) { return false; }));
    for (const std::string& name : entriesOf(m_wanted))
        if (!contains(replaced, name)) // not of folders, which follow
            ::linkat(AT_FDCWD, (m_wanted / name).c_str(), AT_FDCWD, (m_path / name).c_str(), 0);
    if (const auto status = linkStatus(m_wanted))
        ::chmod(m_path.c_str(), status->st_mode & 07777);
    fs::path old = m_path;
    if (::renameat2(AT_FDCWD, m_path.c_str(), AT_FDCWD, m_wanted.c_str(), RENAME_EXCHANGE) != 0) {
        if (errno != EINVAL && errno != ENOSYS)
            return cannot(m_wanted, "cannot be put in place", errno);
        // A file system that cannot do it in one step. The old export is under another name for a moment; the
        // next export finds it if the program ends just then.
        old += oldEnding;
        if (::rename(m_wanted.c_str(), old.c_str()) != 0)
            return cannot(m_wanted, "cannot be put in place", errno);
        if (::rename(m_path.c_str(), m_wanted.c_str()) != 0) {
            const int reason = errno;
            ::rename(old.c_str(), m_wanted.c_str());
            return cannot(m_wanted, "cannot be put in place", reason);
        }
    }
    m_path.clear();
    const Result<std::vector<std::string>> written = exportedFiles(old);
    clearExport(old, m_wanted, written.has_value() ? *written : std::vector<std::string>{});
    std::vector<std::string> notes;
    if (linkStatus(old))
        notes.push_back("what else was in the folder could not all be moved: the rest is in " + old.string());
    return notes;
}

} // namespace stagecraft
