#include "cli/terminal.h"

#include "core/base/printable.h"

#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <iostream>
#include <streambuf>
#include <string>
#include <utility>

namespace stagecraft::cli {

namespace {

constexpr const char* emptyLine = "\r\033[K";

// " 40 %, about 12 s left"
std::string percentText(double fraction, std::optional<Seconds> left)
{
    const long percent = std::lround(fraction * 100);
    const std::string text = (percent < 10 ? "   " : "  ") + std::to_string(percent) + " %";
    return left ? text + ", about " + roughTimeText(*left) + " left" : text;
}

} // namespace

// Hands on what is written to it, whole characters at a time.
class HarmlessOutput::Filter : public std::streambuf
{
public:
    Filter(std::ostream& stream, ProgressLine& line)
        : m_stream(stream), m_target(stream.rdbuf(this)), m_line(line)
    {
    }
    ~Filter() override
    {
        Filter::sync();
        m_stream.rdbuf(m_target);
    }

protected:
    std::streamsize xsputn(const char* text, std::streamsize size) override
    {
        m_pending.append(text, static_cast<std::size_t>(size));
        return handOn(m_pending.size() - unfinishedBytes(m_pending)) ? size : 0;
    }
    int_type overflow(int_type character) override
    {
        if (traits_type::eq_int_type(character, traits_type::eof()))
            return traits_type::not_eof(character);
        const char one = traits_type::to_char_type(character);
        return xsputn(&one, 1) == 1 ? character : traits_type::eof();
    }
    int sync() override
    {
        const bool isWritten = handOn(m_pending.size());
        return m_target->pubsync() == 0 && isWritten ? 0 : -1;
    }

private:
    bool handOn(std::size_t size)
    {
        const std::string text = printable(std::string_view(m_pending).substr(0, size), LineBreaks::Keep);
        m_pending.erase(0, size);
        if (!text.empty())
            m_line.clear();
        const auto count = static_cast<std::streamsize>(text.size());
        return m_target->sputn(text.data(), count) == count;
    }

    std::ostream& m_stream;
    std::streambuf* m_target;
    ProgressLine& m_line;
    std::string m_pending;
};

HarmlessOutput::HarmlessOutput(ProgressLine& line)
    : m_out(std::make_unique<Filter>(std::cout, line)), m_err(std::make_unique<Filter>(std::cerr, line))
{
}

HarmlessOutput::~HarmlessOutput() = default;

void printFormatted(const char* format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    const int length = std::vsnprintf(nullptr, 0, format, arguments);
    va_end(arguments);
    std::string text(static_cast<std::size_t>(length < 0 ? 0 : length) + 1, '\0');
    std::vsnprintf(text.data(), text.size(), format, again);
    va_end(again);
    text.pop_back();
    std::cout << text;
}

// Past the filter: the sequences that clear the line are meant for the terminal.
void ProgressLine::show(std::string_view activity, std::optional<double> fraction)
{
    const std::lock_guard lock(m_mutex);
    std::string text = emptyLine + printable(activity);
    if (!fraction)
        m_left = {};
    else
        text += percentText(*fraction, m_left.after(activity, *fraction));
    m_isShown = !fraction || *fraction < 1;
    std::fputs(m_isShown ? text.c_str() : emptyLine, stderr);
}

void ProgressLine::clear()
{
    const std::lock_guard lock(m_mutex);
    if (std::exchange(m_isShown, false))
        std::fputs(emptyLine, stderr);
}

} // namespace stagecraft::cli
