#include "core/stage/torchscript_writer.h"

#include "core/base/unique_names.h"
#include "core/run/torch_types.h"
#include "core/stage/stage_tensors.h"
#include "core/stage/torchscript_graph.h"
#include "core/stage/torchscript_reading.h"

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/export.h>

#include <algorithm>
#include <array>
#include <map>
#include <sstream>

namespace stagecraft {

namespace {

using ScriptModule = torch::jit::Module;

constexpr std::int64_t recordAlignment = 64; // of records

// What a name of TorchScript's code may not be: its words, and what modules have themselves.
bool isReserved(const std::string& name)
{
    static constexpr std::array words{
        "and",  "as",       "assert", "async",  "await",  "break",   "class",    "continue", "def",
        "del",  "elif",     "else",   "except", "False",  "finally", "for",      "from",     "global",
        "if",   "import",   "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",
        "pass", "raise",    "return", "True",   "try",    "while",   "with",     "yield",    "forward",
        "self", "training", "call",   "fork",   "inf",    "nan",     "ops",      "torch",    "uninitialized"};
    return name.starts_with("__") || std::ranges::find(words, name) != words.end();
}

std::string plainName(const std::string& name)
{
    std::string plain;
    for (const char c : name) {
        const bool isPlain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        plain += isPlain ? c : '_';
    }
    return plain.empty() || isReserved(plain) ? "at_" + plain : plain;
}

// A module of the script with those in it.
class Part
{
public:
    Part(const std::string& className, const std::shared_ptr<torch::jit::CompilationUnit>& unit)
        : m_module(c10::QualifiedName("__torch__." + className), unit, /*shouldMangle=*/true)
    {
        m_module.register_attribute("training", c10::BoolType::get(), true);
    }

    ScriptModule& module() { return m_module; }
    // Under the name `path`; the names to go by from here.
    std::vector<std::string> add(std::string_view path, const at::Tensor& tensor, bool isParameter)
    {
        const std::size_t dot = path.find('.');
        const std::string& name = nameOf(std::string(path.substr(0, dot)), dot != path.npos);
        if (dot == path.npos) {
            isParameter ? m_module.register_parameter(name, tensor, false)
                        : m_module.register_buffer(name, tensor);
            return {name};
        }
        std::unique_ptr<Part>& part = m_parts[name];
        if (!part) {
            part = std::make_unique<Part>("Part", m_module._ivalue()->compilation_unit());
            m_module.register_module(name, part->module());
        }
        std::vector<std::string> names = part->add(path.substr(dot + 1), tensor, isParameter);
        names.insert(names.begin(), name);
        return names;
    }

private:
    const std::string& nameOf(const std::string& component, bool isPart)
    {
        std::string& name = m_names[{component, isPart}];
        if (name.empty())
            name = m_plain.make(plainName(component));
        return name;
    }

    ScriptModule m_module;
    std::map<std::string, std::unique_ptr<Part>> m_parts;
    std::map<std::pair<std::string, bool>, std::string> m_names;
    UniqueNames m_plain;
};

enum class Content { None, Whole };

// The tensor in place in the model's file; without content, one that takes the place of it in code.
at::Tensor tensorOf(const StageTensor& stored, Content content)
{
    const TensorMeta& meta = stored.tensor.meta;
    const auto options = at::TensorOptions().dtype(c10::ScalarType(scalarTypeNumber(meta.dtype)));
    const std::span<const std::byte> bytes = usedBytes(stored.tensor);
    std::vector<std::int64_t> sizes, strides;
    for (std::size_t i = 0; i < meta.sizes.size(); ++i) {
        sizes.push_back(meta.sizes[i].constant());
        strides.push_back(meta.strides[i].constant());
    }
    at::Tensor tensor;
    if (content == Content::None)
        tensor = at::empty({0}, options);
    else if (bytes.empty())
        tensor = at::empty_strided(sizes, strides, options);
    else // it is read only
        tensor = at::from_blob(const_cast<std::byte*>(bytes.data()), sizes, strides, options);
    return tensor.set_requires_grad(stored.isParameter && meta.requiresGrad && isDifferentiable(meta.dtype));
}

// The stage as a module of TorchScript. `tensors` must outlive it.
Result<ScriptModule> scriptOf(const Model& model, const StageProgram& program,
                              const std::vector<StageTensor>& tensors, Content content)
{
    Part root("Stage" + std::to_string(program.stage.index()),
              std::make_shared<torch::jit::CompilationUnit>());
    std::map<std::string, std::vector<std::string>> paths;
    std::map<std::string, at::Tensor> made; // tied ones are one
    for (const StageTensor& stored : tensors) {
        const auto tied = made.find(stored.aliasOf);
        const at::Tensor tensor = tied == made.end() ? tensorOf(stored, content) : tied->second;
        made[stored.name] = tensor;
        paths[stored.name] = root.add(stored.name, tensor, stored.isParameter);
    }
    const auto graph = std::make_shared<torch::jit::Graph>();
    torch::jit::Value* const self = graph->addInput("self");
    self->setType(root.module().type());
    TorchScriptGraph body(model, program, *graph, [&](ValueId id) {
        torch::jit::Value* at = self;
        for (const std::string& name : paths.at(model.graph[id].target))
            at = graph->insertGetAttr(at, name);
        return at;
    });
    STAGECRAFT_TRY(body.fill());
    graph->lint();
    ScriptModule module = root.module();
    const c10::QualifiedName name(*module.type()->name(), "forward");
    module.type()->addMethod(module._ivalue()->compilation_unit()->create_function(name, graph));
    return module;
}

// The file without numbers, after it was seen that it says what is meant.
Result<std::size_t> checkedSize(const Model& model, const StageProgram& program,
                                const std::vector<StageTensor>& tensors)
{
    STAGECRAFT_ASSIGN(script, scriptOf(model, program, tensors, Content::None));
    std::ostringstream archive;
    torch::jit::ExportModule(script, archive);
    const std::string text = archive.str();
    if (const std::optional<std::string> difference = differenceWhenRead(script, text))
        return Error{ErrorCode::Unsupported,
                     "TorchScript would understand stage " + std::to_string(program.stage.index()) +
                         " otherwise: " + *difference + "; leave torchscript out of the formats"};
    return text.size();
}

template <class F>
auto withoutExceptions(const std::string& what, F&& function) -> decltype(function())
{
    try {
        return function();
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported, what + ": " + exceptionReason(exception)};
    }
}

Result<std::vector<StageTensor>> tensorsFor(const Model& model, const StageProgram& program)
{
    if (model.structureOnly())
        return Error{ErrorCode::BadUsage, model.name +
                                              ": TorchScript files hold weights, and the model has "
                                              "none: name them, or leave torchscript out of the formats"};
    return stageTensors(model, program);
}

} // namespace

Result<Bytes> torchScriptSize(const Model& model, const StageProgram& program)
{
    STAGECRAFT_ASSIGN(tensors, tensorsFor(model, program));
    return withoutExceptions("TorchScript", [&]() -> Result<Bytes> {
        STAGECRAFT_ASSIGN(code, checkedSize(model, program, tensors));
        Bytes size(static_cast<std::int64_t>(code));
        for (const StageTensor& tensor : tensors)
            if (tensor.aliasOf.empty())
                size += Bytes(static_cast<std::int64_t>(usedBytes(tensor.tensor).size()) + recordAlignment);
        return size;
    });
}

Result<void> writeStageTorchScript(OutputFile& file, const Model& model, const StageProgram& program)
{
    STAGECRAFT_ASSIGN(tensors, tensorsFor(model, program));
    return withoutExceptions(file.path().string() + ": cannot be written", [&]() -> Result<void> {
        STAGECRAFT_TRY(checkedSize(model, program, tensors));
        STAGECRAFT_ASSIGN(script, scriptOf(model, program, tensors, Content::Whole));
        Result<void> written; // of a failed file the rest goes nowhere
        torch::jit::ExportModule(script, [&](const void* data, std::size_t size) {
            if (written.has_value())
                written = file.write(std::span(static_cast<const std::byte*>(data), size));
            return size;
        });
        return written;
    });
}

} // namespace stagecraft
