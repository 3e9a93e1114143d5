// ScratchMemory: large tensors in files without a name, so that a run can take more than there is of memory:
// what lies in a file the system writes out and reads again, where else it could only end the program.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

namespace stagecraft {

// Memory of a file that is gone when this is given back.
struct ScratchPiece
{
    void* data = nullptr;
    std::size_t size = 0;
};

// While one is alive, CPU tensors of a MiB or more that this thread makes lie in files in `folder`, as long
// as there is room; those that outlive it stay there. For what runs after Interpreter::prepare().
class ScratchMemory
{
public:
    explicit ScratchMemory(std::filesystem::path folder);
    ~ScratchMemory();
    ScratchMemory(const ScratchMemory&) = delete;
    ScratchMemory& operator=(const ScratchMemory&) = delete;

    // For the allocator: none where no ScratchMemory of this thread is alive, the piece is small, or there is
    // no room in its folder.
    static std::optional<ScratchPiece> take(std::size_t bytes);
    static void giveBack(const ScratchPiece& piece);

private:
    std::filesystem::path m_folder;
    const std::filesystem::path* m_previous;
};

} // namespace stagecraft
