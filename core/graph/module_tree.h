// ModuleTree: the torch.nn modules that a model's operators come from.
//
//     ""  Llama
//     ├─ model.embed_tokens  Embedding
//     └─ model.layers.0  LlamaDecoderLayer
//        └─ model.layers.0.self_attn  LlamaAttention
//
// The root always exists and has the path "". Parents have smaller ids than their children; children are in
// the order in which they were first met.
#pragma once

#include "core/graph/argument.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stagecraft {

struct Module
{
    std::string path;      // "model.layers.0"
    std::string name;      // "0": the last component
    std::string className; // "transformers.models.llama.modeling_llama.LlamaDecoderLayer"; may be unknown
    std::optional<ModuleId> parent;
    std::vector<ModuleId> children;
};

class ModuleTree
{
public:
    static constexpr std::ptrdiff_t maxDepth = 100;

    ModuleTree();

    static constexpr ModuleId root() { return ModuleId(0); }

    // The module at `path`, made together with its missing parents if it is new. A class name is taken the
    // first time it is given. A path of more than `maxDepth` components is taken for the root's.
    ModuleId add(std::string_view path, std::string_view className = {});

    const Module& operator[](ModuleId id) const { return m_modules[id]; }
    std::optional<ModuleId> find(std::string_view path) const;
    std::size_t size() const { return m_modules.size(); }
    auto ids() const { return m_modules.ids(); }
    // Is `inner` the module `outer` or somewhere below it?
    bool contains(ModuleId outer, ModuleId inner) const;
    // 0 for the root.
    int depth(ModuleId id) const;

private:
    Table<ModuleId, Module> m_modules;
    std::unordered_map<std::string, ModuleId> m_byPath;
};

} // namespace stagecraft
