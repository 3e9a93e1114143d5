#include "core/stage/stage_cutter.h"

#include "core/base/contains.h"
#include "core/plan/stage_labels.h"

#include <algorithm>
#include <functional>

namespace stagecraft {

namespace {

constexpr std::size_t nodesAStep = 256; // of what is said of progress

std::string stageList(std::size_t a, std::size_t b)
{
    return stageLabel(StageId(a)) + " and " + stageLabel(StageId(b));
}

std::optional<SymInt> expressionOf(const Value& number)
{
    return number.scalar && !number.scalar->isConstant() ? number.scalar : std::nullopt;
}

} // namespace

StageCutter::StageCutter(const Model& model, const Partition& partition, const CutFacts& facts)
    : m_model(model),
      m_graph(model.graph),
      m_partition(partition),
      m_facts(facts),
      m_storage(facts.storage),
      m_tiedTo(facts.tiedTo)
{
    m_drafts.resize(partition.stageCount);
    for (Draft& draft : m_drafts)
        draft.has = Table<ValueId, char>(m_graph.valueCount(), 0);
}

Result<std::vector<StageProgram>> StageCutter::cut(const Progress& progress)
{
    STAGECRAFT_TRY(progress.begin("Cutting"));
    tieBuffers();
    findWrittenInputs();
    findViewsThatCannotBeSent();
    findViewsOfWritten();
    STAGECRAFT_TRY(followNodes(progress));
    followOutputs();
    for (std::size_t i = 0; i < m_numbers.size(); ++i)
        needNumber(m_numbers[i].first, m_numbers[i].second);
    placeUnusedState();
    nameTiedState();
    keepChecksOfWhatIsThere();
    if (m_error)
        return *m_error;
    std::vector<StageProgram> programs;
    for (Stage stage = 0; stage < m_partition.stageCount; ++stage) {
        STAGECRAFT_TRY(progress.step("Cutting", stage, m_partition.stageCount));
        programs.push_back(assemble(stage));
    }
    return programs;
}

void StageCutter::fail(const std::string& why)
{
    if (!m_error)
        m_error = Error{ErrorCode::Unsupported, "this partition cannot be cut: " + why};
}

// ---------------------------------------------------------------- storage that is written
void StageCutter::findWrittenInputs()
{
    for (const ValueId input : m_graph.inputs()) {
        const std::vector<NodeId>& writers = m_storage.sets.writers(input);
        if (writers.empty())
            continue;
        const auto byStage = [&](NodeId a, NodeId b) { return stageOf(a) < stageOf(b); };
        const auto [first, last] = std::ranges::minmax_element(writers, byStage);
        m_writtenIn[input] = stageOf(*first);
        if (valueOf(input).kind != ValueKind::UserInput && stageOf(*first) != stageOf(*last))
            fail("'" + valueOf(input).target + "' is written by " +
                 stageList(stageOf(*first), stageOf(*last)) + "; keep '" + m_graph[*first].name + "' and '" +
                 m_graph[*last].name + "' together");
    }
}

std::optional<StageCutter::Stage> StageCutter::madeIn(ValueId tensor) const
{
    if (const std::optional<NodeId>& producer = producerOf(tensor))
        return stageOf(*producer);
    const auto written = m_writtenIn.find(tensor);
    return written != m_writtenIn.end() ? std::optional(written->second) : std::nullopt;
}

bool StageCutter::isReadFrom(ValueId tensor, Stage stage) const
{
    const auto readsVersion = [&](ValueId version) {
        return m_graph.isOutput(version) || std::ranges::any_of(valueOf(version).users, [&](NodeId user) {
                   return stageOf(user) >= stage;
               });
    };
    if (const auto last = m_viewedAgainIn.find(tensor);
        last != m_viewedAgainIn.end() && last->second >= stage)
        return true;
    const auto versions = m_storage.versions.find(tensor);
    return versions == m_storage.versions.end() ? readsVersion(tensor)
                                                : std::ranges::any_of(versions->second, readsVersion);
}

bool StageCutter::isWrittenIn(ValueId tensor, Stage stage) const
{
    return std::ranges::any_of(m_storage.sets.writers(tensor),
                               [&](NodeId writer) { return stageOf(writer) == stage; });
}

bool StageCutter::isMadeBefore(ValueId tensor, Stage stage) const
{
    const std::optional<NodeId>& producer = producerOf(tensor);
    return !producer || stageOf(*producer) < stage;
}

// Storage that is written, or will be, crosses a boundary as one tensor; views of it are made again.
void StageCutter::findViewsOfWritten()
{
    for (const ValueId set : m_facts.writtenSets)
        if (const auto written = m_facts.separable.find(set); written != m_facts.separable.end())
            sendOneOf(written->second);
        else
            sendOneOf(set);
}

// What a later stage makes again is made of a tensor that comes through the stages before it: so the last
// stage is first.
void StageCutter::sendOneOf(const WrittenStorage& written)
{
    for (auto span = written.spans.rbegin(); span != written.spans.rend(); ++span)
        for (Stage stage = stageOf(span->end); stage > stageOf(span->begin); --stage)
            for (const ValueId member : written.members)
                if (const ValueId tensor = m_storage.tensorOf[member];
                    tensor == member && isMadeBefore(tensor, stage) && isReadFrom(tensor, stage))
                    repeatFromBase(tensor, stage, span->sent);
}

// Where a stage writes storage that may be the model's own, of which it would receive several tensors: all
// but the one that the others are views of, or views of views, are made again, after it was copied.
void StageCutter::sendOneOf(ValueId set)
{
    std::set<Stage, std::greater<>> stages;
    for (const NodeId writer : m_storage.sets.writers(set))
        stages.insert(stageOf(writer));
    for (const Stage stage : stages) {
        std::vector<ValueId> there;
        for (const ValueId tensor : m_storage.members[set])
            if (isMadeBefore(tensor, stage) && isReadFrom(tensor, stage))
                there.push_back(tensor);
        for (const ValueId tensor : there)
            if (there.size() > 1)
                repeatFromBase(tensor, stage);
    }
}

// The version of `tensor` that holds at the end of `stage`.
ValueId StageCutter::lastVersion(ValueId tensor, Stage stage) const
{
    ValueId last = tensor;
    if (const auto versions = m_storage.versions.find(tensor); versions != m_storage.versions.end())
        for (const ValueId version : versions->second)
            if (const auto producer = valueOf(version).producer; producer && stageOf(*producer) <= stage)
                last = version;
    return last;
}

// ---------------------------------------------------------------- following needs
Result<void> StageCutter::followNodes(const Progress& progress)
{
    for (const NodeId node : m_graph.nodes()) {
        if (node.index() % nodesAStep == 0)
            STAGECRAFT_TRY(progress.step("Cutting", node.index(), m_graph.nodeCount()));
        if (!m_facts.isOptional[node])
            for (const std::uint32_t input : m_facts.inputs[node.index()])
                need(ValueId(input), stageOf(node));
    }
    return {};
}

void StageCutter::followOutputs()
{
    const std::span<const Argument> outputs = m_graph.outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        std::vector<ValueId> values;
        collectValues(outputs[i], values);
        for (const ValueId value : values) {
            if (m_model.signature.isReturned(i))
                need(value, lastStage());
            else
                followUpdate(m_model.signature.outputs[i], value);
        }
    }
}

// A buffer lives in the stage that reads it; its new value must be known there.
void StageCutter::followUpdate(const OutputSpec& spec, ValueId value)
{
    const auto isTarget = [&](const InputSpec& input) {
        return input.value && (spec.isStateUpdate() ? input.target : input.name) == spec.target;
    };
    const auto found = std::ranges::find_if(m_model.signature.inputs, isTarget);
    if (found == m_model.signature.inputs.end())
        return;
    const ValueId target = *found->value;
    Stage home = madeIn(value).value_or(0);
    if (spec.isStateUpdate()) {
        for (const NodeId user : valueOf(target).users) {
            if (stageOf(user) < home || stageOf(user) != stageOf(valueOf(target).users.front()))
                fail("'" + spec.target + "' is read by '" + m_graph[user].name +
                     "' and updated in another stage");
            home = std::max(home, stageOf(user));
        }
    }
    need(value, home);
    takeLocally(target, home);
    m_drafts[home].updates.push_back({target, value});
}

void StageCutter::need(ValueId value, Stage stage)
{
    const CutFacts::Origin& origin = m_facts.origins[value];
    if (origin.kind == ValueKind::SizeScalar)
        m_numbers.emplace_back(value, stage);
    else if (origin.kind != ValueKind::Opaque)
        needTensor(m_storage.tensorOf[value], stage);
    else if (!origin.producer || stageOf(*origin.producer) != stage)
        fail(nameOf(value) + " is a script object or token, which cannot be sent to another stage");
}

// Parameters and the like lie in the stage itself; true if `tensor` is one and `stage` may have it.
bool StageCutter::takeLocally(ValueId tensor, Stage stage)
{
    Draft& draft = m_drafts[stage];
    switch (kindOf(tensor)) {
    case ValueKind::Parameter:
        draft.parameters.insert(tiedTo(m_tiedTo, tensor));
        return true;
    case ValueKind::Buffer:
        draft.buffers.insert(tiedTo(m_tiedTo, tensor));
        return true;
    case ValueKind::Constant:
        draft.constants.insert(tensor);
        return true;
    case ValueKind::UserInput:
        draft.modelInputs.insert(tensor);
        return true;
    default:
        return false;
    }
}

void StageCutter::needTensor(ValueId tensor, Stage stage)
{
    if (m_drafts[stage].has[tensor])
        return;
    const bool isGraphInput = !producerOf(tensor);
    const std::optional<Stage> made = madeIn(tensor);
    if (isGraphInput && made && stage < *made && valueOf(tensor).kind != ValueKind::UserInput)
        fail("'" + valueOf(tensor).target + "' is read in " + stageLabel(StageId(stage)) +
             " and written in " + stageLabel(StageId(*made)) + "; it can only live in one");
    if (isGraphInput && (!made || stage <= *made)) {
        m_drafts[stage].has[tensor] = 1;
        takeLocally(tensor, stage);
        return;
    }
    for (Stage at = stage; !m_drafts[at].has[tensor]; --at) {
        m_drafts[at].has[tensor] = 1;
        if (at == *made) {
            takeLocally(tensor, at);
            return;
        }
        if (m_repeatedViews.contains({tensor, at})) {
            repeatView(tensor, at);
            return;
        }
        m_drafts[at].received.push_back(tensor);
    }
}

void StageCutter::repeatView(ValueId tensor, Stage stage)
{
    checkRepeatable(tensor, stage);
    const NodeId view = *valueOf(tensor).producer;
    const Node& node = m_graph[view];
    if (!node.subgraphs.empty())
        fail("'" + node.name + "' returns a view of storage that " + stageLabel(StageId(stage)) +
             " writes to");
    m_drafts[stage].repeated.insert(view);
    m_drafts[stage].repeatedTensors.push_back(tensor);
    for (const ValueId input : node.inputs)
        need(input, stage);
}

// ---------------------------------------------------------------- numbers
bool StageCutter::readFromTensorAtHand(ValueId number, Stage stage)
{
    const std::optional<SymInt> expression = expressionOf(valueOf(number));
    if (!expression)
        return false;
    Draft& draft = m_drafts[stage];
    std::vector<ValueId> candidates = draft.received;
    candidates.insert(candidates.end(), draft.modelInputs.begin(), draft.modelInputs.end());
    for (const ValueId tensor : candidates) {
        if (!valueOf(tensor).meta)
            continue;
        const std::vector<SymInt>& sizes = valueOf(tensor).meta->sizes;
        const auto found = std::ranges::find(sizes, *expression);
        if (found != sizes.end()) {
            draft.sizes.push_back({number, tensor, found - sizes.begin()});
            return true;
        }
    }
    return false;
}

void StageCutter::needNumber(ValueId number, Stage stage)
{
    const Value& value = valueOf(number);
    Draft& draft = m_drafts[stage];
    if (draft.has[number] || (value.producer && stageOf(*value.producer) == stage))
        return;
    draft.has[number] = 1;
    if (!value.producer) {
        draft.modelInputs.insert(number);
        return;
    }
    if (readFromTensorAtHand(number, stage))
        return;
    const Node& node = m_graph[*value.producer];
    if (!isArithmetic(m_graph, node))
        fail("'" + node.name + "' gives the number " + nameOf(number) + " that " +
             stageLabel(StageId(stage)) + " needs; keep them together");
    draft.repeated.insert(*value.producer);
    for (const ValueId input : node.inputs) {
        if (valueOf(input).kind == ValueKind::SizeScalar)
            needNumber(input, stage);
        else
            need(input, stage);
    }
}

// ---------------------------------------------------------------- checks
bool StageCutter::isAvailable(ValueId value, Stage stage)
{
    const Value& described = valueOf(value);
    if (described.producer && stageOf(*described.producer) == stage)
        return !contains(m_drafts[stage].dropped, *described.producer);
    if (described.kind == ValueKind::SizeScalar) {
        if (!m_drafts[stage].has[value] && readFromTensorAtHand(value, stage))
            m_drafts[stage].has[value] = 1;
        return m_drafts[stage].has[value] != 0;
    }
    return (stage == 0 && described.kind == ValueKind::UserInput) ||
           m_drafts[stage].has[m_storage.tensorOf[value]] != 0;
}

void StageCutter::keepChecksOfWhatIsThere()
{
    for (const NodeId node : m_graph.nodes())
        if (m_facts.isOptional[node]) {
            const Stage stage = stageOf(node);
            if (!std::ranges::all_of(m_graph[node].inputs,
                                     [&](ValueId id) { return isAvailable(id, stage); }))
                m_drafts[stage].dropped.push_back(node);
        }
}

} // namespace stagecraft
