#include "core/advise/node_query.h"

#include "core/advise/query_figures.h"
#include "core/base/bounded_regex.h"
#include "core/base/text.h"
#include "core/graph/operator_name.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

namespace stagecraft {

namespace {

using Test = NodeQuery::Test;
using Term = NodeQuery::Term;
using Needs = NodeQuery::Needs;
using KeyKind = QueryKey::Kind;

constexpr std::array keys{
    QueryKey{"op", KeyKind::Text, "operator: op:linear"},
    QueryKey{"module", KeyKind::Text, "module and what is in it: module:layers.3"},
    QueryKey{"class", KeyKind::Text, "class of a module: class:attention"},
    QueryKey{"stage", KeyKind::Text, "number of a stage: stage:2, stage:2-4"},
    QueryKey{"dtype", KeyKind::Text, "type of a tensor it makes: dtype:bf16"},
    QueryKey{"shape", KeyKind::Text, "sizes of a tensor it makes: shape:1024, shape:8x1024"},
    QueryKey{"name", KeyKind::Text, "its own name: name:linear_7"},
    QueryKey{"time", KeyKind::Figure, "forward and backward: time>1ms"},
    QueryKey{"forward", KeyKind::Figure, "time of forward: forward>1ms"},
    QueryKey{"backward", KeyKind::Figure, "time of backward: backward>1ms"},
    QueryKey{"mem", KeyKind::Figure, "bytes kept for backward: mem>1GiB"},
    QueryKey{"made", KeyKind::Figure, "bytes of its results: made>1GiB"},
    QueryKey{"params", KeyKind::Figure, "bytes of parameters: params>1MiB"},
    QueryKey{"flops", KeyKind::Figure, "forward and backward: flops>1G"},
};

bool isSpace(char c)
{
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

Error badQuery(std::string text)
{
    return {ErrorCode::BadUsage, std::move(text)};
}

// A value as it was written. What is in quotes is meant whole.
struct Written
{
    std::string text; // lower case
    bool isWhole = false;
};

// All that a plain word is looked for in.
std::string textOf(const Graph& graph, NodeId id)
{
    const Node& node = graph[id];
    const Module& module = graph.modules()[node.module];
    return node.name + ' ' + node.target + ' ' + module.path + ' ' + module.className;
}

bool saysSo(std::string_view text, const Written& asked)
{
    const std::string here = lowerCase(text);
    return asked.isWhole ? here == asked.text : here.find(asked.text) != std::string::npos;
}

// Does a path have `asked` from the beginning of one of its names on, and no further digit behind it?
bool isOnPath(std::string_view path, const Written& asked)
{
    const std::string here = lowerCase(path);
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t at = here.find(asked.text); at != std::string::npos;
         at = here.find(asked.text, at + 1)) {
        const std::size_t end = at + asked.text.size();
        const bool isBegin = at == 0 || here[at - 1] == '.';
        const bool isEnd = end == here.size() || here[end] == '.';
        const bool isNumberCut =
            !isEnd && !asked.text.empty() && isDigit(asked.text.back()) && isDigit(here[end]);
        if (isBegin && (asked.isWhole ? isEnd : !isNumberCut))
            return true;
    }
    return false;
}

template <class Meets>
bool anyTensorMade(const Graph& graph, NodeId id, Meets meets)
{
    return std::ranges::any_of(graph[id].results,
                               [&](ValueId value) { return graph[value].meta && meets(*graph[value].meta); });
}

bool isOfType(DType dtype, const Written& asked)
{
    const std::string_view torch = torchName(dtype);
    return asked.text == shortName(dtype) || asked.text == torch ||
           asked.text == torch.substr(torch.find('.') + 1);
}

std::vector<std::string> sizesOf(const std::string& text)
{
    std::vector<std::string> sizes(1);
    for (const char c : text) {
        if (c == 'x')
            sizes.emplace_back();
        else
            sizes.back() += c;
    }
    return sizes;
}

bool hasSizes(const TensorMeta& meta, const Written& asked)
{
    const std::vector<std::string> wanted = sizesOf(asked.text);
    std::vector<std::string> sizes;
    for (const SymInt& size : meta.sizes)
        sizes.push_back(lowerCase(size.text()));
    return asked.isWhole ? sizes == wanted : !std::ranges::search(sizes, wanted).empty();
}

// "2", "2-4".
struct StageRange
{
    std::size_t first = 0;
    std::size_t last = 0;
};

Result<StageRange> readStages(const std::string& text)
{
    const auto number = [](std::string_view part) {
        std::size_t value = 0;
        const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
        return status == std::errc() && end == part.data() + part.size() && value < 1'000'000 ? value : 0;
    };
    const std::size_t dash = text.find('-');
    const StageRange range{number(text.substr(0, dash)),
                           number(dash == std::string::npos ? text : text.substr(dash + 1))};
    if (range.first == 0 || range.last < range.first)
        return badQuery("'" + text + "' is no stage: write stage:2 or stage:2-4, counted from 1");
    return range;
}

Result<Term> stageTerm(const std::vector<Written>& asked)
{
    std::vector<StageRange> ranges;
    std::size_t last = 0;
    for (const Written& value : asked) {
        STAGECRAFT_ASSIGN(range, readStages(value.text));
        ranges.push_back(range);
        last = std::max(last, range.last);
    }
    const auto test = [ranges](const QuerySubject& subject, NodeId node) {
        const std::size_t stage = subject.partition->stageOf[node].index() + 1;
        return std::ranges::any_of(
            ranges, [&](const StageRange& range) { return range.first <= stage && stage <= range.last; });
    };
    return Term{.test = test, .needs = Needs::Partition, .lastStage = last};
}

using ValueTest = bool (*)(const Graph& graph, NodeId node, const Written& asked);

ValueTest testOf(std::string_view key)
{
    if (key == "op")
        return [](const Graph& graph, NodeId node, const Written& asked) {
            const std::string& target = graph[node].target;
            return asked.isWhole ? saysSo(shortOperator(target), asked) || saysSo(target, asked)
                                 : saysSo(target, asked);
        };
    if (key == "module")
        return [](const Graph& graph, NodeId node, const Written& asked) {
            return isOnPath(graph.modules()[graph[node].module].path, asked);
        };
    if (key == "class")
        return [](const Graph& graph, NodeId node, const Written& asked) {
            std::string_view name = graph.modules()[graph[node].module].className;
            if (const auto dot = name.rfind('.'); asked.isWhole && dot != std::string_view::npos)
                name.remove_prefix(dot + 1);
            return saysSo(name, asked);
        };
    if (key == "dtype")
        return [](const Graph& graph, NodeId node, const Written& asked) {
            return anyTensorMade(graph, node,
                                 [&](const TensorMeta& meta) { return isOfType(meta.dtype, asked); });
        };
    if (key == "shape")
        return [](const Graph& graph, NodeId node, const Written& asked) {
            return anyTensorMade(graph, node, [&](const TensorMeta& meta) { return hasSizes(meta, asked); });
        };
    return
        [](const Graph& graph, NodeId node, const Written& asked) { return saysSo(graph[node].name, asked); };
}

// Reads a query from left to right.
class QueryReader
{
public:
    explicit QueryReader(std::string_view text) : m_text(text) {}

    Result<std::vector<Term>> read()
    {
        std::vector<Term> terms;
        for (skipSpaces(); !isAtEnd(); skipSpaces()) {
            const bool isOpposite = peek() == '-' && m_at + 1 < m_text.size() && !isSpace(m_text[m_at + 1]);
            m_at += isOpposite ? 1 : 0;
            STAGECRAFT_ASSIGN(term, readTerm());
            term.isOpposite = isOpposite;
            terms.push_back(std::move(term));
        }
        return terms;
    }

private:
    bool isAtEnd() const { return m_at == m_text.size(); }
    char peek() const { return isAtEnd() ? '\0' : m_text[m_at]; }
    void skipSpaces()
    {
        while (!isAtEnd() && isSpace(peek()))
            ++m_at;
    }
    std::string_view take(std::size_t count)
    {
        const std::string_view taken = m_text.substr(m_at, count);
        m_at += taken.size();
        return taken;
    }
    template <class Continues>
    std::string_view takeWhile(Continues continues)
    {
        const std::size_t start = m_at;
        while (!isAtEnd() && continues(peek()))
            ++m_at;
        return m_text.substr(start, m_at - start);
    }

    Result<Term> readTerm();
    Result<Term> readRegex();
    Result<Term> readValues(const QueryKey& key);
    Result<Term> readFigure(std::string_view key);
    Result<Written> readValue();
    Result<double> readNumber(std::string_view key);

    std::string_view m_text;
    std::size_t m_at = 0;
};

const QueryKey* findKey(std::string_view name)
{
    const auto found = std::ranges::find(keys, lowerCase(name), &QueryKey::name);
    return found == keys.end() ? nullptr : found;
}

std::string listOf(KeyKind kind)
{
    std::string list;
    for (const QueryKey& key : keys)
        if (key.kind == kind)
            list += (list.empty() ? "" : ", ") + std::string(key.name);
    return list;
}

Result<Term> QueryReader::readTerm()
{
    if (peek() == '/')
        return readRegex();
    const std::size_t start = m_at;
    const std::string_view name =
        takeWhile([](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; });
    const QueryKey* key = findKey(name);
    const bool isColon = peek() == ':' && m_text.substr(m_at, 2) != "::";
    if (isColon && !name.empty()) {
        if (!key)
            return badQuery("there is no '" + std::string(name) + ":' to look for; there are " +
                            listOf(KeyKind::Text));
        if (key->kind == KeyKind::Figure)
            return badQuery("'" + std::string(name) + "' is a figure: write " + exampleOf(key->name));
        ++m_at;
        return readValues(*key);
    }
    skipSpaces();
    if (!name.empty() && (peek() == '<' || peek() == '>' || peek() == '=')) {
        if (!key || key->kind == KeyKind::Text)
            return badQuery("'" + std::string(name) + "' is no figure; there are " + listOf(KeyKind::Figure));
        return readFigure(key->name);
    }
    m_at = start;
    STAGECRAFT_ASSIGN(word, readValue());
    word.isWhole = false; // quotes keep its spaces
    return Term{.test = [word](const QuerySubject& subject, NodeId node) {
        return saysSo(textOf(subject.graph, node), word);
    }};
}

Result<Term> QueryReader::readRegex()
{
    const std::size_t start = ++m_at;
    while (!isAtEnd() && peek() != '/')
        m_at += peek() == '\\' && m_at + 1 < m_text.size() ? 2 : 1;
    if (isAtEnd())
        return badQuery("a regular expression ends with /, as in /layers\\.\\d+/");
    STAGECRAFT_ASSIGN(regex, BoundedRegex::compile(m_text.substr(start, m_at - start)));
    ++m_at;
    return Term{.test = [regex](const QuerySubject& subject, NodeId node) {
        return regex.isFoundIn(textOf(subject.graph, node));
    }};
}

Result<Written> QueryReader::readValue()
{
    if (peek() != '"')
        return Written{lowerCase(takeWhile([](char c) { return !isSpace(c); }))};
    take(1);
    const std::string_view text = takeWhile([](char c) { return c != '"'; });
    if (isAtEnd())
        return badQuery("a quotation mark without another");
    take(1);
    return Written{lowerCase(text), true};
}

Result<Term> QueryReader::readValues(const QueryKey& key)
{
    STAGECRAFT_ASSIGN(all, readValue());
    std::vector<Written> asked;
    for (std::size_t at = 0; !all.isWhole && at < all.text.size();) {
        const std::size_t comma = std::min(all.text.find(',', at), all.text.size());
        if (comma > at)
            asked.push_back({all.text.substr(at, comma - at)});
        at = comma + 1;
    }
    if (all.isWhole)
        asked.push_back(all);
    if (asked.empty())
        return badQuery("'" + std::string(key.name) + ":' asks for nothing; " + std::string(key.help));
    if (key.name == "stage")
        return stageTerm(asked);
    return Term{.test = [asked, test = testOf(key.name)](const QuerySubject& subject, NodeId node) {
        return std::ranges::any_of(asked,
                                   [&](const Written& value) { return test(subject.graph, node, value); });
    }};
}

Result<Term> QueryReader::readFigure(std::string_view key)
{
    const std::string comparison(takeWhile([](char c) { return c == '<' || c == '>' || c == '='; }));
    constexpr std::array known{"<", "<=", ">", ">=", "=", "=="};
    if (std::ranges::find(known, comparison) == known.end())
        return badQuery("'" + comparison + "' compares nothing: write " + exampleOf(key));
    STAGECRAFT_ASSIGN(value, readNumber(key));
    const auto test = [figure = figureOf(key), comparison, value](const QuerySubject& subject, NodeId node) {
        return compareFigure(figure(*subject.profile, node), comparison, value);
    };
    return Term{.test = test, .needs = Needs::Profile};
}

// With its unit, which may stand apart: "1 GiB". Without one: seconds, bytes, operations.
Result<double> QueryReader::readNumber(std::string_view key)
{
    skipSpaces();
    double number = 0;
    const auto [end, status] = std::from_chars(m_text.data() + m_at, m_text.data() + m_text.size(), number);
    if (status != std::errc() || !std::isfinite(number))
        return badQuery("a figure is missing behind '" + std::string(key) + "': write " + exampleOf(key));
    m_at = static_cast<std::size_t>(end - m_text.data());
    const std::size_t afterNumber = m_at;
    skipSpaces();
    const bool isApart = m_at > afterNumber;
    const std::string unit = lowerCase(takeWhile([](char c) { return !isSpace(c); }));
    const std::optional<double> factor = factorOf(key, unit);
    if (!unit.empty() && factor)
        return number * *factor;
    if (!unit.empty() && !isApart)
        return badQuery("'" + unit + "' is no unit of '" + std::string(key) + "': write " + exampleOf(key));
    m_at = afterNumber; // the next word
    return number;
}

} // namespace

Result<NodeQuery> NodeQuery::parse(std::string_view text)
{
    STAGECRAFT_ASSIGN(terms, QueryReader(text).read());
    NodeQuery query;
    query.m_terms = std::move(terms);
    return query;
}

Result<std::vector<NodeId>> NodeQuery::find(const QuerySubject& subject) const
{
    for (const Term& term : m_terms) {
        if (term.needs == Needs::Profile && !subject.profile)
            return Error{ErrorCode::NotFound, "what ops cost is not known yet"};
        if (term.needs == Needs::Partition && !subject.partition)
            return Error{ErrorCode::NotFound, "there is no plan yet whose stages could be asked for"};
        if (subject.partition && term.lastStage > subject.partition->stageCount)
            return Error{ErrorCode::NotFound, "there is no stage " + std::to_string(term.lastStage) +
                                                  "; the plan has " +
                                                  std::to_string(subject.partition->stageCount)};
    }
    std::vector<NodeId> found;
    for (const NodeId node : subject.graph.nodes())
        if (!isEmpty() && std::ranges::all_of(m_terms, [&](const Term& term) {
                return term.test(subject, node) != term.isOpposite;
            }))
            found.push_back(node);
    return found;
}

Result<std::vector<NodeId>> findNodes(const QuerySubject& subject, std::string_view text)
{
    STAGECRAFT_ASSIGN(query, NodeQuery::parse(text));
    return query.find(subject);
}

std::span<const QueryKey> queryKeys()
{
    return keys;
}

} // namespace stagecraft
