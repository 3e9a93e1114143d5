#include "core/load/exported_program.h"

#include "core/load/exported_graph.h"
#include "core/load/exported_signature.h"
#include "core/load/node_origin.h"

namespace stagecraft {

namespace {

constexpr std::int64_t oldestMajor = 7; // PyTorch 2.5, which writes sizes otherwise, and all else the same
constexpr std::int64_t knownMajor = 8;
constexpr std::int64_t newestMinor = 20;

Error otherAge(const ProgramHeader& header, std::int64_t major)
{
    const std::string writer = header.torchVersion.empty() ? "another age" : header.torchVersion;
    const std::string advice = major < oldestMajor ? "PyTorch 2.5 or newer" : "an older PyTorch";
    return {ErrorCode::Unsupported, "written by PyTorch of version " + writer + " in schema " +
                                        header.schemaVersion + ", this program reads " +
                                        std::to_string(oldestMajor) + ".x and " + std::to_string(knownMajor) +
                                        ".x; export the model again with " + advice};
}

Result<ProgramHeader> readHeader(const JsonView& root)
{
    const JsonView version = root["schema_version"];
    if (!version.isObject() || !root["graph_module"]["graph"].isObject())
        return Error{ErrorCode::BadFormat, "not an exported program: it has no schema version or no graph"};
    STAGECRAFT_ASSIGN(major, version["major"].integer());
    STAGECRAFT_ASSIGN(minor, version["minor"].integer());
    ProgramHeader header;
    if (root["torch_version"].isString())
        header.torchVersion = *root["torch_version"].string();
    header.schemaVersion = std::to_string(major) + "." + std::to_string(minor);
    if (major < oldestMajor || major > knownMajor)
        return otherAge(header, major);
    header.sizes = major < knownMajor ? SizeForm::Text : SizeForm::Srepr;
    if (major == knownMajor && minor > newestMinor)
        header.notes.push_back("written in schema " + header.schemaVersion +
                               ", newer than this program knows");
    const auto verifiers = root["verifiers"].elements();
    if (verifiers.has_value() && !verifiers->empty() && verifiers->front().isString())
        header.dialect = *verifiers->front().string();
    return header;
}

// Hints that stand beside symbols, wherever a size is.
Result<void> collectHints(const JsonView& graph, SizeReader& sizes)
{
    STAGECRAFT_ASSIGN(tensors, graph["tensor_values"].members());
    for (const auto& [name, meta] : tensors) {
        STAGECRAFT_ASSIGN(elements, meta["sizes"].elements());
        for (const JsonView& size : elements)
            sizes.collectHint(size);
    }
    STAGECRAFT_ASSIGN(numbers, graph["sym_int_values"].members());
    for (const auto& [name, size] : numbers)
        sizes.collectHint(size);
    return {};
}

Result<void> readSymbols(const JsonView& ranges, const Bindings& hints, GraphBuilder& builder)
{
    for (const auto& [name, hint] : hints)
        builder.setSymbolRange(name, {{}, {}, hint});
    STAGECRAFT_ASSIGN(members, ranges.members());
    for (const auto& [name, json] : members) {
        SymbolRange range;
        if (json["min_val"].isInteger())
            range.min = *json["min_val"].integer();
        if (json["max_val"].isInteger())
            range.max = *json["max_val"].integer();
        if (const auto hint = hints.find(name); hint != hints.end())
            range.hint = hint->second;
        builder.setSymbolRange(std::string(name), range);
    }
    return {};
}

// Modules in the order in which the model lists them, before nodes name them in the order of execution.
Result<void> readModules(const JsonView& moduleCallGraph, GraphBuilder& builder)
{
    STAGECRAFT_ASSIGN(calls, moduleCallGraph.elements());
    for (const JsonView& call : calls)
        if (const JsonView path = call["fqn"]; path.isString())
            builder.addModule(normalisedModulePath(*path.string()));
    return {};
}

std::string innerMarksText(std::size_t count)
{
    const std::string marks =
        count == 1 ? "a pipe_split() stands" : std::to_string(count) + " pipe_split() stand";
    return marks +
           " inside the body of an operator such as cond or while_loop, where no stage can end, and " +
           (count == 1 ? "is" : "are") + " left out";
}

} // namespace

Result<ExportedProgram> readExportedProgram(std::string_view json, const std::string& name,
                                            const AliasingOf& aliasing, const Progress& progress)
{
    STAGECRAFT_TRY(progress.begin("Reading operators"));
    STAGECRAFT_ASSIGN(document, JsonDocument::parse(json));
    const JsonView root = document.root();
    STAGECRAFT_ASSIGN(header, readHeader(root));
    const JsonView graphModule = root["graph_module"];
    const JsonView graphJson = graphModule["graph"];
    GraphBuilder builder(name);
    SizeReader sizes(header.sizes);
    if (json.find("as_expr") != json.npos)
        STAGECRAFT_TRY(collectHints(graphJson, sizes));
    STAGECRAFT_TRY(readSymbols(root["range_constraints"], sizes.symbolHints(), builder));
    STAGECRAFT_TRY(readModules(graphModule["module_call_graph"], builder));

    Signature signature;
    STAGECRAFT_ASSIGN(inputs, readInputSpecs(graphModule["signature"]));
    signature.inputs = std::move(inputs);
    ExportedGraphReader reader(builder, sizes, aliasing, progress);
    STAGECRAFT_TRY(reader.read(graphJson, &signature.inputs));
    if (reader.innerMarks() > 0)
        header.notes.push_back(innerMarksText(reader.innerMarks()));
    header.notes.insert(header.notes.end(), reader.leftOut().begin(), reader.leftOut().end());
    STAGECRAFT_ASSIGN(outputs, readOutputSpecs(graphModule["signature"]));
    std::erase_if(outputs, [](const OutputSpec& spec) { return spec.kind == OutputSpec::Kind::Token; });
    signature.outputs = std::move(outputs);
    STAGECRAFT_TRY(readCallingConvention(graphModule["module_call_graph"], signature));
    STAGECRAFT_ASSIGN(nodes, graphJson["nodes"].elements());
    STAGECRAFT_ASSIGN(graph, std::move(builder).finish(aliasing));
    if (graph.outputs().size() != signature.outputs.size())
        return Error{ErrorCode::BadFormat, "the graph has " + std::to_string(graph.outputs().size()) +
                                               " outputs, its signature " +
                                               std::to_string(signature.outputs.size())};
    return ExportedProgram{std::move(header), std::move(graph), std::move(signature), nodes.size()};
}

} // namespace stagecraft
