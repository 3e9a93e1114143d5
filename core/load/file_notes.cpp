#include "core/load/file_notes.h"

#include "core/load/json_view.h"

#include <algorithm>

namespace stagecraft {

namespace {

constexpr std::uint64_t mostBytes = 1 << 20;
constexpr std::size_t mostNotes = 50;
constexpr std::size_t longestNote = 2000;

// "extra" in the archives of PyTorch 2.8 and newer, "extra_files" before.
const ZipEntry* findNotes(const ZipArchive& archive)
{
    const auto isNotes = [](const ZipEntry& entry) {
        return std::ranges::any_of(
            std::vector<std::string>{"extra/", "extra_files/"},
            [&](const auto& folder) { return entry.name.ends_with(folder + std::string(fileNotesName)); });
    };
    const auto found = std::ranges::find_if(archive.entries(), isNotes);
    return found == archive.entries().end() ? nullptr : &*found;
}

Result<std::vector<std::string>> readNotes(const ZipArchive& archive, const ZipEntry& entry)
{
    if (entry.size > mostBytes)
        return Error{ErrorCode::BadFormat, "they are too long"};
    STAGECRAFT_ASSIGN(record, archive.read(entry));
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(record.text()));
    STAGECRAFT_ASSIGN(elements, document.root().elements());
    std::vector<std::string> notes;
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(text, element.string());
        if (notes.size() < mostNotes)
            notes.emplace_back(text.substr(0, longestNote));
    }
    return notes;
}

} // namespace

std::vector<std::string> readFileNotes(const ZipArchive& archive)
{
    const ZipEntry* entry = findNotes(archive);
    if (!entry)
        return {};
    Result<std::vector<std::string>> notes = readNotes(archive, *entry);
    if (notes.has_value())
        return std::move(*notes);
    return {"the notes in the file cannot be read: " + notes.error().message};
}

} // namespace stagecraft
