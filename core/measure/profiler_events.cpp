#include "core/measure/profiler_events.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace stagecraft {

namespace {

using nlohmann::json;

constexpr std::size_t mostEvents = 4'000'000;
constexpr std::uint64_t mostNanoseconds = 4'000'000'000'000'000'000; // until the year 2096

std::int64_t whole(double number)
{
    return std::abs(number) < 9e15 ? static_cast<std::int64_t>(number) : -1;
}

// Follows the parser through the text. Depth 1 is inside the outermost brackets.
class EventReader final : public nlohmann::json_sax<json>
{
public:
    EventReader(const std::string& name, const Progress& progress) : m_name(name), m_progress(progress) {}

    Result<TimesDocument> result(bool parsed) &&
    {
        if (m_error)
            return *m_error;
        if (!parsed && !m_document.hasNodes)
            return Error{ErrorCode::BadFormat, m_name + ": is not JSON, or breaks off before its end"};
        return std::move(m_document);
    }

    bool null() override { return scalar(); }
    bool boolean(bool) override { return scalar(); }
    bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
    bool number_unsigned(number_unsigned_t value) override
    {
        if (m_depth == 1 && m_key == "baseTimeNanoseconds" && value <= mostNanoseconds)
            m_document.base = static_cast<std::int64_t>(value);
        else if (m_depth == m_distributedDepth && m_key == "rank")
            m_document.rank = value;
        return number(static_cast<double>(value));
    }
    bool number_float(number_float_t value, const string_t&) override { return number(value); }
    bool binary(binary_t&) override { return scalar(); }

    bool string(string_t& value) override
    {
        if (isInEvent() && m_key == "ph")
            m_isSpan = value == "X";
        else if (isInEvent() && m_key == "cat")
            m_category = value;
        else if (isInEvent() && m_key == "name")
            m_event.name = value;
        return scalar();
    }

    bool key(string_t& value) override
    {
        if (m_depth == 1 && value == "nodes") {
            m_document.hasNodes = true;
            return false;
        }
        m_key = value;
        return true;
    }

    bool start_object(std::size_t) override
    {
        if (m_depth == m_eventDepth) {
            m_event = {};
            m_category.clear();
            m_isSpan = false;
            m_duration = 0;
        }
        if (isInEvent() && m_key == "args")
            m_argumentsDepth = m_depth + 1;
        if (m_depth == 1 && m_key == "distributedInfo")
            m_distributedDepth = m_depth + 1;
        return enter();
    }
    bool end_object() override
    {
        if (m_depth == m_argumentsDepth)
            m_argumentsDepth.reset();
        if (m_depth == m_distributedDepth)
            m_distributedDepth.reset();
        --m_depth;
        if (m_depth == m_eventDepth && m_isSpan)
            keep();
        return goOn();
    }

    bool start_array(std::size_t) override
    {
        const bool isEvents = m_depth == 0 || isAtTraceEvents();
        if (isEvents) {
            m_eventDepth = m_depth + 1;
            m_document.hasEvents = true;
        }
        return enter();
    }
    bool end_array() override
    {
        if (m_depth == m_eventDepth) {
            m_eventDepth.reset();
            m_key.clear();
        }
        --m_depth;
        return goOn();
    }

    bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override
    {
        return false;
    }

private:
    bool isInEvent() const { return m_eventDepth && m_depth == *m_eventDepth + 1; }

    bool isAtTraceEvents() const { return m_depth == 1 && !m_eventDepth && m_key == "traceEvents"; }

    // What begins or stands there is no list.
    void checkTraceEvents()
    {
        if (isAtTraceEvents())
            m_error = Error{ErrorCode::BadFormat, m_name + ": \"traceEvents\" must be a list"};
    }

    bool enter()
    {
        checkTraceEvents();
        ++m_depth;
        return goOn();
    }

    bool scalar()
    {
        checkTraceEvents();
        return goOn();
    }

    bool number(double value)
    {
        if (isInEvent() && m_key == "ts")
            m_event.start = value;
        else if (isInEvent() && m_key == "dur")
            m_duration = std::max(0.0, value);
        else if (isInEvent() && m_key == "tid")
            m_event.thread = whole(value);
        else if (m_depth == m_argumentsDepth) {
            if (m_key == "Sequence number")
                m_event.sequence = whole(value);
            else if (m_key == "External id")
                m_event.external = whole(value);
            else if (m_key == "correlation")
                m_event.correlation = whole(value);
        }
        return scalar();
    }

    void keep()
    {
        ProfilerEvents& events = m_document.events;
        std::vector<TraceEvent>* const list =
            m_category == "cpu_op"                                        ? &events.operators
            : m_category == "user_annotation"                             ? &events.annotations
            : m_category == "cuda_runtime" || m_category == "cuda_driver" ? &events.launches
            : m_category == "kernel" || m_category == "gpu_memcpy" || m_category == "gpu_memset"
                ? &events.kernels
                : nullptr;
        if (list == nullptr)
            return;
        m_event.end = m_event.start + m_duration;
        list->push_back(std::move(m_event));
        if (++m_count > mostEvents)
            m_error = Error{ErrorCode::Unsupported, m_name + ": has more than " + std::to_string(mostEvents) +
                                                        " operators and kernels; trace one step"};
    }

    // False: the parser stops.
    bool goOn()
    {
        constexpr std::size_t interval = 4096;
        if (++m_steps % interval == 0 && m_progress.stopRequested())
            m_error = cancelled();
        return !m_error;
    }

    const std::string& m_name;
    const Progress& m_progress;
    TimesDocument m_document;
    std::optional<Error> m_error;
    std::size_t m_depth = 0;
    std::optional<std::size_t> m_eventDepth; // of the list that is being read
    std::string m_key;
    TraceEvent m_event;
    std::string m_category;
    double m_duration = 0;
    bool m_isSpan = false;
    std::optional<std::size_t> m_argumentsDepth;   // of the event's "args", inside
    std::optional<std::size_t> m_distributedDepth; // of "distributedInfo"
    std::size_t m_steps = 0;
    std::size_t m_count = 0;
};

} // namespace

Result<TimesDocument> readTimesDocument(std::string_view text, const std::string& name,
                                        const Progress& progress)
{
    EventReader reader(name, progress);
    const bool parsed = json::sax_parse(text, &reader);
    return std::move(reader).result(parsed);
}

void keepLastStep(ProfilerEvents& events)
{
    const TraceEvent* last = nullptr;
    for (const TraceEvent& event : events.annotations)
        if (event.name.starts_with("ProfilerStep#") && (!last || event.start > last->start))
            last = &event;
    if (!last)
        return;
    const double start = last->start, end = last->end;
    const auto isOutside = [&](const TraceEvent& event) { return event.start < start || event.start > end; };
    std::erase_if(events.operators, isOutside);
    std::erase_if(events.annotations, isOutside);
}

} // namespace stagecraft
