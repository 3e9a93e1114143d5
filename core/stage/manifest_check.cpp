// Does a manifest say what the model and the files of its stages say?
#include "core/base/contains.h"
#include "core/base/digits.h"
#include "core/base/json_text.h"
#include "core/stage/manifest.h"
#include "core/stage/model_interface.h"
#include "core/stage/python_scope.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

namespace stagecraft {

namespace {

using ParsedJson = nlohmann::json;

Error differs(const std::string& what)
{
    return {ErrorCode::BadFormat, "manifest.json: " + what};
}

// Another version may say more of an input, or less.
bool isSameInput(const ParsedJson& written, const ParsedJson& own, bool saysBatch)
{
    constexpr const char* batch = "batch_dimension";
    if (saysBatch && written.is_object() &&
        written.value(batch, ParsedJson()) != own.value(batch, ParsedJson()))
        return false;
    const auto agrees = [&](const auto& member) {
        const bool isNeeded = contains(std::array{"name", "dtype", "shape"}, member.key());
        return written.contains(member.key()) ? written.at(member.key()) == member.value() : !isNeeded;
    };
    const auto members = own.items();
    return written.is_object() && std::all_of(members.begin(), members.end(), agrees);
}

// How the model is called. What the sizes of batches are, exports of earlier versions do not say.
Result<void> checkInterface(const ParsedJson& written, const ParsedJson& own)
{
    const bool saysBatch = written.contains("batch_symbol") || written.contains("ranges");
    std::vector<std::string> keys{"inputs", "arguments", "keyword_arguments", "symbols"};
    if (saysBatch)
        keys.insert(keys.end(), {"ranges", "batch_symbol"});
    const auto isSameOf = [&](const ParsedJson& a, const ParsedJson& b) {
        return isSameInput(a, b, saysBatch);
    };
    for (const std::string& key : keys) {
        const bool isSame =
            written.contains(key) && (key == "inputs" && written.at(key).is_array()
                                          ? std::ranges::equal(written.at(key), own.at(key), isSameOf)
                                          : written.at(key) == own.at(key));
        if (!isSame)
            return differs("its '" + key +
                           "' are not the model's: it is of another model, or was changed; export again");
    }
    return {};
}

// "float32[8, Max(1, s0)]" in "float32", "8", "Max(1, s0)".
std::vector<std::string> partsOf(const std::string& type)
{
    std::vector<std::string> parts{""};
    int depth = 0;
    for (const char c : type) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth == 0 && (c == '[' || c == ','))
            parts.emplace_back();
        else if (depth > 0 || (c != ' ' && c != ']'))
            parts.back() += c;
    }
    return parts;
}

// A size that PyTorch could not solve has a symbol of its own in the file of a stage.
bool isSameType(const std::string& written, const std::string& stage)
{
    const std::vector<std::string> a = partsOf(written);
    const std::vector<std::string> b = partsOf(stage);
    if (a.size() != b.size() || a.front() != b.front())
        return false;
    for (std::size_t i = 1; i < a.size(); ++i)
        if (a[i] != b[i] && (isDigits(a[i]) || isDigits(b[i])))
            return false;
    return true;
}

// What a stage reads is listed; second names of tied weights, which nothing reads, need not be.
Result<void> checkListed(const std::string& kind, const std::vector<std::string>& written,
                         InputSpec::Kind wanted, const Model& stage)
{
    std::set<std::string> there;
    for (const InputSpec& spec : stage.signature.inputs) {
        if (spec.kind != wanted || !spec.value)
            continue;
        there.insert(spec.target);
        if (!contains(written, spec.target) && !stage.graph[*spec.value].users.empty())
            return differs("it does not list the " + kind + " '" + spec.target + "'");
    }
    for (const std::string& name : written)
        if (!there.contains(name))
            return differs("it lists the " + kind + " '" + name + "', which the stage does not have");
    return {};
}

// Of whatever passes a boundary.
Result<void> checkTypes(const Manifest& manifest, const Model& model)
{
    std::map<std::string, std::string> types;
    const Table<ValueId, std::string> names = pythonNames(model.graph);
    for (const ValueId value : model.graph.values())
        types[names[value]] = describedType(model.graph[value]);
    const auto check = [&](const std::string& name, const std::string& type) -> Result<void> {
        const auto own = types.find(name);
        if (own != types.end() && own->second == type)
            return {};
        return differs("it calls '" + name + "' " + type + ", the model " +
                       (own == types.end() ? "has none" : own->second) + "; export again");
    };
    for (const ManifestStage& stage : manifest.stages) {
        for (const ManifestStage::Input& input : stage.inputs)
            STAGECRAFT_TRY(check(input.value, input.type));
        for (std::size_t i = 0; i < stage.outputs.size(); ++i)
            STAGECRAFT_TRY(check(stage.outputs[i], stage.outputTypes[i]));
    }
    return {};
}

// Of the last stage: what the model returns, as the model calls it.
Result<void> checkReturned(const Manifest& manifest, const Model& model)
{
    const Table<ValueId, std::string> names = pythonNames(model.graph);
    std::vector<ValueId> returned;
    for (const Argument& output : modelInterface(model).returned)
        collectValues(output, returned);
    const auto nameOf = [&](ValueId value) { return names[value]; };
    if (!std::ranges::equal(manifest.stages.back().outputs, returned, {}, {}, nameOf))
        return differs("its last stage does not return what the model returns; export again");
    return {};
}

// ---------------------------------------------------------------- how it is trained
Error trainingDiffers(const std::string& what)
{
    return differs(what + "; export again");
}

// Earlier versions say none of this; who says some says all.
bool saysHowToTrain(const ParsedJson& written)
{
    const auto saysOfValues = [](const ParsedJson& values) {
        return std::ranges::any_of(values, [](const ParsedJson& value) {
            return value.contains("requires_grad") || value.contains("made_by");
        });
    };
    return written.contains("plan") || written.at("model").contains("loss_function") ||
           std::ranges::any_of(written.at("stages"), [&](const ParsedJson& stage) {
               return stage.contains("state") || saysOfValues(stage.at("outputs"));
           });
}

Result<void> checkPlan(const ParsedJson& written, const Manifest& manifest, std::size_t returned)
{
    const ParsedJson plan = written.value("plan", ParsedJson());
    if (!plan.is_object() || (!plan.empty() && !manifest.run))
        return trainingDiffers("'plan' does not say how the stages are run");
    const ParsedJson& model = written.at("model");
    if (!model.contains("loss_function"))
        return trainingDiffers("'loss_function' is missing");
    const ParsedJson& function = model.at("loss_function");
    if (function.is_null())
        return {};
    const bool isOne = function.is_object() && function.value("name", ParsedJson()).is_string() &&
                       function.value("output", ParsedJson()).is_number_unsigned() &&
                       isLossFunction(function.at("name").get<std::string>()) &&
                       function.at("output").get<std::size_t>() < returned;
    return isOne ? Result<void>() : trainingDiffers("'loss_function' is none of an output of the model");
}

// Which stage gave each value at the boundaries its content, and whether a gradient flows back through it.
class CrossingCheck
{
public:
    explicit CrossingCheck(const Model& model)
        : m_graph(model.graph),
          m_needsGradient(valuesWithGradient(model.graph)),
          m_gradientsWritten(gradientsWritten(model.graph))
    {
        const Table<ValueId, std::string> names = pythonNames(model.graph);
        for (const ValueId value : model.graph.values())
            m_values.emplace(names[value], value);
    }

    Result<void> check(const ParsedJson& stages)
    {
        std::map<std::string, ParsedJson> received;
        for (std::size_t i = 0; i < stages.size(); ++i) {
            for (const ParsedJson& input : stages[i].at("inputs"))
                if (input.at("source") == "previous")
                    STAGECRAFT_TRY(checkOne(input, received.at(input.at("name").get<std::string>())));
            const ParsedJson relays = stages[i].value("relays", ParsedJson::array());
            std::map<std::string, ParsedJson> sent;
            for (const ParsedJson& output : stages[i].at("outputs")) {
                const auto name = output.at("name").get<std::string>();
                const auto before = received.find(name);
                const bool passesOn = i + 1 == stages.size() || contains(relays, ParsedJson(name));
                const ParsedJson maker = before != received.end() && passesOn ? before->second
                                         : isMade(name)                       ? ParsedJson(i)
                                                                              : ParsedJson();
                STAGECRAFT_TRY(checkOne(output, maker));
                sent.emplace(name, maker);
            }
            received = std::move(sent);
        }
        return {};
    }

private:
    bool isMade(const std::string& name) const
    {
        const auto value = m_values.find(name);
        return value != m_values.end() && m_graph[value->second].producer;
    }

    Result<void> checkOne(const ParsedJson& entry, const ParsedJson& maker) const
    {
        const auto name = entry.at("name").get<std::string>();
        const auto value = m_values.find(name);
        const bool needsGradient = value != m_values.end() && m_needsGradient[value->second] != 0;
        if (!entry.contains("made_by") || entry.at("made_by") != maker)
            return trainingDiffers("'" + name + "' is not made by the stage that 'made_by' says");
        // Where a write brings the gradient, the stages of the nodes decide, which a manifest does not list.
        const bool depends = value != m_values.end() && m_gradientsWritten[value->second];
        if (!entry.contains("requires_grad") || !entry.at("requires_grad").is_boolean() ||
            (!depends && entry.at("requires_grad") != ParsedJson(needsGradient)))
            return trainingDiffers("'requires_grad' of '" + name + "' is not as in the model");
        return {};
    }

    const Graph& m_graph;
    const Table<ValueId, char> m_needsGradient;
    const Table<ValueId, std::optional<NodeId>> m_gradientsWritten;
    std::map<std::string, ValueId> m_values;
};

const InputSpec* storedInput(const Model& model, const std::string& target)
{
    const auto isIt = [&](const InputSpec& spec) {
        return spec.isStored() && spec.value && spec.target == target;
    };
    const auto found = std::ranges::find_if(model.signature.inputs, isIt);
    return found == model.signature.inputs.end() ? nullptr : &*found;
}

// The tensors of a stage that are part of the state dict, and then other names of some of them.
Result<void> checkState(const ParsedJson& written, const ManifestStage& stage, const Model& model,
                        std::set<std::string>& aliases)
{
    std::vector<std::string> own;
    for (const auto* names : {&stage.parameters, &stage.buffers})
        for (const std::string& name : *names)
            if (const InputSpec* input = storedInput(model, name); input && input->persistent)
                own.push_back(name);
    if (!written.value("state", ParsedJson()).is_array() || stage.state.size() < own.size())
        return trainingDiffers("'state' does not list what a stage holds");
    for (std::size_t i = 0; i < stage.state.size(); ++i) {
        const ManifestStage::StateEntry& entry = stage.state[i];
        const InputSpec* input = storedInput(model, entry.name);
        const bool isOwn = i < own.size();
        const bool isRight =
            isOwn ? entry.name == own[i] && entry.aliasOf.empty()
                  : (contains(stage.parameters, entry.aliasOf) || contains(stage.buffers, entry.aliasOf)) &&
                        aliases.insert(entry.name).second;
        if (!isRight || !input || describedType(model.graph[*input->value]) != entry.type ||
            !written.at("state")[i].contains("alias_of"))
            return trainingDiffers("'state' says of '" + entry.name + "' what the model does not");
    }
    return {};
}

Result<void> checkTraining(const ParsedJson& written, const Manifest& manifest, const Model& model)
{
    if (!saysHowToTrain(written))
        return {};
    STAGECRAFT_TRY(checkPlan(written, manifest, modelInterface(model).returned.size()));
    STAGECRAFT_TRY(CrossingCheck(model).check(written.at("stages")));
    std::set<std::string> held; // under whichever name
    for (std::size_t i = 0; i < manifest.stages.size(); ++i)
        STAGECRAFT_TRY(checkState(written.at("stages")[i], manifest.stages[i], model, held));
    for (const ManifestStage& stage : manifest.stages)
        for (const auto* names : {&stage.parameters, &stage.buffers})
            held.insert(names->begin(), names->end());
    for (const InputSpec& input : model.signature.inputs)
        if (input.isStored() && input.kind != InputSpec::Kind::Constant && input.persistent &&
            !held.contains(input.target))
            return trainingDiffers("no stage has '" + input.target + "' in its 'state'");
    return {};
}

// Lines of code that run for several nodes name nodes of the model.
Result<void> checkSharedLines(const ParsedJson& stages, const Graph& graph)
{
    std::set<std::string> names;
    for (const NodeId node : graph.nodes())
        names.insert(graph[node].name);
    const auto isNode = [&](const ParsedJson& name) {
        return name.is_string() && names.contains(name.get<std::string>());
    };
    for (const ParsedJson& stage : stages) {
        const ParsedJson lines = stage.value("shared_lines", ParsedJson());
        bool isRight = stage.contains("shared_lines") ? lines.is_object() && !lines.empty() : true;
        for (const auto& [line, nodes] : lines.items())
            isRight = isRight && line.find_first_not_of("0123456789") == line.npos && nodes.is_array() &&
                      nodes.size() > 1 && std::ranges::all_of(nodes, isNode);
        if (!isRight)
            return differs("'shared_lines' does not name nodes of the model by lines; export again");
    }
    return {};
}

// Do regions name nodes of the model, in order, and those that are kept within? Others may lie between them,
// of other stages. That a stage's file has them too is seen where it is traced with them (kept_bytes.h).
Result<void> checkRegions(const ManifestStage& stage, const Graph& graph)
{
    std::size_t behind = 0; // the last region's end
    for (const ManifestStage::Region& region : stage.regions) {
        const std::optional<NodeId> first = graph.findNode(region.first);
        const std::optional<NodeId> last = graph.findNode(region.last);
        const auto isWithin = [&](const std::string& name) {
            const std::optional<NodeId> node = graph.findNode(name);
            return node && *first <= *node && *node <= *last;
        };
        const std::size_t reach = first && last && *first <= *last ? last->index() - first->index() + 1 : 0;
        if (reach < std::max<std::size_t>(region.nodes, 1) || region.nodes == 0 || first->index() < behind ||
            !std::ranges::all_of(region.kept, isWithin))
            return differs("'regions' does not say what backward runs again: '" + region.first + "' to '" +
                           region.last + "'; export again");
        behind = last->index() + 1;
    }
    return {};
}

} // namespace

Result<void> checkManifest(const Manifest& manifest, const Model& model)
{
    STAGECRAFT_ASSIGN(written, parseJson<ParsedJson>(manifest.text, manifestFileName));
    STAGECRAFT_ASSIGN(own, parseJson<ParsedJson>(manifestJson(model, {}, {}, {}, {}), manifestFileName));
    if (written.at("model_inputs") != own.at("model_inputs"))
        return Error{ErrorCode::BadUsage, "is an export of another model: it takes " +
                                              written.at("model_inputs").dump() + ", the model " +
                                              own.at("model_inputs").dump()};
    STAGECRAFT_TRY(checkInterface(written.at("model"), own.at("model")));
    STAGECRAFT_TRY(checkTypes(manifest, model));
    STAGECRAFT_TRY(checkReturned(manifest, model));
    STAGECRAFT_TRY(checkTraining(written, manifest, model));
    STAGECRAFT_TRY(checkSharedLines(written.at("stages"), model.graph));
    for (const ManifestStage& stage : manifest.stages)
        STAGECRAFT_TRY(checkRegions(stage, model.graph));
    if (manifest.lossOutput && *manifest.lossOutput >= modelInterface(model).returned.size())
        return differs("'loss_output' is no output of the model; export again");
    for (const ManifestStage& stage : manifest.stages)
        for (const auto* names : {&stage.parameters, &stage.buffers, &stage.constants})
            for (const std::string& name : *names)
                if (std::ranges::find(model.signature.inputs, name, &InputSpec::target) ==
                    model.signature.inputs.end())
                    return Error{ErrorCode::BadUsage,
                                 "is an export of another model: this one has no '" + name + "'"};
    return {};
}

Result<void> checkManifestStage(const Manifest& manifest, std::size_t index, const Model& stage)
{
    const ManifestStage& written = manifest.stages[index];
    const std::vector<ValueId> taken = userInputs(stage);
    if (taken.size() != written.inputs.size())
        return differs("the stage takes " + std::to_string(taken.size()) + " inputs, not " +
                       std::to_string(written.inputs.size()));
    for (std::size_t i = 0; i < taken.size(); ++i)
        if (const std::string type = describedType(stage.graph[taken[i]]);
            !isSameType(written.inputs[i].type, type))
            return differs("the stage takes '" + written.inputs[i].name + "' as " + type + ", not " +
                           written.inputs[i].type);
    const std::vector<Argument> returned = modelInterface(stage).returned;
    const bool isLast = index + 1 == manifest.stages.size();
    if (!isLast && returned.size() != written.outputs.size())
        return differs("the stage returns " + std::to_string(returned.size()) + " values, not " +
                       std::to_string(written.outputs.size()));
    for (std::size_t i = 0; !isLast && i < returned.size(); ++i) {
        const auto* value = std::get_if<ValueId>(&returned[i]);
        const std::string type = value ? describedType(stage.graph[*value]) : "none";
        if (!isSameType(written.outputTypes[i], type))
            return differs("the stage returns '" + written.outputs[i] + "' as " + type + ", not " +
                           written.outputTypes[i]);
    }
    STAGECRAFT_TRY(checkListed("parameter", written.parameters, InputSpec::Kind::Parameter, stage));
    STAGECRAFT_TRY(checkListed("buffer", written.buffers, InputSpec::Kind::Buffer, stage));
    return checkListed("constant", written.constants, InputSpec::Kind::Constant, stage);
}

} // namespace stagecraft
