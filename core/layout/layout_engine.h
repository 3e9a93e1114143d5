// LayoutEngine: places what is visible of a run tree.
//
//     run tree + expansion ──► visible graph ──► one drawing a box, inside out ──► absolute places
//                                                   │  by dot, once for each distinct box,
//                                                   └─ kept for the next layout
//
// So opening a box or moving a boundary only draws anew the boxes that changed. A drawing is forgotten once
// `layoutsRemembered` layouts have done without it. One engine serves one thread at a time. Deterministic:
// what a layout looks like does not depend on the layouts before it.
#pragma once

#include "core/base/progress.h"
#include "core/base/resources.h"
#include "core/layout/dot_process.h"
#include "core/layout/dot_text.h"
#include "core/layout/layout.h"

#include <unordered_map>

namespace stagecraft {

class LayoutEngine
{
public:
    static constexpr std::size_t layoutsRemembered = 64;

    explicit LayoutEngine(LayoutMetrics metrics = {}, std::string dotProgram = helperProgram("dot"));

    // Fails only if it was cancelled. Where dot fails, the box is drawn as rows and Layout::notes says so.
    Result<Layout> layout(std::shared_ptr<const Graph> graph, std::shared_ptr<const RunTree> tree,
                          const Expansion& expansion, const Progress& progress = {},
                          const std::optional<PageShape>& page = {});

    // Drawings asked of dot so far: how much the cache spares; for tests.
    std::size_t drawingsMade() const { return m_drawingsMade; }

private:
    struct KeptDrawing
    {
        DotDrawing drawing;
        std::size_t lastLayout; // that used it
    };

    Result<DotDrawing> draw(const DotProblem& problem, const Progress& progress,
                            std::vector<std::string>& notes);
    void forgetOldDrawings();

    LayoutMetrics m_metrics;
    DotProcess m_dot;
    std::unordered_map<std::string, KeptDrawing> m_drawings; // by dot text
    std::size_t m_layouts = 0;
    std::size_t m_drawingsMade = 0;
};

} // namespace stagecraft
