#include "core/load/model.h"

#include <algorithm>

namespace stagecraft {

namespace {

// Placeholders of one shape and type, in a program without weights.
bool looksTied(const Value& a, const Value& b)
{
    return a.meta->dtype == b.meta->dtype && a.meta->sizes == b.meta->sizes;
}

// "model.head" of "model.head.weight".
std::string_view ownerOf(std::string_view name)
{
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
}

// Is `value`, which another module owns, read by the module at `path` or by a part of it?
bool isReadFor(const Graph& graph, ValueId value, std::string_view path)
{
    return std::ranges::any_of(graph[value].users, [&](NodeId user) {
        const std::string_view reader = graph.modules()[graph[user].module].path;
        return reader == path || (!path.empty() && ownerOf(reader) == path);
    });
}

void addTo(ParameterGroup& group, const InputSpec& spec)
{
    group.values.push_back(*spec.value);
    group.names.push_back(spec.target);
}

// Without data, second names of tied weights show only as placeholders that nothing reads; so does a layer
// that is not used. The module that owns the name tells, if it ran. One that did not gives one name more to a
// weight that has several, or has a weight of its own. Where no module is known, the shape alone decides.
void addUnused(const Model& model, const std::vector<const InputSpec*>& unused,
               std::vector<ParameterGroup>& groups)
{
    const Graph& graph = model.graph;
    const bool knowsModules = graph.modules().size() > 1;
    const auto likeOf = [&](const InputSpec& spec, const auto& isTied) {
        return std::ranges::find_if(groups, [&](const ParameterGroup& group) {
            return looksTied(graph[group.values.front()], graph[*spec.value]) && isTied(group);
        });
    };
    std::vector<const InputSpec*> silent;
    for (const InputSpec* spec : unused) {
        const std::string_view owner = ownerOf(spec->target);
        const auto tied = likeOf(*spec, [&](const ParameterGroup& group) {
            return !knowsModules ||
                   (ownerOf(group.names.front()) != owner && isReadFor(graph, group.values.front(), owner));
        });
        if (tied != groups.end())
            addTo(*tied, *spec);
        else
            silent.push_back(spec);
    }
    for (const InputSpec* spec : silent) {
        const auto tied = likeOf(*spec, [](const ParameterGroup& group) { return group.names.size() > 1; });
        addTo(tied == groups.end() ? groups.emplace_back() : *tied, *spec);
    }
}

} // namespace

Result<void> Model::unchanged() const
{
    if (file)
        STAGECRAFT_TRY(file->unchanged());
    for (const std::shared_ptr<const MappedFile>& other : weights.files())
        STAGECRAFT_TRY(other->unchanged());
    return {};
}

bool Model::isReadFrom(const std::filesystem::path& path) const
{
    const auto isIt = [&](const std::shared_ptr<const MappedFile>& read) { return read->isAt(path); };
    return (file && isIt(file)) || std::ranges::any_of(weights.files(), isIt);
}

std::vector<ParameterGroup> parameterGroups(const Model& model)
{
    std::vector<ParameterGroup> groups;
    std::map<StorageKey, std::size_t> groupOfStorage;
    std::vector<const InputSpec*> unused;
    for (const InputSpec& spec : model.signature.inputs) {
        if (spec.kind != InputSpec::Kind::Parameter || !spec.value)
            continue;
        const std::optional<StoredTensor> stored = model.weights.find(spec.target);
        const bool hasStorage = stored && !stored->bytes.empty();
        const auto known = hasStorage ? groupOfStorage.find(stored->storage) : groupOfStorage.end();
        if (known != groupOfStorage.end()) {
            addTo(groups[known->second], spec);
        } else if (!hasStorage && model.graph[*spec.value].users.empty()) {
            unused.push_back(&spec);
        } else {
            if (hasStorage)
                groupOfStorage.emplace(stored->storage, groups.size());
            addTo(groups.emplace_back(), spec);
        }
    }
    addUnused(model, unused, groups);
    for (ParameterGroup& group : groups) {
        const auto isUsed = [&](std::size_t i) { return !model.graph[group.values[i]].users.empty(); };
        const auto indexes = std::views::iota(std::size_t{0}, group.values.size());
        const auto used = std::ranges::find_if(indexes, isUsed);
        if (used != indexes.end()) {
            std::rotate(group.values.begin(), group.values.begin() + static_cast<std::ptrdiff_t>(*used),
                        group.values.begin() + static_cast<std::ptrdiff_t>(*used) + 1);
            std::rotate(group.names.begin(), group.names.begin() + static_cast<std::ptrdiff_t>(*used),
                        group.names.begin() + static_cast<std::ptrdiff_t>(*used) + 1);
        }
    }
    return groups;
}

} // namespace stagecraft
