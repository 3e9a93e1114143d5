// CallCheck: may an operator be called with these numbers?
//
// A file may ask anything of an operator. LibTorch's kernels look at most of it and throw, but some divide by
// a stride or multiply kernel sizes first, read past a list that is too short, take any number for an element
// type, or make as many pieces as they are told to: signals that nothing catches, loops that nobody can end.
// So what such arguments may be is checked by the operator's schema, before anything runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace c10 {
struct FunctionSchema;
struct IValue;
} // namespace c10

namespace stagecraft {

class CallCheck
{
public:
    explicit CallCheck(const c10::FunctionSchema& schema);

    // `arguments` are those of one call, in the schema's order. Throws what operators throw, naming the
    // argument.
    void operator()(std::span<const c10::IValue> arguments) const;

private:
    enum class Rule : std::uint8_t {
        Window, // kernels, strides, groups: at least 1, and their product small enough to be reckoned with
        Extent, // paddings: bounded in both directions
        Count,  // of pieces and repetitions
        ElementType, // the number of one
        Reduction,   // none, mean or sum
        Axes,        // distinct dimensions of the first tensor
        Length,      // a list of a fixed length, or of one number for all
    };
    struct Entry
    {
        Rule rule;
        std::size_t position; // of the argument
        std::string name;
        std::size_t length = 0; // of the list
    };

    // Positions of the arguments of an operator that takes a tensor apart.
    struct Pieces
    {
        std::size_t tensor;
        std::size_t dimension;
        std::optional<std::size_t> size; // of each; none: 1
    };

    void addRules(const c10::FunctionSchema& schema, std::size_t position);
    static void check(const Entry& entry, std::span<const std::int64_t> numbers,
                      std::span<const c10::IValue> arguments);
    static void checkPieces(const Pieces& pieces, std::span<const c10::IValue> arguments);

    // What some operators ask of their tensors together.
    using TensorRule = void (*)(std::span<const c10::IValue> arguments);
    static TensorRule tensorRuleOf(const c10::FunctionSchema& schema);

    std::vector<Entry> m_entries;
    std::optional<Pieces> m_pieces;
    TensorRule m_tensorRule = nullptr;
    std::function<void(std::span<const c10::IValue>)> m_indexCheck; // index_check.h; may be empty
};

// Is the operator one that files have no use for: a private step of LibTorch's own that trusts its caller, or
// one that touches files?
bool isOffLimits(std::string_view name);

} // namespace stagecraft
