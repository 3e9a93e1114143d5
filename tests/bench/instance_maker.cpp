#include "instance_maker.h"

#include <algorithm>
#include <functional>
#include <map>

namespace stagecraft::bench {

namespace {

// The same numbers with every standard library.
class Dice
{
public:
    explicit Dice(std::uint64_t seed) : m_state(seed * 0x9e3779b97f4a7c15u + 1) {}

    std::size_t upTo(std::size_t most) { return static_cast<std::size_t>(next() % (most + 1)); }
    double between(double low, double high)
    {
        return low + (high - low) * static_cast<double>(next() >> 11) / 9007199254740992.0;
    }

private:
    std::uint64_t next() // splitmix64
    {
        m_state += 0x9e3779b97f4a7c15u;
        std::uint64_t z = m_state;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }

    std::uint64_t m_state;
};

class Maker
{
public:
    explicit Maker(const InstanceShape& shape) : m_shape(shape), m_dice(shape.seed) {}

    nlohmann::json run()
    {
        const std::map<std::string, void (Maker::*)()> families{
            {"bert", &Maker::bert},     {"gnmt", &Maker::gnmt}, {"inception", &Maker::inception},
            {"resnet", &Maker::resnet}, {"unet", &Maker::unet}, {"experts", &Maker::experts},
            {"wired", &Maker::wired}};
        (this->*families.at(m_shape.family))();
        return m_shape.training ? withBackward() : forwardOnly();
    }

private:
    struct Node
    {
        double time;
        double output; // time to send what it makes
        double memory;
        std::vector<std::size_t> inputs;
    };

    // Heavy ones hold weights; light ones take next to no time and still make something to send.
    std::size_t add(double time, std::vector<std::size_t> inputs)
    {
        const double jitter = m_dice.between(0.8, 1.25);
        const bool light = time < 0.05;
        std::ranges::sort(inputs);
        const auto repeated = std::ranges::unique(inputs);
        inputs.erase(repeated.begin(), repeated.end());
        m_nodes.push_back({m_dice.upTo(9) == 0 && light ? 0.0 : time * jitter,
                           m_shape.communication * m_dice.between(0.5, 1.5),
                           light ? 0 : time * m_dice.between(0.5, 1.5) * 1e6, std::move(inputs)});
        return m_nodes.size() - 1;
    }

    std::size_t chain(std::size_t from, std::size_t length, double time)
    {
        for (std::size_t i = 0; i < length; ++i)
            from = add(i % 2 == 0 ? time : 0.02, {from});
        return from;
    }

    // Attention over `context`, then two wide layers; a mask that every layer reads.
    std::size_t attention(std::size_t from, std::size_t context, std::size_t mask)
    {
        const std::size_t query = add(0.5, {from});
        const std::size_t key = add(0.5, {context});
        const std::size_t value = add(0.5, {context});
        const std::size_t score = add(0.2, {add(0.02, {query, key}), mask});
        return add(0.02, {add(0.5, {score, value}), from});
    }
    std::size_t feedForward(std::size_t from) { return add(0.02, {chain(from, 4, 2), from}); }

    void bert()
    {
        const std::size_t input = add(0.01, {});
        const std::size_t mask = add(0.01, {input});
        std::size_t last = chain(input, 3, 0.3);
        for (std::size_t block = 0; block < m_shape.blocks; ++block)
            last = feedForward(attention(last, last, add(0.01, {mask})));
        add(3, {last});
    }

    // An encoder, and a decoder each layer of which reads the encoder's end.
    void gnmt()
    {
        const std::size_t input = add(0.01, {});
        const std::size_t mask = add(0.01, {input});
        std::size_t encoded = chain(input, 2, 0.5);
        for (std::size_t block = 0; block < m_shape.blocks / 2 + 1; ++block)
            encoded = feedForward(attention(encoded, encoded, mask));
        std::size_t last = chain(add(0.01, {}), 2, 0.5);
        for (std::size_t block = 0; block < m_shape.blocks / 2 + 1; ++block)
            last = feedForward(attention(attention(last, last, mask), encoded, mask));
        add(4, {last});
    }

    // Branches side by side.
    void inception()
    {
        std::size_t last = chain(add(0.01, {}), 6, 1.5);
        for (std::size_t block = 0; block < m_shape.blocks; ++block) {
            std::vector<std::size_t> ends;
            const std::size_t branches = 2 + m_dice.upTo(2);
            for (std::size_t branch = 0; branch < branches; ++branch)
                ends.push_back(chain(last, 1 + m_dice.upTo(5), m_dice.between(0.2, 1.5)));
            last = add(0.02, std::move(ends));
        }
        add(0.5, {last});
    }

    void resnet()
    {
        std::size_t last = chain(add(0.01, {}), 3, 1);
        for (std::size_t block = 0; block < m_shape.blocks; ++block) {
            const std::size_t skip = block % 4 == 0 ? chain(last, 2, 0.7) : last;
            last = add(0.02, {chain(last, 5, m_dice.between(0.5, 1.2)), skip});
        }
        add(0.5, {last});
    }

    // What goes down is read again on the way up.
    void unet()
    {
        std::size_t last = add(0.01, {});
        std::vector<std::size_t> skips;
        for (std::size_t block = 0; block < m_shape.blocks / 2 + 1; ++block) {
            last = chain(last, 4, m_dice.between(0.6, 1.5));
            skips.push_back(last);
            last = add(0.05, {last});
        }
        last = chain(last, 6, 1.2);
        for (; !skips.empty(); skips.pop_back())
            last = chain(add(0.05, {add(0.02, {last}), skips.back()}), 4, m_dice.between(0.6, 1.5));
        add(0.2, {last});
    }

    void experts()
    {
        std::size_t last = add(0.3, {add(0.01, {})});
        const std::size_t mask = add(0.01, {});
        for (std::size_t block = 0; block < m_shape.blocks; ++block) {
            last = attention(last, last, mask);
            const std::size_t router = add(0.05, {last});
            std::vector<std::size_t> ends{last};
            for (std::size_t expert = 0; expert < 4; ++expert)
                ends.push_back(chain(add(0.02, {last, router}), 3, 0.8));
            last = add(0.05, std::move(ends));
        }
        add(2, {last});
    }

    // Blocks of nodes that read any of the few before them.
    void wired()
    {
        std::size_t last = add(0.01, {});
        for (std::size_t block = 0; block < m_shape.blocks; ++block) {
            const std::size_t first = last;
            std::vector<std::size_t> open;
            for (std::size_t i = 0; i < 8; ++i) {
                std::vector<std::size_t> inputs{i == 0 ? first : first + 1 + m_dice.upTo(i - 1)};
                if (i > 1 && m_dice.upTo(1) == 0)
                    inputs.push_back(first + 1 + m_dice.upTo(i - 1));
                open.push_back(add(m_dice.between(0.2, 1.5), std::move(inputs)));
            }
            last = add(0.05, std::move(open));
        }
    }

    nlohmann::json nodeJson(std::size_t id, double time, double memory) const
    {
        return {{"id", id}, {"time", time}, {"memory", memory}};
    }

    nlohmann::json forwardOnly() const
    {
        nlohmann::json instance = emptyInstance("inference");
        for (std::size_t node = 0; node < m_nodes.size(); ++node)
            instance["nodes"].push_back(nodeJson(node, m_nodes[node].time, m_nodes[node].memory));
        addForwardEdges(instance);
        return instance;
    }

    // Each forward node has a backward one in its stage; some gradients take a node of their own.
    nlohmann::json withBackward()
    {
        nlohmann::json instance = emptyInstance("training");
        const std::size_t count = m_nodes.size();
        for (std::size_t node = 0; node < count; ++node) {
            instance["nodes"].push_back(nodeJson(node, m_nodes[node].time, m_nodes[node].memory));
            instance["nodes"].back()["colocation"] = node;
        }
        addForwardEdges(instance);
        const auto edge = [&](std::size_t from, std::size_t to, double time) {
            instance["edges"].push_back({{"from", from}, {"to", to}, {"bytes_time", time}});
        };
        std::size_t next = 2 * count;
        for (std::size_t node = count; node-- > 0;) {
            const Node& forward = m_nodes[node];
            nlohmann::json backward = nodeJson(count + node, 2 * forward.time, 0);
            backward["backward"] = true;
            backward["colocation"] = node;
            instance["nodes"].push_back(std::move(backward));
            edge(node, count + node, forward.output);
            for (const std::size_t input : forward.inputs) {
                if (forward.inputs.size() < 2 || m_dice.upTo(2) > 0) {
                    edge(count + node, count + input, forward.output);
                    continue;
                }
                nlohmann::json alone = nodeJson(next, 0.02 * m_dice.between(0.5, 1.5), 0);
                alone["backward"] = true;
                instance["nodes"].push_back(std::move(alone));
                edge(count + node, next, forward.output);
                edge(next, count + input, m_shape.communication * 0.7);
                ++next;
            }
        }
        return instance;
    }

    nlohmann::json emptyInstance(const char* kind) const
    {
        return {{"name", m_shape.family},
                {"kind", kind},
                {"nodes", nlohmann::json::array()},
                {"edges", nlohmann::json::array()}};
    }

    void addForwardEdges(nlohmann::json& instance) const
    {
        for (std::size_t node = 0; node < m_nodes.size(); ++node) {
            for (const std::size_t input : m_nodes[node].inputs)
                instance["edges"].push_back(
                    {{"from", input}, {"to", node}, {"bytes_time", m_nodes[input].output}});
        }
    }

    InstanceShape m_shape;
    Dice m_dice;
    std::vector<Node> m_nodes;
};

} // namespace

const std::vector<std::string>& instanceFamilies()
{
    static const std::vector<std::string> families{"bert", "gnmt",    "inception", "resnet",
                                                   "unet", "experts", "wired"};
    return families;
}

nlohmann::json makeInstance(const InstanceShape& shape)
{
    return Maker(shape).run();
}

} // namespace stagecraft::bench
