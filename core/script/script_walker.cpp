#include "core/script/script_walker.h"

#include "core/load/target_name.h"
#include "core/run/call_check.h"
#include "core/run/torch_types.h"
#include "core/script/branch_log.h"
#include "core/script/operator_choice.h"
#include "core/script/plain_operators.h"
#include "core/script/script_containers.h"
#include "core/script/source_places.h"

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <torch/csrc/jit/api/compilation_unit.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>

#include <unordered_map>

namespace stagecraft {

namespace {

namespace jit = torch::jit;
using c10::IValue;

constexpr std::size_t maxSteps = 5'000'000;
constexpr int maxCalls = 200; // one in the other
constexpr std::int64_t maxTrips = 100'000;

// Carries the place along with the reason: the innermost one is the one to name.
class AtPlace : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

struct Stopped : std::exception
{
};

// One call of a function of the file.
struct Frame
{
    std::unordered_map<const jit::Value*, IValue> values;
    std::string function;
};

std::string lastOf(const std::string& qualified)
{
    return qualified.substr(qualified.rfind('.') + 1);
}

} // namespace

struct ScriptWalker::State
{
    const ScriptArchive& archive;
    ScriptObjects& objects;
    ScriptRecorder& recorder;
    const Progress& progress;
    SourcePlaces callers{archive}; // the statements that are under way
    BranchLog branches{};
    std::unordered_map<const c10::ivalue::Object*, const ScriptModule*> modules{};
    std::unordered_map<const jit::Node*, IValue> constants{};
    std::vector<ScriptPlace> scopes{};    // modules that are being called
    const ScriptModule* called = nullptr; // the innermost of them
    std::size_t steps = 0;
    bool gradEnabled = true;

    // ------------------------------------------------------------ calls
    IValue call(torch::jit::Function& function, std::vector<IValue> arguments)
    {
        TORCH_CHECK(callers.depth() < maxCalls, "functions call each other too deeply");
        jit::GraphFunction* const body = jit::tryToGraphFunction(function);
        TORCH_CHECK(body, "the function ", function.name(), " has no body in the file");
        body->ensure_defined();
        const std::shared_ptr<jit::Graph> graph = body->graph();
        TORCH_CHECK(graph->inputs().size() == arguments.size(), function.name(), " is called with ",
                    arguments.size(), " values");
        Frame frame{.values = {}, .function = lastOf(function.qualname().qualifiedName())};
        for (std::size_t i = 0; i < arguments.size(); ++i)
            frame.values.emplace(graph->inputs()[i], std::move(arguments[i]));
        run(frame, *graph->block());
        return valueOf(frame, graph->outputs().at(0));
    }

    IValue callMethod(const IValue& self, const std::string& name, std::vector<IValue> arguments)
    {
        const c10::ivalue::Object& object = self.toObjectRef();
        torch::jit::Function& method = object.type()->getMethod(name);
        const auto module = modules.find(&object);
        const bool isScope = module != modules.end() && (scopes.empty() || module->second != called);
        const ScriptModule* const outer = called;
        if (isScope)
            enter(*module->second);
        called = isScope ? module->second : outer;
        arguments.insert(arguments.begin(), self);
        IValue result = call(method, std::move(arguments));
        if (isScope)
            scopes.pop_back();
        called = outer;
        return result;
    }

    void enter(const ScriptModule& module)
    {
        ScriptPlace scope{.module = recorder.moduleAt(module.path, module.className)};
        if (!scopes.empty())
            scope.moduleStack = scopes.back().moduleStack + ";";
        std::string key = "L__self__" + module.path;
        std::ranges::replace(key, '.', '_');
        scope.moduleStack += key + "," + module.path + "," + module.className;
        scopes.push_back(std::move(scope));
    }

    // Numbers that a run leaves in lists and dicts of modules are noted; tensors would need a second graph.
    void noteChanges()
    {
        for (const KeptContainers::Change& change : objects.containers().changes()) {
            TORCH_CHECK(!change.hasTensors, "it changes what '", change.path,
                        "' of a module holds: what a run leaves behind for the next "
                        "is only followed where it is written in place");
            branches.addChange(change.path);
        }
    }

    // ------------------------------------------------------------ statements
    void run(Frame& frame, const jit::Block& block)
    {
        for (const jit::Node* node : block.nodes())
            runAt(frame, *node);
    }

    // The body of a branch or loop, whose own line is no call.
    void runInside(Frame& frame, const jit::Block& block)
    {
        const SourcePlaces::Step own = callers.leave();
        run(frame, block);
        callers.enter(own);
    }

    void runAt(Frame& frame, const jit::Node& node)
    {
        TORCH_CHECK(++steps <= maxSteps, "the script takes more than ", maxSteps, " steps");
        if (steps % 1024 == 0 && !progress.step("Following the script", steps, maxSteps).has_value())
            throw Stopped();
        callers.enter({&node, &frame.function});
        try {
            runNode(frame, node);
        } catch (const AtPlace&) {
            throw;
        } catch (const Stopped&) {
            throw;
        } catch (const std::exception& exception) {
            const SourceFrame& here = callers.here();
            throw AtPlace(here.file + ":" + std::to_string(here.line) + ": " +
                          (here.text.empty() ? "" : here.text + ": ") + exceptionReason(exception));
        }
        callers.leave();
    }

    void runNode(Frame& frame, const jit::Node& node)
    {
        using Handler = void (State::*)(Frame&, const jit::Node&);
        static const std::unordered_map<c10::Symbol, Handler> handlers{
            {jit::prim::Constant, &State::constant},
            {jit::prim::GetAttr, &State::getAttribute},
            {jit::prim::SetAttr, &State::setAttribute},
            {jit::prim::If, &State::branch},
            {jit::prim::Loop, &State::loop},
            {jit::prim::CallMethod, &State::methodCall},
            {jit::prim::CallFunction, &State::functionCall},
            {jit::prim::ListConstruct, &State::make},
            {jit::prim::TupleConstruct, &State::make},
            {jit::prim::DictConstruct, &State::make},
            {jit::prim::ListUnpack, &State::unpack},
            {jit::prim::TupleUnpack, &State::unpack},
            {jit::prim::TupleSlice, &State::make},
            {jit::prim::CreateObject, &State::make},
            {jit::prim::isinstance, &State::isInstance},
            {jit::prim::unchecked_cast, &State::cast},
            {jit::prim::Uninitialized, &State::nothing},
            {jit::prim::Print, &State::skip},
            {c10::Symbol::fromQualString("aten::warn"), &State::skip},
            {jit::prim::RaiseException, &State::raise},
            {jit::prim::Enter, &State::enterContext},
            {jit::prim::Exit, &State::exitContext},
        };
        const auto handler = handlers.find(node.kind());
        if (handler != handlers.end())
            (this->*handler->second)(frame, node);
        else
            operatorCall(frame, node);
    }

    const IValue& valueOf(Frame& frame, const jit::Value* value)
    {
        const auto found = frame.values.find(value);
        TORCH_CHECK(found != frame.values.end(), "a value is read before it is made");
        return found->second;
    }
    std::vector<IValue> operands(Frame& frame, const jit::Node& node)
    {
        std::vector<IValue> values;
        for (const jit::Value* input : node.inputs())
            values.push_back(valueOf(frame, input));
        return values;
    }
    static void bind(Frame& frame, const jit::Node& node, IValue value)
    {
        frame.values.insert_or_assign(node.output(), std::move(value));
    }

    void skip(Frame&, const jit::Node&) {}
    void nothing(Frame& frame, const jit::Node& node) { bind(frame, node, {}); }

    void constant(Frame& frame, const jit::Node& node)
    {
        const auto [known, isNew] = constants.try_emplace(&node);
        if (isNew && node.output()->type()->kind() != c10::TypeKind::FunctionType) {
            const std::optional<IValue> value = jit::toIValue(node.output());
            TORCH_CHECK(value, "a constant is of a kind that is not read");
            known->second =
                value->isTensor() && value->toTensor().defined() ? IValue(value->toTensor().clone()) : *value;
        }
        bind(frame, node, known->second);
    }

    void getAttribute(Frame& frame, const jit::Node& node)
    {
        bind(frame, node, valueOf(frame, node.input()).toObjectRef().getAttr(node.s(jit::attr::name)));
    }

    void setAttribute(Frame& frame, const jit::Node& node)
    {
        const auto object = valueOf(frame, node.input(0)).toObject();
        const std::string& name = node.s(jit::attr::name);
        const IValue& value = valueOf(frame, node.input(1));
        if (value.isTensor() && value.is(object->getAttr(name)))
            return; // x += y, as it is written in Python
        const bool isOfModule = modules.contains(object.get());
        TORCH_CHECK(!isOfModule || !(value.isTensor() || value.isList() || value.isGenericDict()),
                    "it assigns the attribute '", name,
                    "' of a module: what a run leaves behind for the next "
                    "is only followed where it is written in place");
        const std::size_t slot = object->type()->getAttributeSlot(name);
        TORCH_CHECK(value.type()->isSubtypeOf(*object->type()->getAttribute(slot)), "the attribute '", name,
                    "' is of another type");
        if (isOfModule && !(value == object->getSlot(slot)))
            branches.addChange(name);
        object->setSlot(slot, value);
    }

    void branch(Frame& frame, const jit::Node& node)
    {
        const bool taken = valueOf(frame, node.input()).toBool();
        branches.add(node, taken, callers.here());
        const jit::Block& block = *node.blocks().at(taken ? 0 : 1);
        runInside(frame, block);
        for (std::size_t i = 0; i < node.outputs().size(); ++i)
            frame.values.insert_or_assign(node.outputs()[i], valueOf(frame, block.outputs()[i]));
    }

    void loop(Frame& frame, const jit::Node& node)
    {
        const jit::Block& body = *node.blocks().at(0);
        const std::int64_t most = valueOf(frame, node.inputs()[0]).toInt();
        bool goesOn = valueOf(frame, node.inputs()[1]).toBool();
        std::vector<IValue> carried;
        for (std::size_t i = 2; i < node.inputs().size(); ++i)
            carried.push_back(valueOf(frame, node.inputs()[i]));
        for (std::int64_t trip = 0; trip < most && goesOn; ++trip) {
            TORCH_CHECK(trip < maxTrips, "a loop runs more than ", maxTrips, " times");
            frame.values.insert_or_assign(body.inputs()[0], trip);
            for (std::size_t i = 0; i < carried.size(); ++i)
                frame.values.insert_or_assign(body.inputs()[i + 1], carried[i]);
            runInside(frame, body);
            goesOn = valueOf(frame, body.outputs()[0]).toBool();
            for (std::size_t i = 0; i < carried.size(); ++i)
                carried[i] = valueOf(frame, body.outputs()[i + 1]);
        }
        for (std::size_t i = 0; i < carried.size(); ++i)
            frame.values.insert_or_assign(node.outputs()[i], std::move(carried[i]));
    }

    void methodCall(Frame& frame, const jit::Node& node)
    {
        std::vector<IValue> arguments = operands(frame, node);
        const IValue self = arguments.front();
        arguments.erase(arguments.begin());
        bind(frame, node, callMethod(self, node.s(jit::attr::name), std::move(arguments)));
    }

    void functionCall(Frame& frame, const jit::Node& node)
    {
        const auto type = node.input(0)->type()->expect<c10::FunctionType>();
        std::vector<IValue> arguments;
        for (std::size_t i = 1; i < node.inputs().size(); ++i)
            arguments.push_back(valueOf(frame, node.inputs()[i]));
        bind(frame, node, call(*type->function(), std::move(arguments)));
    }

    // ------------------------------------------------------------ containers
    void make(Frame& frame, const jit::Node& node)
    {
        bind(frame, node, madeContainer(node, operands(frame, node)));
    }
    void unpack(Frame& frame, const jit::Node& node)
    {
        const IValue value = valueOf(frame, node.input());
        const std::vector<IValue> elements = value.isTuple()
                                                 ? std::vector<IValue>(value.toTupleRef().elements().begin(),
                                                                       value.toTupleRef().elements().end())
                                                 : value.toListRef().vec();
        TORCH_CHECK(elements.size() == node.outputs().size(), elements.size(), " values are taken for ",
                    node.outputs().size());
        for (std::size_t i = 0; i < elements.size(); ++i)
            frame.values.insert_or_assign(node.outputs()[i], elements[i]);
    }
    void isInstance(Frame& frame, const jit::Node& node)
    {
        const c10::TypePtr type = valueOf(frame, node.input()).type();
        bind(frame, node, std::ranges::any_of(node.tys(jit::attr::types), [&](const c10::TypePtr& candidate) {
                 return type->isSubtypeOf(*candidate);
             }));
    }
    void cast(Frame& frame, const jit::Node& node)
    {
        const IValue& value = valueOf(frame, node.input());
        TORCH_CHECK(value.type()->isSubtypeOf(*node.output()->type()), "it takes a ", value.type()->str(),
                    " for a ", node.output()->type()->str());
        bind(frame, node, value);
    }
    void raise(Frame& frame, const jit::Node& node)
    {
        TORCH_CHECK(false, "with these inputs the model raises an error: ",
                    valueOf(frame, node.input(0)).toStringRef());
    }
    void enterContext(Frame& frame, const jit::Node& node)
    {
        bind(frame, node, callMethod(followedContext(valueOf(frame, node.input(0))), "__enter__", {}));
    }
    void exitContext(Frame& frame, const jit::Node& node)
    {
        bind(frame, node,
             callMethod(valueOf(frame, node.input(0)), "__exit__", {IValue(), IValue(), IValue()}));
    }

    // ------------------------------------------------------------ operators
    void operatorCall(Frame& frame, const jit::Node& node)
    {
        std::vector<IValue> stack = operands(frame, node);
        const std::string name = node.kind().toQualString();
        if (answered(name, stack)) {
            for (std::size_t i = 0; i < std::min(stack.size(), node.outputs().size()); ++i)
                frame.values.insert_or_assign(node.outputs()[i], stack[i]);
            return;
        }
        const jit::Operator* const op = node.maybeOperator();
        TORCH_CHECK(op, "the statement ", name, " is not read");
        const std::optional<c10::OperatorHandle> handle = operatorOfGraphs(op->schema(), stack);
        if (handle)
            dispatched(*handle, stack);
        else
            plain(node, *op, stack);
        TORCH_CHECK(stack.size() == node.outputs().size(), name, " gives ", stack.size(), " values");
        for (std::size_t i = 0; i < stack.size(); ++i)
            frame.values.insert_or_assign(node.outputs()[i], std::move(stack[i]));
    }

    // What a run on this machine's meta device would answer wrongly.
    bool answered(const std::string& name, std::vector<IValue>& stack)
    {
        const bool isOfTensor =
            !stack.empty() && stack.front().isTensor() && stack.front().toTensor().defined();
        if (name == "aten::__is__" || name == "aten::__isnot__")
            stack = {stack.at(0).is(stack.at(1)) == (name == "aten::__is__")};
        else if (name == "aten::_unwrap_optional" || name == "prim::unchecked_unwrap_optional") {
            TORCH_CHECK(!stack.at(0).isNone(), "it unwraps None");
            stack.resize(1);
        } else if (name == "aten::set_grad_enabled") {
            gradEnabled = stack.at(0).toBool();
            stack.clear();
        } else if (name == "aten::is_grad_enabled")
            stack = {gradEnabled};
        else if ((name == "prim::device" || name == "prim::is_cuda" || name == "prim::is_cpu") &&
                 isOfTensor) {
            const TensorMeta* meta = recorder.metaOf(stack.front().toTensor());
            const Device device = meta ? meta->device : Device{};
            const c10::Device found(device.type + (device.index ? ":" + std::to_string(*device.index) : ""));
            stack = {name == "prim::device"    ? IValue(found)
                     : name == "prim::is_cuda" ? IValue(found.is_cuda())
                                               : IValue(found.is_cpu())};
        } else if (name == "prim::type" && !stack.empty() && stack.front().isDevice())
            stack = {IValue(c10::DeviceTypeName(stack.front().toDevice().type(), true))};
        else if (name == "prim::requires_grad" && isOfTensor) {
            TORCH_CHECK(recorder.isParameter(stack.front().toTensor()),
                        "whether a tensor needs a gradient is not known before a run");
            stack = {recorder.metaOf(stack.front().toTensor())->requiresGrad};
        } else if (isUnusualKind(name) && isOfTensor)
            stack = {false};
        else
            return false;
        return true;
    }

    void dispatched(const c10::OperatorHandle& op, std::vector<IValue>& stack)
    {
        const std::string name = op.schema().name();
        TORCH_CHECK(!isOffLimits(name) && !touchesFiles(name), "the operator ", name,
                    " is not for models: it trusts its caller, or touches files");
        const bool isRandom = op.hasTag(at::Tag::nondeterministic_seeded); // no number until a run
        if (givesTensors(op.schema()) && (isRandom || !areKnownNumbers(stack))) {
            ScriptPlace here = scopes.back();
            here.gradEnabled = gradEnabled;
            here.frames = callers.frames();
            recorder.setPlace(std::move(here));
            recorder.call(op, stack);
            return;
        }
        TORCH_CHECK(givesTensors(op.schema()) || !op.schema().is_mutable(), "the operator ", name,
                    " writes and gives nothing, which is not read");
        CallCheck(op.schema())(stack);
        try {
            op.callBoxed(stack);
        } catch (const std::exception&) {
            TORCH_CHECK(
                !dependsOnTensor(stack), "what ", name,
                " gives depends on the numbers in a tensor, which decide how the model goes on: it has no "
                "one graph");
            throw;
        }
    }

    void plain(const jit::Node& node, const jit::Operator& op, std::vector<IValue>& stack)
    {
        const std::string name = node.kind().toQualString();
        TORCH_CHECK(isPlainOperator(name), "the operator ", name,
                    " is none that a script can be followed through");
        const bool asksForNumbers = dependsOnTensor(stack) && name != "aten::size" &&
                                    name != "aten::stride" && name != "prim::dtype" &&
                                    name != "prim::layout" && name != "aten::len" &&
                                    name != "aten::as_tensor" && name != "aten::append" &&
                                    !name.starts_with("prim::") && givesNumber(op.schema());
        TORCH_CHECK(
            !asksForNumbers, "what ", name,
            " gives depends on the numbers in a tensor, which decide how the model goes on: it has no one "
            "graph");
        checkPlainCall(name, stack);
        for (IValue& value : stack)
            if (value.isDevice())
                value = c10::Device(c10::kCPU);
        if (op.schema().is_vararg())
            stack.emplace_back(static_cast<std::int64_t>(node.inputs().size()));
        op.getOperation (&node)(stack);
    }
};

ScriptWalker::ScriptWalker(const ScriptArchive& archive, ScriptObjects& objects, ScriptRecorder& recorder,
                           const Progress& progress)
    : m_state(std::make_unique<State>(archive, objects, recorder, progress))
{
    for (const ScriptModule& module : objects.modules()) {
        m_state->modules.emplace(module.object, &module);
        recorder.moduleAt(module.path, module.className);
    }
}

ScriptWalker::~ScriptWalker() = default;

const c10::FunctionSchema& ScriptWalker::schema() const
{
    torch::jit::Function* const forward =
        m_state->objects.model().toObjectRef().type()->findMethod("forward");
    TORCH_CHECK(forward, "it has no method forward()");
    forward->ensure_defined();
    return forward->getSchema();
}

c10::IValue ScriptWalker::run(std::vector<c10::IValue> arguments)
{
    const at::NoGradGuard noGradients;
    try {
        IValue result = m_state->callMethod(m_state->objects.model(), "forward", std::move(arguments));
        m_state->noteChanges();
        return result;
    } catch (const Stopped&) {
        return {};
    }
}

std::vector<std::string> ScriptWalker::branchNotes() const
{
    return m_state->branches.notes();
}

} // namespace stagecraft
