// ScriptRecorder: writes the graph while a script is followed: each operator runs on tensors without data,
// and becomes a node with what came out.
//
//     %y = aten::linear(%x, %w, %b)   ──►   linear = aten::linear.default(input=x, weight=p_w, bias=p_b)
//
// Tensors on the meta device stand for values of the graph: which is known by the tensor itself, so that a
// list or dict of tensors needs nothing of its own. A tensor on the CPU is one whose numbers are known (a
// constant of the code, a size as a tensor); where an operator of the graph takes it, a single number becomes
// a literal, as torch.export writes it, where that gives the same type, and anything else a constant input.
#pragma once

#include "core/base/unique_names.h"
#include "core/graph/graph_builder.h"
#include "core/load/model.h"
#include "core/load/stored_tensors.h"
#include "core/script/script_objects.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace c10 {
class OperatorHandle;
struct TensorImpl;
} // namespace c10

namespace stagecraft {

// Where in the model an operator is called.
struct ScriptPlace
{
    ModuleId module = ModuleTree::root();
    std::string moduleStack; // nn_module_stack, as torch.export writes it
    bool gradEnabled = true;
    std::vector<SourceFrame> frames; // outermost first
};

class ScriptRecorder
{
public:
    ScriptRecorder(const std::string& name, const ScriptArchive& archive, ScriptObjects& objects);
    ~ScriptRecorder();

    ModuleId moduleAt(const std::string& path, const std::string& className);
    void addParametersAndBuffers();
    at::Tensor addInput(const std::string& name, const TensorMeta& meta);
    void addLiteralInput(const std::string& name, const Argument& literal);

    void setPlace(ScriptPlace place) { m_place = std::move(place); }
    // Runs the operator with what is on `stack`, which then holds its results. All else it throws: LibTorch's
    // reason, or what the graph cannot say.
    void call(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack);
    // What is known of a tensor of the graph; null for one whose numbers are known.
    const TensorMeta* metaOf(const at::Tensor& tensor);
    bool isParameter(const at::Tensor& tensor);
    std::size_t nodeCount() const { return m_builder.nodeCount(); }

    // Adds what forward() returned to the outputs; its shape as a tree.
    Pytree addOutputs(const c10::IValue& result);
    // Once. The graph, its weights and the inputs and outputs of its signature.
    Result<Model> finish() &&;

private:
    struct Kept;
    struct CallArguments;

    ValueId valueOf(const at::Tensor& tensor);
    at::Tensor lifted(const at::Tensor& known);
    ValueId addStored(const ScriptAttribute& attribute, const at::Tensor& tensor);
    void addSpec(InputSpec::Kind kind, ValueId value);
    CallArguments argumentsFor(const c10::OperatorHandle& op, const std::vector<c10::IValue>& stack);
    Argument argumentOf(const c10::IValue& value, const std::string& type);
    TensorListArgument tensorsOf(const c10::IValue& list);
    void addNode(const c10::OperatorHandle& op, const std::vector<c10::IValue>& given,
                 const CallArguments& arguments, std::vector<c10::IValue>& results);
    NodeOutput outputOf(const std::string& name, c10::IValue& result, const Device& device,
                        const std::vector<c10::IValue>& given, bool isWrite);
    ValueId newVersion(const std::string& name, at::Tensor& tensor, const Device& device,
                       const std::vector<c10::IValue>& given, bool isWrite);
    std::vector<NamedArgument> namedArguments(const c10::OperatorHandle& op,
                                              const std::vector<c10::IValue>& given,
                                              const CallArguments& arguments);

    const ScriptArchive& m_archive;
    ScriptObjects& m_objects;
    std::unique_ptr<Kept> m_kept; // tensors, and which value each is
    std::string m_name;
    GraphBuilder m_builder;
    UniqueNames m_names;
    StoredTensors m_stored;
    std::map<std::size_t, StorageKey> m_storages;
    Signature m_signature;
    ScriptPlace m_place;
    int m_constants = 0;
};

} // namespace stagecraft
