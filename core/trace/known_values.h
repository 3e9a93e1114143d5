// KnownValues: small integer and boolean tensors that are known after all.
//
//     lengths (buffer) ──sum──► ──item()──► 6        meta tensors, as everything in a trace
//        │                │
//     [2, 3, 1]           6                          the same on the CPU
//
// A meta tensor has no data, but a buffer has, and arange(4) speaks for itself. Operators whose tensors are
// all known run on their data as well; one that asks for data (item, nonzero, repeat_interleave) is answered
// from there, exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace at {
class Tensor;
}
namespace c10 {
class DispatchKeySet;
class OperatorHandle;
struct IValue;
} // namespace c10

namespace stagecraft {

class KnownValues
{
public:
    KnownValues();
    ~KnownValues();

    // `tensor` (meta) holds what `data` (CPU, integer or boolean) does. Large or other tensors are not kept.
    void add(const at::Tensor& tensor, const at::Tensor& data);

    // Runs the operator on `stack`, under `keys`, and on the data of its arguments.
    void redispatch(const c10::OperatorHandle& op, c10::DispatchKeySet keys, std::vector<c10::IValue>& stack);

private:
    // Runs the operator on `concrete`, the data of its arguments. Returns whether it could.
    bool run(const c10::OperatorHandle& op, std::vector<c10::IValue> concrete);
    // Replaces the operator's arguments on `stack` by what run() made: meta tensors, and numbers.
    void answer(const c10::OperatorHandle& op, std::vector<c10::IValue>& stack) const;
    // After it: remembers the data of its results, the last values on `stack`; forgets what was overwritten
    // by something unknown.
    void noteResults(const c10::OperatorHandle& op, const std::vector<c10::IValue>& stack, bool ranOnKnown);

    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace stagecraft
