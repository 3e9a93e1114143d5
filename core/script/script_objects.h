// ScriptObjects: the modules of a TorchScript file as LibTorch's objects, with tensors that have no data.
//
// LibTorch compiles the classes; that is all of it that sees the file. Objects are made and filled here, each
// attribute held against the type that its class declares, so that nothing of the file runs.
#pragma once

#include "core/graph/tensor_meta.h"
#include "core/script/kept_containers.h"
#include "core/script/script_archive.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
struct IValue;
namespace ivalue {
struct Object;
}
} // namespace c10

namespace stagecraft {

// A tensor attribute of a module, or a tensor in a list, tuple, dict or plain object that is one.
struct ScriptAttribute
{
    enum class Kind { Parameter, Buffer, Other };
    Kind kind = Kind::Other;
    std::string path; // "layers.0.weight"; "masks.0"
    PickledTensor stored;
};

struct ScriptModule
{
    std::string path;      // "layers.0"; empty: the model
    std::string className; // "torch.nn.modules.linear.Linear"
    const c10::ivalue::Object* object = nullptr;
};

class ScriptObjects
{
public:
    // Throws what LibTorch throws where the code cannot be compiled, and a std::exception that names the
    // attribute where one is not what its class says. `archive` must outlive this.
    explicit ScriptObjects(const ScriptArchive& archive);
    ~ScriptObjects();
    ScriptObjects(const ScriptObjects&) = delete;
    ScriptObjects& operator=(const ScriptObjects&) = delete;

    const c10::IValue& model() const;
    // Of all modules, the model first, parents before their children, in the order of the class.
    const std::vector<ScriptModule>& modules() const { return m_modules; }
    // Parameters, buffers and other tensors, in the order of modules().
    const std::vector<ScriptAttribute>& attributes() const { return m_attributes; }
    // The tensor, on the meta device, that stands for all attributes which are one.
    at::Tensor tensorOf(const PickledTensor& stored);
    // What a run has left of the lists, tuples, dicts and plain objects that modules keep.
    const KeptContainers& containers() const { return m_containers; }

private:
    struct Parts;
    void collect(const c10::ivalue::Object& object, const std::string& path);

    std::unique_ptr<Parts> m_parts;
    std::vector<ScriptModule> m_modules;
    std::vector<ScriptAttribute> m_attributes;
    KeptContainers m_containers;
};

// "torch.nn.modules.linear.Linear" of "__torch__.torch.nn.modules.linear.___torch_mangle_3.Linear".
std::string plainClassName(const std::string& qualified);

} // namespace stagecraft
