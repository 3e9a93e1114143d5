#include "core/load/file_notes.h"

#include "core/base/printable.h"
#include "core/load/extra_files.h"
#include "core/load/json_view.h"

namespace stagecraft {

namespace {

constexpr std::size_t mostBytes = 1 << 20;
constexpr std::size_t mostNotes = 50;
constexpr std::size_t longestNote = 2000;

// Not cut inside a character.
std::string shortened(std::string_view text)
{
    const std::string_view kept = text.substr(0, longestNote);
    return std::string(kept.size() < text.size() ? kept.substr(0, kept.size() - unfinishedBytes(kept))
                                                 : text);
}

Result<std::vector<std::string>> readNotes(const ZipArchive& archive)
{
    std::vector<std::string> notes;
    STAGECRAFT_ASSIGN(file, readExtraFile(archive, fileNotesName, mostBytes));
    if (!file)
        return notes;
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(file->text()));
    STAGECRAFT_ASSIGN(elements, document.root().elements());
    for (const JsonView& element : elements) {
        STAGECRAFT_ASSIGN(text, element.string());
        if (notes.size() < mostNotes)
            notes.push_back(shortened(text));
    }
    return notes;
}

} // namespace

std::vector<std::string> readFileNotes(const ZipArchive& archive)
{
    Result<std::vector<std::string>> notes = readNotes(archive);
    if (notes.has_value())
        return std::move(*notes);
    return {"the notes in the file cannot be read: " + notes.error().message};
}

} // namespace stagecraft
