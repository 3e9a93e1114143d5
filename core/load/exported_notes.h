// NodeNotes: what a file says of a node beside what it computes: its module, its place in the person's code.
#pragma once

#include "core/graph/graph_builder.h"
#include "core/load/json_view.h"

#include <string_view>
#include <unordered_map>

namespace stagecraft {

class NodeNotes
{
public:
    // Modules and places go to `builder`, which outlives it, as does the text of the file.
    explicit NodeNotes(GraphBuilder& builder) : m_builder(builder) {}

    // Takes over the notes of `json`, a node of a file.
    void read(const JsonView& json, Node& node);

private:
    ModuleId moduleOf(std::string_view stack);

    GraphBuilder& m_builder;
    std::unordered_map<std::string_view, ModuleId> m_modules;
    std::unordered_map<std::string_view, SourceId> m_sources;
};

} // namespace stagecraft
