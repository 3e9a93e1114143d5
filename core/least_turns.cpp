#include "core/least_turns.h"

#include "core/plan/stage_cost.h"
#include "core/profile/turn_memory.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace stagecraft {

// Walks all turns of the model's backward pass.
class LeastTurns::Maker
{
public:
    Maker(const TurnMemory& memory, const ModelChain& chain)
        : m_memory(memory),
          m_placeOf(chain.nodes.size()),
          m_linkOf(chain.nodes.size()),
          m_left(chain.nodes.size()),
          m_letGo(chain.nodes.size())
    {
        std::size_t place = 0;
        for (std::size_t link = 0; link < chain.links.size(); ++link)
            for (const NodeId node : chain.links[link]) {
                m_linkOf[node] = link;
                m_placeOf[node] = place++;
            }
        m_turns.resize(place);
    }

    std::vector<std::vector<Part>> turns() &&
    {
        for (const TurnMemory::Turn& turn : m_memory.backward.turns)
            take(turn);
        return std::move(m_turns);
    }

private:
    void take(const TurnMemory::Turn& turn)
    {
        const TurnMemory::Way& way = m_memory.backward;
        const std::optional<std::size_t> link = m_linkOf[turn.node];
        const auto mayBeElsewhere = [](NodeId) { return false; }; // for whom it is added up
        for (std::uint32_t i = turn.makes.first; i < turn.makes.end; ++i)
            if (link && way.isMade(i, mayBeElsewhere))
                m_alive[way.made[i]].push_back(*link);
        if (link)
            m_turns[*m_placeOf[turn.node]].push_back(partOf(turn, *link));
        m_left[turn.node] += turn.left;
        for (std::uint32_t i = turn.drops.first; i < turn.drops.end; ++i)
            m_alive.erase(way.dropped[i]);
        for (std::uint32_t i = turn.letsGo.first; i < turn.letsGo.end; ++i)
            m_letGo[turn.node] += m_memory.activations[m_memory.letGo[i].activation].bytes;
    }

    // Who makes a gradient in a link before that may be of another stage.
    Part partOf(const TurnMemory::Turn& turn, std::size_t link) const
    {
        const Bytes before = m_left[turn.node] - m_letGo[turn.node];
        Part part{(before + turn.peak).asDouble()};
        if (turn.reading > Bytes{})
            part.reading = (before + turn.reading).asDouble();
        for (const auto& [gradient, makers] : m_alive) {
            std::optional<std::size_t> first;
            for (const std::size_t maker : makers)
                if (maker >= link)
                    first = std::min(first.value_or(maker), maker);
            if (first)
                part.gradients.push_back({*first, m_memory.gradients[gradient].asDouble()});
        }
        return part;
    }

    const TurnMemory& m_memory;
    Table<NodeId, std::optional<std::size_t>> m_placeOf, m_linkOf; // none: it floats
    Table<NodeId, Bytes> m_left;                                   // by its parts so far
    Table<NodeId, Bytes> m_letGo;                                  // likewise, of what it saved
    std::map<std::uint32_t, std::vector<std::size_t>> m_alive;     // gradients, and their makers' links
    std::vector<std::vector<Part>> m_turns;
};

LeastTurns::LeastTurns(const RecomputeGround& ground, const ModelChain& chain)
{
    if (ground.none.turns && !splitsBackward(ground.none.options.schedule))
        m_turns = Maker(*ground.none.turns, chain).turns();
}

LeastTurns::Alive LeastTurns::aliveAt(std::size_t place, std::size_t end) const
{
    Alive alive;
    for (const Part& part : m_turns[place]) {
        double passed = 0;
        for (const Gradient& gradient : part.gradients)
            passed += gradient.link < end ? gradient.bytes : 0;
        alive.most = std::max(alive.most, part.own + passed);
        if (part.reading)
            alive.reading = std::max(alive.reading, *part.reading + passed);
    }
    return alive;
}

} // namespace stagecraft
