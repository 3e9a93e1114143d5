#include "core/advise/query_completion.h"

#include "core/advise/query_figures.h"
#include "core/base/text.h"
#include "core/graph/operator_name.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

namespace stagecraft {

namespace {

using Counts = std::map<std::string, std::size_t, std::less<>>; // ops by what they have

std::string shortClassName(const Module& module)
{
    return module.className.substr(module.className.rfind('.') + 1);
}

void countPath(Counts& counts, const ModuleTree& modules, ModuleId id)
{
    for (std::optional<ModuleId> at = id; at; at = modules[*at].parent)
        if (!modules[*at].path.empty())
            ++counts[modules[*at].path];
}

void countTensors(Counts& counts, const Graph& graph, NodeId node, std::string_view key)
{
    std::set<std::string> here;
    for (const ValueId value : graph[node].results) {
        const auto& meta = graph[value].meta;
        if (!meta)
            continue;
        if (key == "dtype")
            here.insert(std::string(shortName(meta->dtype)));
        else
            for (const SymInt& size : meta->sizes)
                here.insert(size.text());
    }
    for (const std::string& text : here)
        ++counts[text];
}

// What ops have that a key asks for.
Counts countsOf(const QuerySubject& subject, std::string_view key)
{
    const Graph& graph = subject.graph;
    Counts counts;
    for (const NodeId node : graph.nodes()) {
        const Module& module = graph.modules()[graph[node].module];
        if (key == "op")
            ++counts[std::string(shortOperator(graph[node].target))];
        else if (key == "module")
            countPath(counts, graph.modules(), graph[node].module);
        else if (key == "class" && !module.className.empty())
            ++counts[shortClassName(module)];
        else if (key == "name")
            ++counts[graph[node].name];
        else if (key == "dtype" || key == "shape")
            countTensors(counts, graph, node, key);
        else if (key == "stage" && subject.partition)
            ++counts[std::to_string(subject.partition->stageOf[node].index() + 1)];
    }
    return counts;
}

struct Candidate
{
    std::string text;
    std::size_t count = 0;
    bool isBeginning = false;
};

void addCandidates(std::vector<Candidate>& candidates, const Counts& counts, std::string_view typed,
                   std::string_view key)
{
    const std::string begun = lowerCase(typed);
    for (const auto& [name, count] : counts) {
        const std::string here = lowerCase(name);
        const bool isPlain = name.find_first_of(" \t\",") == std::string::npos;
        if (isPlain && here.find(begun) != std::string::npos)
            candidates.push_back({std::string(key) + ':' + name, count, here.starts_with(begun)});
    }
}

void sortByUse(std::vector<Candidate>& candidates)
{
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::pair(!a.isBeginning, b.count) < std::pair(!b.isBeginning, a.count);
    });
}

void sortByNumber(std::vector<Candidate>& candidates)
{
    std::ranges::stable_sort(candidates, [](const Candidate& a, const Candidate& b) {
        return std::pair(a.text.size(), a.text) < std::pair(b.text.size(), b.text);
    });
}

// Of the first `most`: as many ops as the query would find, whatever they have in common.
void countFound(const QuerySubject& subject, std::vector<Candidate>& candidates, std::size_t most)
{
    candidates.resize(std::min(most, candidates.size()));
    for (Candidate& candidate : candidates)
        if (const auto found = findNodes(subject, candidate.text); found.has_value())
            candidate.count = found->size();
}

std::vector<QueryCompletion> completionsOf(const std::vector<Candidate>& candidates, std::string_view before)
{
    std::vector<QueryCompletion> completions;
    for (const Candidate& candidate : candidates)
        completions.push_back(
            {std::string(before) + candidate.text + ' ', candidate.text, counted(candidate.count, "op")});
    return completions;
}

std::vector<QueryCompletion> matchingKeys(std::string_view before, std::string_view word)
{
    std::vector<QueryCompletion> completions;
    for (const QueryKey& key : queryKeys()) {
        if (!key.name.starts_with(lowerCase(word)))
            continue;
        const std::string shown = std::string(key.name) + (key.kind == QueryKey::Kind::Text ? ":" : ">");
        completions.push_back({std::string(before) + shown, shown, std::string(key.help)});
    }
    return completions;
}

// Where the last word begins; none inside quotes and regular expressions.
std::optional<std::size_t> lastWord(std::string_view text)
{
    std::size_t start = 0;
    char around = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isWordStart = i == 0 || std::isspace(static_cast<unsigned char>(text[i - 1])) != 0;
        if (around != 0)
            around = text[i] == around ? '\0' : around;
        else if (text[i] == '"' || (text[i] == '/' && isWordStart))
            around = text[i];
        else if (std::isspace(static_cast<unsigned char>(text[i])) != 0)
            start = i + 1;
    }
    return around == 0 ? std::optional(start) : std::nullopt;
}

bool isFound(const QuerySubject& subject, std::string_view text)
{
    const auto found = findNodes(subject, text);
    return found.has_value() && !found->empty();
}

// Modules are called by their last name, too.
std::set<std::string> namesOf(const QuerySubject& subject, std::string_view key)
{
    std::set<std::string> names;
    for (const std::string_view kind : {"op", "module", "class"}) {
        if (!key.empty() && key != kind)
            continue;
        for (const auto& [name, count] : countsOf(subject, kind)) {
            names.insert(name);
            if (kind == "module")
                names.insert(name.substr(name.rfind('.') + 1));
        }
    }
    names.erase(std::string());
    return names;
}

} // namespace

std::vector<QueryCompletion> completeQuery(const QuerySubject& subject, std::string_view text,
                                           std::size_t most)
{
    const auto start = lastWord(text);
    if (!start)
        return {};
    std::string_view word = text.substr(*start);
    std::size_t sign = word.starts_with('-') ? 1 : 0;
    word.remove_prefix(sign);
    const std::string_view before = text.substr(0, *start + sign);
    const std::size_t colon = word.find(':');
    if (word.find_first_of("<>=\"/") != std::string_view::npos)
        return {};
    std::vector<Candidate> candidates;
    if (colon != std::string_view::npos) {
        const std::string key = lowerCase(word.substr(0, colon));
        const std::size_t comma = word.rfind(',');
        const std::size_t from = comma == std::string_view::npos ? colon + 1 : comma + 1;
        if (from > colon + 1) // the ones before stay as they are
            return {};
        addCandidates(candidates, countsOf(subject, key), word.substr(from), key);
        key == "stage" ? sortByNumber(candidates) : sortByUse(candidates);
        countFound(subject, candidates, most);
        return completionsOf(candidates, before);
    }
    std::vector<QueryCompletion> completions = matchingKeys(before, word);
    if (!word.empty()) {
        for (const std::string_view key : {"op", "class", "module"})
            addCandidates(candidates, countsOf(subject, key), word, key);
        sortByUse(candidates);
        countFound(subject, candidates, most);
        std::ranges::move(completionsOf(candidates, before), std::back_inserter(completions));
    }
    completions.resize(std::min(most, completions.size()));
    return completions;
}

std::string correctedQuery(const QuerySubject& subject, std::string_view text)
{
    std::string corrected;
    bool isOther = false;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        std::string word(text.substr(at, end - at));
        at = end + 1;
        if (word.empty())
            continue;
        if (!isFound(subject, word)) {
            const std::size_t colon = word.find(':');
            const std::string key = colon == std::string::npos ? "" : lowerCase(word.substr(0, colon));
            const std::string value = lowerCase(colon == std::string::npos ? word : word.substr(colon + 1));
            const bool hasNames = key.empty() || key == "op" || key == "module" || key == "class";
            const std::set<std::string> names = hasNames ? namesOf(subject, key) : std::set<std::string>();
            const auto distance = [&](const std::string& name) {
                return editDistance(value, lowerCase(name));
            };
            const auto nearest = std::ranges::min_element(names, {}, distance);
            if (nearest == names.end() || distance(*nearest) > value.size() / 3)
                return {};
            word = key.empty() ? *nearest : key + ':' + *nearest;
            isOther = true;
        }
        corrected += (corrected.empty() ? "" : " ") + word;
    }
    return isOther && isFound(subject, corrected) ? corrected : std::string();
}

} // namespace stagecraft
