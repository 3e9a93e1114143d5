#include "core/plan/framework_plan.h"

#include "core/base/digits.h"
#include "core/base/text.h"
#include "core/schedule/schedule_csv.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace stagecraft {

namespace {

// What a framework gives out whole: a module; of Megatron, a layer, or all that is before or behind the
// layers.
struct Unit
{
    NamedNodes module;
    std::string list; // of modules that it is an entry of: "layers"; empty: of none
    char letter = 't';
};

// Those with an entry of a list somewhere below.
Table<ModuleId, char> modulesWithLists(const ModuleTree& modules)
{
    Table<ModuleId, char> has(modules.size(), 0);
    for (const ModuleId module : modules.ids()) {
        if (!isDigits(modules[module].name))
            continue;
        for (auto outer = modules[module].parent; outer; outer = modules[*outer].parent)
            has[*outer] = 1;
    }
    return has;
}

// The outermost module around `inner` that is an entry of a list or has no list below; none: what runs there
// belongs to no such module.
std::optional<ModuleId> wholeModule(const ModuleTree& modules, const Table<ModuleId, char>& hasLists,
                                    ModuleId inner)
{
    std::optional<ModuleId> found;
    for (auto module = std::optional(inner); module && *module != ModuleTree::root();
         module = modules[*module].parent) {
        if (isDigits(modules[*module].name) || !hasLists[*module])
            found = *module;
    }
    return found;
}

std::vector<Unit> modulesOf(const Graph& graph)
{
    const ModuleTree& modules = graph.modules();
    const Table<ModuleId, char> hasLists = modulesWithLists(modules);
    std::vector<Unit> units;
    std::map<ModuleId, std::size_t> indexOf;
    for (const NodeId node : graph.nodes()) {
        const std::optional<ModuleId> module = wholeModule(modules, hasLists, graph[node].module);
        if (!module || onlyLooks(graph, node))
            continue;
        const auto [at, isNew] = indexOf.try_emplace(*module, units.size());
        if (isNew) {
            const Module& found = modules[*module];
            const bool isEntry = isDigits(found.name) && found.parent;
            units.push_back({.module = {.name = found.path, .nodes = {}},
                             .list = isEntry ? modules[*found.parent].path + '.' : ""});
        }
        units[at->second].module.nodes.push_back(node);
    }
    return units;
}

void join(std::optional<Unit>& all, const Unit& next, char letter)
{
    if (!all) {
        all = next;
        all->letter = letter;
        return;
    }
    all->module.name += ", " + next.module.name;
    all->module.nodes.insert(all->module.nodes.end(), next.module.nodes.begin(), next.module.nodes.end());
}

// Megatron knows the embedding, one stack of layers, and what comes behind it.
Result<std::vector<Unit>> layersOf(const std::vector<Unit>& units)
{
    std::set<std::string> lists;
    for (const Unit& unit : units) {
        if (!unit.list.empty())
            lists.insert(unit.list.substr(0, unit.list.size() - 1));
    }
    if (lists.size() != 1) {
        std::string names;
        for (const std::string& list : lists)
            names += (names.empty() ? " '" : " and '") + list + "'";
        return Error{ErrorCode::Unsupported,
                     "a layout of Megatron is of one list of layers; this model has " +
                         (lists.empty() ? "none" : "several:" + names)};
    }
    const auto isLayer = [](const Unit& unit) { return !unit.list.empty(); };
    const auto first = std::ranges::find_if(units, isLayer);
    const auto last = std::find_if(units.rbegin(), units.rend(), isLayer).base();
    if (const auto other = std::find_if_not(first, last, isLayer); other != last)
        return Error{ErrorCode::Unsupported,
                     "a layout of Megatron has nothing but layers between the first and the last; here '" +
                         other->module.name + "' runs among them"};
    std::optional<Unit> embedding;
    std::optional<Unit> head;
    for (auto unit = units.begin(); unit != first; ++unit)
        join(embedding, *unit, 'E');
    for (auto unit = last; unit != units.end(); ++unit)
        join(head, *unit, 'L');
    std::vector<Unit> layers(first, last);
    if (embedding)
        layers.insert(layers.begin(), *embedding);
    if (head)
        layers.push_back(*head);
    return layers;
}

Result<std::vector<Unit>> unitsFor(Framework framework, const Graph& graph)
{
    std::vector<Unit> units = modulesOf(graph);
    if (units.empty())
        return Error{ErrorCode::Unsupported, "the model has no modules that could be given out to stages"};
    if (framework == Framework::Megatron)
        return layersOf(units);
    return units;
}

using UnitsOfStages = std::vector<std::vector<const Unit*>>;

// Fails where a unit is in several stages, or a stage has none.
Result<UnitsOfStages> unitsOfStages(const std::vector<Unit>& units, const Partition& partition,
                                    std::string_view title)
{
    UnitsOfStages stages(partition.stageCount);
    for (const Unit& unit : units) {
        const auto [least, most] =
            std::ranges::minmax(unit.module.nodes, {}, [&](NodeId node) { return partition.stageOf[node]; });
        const StageId stage = partition.stageOf[least];
        if (stage != partition.stageOf[most])
            return Error{ErrorCode::Unsupported, std::string(title) + " cannot divide '" + unit.module.name +
                                                     "', which is in stages " +
                                                     std::to_string(stage.index() + 1) + " to " +
                                                     std::to_string(partition.stageOf[most].index() + 1)};
        stages[stage.index()].push_back(&unit);
    }
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
        if (stages[stage].empty())
            return Error{ErrorCode::Unsupported, "stage " + std::to_string(stage + 1) +
                                                     " runs no module as a whole, which " +
                                                     std::string(title) + " cannot say"};
    }
    return stages;
}

// Fails where a module runs in an earlier stage than one that begins before it.
Result<void> checkOrder(const std::vector<Unit>& units, const Partition& partition, std::string_view title)
{
    for (std::size_t i = 1; i < units.size(); ++i) {
        if (partition.stageOf[units[i].module.nodes[0]] < partition.stageOf[units[i - 1].module.nodes[0]])
            return Error{ErrorCode::Unsupported,
                         std::string(title) + " runs modules in turn, but '" + units[i].module.name +
                             "' is in an earlier stage than '" + units[i - 1].module.name + "'"};
    }
    return {};
}

bool runs(Framework framework, ScheduleKind schedule)
{
    const bool isPlain = schedule == ScheduleKind::OneFOneB;
    switch (framework) {
    case Framework::DeepSpeed:
        return isPlain;
    case Framework::Megatron:
        return isPlain || schedule == ScheduleKind::Interleaved;
    case Framework::GraphPp: // those that torch runs action by action
        return !isPlain && schedule != ScheduleKind::GPipe;
    case Framework::TorchCsv:
    case Framework::Torchtitan:
    case Framework::Fqns:
        break;
    }
    return true;
}

Result<void> checkSchedule(Framework framework, ScheduleKind schedule)
{
    if (runs(framework, schedule))
        return {};
    std::string known;
    for (const ScheduleTraits& traits : scheduleTable) {
        if (runs(framework, traits.kind))
            known += (known.empty() ? "" : ", ") + std::string(traits.name);
    }
    return Error{ErrorCode::Unsupported, std::string(nameOf(frameworkNames, framework)) + " runs " + known +
                                             ", not " + std::string(scheduleName(schedule))};
}

// "'head' and 'embed'", "'a', 'b' and 3 more".
std::string someOf(const std::vector<std::string>& names)
{
    constexpr std::size_t most = 2;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += (i == 0 ? "'" : i + 1 == names.size() ? " and '" : ", '") + names[i] + "'";
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " more" : text;
}

// What modules do not tell of a model.
class ModelBesideModules
{
public:
    ModelBesideModules(const Graph& graph, const std::vector<Unit>& units)
        : m_graph(graph), m_units(units), m_unitOf(graph.nodeCount())
    {
        for (std::size_t i = 0; i < units.size(); ++i)
            for (const NodeId node : units[i].module.nodes)
                m_unitOf[node] = i;
    }

    std::vector<std::string> tied(const Partition& partition) const
    {
        return parametersWith([&](const Value& value) {
            return std::ranges::any_of(value.users, [&](NodeId user) {
                return partition.stageOf[user] != partition.stageOf[value.users.front()];
            });
        });
    }
    std::vector<std::string> outside() const
    {
        return parametersWith([&](const Value& value) {
            return std::ranges::any_of(value.users, [&](NodeId user) { return !m_unitOf[user]; });
        });
    }
    // With nodes of others between those that read the same parameter.
    std::vector<std::string> runAgain() const
    {
        std::set<std::size_t> again;
        for (const ValueId id : m_graph.values())
            if (const Value& value = m_graph[id];
                value.kind == ValueKind::Parameter && value.users.size() > 1)
                noteAgain(value.users, again);
        std::vector<std::string> names;
        for (const std::size_t unit : again)
            names.push_back(m_units[unit].module.name);
        return names;
    }
    // Those that read nothing of what the unit before them made.
    std::vector<std::string> notInTurn() const
    {
        std::vector<std::string> names;
        for (std::size_t i = 1; i < m_units.size(); ++i)
            if (!follows(i))
                names.push_back(m_units[i].module.name);
        return names;
    }

private:
    template <class Test>
    std::vector<std::string> parametersWith(Test test) const
    {
        std::vector<std::string> names;
        for (const ValueId id : m_graph.values())
            if (const Value& value = m_graph[id];
                value.kind == ValueKind::Parameter && !value.users.empty() && test(value))
                names.push_back(value.target);
        return names;
    }

    void noteAgain(const std::vector<NodeId>& readers, std::set<std::size_t>& again) const
    {
        for (std::size_t i = 1; i < readers.size(); ++i) {
            const std::optional<std::size_t> unit = m_unitOf[readers[i]];
            if (!unit || unit != m_unitOf[readers[i - 1]])
                continue;
            for (std::size_t at = readers[i - 1].index(); at < readers[i].index(); ++at)
                if (const auto between = m_unitOf[NodeId(at)]; between && between != unit)
                    again.insert(*unit);
        }
    }

    // Does something lead from the unit before, past nodes of no unit?
    bool follows(std::size_t unit) const
    {
        std::vector<NodeId> open = m_units[unit].module.nodes;
        std::set<NodeId> seen(open.begin(), open.end());
        while (!open.empty()) {
            const NodeId node = open.back();
            open.pop_back();
            for (const NodeId before : m_graph.predecessors(node)) {
                if (m_unitOf[before] == unit - 1)
                    return true;
                if ((!m_unitOf[before] || m_unitOf[before] == unit) && seen.insert(before).second)
                    open.push_back(before);
            }
        }
        return false;
    }

    const Graph& m_graph;
    const std::vector<Unit>& m_units;
    Table<NodeId, std::optional<std::size_t>> m_unitOf;
};

bool runsInTurn(Framework framework)
{
    return framework == Framework::Megatron || framework == Framework::DeepSpeed;
}

nlohmann::ordered_json namesOf(const std::vector<const Unit*>& stage)
{
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    for (const Unit* unit : stage)
        names.push_back(unit->module.name);
    return names;
}

std::string listText(const UnitsOfStages& stages, const char* comma)
{
    std::string text = "[\n";
    for (std::size_t i = 0; i < stages.size(); ++i)
        text += "  " + namesOf(stages[i]).dump(-1, ' ', true) + (i + 1 < stages.size() ? "," : comma) + '\n';
    return text + "]\n";
}

std::string torchtitanText(const UnitsOfStages& stages, const PartitionOptions& options)
{
    std::string_view schedule = traitsOf(options.schedule).torchClass;
    schedule.remove_prefix(std::string_view("Schedule").size());
    return "# " + counted(stages.size(), "stage") + " on " + counted(options.deviceCount(), "device") + ", " +
           std::to_string(options.microbatches) +
           " microbatches: training.local_batch_size is so many times pipeline_parallel_microbatch_size.\n"
           "[parallelism]\npipeline_parallel_degree = " +
           std::to_string(options.deviceCount()) + "\npipeline_parallel_schedule = \"" +
           std::string(schedule) + "\"\nmodule_fqns_per_model_part = " + listText(stages, ",");
}

std::string megatronText(const UnitsOfStages& stages, const PartitionOptions& options)
{
    std::string layout;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        std::string letters = i == 0 && stages[i][0]->letter != 'E' ? "E" : "";
        for (const Unit* unit : stages[i])
            letters += unit->letter;
        const std::size_t layers = std::ranges::count(letters, 't');
        const std::size_t begin = letters.find('t');
        if (layers > 2)
            letters.replace(begin, layers, "t*" + std::to_string(layers));
        layout += (i == 0 ? "" : "|") + letters;
    }
    if (stages.back().back()->letter != 'L')
        layout += 'L';
    return "--pipeline-model-parallel-size " + std::to_string(options.deviceCount()) +
           "\n--pipeline-model-parallel-layout \"" + layout + "\"\n";
}

std::string deepSpeedText(const UnitsOfStages& stages)
{
    nlohmann::ordered_json layers = nlohmann::ordered_json::array();
    nlohmann::ordered_json parts = nlohmann::ordered_json::array({0});
    for (const auto& stage : stages) {
        for (const Unit* unit : stage)
            layers.push_back(unit->module.name);
        parts.push_back(layers.size());
    }
    return nlohmann::ordered_json{{"layers", layers}, {"parts", parts}}.dump(2, ' ', true) + '\n';
}

} // namespace

Result<std::vector<NamedNodes>> wholeModules(Framework framework, const Graph& graph)
{
    std::vector<NamedNodes> modules;
    if (framework == Framework::TorchCsv)
        return modules;
    STAGECRAFT_ASSIGN(units, unitsFor(framework, graph));
    for (Unit& unit : units)
        modules.push_back(std::move(unit.module));
    return modules;
}

Result<std::string> frameworkText(Framework framework, const Graph& graph, const Partition& partition,
                                  const PartitionOptions& options)
{
    if (framework == Framework::TorchCsv) {
        STAGECRAFT_ASSIGN(schedule, scheduleOf(options));
        return printScheduleCsv(schedule);
    }
    STAGECRAFT_TRY(checkSchedule(framework, options.schedule));
    const std::string title(nameOf(frameworkNames, framework));
    STAGECRAFT_ASSIGN(units, unitsFor(framework, graph));
    STAGECRAFT_ASSIGN(stages, unitsOfStages(units, partition, title));
    if (runsInTurn(framework))
        STAGECRAFT_TRY(checkOrder(units, partition, title));
    switch (framework) {
    case Framework::Megatron:
        return megatronText(stages, options);
    case Framework::DeepSpeed:
        return deepSpeedText(stages);
    case Framework::Fqns:
        return listText(stages, "");
    case Framework::TorchCsv:
    case Framework::Torchtitan:
    case Framework::GraphPp:
        break;
    }
    return torchtitanText(stages, options);
}

std::vector<std::string> unsaidOfModel(Framework framework, const Graph& graph, const Partition& partition)
{
    const std::vector<Unit> units = modulesOf(graph);
    if (framework == Framework::TorchCsv || units.empty())
        return {};
    const ModelBesideModules model(graph, units);
    std::vector<std::string> unsaid;
    const auto say = [&](const std::vector<std::string>& names, const char* one, const char* what) {
        if (!names.empty())
            unsaid.push_back(std::string(one) + someOf(names) + what);
    };
    say(model.tied(partition),
        "read in several parts: ", "; tie these there, or each part trains one of its own");
    say(model.outside(), "read outside of all modules: ", "; no part has what reads that");
    if (runsInTurn(framework)) {
        say(model.runAgain(), "run again behind other modules: ", "; here each runs once");
        say(model.notInTurn(),
            "takes nothing of the module before it: ", "; here each gets what the one before it returns");
    }
    return unsaid;
}

std::string unsaidRecomputation(Framework framework, const PartitionOptions& options)
{
    if (options.recompute.regions.regions.empty())
        return "";
    const auto where = [framework] {
        switch (framework) {
        case Framework::Torchtitan:
        case Framework::GraphPp:
            return "activation_checkpoint.mode";
        case Framework::Megatron:
            return "--recompute-granularity";
        case Framework::DeepSpeed:
            return "PipelineModule's activation_checkpoint_interval";
        case Framework::TorchCsv:
        case Framework::Fqns:
            break;
        }
        return "torch.utils.checkpoint in each stage";
    };
    return std::string("what the plan runs again is not in it: say it by ") + where() +
           ", or the stages take more memory than the plan has";
}

} // namespace stagecraft
