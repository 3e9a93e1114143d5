#include "core/recompute_payments.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stagecraft {

namespace {

constexpr std::size_t pricesOfBound = 48;
constexpr std::size_t mostRunsAtTurns = 256;
constexpr double slack = 1e-9;    // between prices
constexpr double leastTop = 1e-7; // seconds a byte: what does not fit takes longer than any plan

double secondsOf(const std::vector<std::pair<double, double>>& rates)
{
    double seconds = 0;
    for (const auto& [rate, takes] : rates)
        seconds += takes;
    return seconds;
}

// Of some seconds' worth of them.
double leastOf(const std::vector<std::pair<double, double>>& rates, double seconds)
{
    double cost = 0;
    for (const auto& [rate, takes] : rates) {
        const double taken = std::clamp(seconds, 0.0, takes);
        cost += rate * taken;
        seconds -= taken;
    }
    return cost;
}

} // namespace

std::vector<Atom> atomsOf(const RecomputeGround& ground, const ModelChain& chain)
{
    Table<NodeId, std::size_t> linkOf(chain.nodes.size(), chain.links.size());
    for (std::size_t link = 0; link < chain.links.size(); ++link)
        for (const NodeId node : chain.links[link])
            linkOf[node] = link;
    std::vector<Atom> atoms;
    for (const RecomputeRegion& block : ground.blocks.regions) {
        Atom atom{.first = chain.links.size()};
        for (const NodeId node : block.nodes)
            if (linkOf[node] < chain.links.size()) {
                atom.first = std::min(atom.first, linkOf[node]);
                atom.end = std::max(atom.end, linkOf[node] + 1);
            }
        atom.first = std::max(atom.first, atoms.empty() ? 0 : atoms.back().end);
        if (atom.first >= atom.end)
            continue;
        for (std::size_t link = atom.first; link < atom.end; ++link)
            atom.nodes.insert(atom.nodes.end(), chain.links[link].begin(), chain.links[link].end());
        std::ranges::sort(atom.nodes);
        atoms.push_back(std::move(atom));
    }
    return atoms;
}

Payments::Payments(const ModelChain& chain, const std::vector<Atom>& atoms,
                   const Table<NodeId, NodeNeeds>& needs, const FloatHoldings& floats,
                   const PaidCrossings& crossings, const RecomputeGains& gains, Bytes largest,
                   std::vector<Bytes> caps)
    : m_chain(chain),
      m_floats(floats),
      m_crossings(crossings),
      m_gains(gains),
      m_caps(std::move(caps)),
      m_needed{0},
      m_neededOf(chain.nodes.size(), 0),
      m_kept(chain.nodes.size(), 0),
      m_given(chain.nodes.size()),
      m_atoms(atoms)
{
    for (const std::vector<NodeId>& link : chain.links) {
        m_needed.push_back(m_needed.back());
        for (const NodeId node : link) {
            m_neededOf[node] = needs[node].needed().asDouble();
            m_needed.back() += m_neededOf[node];
        }
    }
    for (const NodeId node : needs.ids()) {
        const bool mayRunAgain = std::isfinite(needs[node].again.value());
        for (const NodeNeeds::Made& made : needs[node].made)
            if (made.isNeeded) {
                const Bytes gain = made.atOnce > largest || !mayRunAgain ? Bytes{} : made.gain;
                if (gain > Bytes{})
                    m_given[node].push_back({made.again.value(), gain.asDouble()});
                m_kept[node] += (made.bytes - gain).asDouble();
            }
        std::ranges::sort(m_given[node], {}, &Given::again);
    }
    LeastNeeds least(needs, largest);
    for (const Atom& atom : atoms)
        m_hulls.push_back(least.of(atom.nodes));
    findPrices();
    findPlaces(atoms);
    m_atPrices.resize(m_prices.size());
    m_runs.resize(m_caps.size() * m_prices.size());
}

double Payments::of(std::size_t price, std::size_t from, std::size_t to) const
{
    const ChainPlace& begin = m_chain.places[from];
    const ChainPlace& end = m_chain.places[to];
    const std::size_t first = begin.firstWhole();
    const AtPlace& last = at(price, to);
    const double crossing = crossingsBetween(last, begin, to);
    if (begin.link == end.link)
        return std::max(0.0, std::max(0.0, last.upTo - at(price, from).since) + crossing);
    return ofParts(price, from, to) + ofWhole(price, first, end.link) + crossing;
}

// Links, one after the other.
double Payments::ofWhole(std::size_t price, std::size_t first, std::size_t end) const
{
    const AtPrice& all = at(price);
    const std::size_t atom = m_nextAtom[first], lastAtom = m_lastAtom[end];
    return atom < lastAtom ? all.nodes[atom] - all.nodes[first] + all.atoms[lastAtom] - all.atoms[atom] +
                                 all.nodes[end] - all.nodes[lastAtom]
                           : all.nodes[end] - all.nodes[first];
}

double Payments::before(std::size_t link, std::size_t price, std::size_t from) const
{
    const std::size_t first = m_chain.places[from].firstWhole(), place = m_placeBefore[link];
    const std::size_t end = m_chain.places[place].link;
    if (first >= end)
        return 0;
    const std::span<const PaidCrossing> crossings = m_crossings.at(place);
    const auto passed = std::ranges::find_if(crossings, [&](const auto& each) { return each.link < first; });
    return std::max(0.0, ofWhole(price, first, end) -
                             at(price, place).unsaved[static_cast<std::size_t>(passed - crossings.begin())]);
}

double Payments::ofFloats(std::size_t price, std::span<const FloatHoldings::Held> held) const
{
    return held.empty() ? 0 : FloatHoldings::costOf(held, at(price).floats, m_prices[price]);
}

double Payments::ofParts(std::size_t price, std::size_t from, std::size_t to) const
{
    const AtPrice& all = at(price);
    return all.nodes[m_chain.places[from].firstWhole()] - at(price, from).since + at(price, to).upTo -
           all.nodes[m_chain.places[to].link];
}

// What is paid besides for what crosses the end, by a stage that begins there.
double Payments::crossingsBetween(const AtPlace& last, const ChainPlace& begin, std::size_t to) const
{
    const std::span<const PaidCrossing> crossings = m_crossings.at(to);
    std::size_t whole = 0;
    while (whole < crossings.size() && crossings[whole].link >= begin.firstWhole())
        ++whole;
    double cost = last.more[whole] - last.less[whole];
    for (std::size_t i = whole; i < crossings.size() && crossings[i].link == begin.link; ++i) {
        const bool isMine = begin.isBefore(begin.link, crossings[i].position);
        cost += isMine ? last.more[i + 1] - last.more[i] : 0;
        cost -= isMine || begin.isSpan ? last.less[i + 1] - last.less[i] : 0;
    }
    return cost;
}

// Of the last of these, which it has to there.
double Payments::ofEnd(std::size_t price, std::size_t to) const
{
    return at(price, to).upTo - at(price).nodes[m_chain.places[to].link];
}

// What is paid for it besides, by nodes.
double Payments::crossingAt(std::size_t price, std::size_t crossing, std::size_t place) const
{
    const AtPlace& end = at(price, place);
    return end.more[crossing + 1] - end.more[crossing] - (end.less[crossing + 1] - end.less[crossing]);
}

RecomputeGains::Search& Payments::runsAt(std::size_t cap, std::size_t price) const
{
    auto& runs = m_runs[cap * m_prices.size() + price];
    if (!runs)
        runs = std::make_unique<RecomputeGains::Search>(m_gains, m_prices[price], m_caps[cap]);
    return *runs;
}

double Payments::byRuns(std::size_t cap, std::size_t price, std::size_t from, std::size_t to, Of whose) const
{
    using Search = RecomputeGains::Search;
    const ChainPlace& begin = m_chain.places[from];
    const std::size_t first = begin.firstWhole(), end = m_chain.places[to].link;
    if (first >= end)
        return of(price, from, to);
    if (whose == Of::StageAlone && !begin.inside.empty())
        return byRunsFromWithin(cap, price, from, to);
    const double each = m_prices[price];
    Search& runs = runsAt(cap, price);
    const auto isIn = begin.isBetween() ? Search::Begin::Between : Search::Begin::Inside;
    const Search::Gains& gains = whose == Of::StageAlone ? runs.from(first, isIn, end) : runs.all();
    const double read = whose == Of::StageAlone ? 0 : m_gains.read(first);
    return std::max(0.0, ofParts(price, from, to) + each * (m_needed[end] - m_needed[first] - read) -
                             gainedOf(gains, first, to) + crossingsOf(price, first, first, to));
}

// Of the stage alone, which has of the link in which it begins what is not inside: by runs of that, too.
double Payments::byRunsFromWithin(std::size_t cap, std::size_t price, std::size_t from, std::size_t to) const
{
    const ChainPlace& begin = m_chain.places[from];
    const std::size_t end = m_chain.places[to].link;
    return std::max(0.0, ofEnd(price, to) + m_prices[price] * neededFrom(begin, end) -
                             gainedOf(runsAt(cap, price).from(from, begin, end), begin.link, to) +
                             crossingsOf(price, begin.link, begin.firstWhole(), to));
}

// Bytes that links make and backward needs; of the first what is not inside.
double Payments::neededFrom(const ChainPlace& begin, std::size_t end) const
{
    double needed = m_needed[end] - m_needed[begin.link];
    for (std::size_t i = 0; i < begin.inside.size(); ++i)
        needed -= begin.inside[i] ? m_neededOf[m_chain.links[begin.link][i]] : 0;
    return needed;
}

// By a stage that has links from that one on.
double Payments::gainedOf(const RecomputeGains::Search::Gains& gains, std::size_t first, std::size_t to) const
{
    const ChainPlace& place = m_chain.places[to];
    const std::vector<double>& upTo = place.isBetween() ? gains.upTo : gains.into;
    return upTo[place.link - gains.first] - gains.upTo[first - gains.first];
}

// What such a stage pays at its end, where it has those from `whole` on in full: less, for what it does not
// save.
double Payments::crossingsOf(std::size_t price, std::size_t first, std::size_t whole, std::size_t to) const
{
    const double each = m_prices[price];
    const std::size_t end = m_chain.places[to].link;
    double cost = 0;
    for (const RecomputeGains::Crossing& crossing : m_gains.needed(end)) {
        if (crossing.link < first)
            break; // and all that follow
        cost -= each * crossing.bytes;
    }
    const std::span<const PaidCrossing> crossings = m_crossings.at(to);
    for (std::size_t i = 0; i < crossings.size() && crossings[i].link >= whole; ++i)
        cost += crossings[i].link < end ? each * crossings[i].besides : crossingAt(price, i, to);
    return cost;
}

RecomputeGains::Search& Payments::runsAt(const AtTurn& turn, std::size_t cap, std::size_t price) const
{
    const OfTurn of{turn.place, turn.share, cap, price};
    if (const auto known = m_runsAtTurns.find(of); known != m_runsAtTurns.end())
        return known->second;
    if (m_runsAtTurns.size() >= mostRunsAtTurns)
        m_runsAtTurns.clear();
    return m_runsAtTurns.try_emplace(of, m_gains, m_prices[price], m_caps[cap], turn).first->second;
}

// The same as it counts there.
double Payments::neededFrom(const ChainPlace& begin, std::size_t end, const AtTurn& turn) const
{
    const std::vector<std::size_t>& places = m_gains.placesOfLinks();
    const std::size_t first = places[begin.link];
    double whole = 0; // what nodes before it alone save
    for (const RecomputeGains::Needed& needed : m_gains.allNeeded())
        if (needed.maker >= first && needed.maker < places[end] && !needed.isSavedByFloats &&
            needed.savers.back() < turn.place &&
            (needed.maker - first >= begin.inside.size() || begin.inside[needed.maker - first] == 0))
            whole += needed.bytes;
    return whole + turn.share * (neededFrom(begin, end) - whole);
}

double Payments::atTurn(const AtTurn& turn, std::size_t cap, std::size_t price, std::size_t from,
                        std::size_t to) const
{
    using Search = RecomputeGains::Search;
    const ChainPlace& begin = m_chain.places[from];
    const std::size_t whole = begin.firstWhole(), end = m_chain.places[to].link;
    const double each = m_prices[price];
    Search& runs = runsAt(turn, cap, price);
    double cost = 0;
    if (begin.isSpan)
        cost = turn.share * ofParts(price, from, to) + each * neededFrom({.link = whole}, end, turn) -
               gainedOf(runs.from(whole, Search::Begin::Inside, end), whole, to);
    else
        cost = turn.share * ofEnd(price, to) + each * neededFrom(begin, end, turn) -
               gainedOf(begin.isBetween() ? runs.from(whole, Search::Begin::Between, end)
                                          : runs.from(from, begin, end),
                        begin.link, to);
    for (const RecomputeGains::Crossing& crossing : m_gains.needed(end)) {
        if (crossing.link < begin.link)
            break; // and all that follow
        cost -= each * turn.share * crossing.bytes;
    }
    const std::span<const PaidCrossing> crossings = m_crossings.at(to);
    for (std::size_t i = 0; i < crossings.size() && crossings[i].link >= whole; ++i)
        if (crossings[i].link < end)
            cost += each * besidesAt(turn, crossings[i], end);
        else if (const double paid = crossingAt(price, i, to); paid != 0)
            cost += paid < 0 ? paid : turn.share * paid;
    return std::max(0.0, cost);
}

// What it takes besides there: what the run-time holds it does not let go of.
double Payments::besidesAt(const AtTurn& turn, const PaidCrossing& crossing, std::size_t end) const
{
    const double held = std::max(crossing.held, turn.share * crossing.savedOrHeld);
    return turn.share * crossing.copied + std::max(0.0, held - m_gains.counted(crossing.storage, end, turn));
}

double Payments::besides(const AtTurn& turn, std::size_t cap, std::size_t price, std::size_t from,
                         std::size_t to, double left) const
{
    const std::size_t first = m_chain.places[from].firstWhole(), end = m_chain.places[to].link;
    return first < end ? m_gains.besides(m_prices[price], m_caps[cap], turn, first, end, left) : 0;
}

double Payments::costOf(NodeId node, double price) const
{
    double kept = 0;
    for (const Given& given : m_given[node])
        kept += price * given.bytes;
    double least = kept;
    for (const Given& given : m_given[node]) { // who has that once more, has all before it
        kept -= price * given.bytes;
        least = std::min(least, kept + given.again);
    }
    return price * m_kept[node] + std::max(0.0, least);
}

void Payments::findPrices()
{
    std::vector<std::pair<double, double>> prices; // and the bytes that turn there
    for (const NodeId node : m_chain.nodes.ids())
        for (double before = 0; const Given& given : m_given[node]) {
            prices.emplace_back((given.again - before) / given.bytes, given.bytes);
            before = given.again;
        }
    for (const Hull& hull : m_hulls)
        for (std::size_t i = 1; i < hull.size(); ++i) {
            const double bytes = hull[i].bytes - hull[i - 1].bytes;
            if (bytes > 0)
                prices.emplace_back((hull[i - 1].seconds - hull[i].seconds) / bytes, bytes);
        }
    std::ranges::sort(prices);
    double all = 0, since = 0;
    for (const auto& [price, bytes] : prices)
        all += bytes;
    m_prices = {0};
    for (const auto& [price, bytes] : prices) {
        since += bytes;
        if (price > m_prices.back() * (1 + slack) && since * static_cast<double>(pricesOfBound) >= all) {
            m_prices.push_back(price);
            since = 0;
        }
    }
    if (!prices.empty() && prices.back().first > m_prices.back())
        m_prices.push_back(prices.back().first);
    m_prices.push_back(std::max(leastTop, m_prices.back()) * 1e3); // nearly all that can be given up is
}

void Payments::findPlaces(const std::vector<Atom>& atoms)
{
    const std::size_t count = m_chain.links.size();
    m_nextAtom.assign(count + 1, count + 1);
    m_lastAtom.assign(count + 1, 0);
    for (std::size_t place = 0; place < m_chain.places.size(); ++place)
        if (m_chain.places[place].isBetween()) {
            m_placeBefore.resize(m_chain.places[place].link,
                                 m_placeBefore.empty() ? 0 : m_placeBefore.back());
            m_placeBefore.push_back(place);
        }
    for (const Atom& atom : atoms) {
        m_nextAtom[atom.first] = atom.first;
        m_lastAtom[atom.end] = atom.end;
    }
    for (std::size_t link = count; link-- > 0;)
        m_nextAtom[link] = std::min(m_nextAtom[link], m_nextAtom[link + 1]);
    for (std::size_t link = 1; link <= count; ++link)
        m_lastAtom[link] = std::max(m_lastAtom[link], m_lastAtom[link - 1]);
}

Payments::AtPrice& Payments::at(std::size_t price) const
{
    std::unique_ptr<AtPrice>& known = m_atPrices[price];
    if (!known)
        known = std::make_unique<AtPrice>(atPrice(m_prices[price]));
    return *known;
}

Payments::AtPrice Payments::atPrice(double price) const
{
    AtPrice at;
    at.nodes.push_back(0);
    for (const std::vector<NodeId>& link : m_chain.links) {
        double cost = 0;
        for (const NodeId node : link)
            cost += costOf(node, price);
        at.nodes.push_back(at.nodes.back() + cost);
    }
    at.atoms = at.nodes;
    at.moreOfLink.resize(m_chain.links.size(), 0);
    double more = 0; // of the atoms so far, than of their nodes
    std::size_t link = 0;
    for (std::size_t i = 0; i < m_atoms.size(); ++i) {
        const Atom& atom = m_atoms[i];
        for (; link < atom.end; ++link)
            at.atoms[link] += more;
        const double ofAtom = std::max(0.0, LeastNeeds::costOf(m_hulls[i], price) -
                                                (at.nodes[atom.end] - at.nodes[atom.first]));
        std::fill(at.moreOfLink.begin() + static_cast<std::ptrdiff_t>(atom.first),
                  at.moreOfLink.begin() + static_cast<std::ptrdiff_t>(atom.end), ofAtom);
        more += ofAtom;
    }
    for (; link < at.atoms.size(); ++link)
        at.atoms[link] += more;
    at.floats = m_floats.needsAt(price);
    at.places.resize(m_chain.places.size());
    return at;
}

const Payments::AtPlace& Payments::at(std::size_t price, std::size_t place) const
{
    AtPrice& all = at(price);
    std::unique_ptr<AtPlace>& known = all.places[place];
    if (!known)
        known = std::make_unique<AtPlace>(atPlace(m_prices[price], all, place));
    return *known;
}

Payments::AtPlace Payments::atPlace(double price, const AtPrice& all, std::size_t index) const
{
    const ChainPlace& place = m_chain.places[index];
    AtPlace at;
    at.upTo = at.since = all.nodes[place.link];
    if (place.isSpan) {
        const Rates rates = ratesOf(place.link, price);
        at.since = all.nodes[place.link + 1] - leastOf(rates, secondsOf(rates) - place.most);
        at.upTo += leastOf(rates, place.least);
    } else if (!place.inside.empty()) {
        const std::vector<NodeId>& nodes = m_chain.links[place.link];
        for (std::size_t i = 0; i < nodes.size(); ++i)
            at.upTo += place.inside[i] ? costOf(nodes[i], price) : 0;
        at.since = at.upTo;
    }
    addCrossings(price, all, index, at);
    return at;
}

// What its nodes pay for goes, where the stage does not save it; for what it holds anyway it pays in full,
// once: nodes and atoms that have to keep it to run others again have paid for that.
void Payments::addCrossings(double price, const AtPrice& all, std::size_t place, AtPlace& at) const
{
    at.more.push_back(0);
    at.less.push_back(0);
    at.unsaved.push_back(0);
    // Of a link that a span parts, no more than is counted of it.
    const std::size_t link = m_chain.places[place].link;
    double left = m_chain.places[place].isSpan ? at.upTo - all.nodes[link] : infinite;
    for (const PaidCrossing& crossing : m_crossings.at(place)) {
        const double more = all.moreOfLink[crossing.link];
        double paid = price * crossing.bytes;
        if (!crossing.isNeeded)
            paid = std::min(paid, price * crossing.takenOff + more);
        else if (crossing.isAlone) // without, it would be of no bytes
            paid = std::min(paid, costOf(crossing.maker, price) + more);
        const double besides = price * crossing.held - paid;
        double less = crossing.isNeeded && !crossing.isSaved ? std::max(0.0, -besides) : 0;
        if (crossing.link == link) {
            less = std::min(less, left);
            left -= less;
        }
        at.unsaved.push_back(at.unsaved.back() + (crossing.isNeeded && !crossing.isSavedBefore ? paid : 0));
        at.more.push_back(at.more.back() + std::max(0.0, besides) + price * crossing.copied);
        at.less.push_back(at.less.back() + less);
    }
}

Payments::Rates Payments::ratesOf(std::size_t link, double price) const
{
    Rates rates;
    for (const NodeId node : m_chain.links[link])
        if (const double takes = m_chain.nodes[node].seconds; takes > 0)
            rates.emplace_back(costOf(node, price) / takes, takes);
    std::ranges::sort(rates);
    return rates;
}

} // namespace stagecraft
