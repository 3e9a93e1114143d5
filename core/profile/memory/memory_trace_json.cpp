#include "core/profile/memory/memory_trace_json.h"

#include "core/profile/profile_json.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace stagecraft {

namespace {

using nlohmann::ordered_json;

// What is alive after each sample, by category: one sweep over the lives.
class Sweep
{
public:
    explicit Sweep(const MemoryTimeline& timeline) : m_births(timeline.lives), m_deaths(timeline.lives)
    {
        std::ranges::stable_sort(m_births, {}, &LiveInterval::first);
        std::ranges::stable_sort(m_deaths, {}, &LiveInterval::end);
    }

    // For samples in ascending order.
    const MemoryUse& at(std::size_t sample)
    {
        for (; m_born < m_births.size() && m_births[m_born].first <= sample; ++m_born)
            m_use[m_births[m_born].category] += m_births[m_born].bytes;
        for (; m_dead < m_deaths.size() && m_deaths[m_dead].end <= sample; ++m_dead)
            m_use[m_deaths[m_dead].category] -= m_deaths[m_dead].bytes;
        return m_use;
    }

private:
    std::vector<LiveInterval> m_births, m_deaths;
    std::size_t m_born = 0, m_dead = 0;
    MemoryUse m_use;
};

ordered_json counter(double microseconds, const MemoryUse& use)
{
    ordered_json values = ordered_json::object();
    for (std::size_t i = 0; i < memoryCategoryCount; ++i) {
        const auto category = static_cast<MemoryCategory>(i);
        values[std::string(categoryName(category))] = use[category].count();
    }
    return {{"name", "memory"}, {"ph", "C"}, {"pid", 1}, {"ts", microseconds}, {"args", std::move(values)}};
}

ordered_json named(const char* what, int thread, const char* name)
{
    return {{"name", what}, {"ph", "M"}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}};
}

} // namespace

std::string memoryTraceJson(const Graph& graph, const Profile& profile)
{
    ordered_json events = ordered_json::array(
        {named("process_name", 1, "one training step"), named("thread_name", 1, "operators")});
    Sweep sweep(profile.memory);
    double now = 0;
    for (std::size_t i = 0; i < profile.memory.samples.size(); ++i) {
        const MemorySample& sample = profile.memory.samples[i];
        const double duration = sample.time.value() * 1e6;
        ordered_json event{{"name", sample.op}, {"cat", passName(sample.phase, sample.isRecomputed)},
                           {"ph", "X"},         {"pid", 1},
                           {"tid", 1},          {"ts", now},
                           {"dur", duration}};
        if (sample.node)
            event["args"] = {{"node", graph[*sample.node].name},
                             {"module", graph.modules()[graph[*sample.node].module].path}};
        events.push_back(std::move(event));
        events.push_back(counter(now, sweep.at(i)));
        now += duration;
    }
    const ordered_json document{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

} // namespace stagecraft
