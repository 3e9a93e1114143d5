// Network: writes a model in this program's own code as torch.export would write it: operators of ATen with
// their sizes and strides, modules by path, parameters by fully qualified name, sizes that may be symbols.
//
//     Network net("mlp", DType::F32);
//     const SymInt batch = net.symbol("batch", 8);
//     const ValueId x = net.input("x", {batch, 64}, DType::F32);
//     {
//         const Network::Scope fc = net.enter("fc", "torch.nn.modules.linear.Linear");
//         ...
//     }
//     net.output(y);
//
// What it is asked to write is right or our own mistake; tests hold every family against LibTorch.
#pragma once

#include "core/base/unique_names.h"
#include "core/graph/graph_builder.h"
#include "core/load/model.h"

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

using Sizes = std::vector<SymInt>;

// What a stored tensor is filled with where weights are made (random_weights.h).
struct InitialValues
{
    enum class Kind { Normal, Constant, Listed };
    Kind kind = Kind::Normal;
    double scale = 0.02;        // of Normal: the standard deviation; of Constant: the number
    std::vector<double> listed; // of Listed: row-major

    static InitialValues normal(double deviation) { return {Kind::Normal, deviation, {}}; }
    static InitialValues constant(double number) { return {Kind::Constant, number, {}}; }
};

struct WrittenModel
{
    Model model;                                  // structure only
    std::map<std::string, InitialValues> initial; // by target; of tied ones, the one that is read
    std::map<std::string, std::string> tied;      // other names of parameters, with those
};

class Network
{
public:
    // In a module until it goes.
    class Scope
    {
    public:
        explicit Scope(Network& network) : m_network(network) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { m_network.m_scopes.pop_back(); }

    private:
        Network& m_network;
    };

    // `rootClass` is the model's own: "transformers.models.llama.modeling_llama.LlamaForCausalLM".
    Network(const std::string& name, const std::string& rootClass, DType dtype);

    DType dtype() const { return m_dtype; }
    // A size that varies, `usual` where nobody binds it, between `least` and `most`.
    SymInt symbol(const std::string& name, std::int64_t usual, std::int64_t least, std::int64_t most);
    // `path` is relative to where one is, and may have dots.
    [[nodiscard]] Scope enter(std::string_view path, const std::string& className);
    std::string path() const { return m_scopes.back().path; }

    ValueId input(const std::string& name, const Sizes& sizes, DType dtype);
    // Reads the sizes of `value` that are no numbers and were not read before, so that operators can be given
    // them.
    void readSizes(ValueId value);
    // Named relative to where one is; what was placed before under the same name is that.
    ValueId parameter(const std::string& name, const Sizes& sizes, const InitialValues& initial = {});
    ValueId parameter(const std::string& name, const Sizes& sizes, const InitialValues& initial, DType dtype);
    ValueId buffer(const std::string& name, const Sizes& sizes, const InitialValues& initial, DType dtype,
                   bool persistent);
    // Another name of `parameter` in the state dict: a tied weight.
    void alias(const std::string& name, ValueId parameter);
    // The same by its whole name.
    void aliasOf(const std::string& target, ValueId parameter);
    // What was placed under a whole name.
    ValueId known(const std::string& target) const { return m_stored.at(target); }

    // Arguments by the schema's names; "=dtype" is passed by keyword. "linear" is "aten::linear.default".
    using Arguments = std::vector<std::pair<std::string_view, Argument>>;
    ValueId op(const std::string& name, const Arguments& arguments, TensorMeta result);
    // One result for each of `results`, as a Tensor each or as one Tensor[].
    std::vector<ValueId> ops(const std::string& name, const Arguments& arguments,
                             const std::vector<TensorMeta>& results, NodeOutput::Kind kind);
    // A size as an argument: a number, or the value that holds it.
    Argument size(const SymInt& size);
    Argument sizeList(const Sizes& sizes);

    const TensorMeta& meta(ValueId value) const { return *m_builder.value(value).meta; }
    const Sizes& sizes(ValueId value) const { return meta(value).sizes; }

    void output(ValueId value);
    // Outputs become a tuple where there are several.
    Result<WrittenModel> finish() &&;

private:
    struct Level
    {
        std::string path;
        ModuleId module;
        std::string stack; // nn_module_stack
    };

    std::string target(const std::string& name) const;
    ValueId stored(ValueKind kind, const std::string& name, const Sizes& sizes, const InitialValues& initial,
                   DType dtype);
    ValueId sizeValue(const SymInt& size);
    Node node(const std::string& name, const Arguments& arguments) const;
    Signature signature(const Graph& graph) const;

    std::string m_name;
    DType m_dtype;
    GraphBuilder m_builder;
    UniqueNames m_names;
    std::vector<Level> m_scopes;
    std::map<std::string, ValueId> m_stored;     // by target
    std::map<std::string, ValueId> m_sizeValues; // by text
    std::map<std::string, bool> m_notPersistent; // buffers by target
    std::vector<std::pair<std::string, ValueId>> m_aliases;
    std::map<std::string, InitialValues> m_initial;
    std::vector<ValueId> m_inputs; // what the user gives
    std::size_t m_outputs = 0;
};

// Products and sums of sizes, folded where they are numbers.
SymInt product(const Sizes& sizes);
SymInt sum(const SymInt& a, const SymInt& b);

} // namespace stagecraft
