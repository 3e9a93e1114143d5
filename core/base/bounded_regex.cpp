#include "core/base/bounded_regex.h"

#include <cctype>
#include <charconv>
#include <optional>
#include <span>

namespace stagecraft {

namespace {

using Step = BoundedRegex::Step;
using StepKind = BoundedRegex::StepKind;
using Characters = std::bitset<256>;

constexpr std::size_t mostSteps = 2000;
constexpr int mostDepth = 50;
constexpr int mostTimes = 1000;

bool isWordCharacter(unsigned char c)
{
    return std::isalnum(c) != 0 || c == '_';
}

void addFolded(Characters& characters, unsigned char c)
{
    characters.set(static_cast<std::size_t>(std::tolower(c)));
    characters.set(static_cast<std::size_t>(std::toupper(c)));
}

// Of \d, \w, \s and their opposites; none for another letter.
std::optional<Characters> classOf(char letter)
{
    Characters characters;
    for (unsigned c = 0; c < 256; ++c) {
        const auto byte = static_cast<unsigned char>(c);
        const int kind = std::tolower(letter);
        characters[c] = kind == 'd'   ? std::isdigit(byte) != 0
                        : kind == 'w' ? isWordCharacter(byte)
                                      : std::isspace(byte) != 0;
    }
    if (std::string_view("dws").find(letter) != std::string_view::npos)
        return characters;
    if (std::string_view("DWS").find(letter) != std::string_view::npos)
        return ~characters;
    return {};
}

// Writes the steps of a pattern, from left to right.
class PatternReader
{
public:
    explicit PatternReader(std::string_view pattern) : m_pattern(pattern) {}

    Result<std::vector<Step>> read()
    {
        STAGECRAFT_TRY(readAlternatives(0));
        if (!isAtEnd())
            return wrong("a ) without its (");
        m_steps.push_back({});
        return std::move(m_steps);
    }

private:
    bool isAtEnd() const { return m_at == m_pattern.size(); }
    bool isNext(char c) const { return !isAtEnd() && m_pattern[m_at] == c; }
    bool take(char c)
    {
        const bool isThere = isNext(c);
        m_at += isThere ? 1 : 0;
        return isThere;
    }
    Error wrong(std::string_view what) const
    {
        return {ErrorCode::BadUsage, "/" + std::string(m_pattern) + "/: " + std::string(what) +
                                         " (at character " + std::to_string(m_at + 1) + ")"};
    }
    int length(std::size_t start) const { return static_cast<int>(m_steps.size() - start); }
    void insertFork(std::size_t start, int next, int other)
    {
        m_steps.insert(m_steps.begin() + static_cast<std::ptrdiff_t>(start),
                       Step{.kind = StepKind::Fork, .next = next, .other = other, .characters = {}});
    }
    Result<void> checkSize() const
    {
        return m_steps.size() > mostSteps ? Result<void>(wrong("is too long")) : Result<void>();
    }

    Result<void> readAlternatives(int depth);
    Result<void> readAtom(int depth);
    Result<void> readGroup(int depth);
    Result<void> readEscape();
    Result<void> readSet();
    Result<void> readSetMember(Characters& set);
    Result<void> readTimes(std::size_t start);
    Result<void> repeat(std::size_t start, int least, std::optional<int> most);
    void readLiteral();

    std::string_view m_pattern;
    std::size_t m_at = 0;
    std::vector<Step> m_steps;
};

Result<void> PatternReader::readAlternatives(int depth)
{
    if (depth > mostDepth)
        return wrong("has too many parentheses or alternatives");
    const std::size_t start = m_steps.size();
    while (!isAtEnd() && !isNext('|') && !isNext(')')) {
        const std::size_t atom = m_steps.size();
        STAGECRAFT_TRY(readAtom(depth));
        STAGECRAFT_TRY(readTimes(atom));
        STAGECRAFT_TRY(checkSize());
    }
    if (!take('|'))
        return {};
    insertFork(start, 1, length(start) + 2);
    const std::size_t jump = m_steps.size();
    m_steps.push_back({.kind = StepKind::Jump, .next = 1, .other = 0, .characters = {}});
    STAGECRAFT_TRY(readAlternatives(depth + 1));
    m_steps[jump].next = length(jump);
    return {};
}

Result<void> PatternReader::readAtom(int depth)
{
    switch (m_pattern[m_at]) {
    case '(':
        ++m_at;
        return readGroup(depth);
    case '[':
        ++m_at;
        return readSet();
    case '\\':
        ++m_at;
        return readEscape();
    case '.':
        ++m_at;
        m_steps.push_back({.kind = StepKind::Character, .next = 1, .other = 0, .characters = ~Characters()});
        return {};
    case '^':
    case '$':
        m_steps.push_back({.kind = m_pattern[m_at++] == '^' ? StepKind::TextBegins : StepKind::TextEnds,
                           .next = 1,
                           .other = 0,
                           .characters = {}});
        return {};
    case '*':
    case '+':
    case '?':
    case '{':
        return wrong("nothing stands before it that could be repeated");
    default:
        readLiteral();
        return {};
    }
}

// All bytes of a character are one thing for what repeats it.
void PatternReader::readLiteral()
{
    const auto isContinued = [&] {
        return !isAtEnd() && (static_cast<unsigned char>(m_pattern[m_at]) & 0xC0U) == 0x80U;
    };
    do {
        Step step{.kind = StepKind::Character, .next = 1, .other = 0, .characters = {}};
        addFolded(step.characters, static_cast<unsigned char>(m_pattern[m_at++]));
        m_steps.push_back(step);
    } while (isContinued());
}

Result<void> PatternReader::readGroup(int depth)
{
    if (take('?') && !take(':'))
        return wrong("only (?: is known of what begins with (?");
    STAGECRAFT_TRY(readAlternatives(depth + 1));
    if (!take(')'))
        return wrong("a ( without its )");
    return {};
}

Result<void> PatternReader::readEscape()
{
    if (isAtEnd())
        return wrong("ends in a backslash");
    const char letter = m_pattern[m_at];
    if (std::isdigit(static_cast<unsigned char>(letter)) != 0)
        return wrong("cannot look for what was found before");
    if (const auto characters = classOf(letter)) {
        ++m_at;
        m_steps.push_back({.kind = StepKind::Character, .next = 1, .other = 0, .characters = *characters});
        return {};
    }
    if (letter == 'b') {
        ++m_at;
        m_steps.push_back({.kind = StepKind::WordEdge, .next = 1, .other = 0, .characters = {}});
        return {};
    }
    if (std::isalpha(static_cast<unsigned char>(letter)) != 0)
        return wrong("\\" + std::string(1, letter) + " is not known");
    readLiteral();
    return {};
}

Result<void> PatternReader::readSet()
{
    const bool isOpposite = take('^');
    Characters set;
    do {
        if (isAtEnd())
            return wrong("a [ without its ]");
        STAGECRAFT_TRY(readSetMember(set));
    } while (!take(']'));
    m_steps.push_back(
        {.kind = StepKind::Character, .next = 1, .other = 0, .characters = isOpposite ? ~set : set});
    return {};
}

Result<void> PatternReader::readSetMember(Characters& set)
{
    if (take('\\')) {
        if (isAtEnd())
            return wrong("ends in a backslash");
        if (const auto characters = classOf(m_pattern[m_at])) {
            ++m_at;
            set |= *characters;
            return {};
        }
    }
    const auto first = static_cast<unsigned char>(m_pattern[m_at++]);
    auto last = first;
    if (m_at + 1 < m_pattern.size() && m_pattern[m_at] == '-' && m_pattern[m_at + 1] != ']') {
        last = static_cast<unsigned char>(m_pattern[m_at + 1]);
        m_at += 2;
    }
    if (last < first)
        return wrong("a range from a larger to a smaller character");
    for (unsigned c = first; c <= last; ++c)
        addFolded(set, static_cast<unsigned char>(c));
    return {};
}

Result<void> PatternReader::readTimes(std::size_t start)
{
    int least = 1;
    std::optional<int> most = 1;
    if (take('*')) {
        least = 0;
        most = {};
    } else if (take('+')) {
        most = {};
    } else if (take('?')) {
        least = 0;
    } else if (take('{')) {
        const auto number = [&](int& value) {
            const char* const from = m_pattern.data() + m_at;
            const auto [end, status] = std::from_chars(from, m_pattern.data() + m_pattern.size(), value);
            m_at += static_cast<std::size_t>(end - from);
            return status == std::errc() && value >= 0 && value <= mostTimes;
        };
        if (!number(least))
            return wrong("write {2}, {2,} or {2,5}");
        most = least;
        if (take(',')) {
            most = {};
            if (!isNext('}') && !number(most.emplace()))
                return wrong("write {2}, {2,} or {2,5}");
        }
        if (!take('}') || (most && *most < least))
            return wrong("write {2}, {2,} or {2,5}");
    } else {
        return {};
    }
    take('?'); // as few as possible: found or not is the same
    if (isNext('*') || isNext('+') || isNext('?') || isNext('{'))
        return wrong("is repeated already; put it into parentheses");
    return repeat(start, least, most);
}

Result<void> PatternReader::repeat(std::size_t start, int least, std::optional<int> most)
{
    const std::vector<Step> piece(m_steps.begin() + static_cast<std::ptrdiff_t>(start), m_steps.end());
    const int size = static_cast<int>(piece.size());
    m_steps.resize(start);
    const auto append = [&]() -> Result<void> {
        m_steps.insert(m_steps.end(), piece.begin(), piece.end());
        return checkSize();
    };
    for (int i = 0; i < least; ++i)
        STAGECRAFT_TRY(append());
    if (!most) {
        insertFork(m_steps.size(), 1, size + 2);
        STAGECRAFT_TRY(append());
        m_steps.push_back({.kind = StepKind::Jump, .next = -(size + 1), .other = 0, .characters = {}});
        return {};
    }
    for (int i = least; i < *most; ++i) {
        insertFork(m_steps.size(), 1, size + 1);
        STAGECRAFT_TRY(append());
    }
    return {};
}

// The steps that wait for the next character, each once.
class Places
{
public:
    explicit Places(std::size_t steps) : m_isThere(steps, 0) {}

    void clear()
    {
        for (const std::size_t step : m_all)
            m_isThere[step] = 0;
        m_all.clear();
    }
    // Follows all that needs no character from `step`; `before` and `after` are around the place in the text.
    void follow(std::span<const Step> steps, std::size_t step, std::optional<unsigned char> before,
                std::optional<unsigned char> after)
    {
        std::vector<std::size_t>& open = m_open;
        open.assign(1, step);
        while (!open.empty()) {
            const std::size_t at = open.back();
            open.pop_back();
            if (m_isThere[at] != 0)
                continue;
            m_isThere[at] = 1;
            m_all.push_back(at);
            const bool isEdge = (before && isWordCharacter(*before)) != (after && isWordCharacter(*after));
            const StepKind kind = steps[at].kind;
            if (kind == StepKind::Fork)
                open.push_back(at + static_cast<std::size_t>(steps[at].other));
            if (kind == StepKind::Fork || kind == StepKind::Jump ||
                (kind == StepKind::TextBegins && !before) || (kind == StepKind::TextEnds && !after) ||
                (kind == StepKind::WordEdge && isEdge))
                open.push_back(static_cast<std::size_t>(static_cast<int>(at) + steps[at].next));
        }
    }
    const std::vector<std::size_t>& all() const { return m_all; }

private:
    std::vector<char> m_isThere;
    std::vector<std::size_t> m_all;
    std::vector<std::size_t> m_open;
};

} // namespace

Result<BoundedRegex> BoundedRegex::compile(std::string_view pattern)
{
    STAGECRAFT_ASSIGN(steps, PatternReader(pattern).read());
    BoundedRegex regex;
    regex.m_steps = std::move(steps);
    return regex;
}

bool BoundedRegex::isFoundIn(std::string_view text) const
{
    Places now(m_steps.size());
    Places next(m_steps.size());
    std::optional<unsigned char> before;
    for (std::size_t i = 0;; ++i) {
        const auto after =
            i < text.size() ? std::optional(static_cast<unsigned char>(text[i])) : std::nullopt;
        now.follow(m_steps, 0, before, after); // a match may begin anywhere
        const auto behind =
            i + 1 < text.size() ? std::optional(static_cast<unsigned char>(text[i + 1])) : std::nullopt;
        for (const std::size_t step : now.all()) {
            if (m_steps[step].kind == StepKind::Match)
                return true;
            if (after && m_steps[step].kind == StepKind::Character && m_steps[step].characters[*after])
                next.follow(m_steps, step + 1, after, behind);
        }
        if (!after)
            return false;
        before = after;
        std::swap(now, next);
        next.clear();
    }
}

} // namespace stagecraft
