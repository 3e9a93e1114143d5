// Result<T>: a value, or an Error that a person can act on.
//
// Everything that depends on the outside world (files, models, options, devices, child processes) returns
// one. The message names the thing and says what to do next, in one line:
//
//     gpt2.pt2: record data/weights/weight_3 is missing; export the model again with its weights
//
// Member names are those of std::expected; there is no conversion to bool, so that "it worked" is never
// taken for "it is true".
#pragma once

#include "core/base/printable.h"

#include <cassert>
#include <string>
#include <utility>
#include <variant>

namespace stagecraft {

enum class ErrorCode {
    BadUsage,    // an option or argument that makes no sense: exit status 2
    NotFound,    // a file, node, module, device that is not there
    Unreadable,  // the operating system will not give or take the bytes
    BadFormat,   // a file that is not what it claims to be
    Unsupported, // well-formed, but beyond this program
    Infeasible,  // no answer satisfies the constraints
    Failed,      // an operator, a child process or a check failed
    Cancelled,   // the person asked to stop: exit status 130
};

struct [[nodiscard]] Error
{
    // What of `text` would act instead of being seen (line breaks in a name, say) is escaped.
    Error(ErrorCode kind, std::string text) : code(kind), message(oneLine(std::move(text))) {}

    ErrorCode code;
    std::string message; // printable, one line: make another Error to say more

    friend bool operator==(const Error&, const Error&) = default;
};

template <class T>
class [[nodiscard]] Result
{
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}

    bool has_value() const { return m_state.index() == 0; }

    T& value() &
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    const T& value() const&
    {
        assert(has_value());
        return std::get<0>(m_state);
    }
    T&& value() &&
    {
        assert(has_value());
        return std::get<0>(std::move(m_state));
    }

    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T&& operator*() && { return std::move(*this).value(); }
    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }

    const Error& error() const
    {
        assert(!has_value());
        return std::get<1>(m_state);
    }

private:
    std::variant<T, Error> m_state;
};

template <>
class [[nodiscard]] Result<void>
{
public:
    Result() = default;
    Result(Error error) : m_error(std::move(error)), m_failed(true) {}

    bool has_value() const { return !m_failed; }
    const Error& error() const
    {
        assert(m_failed);
        return m_error;
    }

private:
    Error m_error{ErrorCode::Failed, {}};
    bool m_failed = false;
};

} // namespace stagecraft

// Returns the error of a Result<void> expression from the calling function, if there is one.
#define STAGECRAFT_TRY(expression)                                                                           \
    do {                                                                                                     \
        if (auto triedResult_ = (expression); !triedResult_.has_value())                                     \
            return triedResult_.error();                                                                     \
    } while (false)

// Declares `name` with the value of a Result<T> expression, or returns its error.
#define STAGECRAFT_ASSIGN(name, expression)                                                                  \
    auto name##Result_ = (expression);                                                                       \
    if (!name##Result_.has_value())                                                                          \
        return name##Result_.error();                                                                        \
    auto name = std::move(name##Result_).value()
