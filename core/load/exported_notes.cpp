#include "core/load/exported_notes.h"

#include "core/load/bare_return.h"
#include "core/load/node_origin.h"

namespace stagecraft {

namespace {

// Before PyTorch 2.7 files did not say it: a tuple was a list of tensors even of one.
bool hasOneTensor(const JsonView& outputs)
{
    const auto elements = outputs.elements();
    return elements.has_value() && elements->size() == 1 && !elements->front()["as_tensor"].isNull();
}

} // namespace

void NodeNotes::read(const JsonView& json, Node& node)
{
    const auto members = json["metadata"].members();
    if (!members.has_value())
        return;
    for (const auto& [key, member] : *members) {
        if (!member.isString())
            continue;
        const std::string_view text = *member.string();
        node.metadata.emplace_back(key, text);
        if (key == "nn_module_stack")
            node.module = moduleOf(text);
        if (key != "stack_trace")
            continue;
        const auto known = m_sources.find(text);
        if (known != m_sources.end()) {
            node.source = known->second;
        } else if (std::vector<SourceFrame> frames = parseStackTrace(text); !frames.empty()) {
            node.source = m_builder.addSource(std::move(frames));
            m_sources.emplace(text, *node.source);
        }
    }
    if (const JsonView single = json[bareReturnNote]; single.isBool())
        node.metadata.emplace_back(bareReturnNote, *single.boolean() ? "true" : "false");
    else if (node.target.starts_with("higher_order::") && hasOneTensor(json["outputs"]))
        node.metadata.emplace_back(bareReturnNote, "true");
}

ModuleId NodeNotes::moduleOf(std::string_view stack)
{
    const auto known = m_modules.find(stack);
    if (known != m_modules.end())
        return known->second;
    ModuleId module = ModuleTree::root();
    for (const ModuleCall& call : parseModuleStack(stack))
        module = m_builder.addModule(call.path, call.className);
    m_modules.emplace(stack, module);
    return module;
}

} // namespace stagecraft
