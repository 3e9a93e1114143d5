#include "core/trace/optimizer_trace.h"

#include "core/graph/graph_builder.h"
#include "core/run/torch_types.h"
#include "core/trace/kernels/meta_kernels.h"
#include "core/trace/recorder.h"
#include "core/trace/trace_hook.h"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <map>

namespace stagecraft {

namespace {

using at::Tensor;
using Tensors = std::vector<Tensor>;

// A parameter as the optimizer sees it: with master weights their float32 copies.
struct Slot
{
    std::optional<ValueId> value;
    Tensor parameter, gradient;
    std::map<std::string, Tensor> state; // by torch.optim's names
};

// Values of hyperparameters do not matter: nothing is computed.
constexpr double factor = 0.5;

// The local variables of torch.optim's functions keep their last tensors alive until they are assigned again:
// that is why they stand outside of the loops here.

class Optimizer
{
public:
    explicit Optimizer(const OptimizerOptions& options) : m_options(options) {}

    void add(Slot slot) { m_slots.push_back(std::move(slot)); }
    std::vector<Slot>& slots() { return m_slots; }

    void step()
    {
        switch (m_options.kind) {
        case OptimizerKind::Sgd:
        case OptimizerKind::SgdMomentum:
            stepSgd();
            break;
        case OptimizerKind::Adam:
        case OptimizerKind::AdamW:
            stepAdam();
            break;
        case OptimizerKind::Adafactor:
            isSingle() ? stepAdafactorSingle() : stepAdafactorForeach();
            break;
        case OptimizerKind::None:
            break;
        }
    }

private:
    bool isSingle() const
    {
        return m_options.variant == OptimizerVariant::Single ||
               m_options.variant == OptimizerVariant::Default;
    }
    bool isFused() const { return m_options.variant == OptimizerVariant::Fused; }

    // Foreach and fused variants take parameters of one type at a time, the type that came last first, as the
    // hash table behind torch.optim lists them.
    std::vector<std::vector<Slot*>> groups()
    {
        std::vector<std::vector<Slot*>> groups;
        for (Slot& slot : m_slots) {
            const auto same = std::ranges::find_if(groups, [&](const std::vector<Slot*>& group) {
                return group.front()->parameter.scalar_type() == slot.parameter.scalar_type();
            });
            (same == groups.end() ? groups.emplace_back() : *same).push_back(&slot);
        }
        std::ranges::reverse(groups);
        return groups;
    }

    static Tensors parameters(const std::vector<Slot*>& group)
    {
        Tensors tensors;
        for (const Slot* slot : group)
            tensors.push_back(slot->parameter);
        return tensors;
    }
    static Tensors gradients(const std::vector<Slot*>& group)
    {
        Tensors tensors;
        for (const Slot* slot : group)
            tensors.push_back(slot->gradient);
        return tensors;
    }
    static Tensors states(const std::vector<Slot*>& group, const char* name)
    {
        Tensors tensors;
        for (Slot* slot : group)
            tensors.push_back(slot->state[name]);
        return tensors;
    }

    // ---- SGD

    void stepSgd()
    {
        if (isSingle()) {
            for (Slot& slot : m_slots)
                slot.parameter.add_(momentumSingle(slot), factor);
            return;
        }
        const bool hasMomentum = m_options.kind == OptimizerKind::SgdMomentum;
        const bool isFirst = hasMomentum && !m_slots.empty() && m_slots.front().state.empty();
        if (isFused() && isFirst)
            for (Slot& slot : m_slots)
                slot.state["momentum_buffer"] = at::empty_like(slot.gradient);
        for (const std::vector<Slot*>& group : groups()) {
            if (isFused())
                at::_fused_sgd_(parameters(group), gradients(group),
                                hasMomentum ? states(group, "momentum_buffer") : Tensors{}, 0, factor, factor,
                                0, /*nesterov=*/false, /*maximize=*/false, isFirst);
            else
                at::_foreach_add_(parameters(group), momentumForeach(group), factor);
        }
    }

    Tensor momentumSingle(Slot& slot) const
    {
        if (m_options.kind == OptimizerKind::Sgd)
            return slot.gradient;
        Tensor& buffer = slot.state["momentum_buffer"];
        if (buffer.defined())
            buffer.mul_(factor).add_(slot.gradient);
        else
            buffer = slot.gradient.detach().clone();
        return buffer;
    }

    Tensors momentumForeach(const std::vector<Slot*>& group) const
    {
        if (m_options.kind == OptimizerKind::Sgd)
            return gradients(group);
        if (!group.front()->state.empty()) {
            const Tensors buffers = states(group, "momentum_buffer");
            at::_foreach_mul_(buffers, factor);
            at::_foreach_add_(buffers, gradients(group));
        } else
            for (Slot* slot : group)
                slot->state["momentum_buffer"] = slot->gradient.detach().clone();
        return states(group, "momentum_buffer");
    }

    // ---- Adam, AdamW

    void stepAdam()
    {
        for (Slot& slot : m_slots) {
            if (!slot.state.empty())
                continue;
            if (isFused())
                slot.state["step"] = at::zeros({}, slot.parameter.options().dtype(at::kFloat));
            slot.state["exp_avg"] = at::zeros_like(slot.parameter);
            slot.state["exp_avg_sq"] = at::zeros_like(slot.parameter);
        }
        if (isSingle())
            stepAdamSingle();
        else if (isFused())
            stepAdamFused();
        else
            stepAdamForeach();
    }

    void stepAdamSingle()
    {
        Tensor denominator;
        for (Slot& slot : m_slots) {
            if (m_options.kind == OptimizerKind::AdamW)
                slot.parameter.mul_(factor);
            slot.state["exp_avg"].lerp_(slot.gradient, factor);
            Tensor& squares = slot.state["exp_avg_sq"];
            squares.mul_(factor).addcmul_(slot.gradient, slot.gradient, factor);
            denominator = (squares.sqrt() / factor).add_(factor);
            slot.parameter.addcdiv_(slot.state["exp_avg"], denominator, factor);
        }
    }

    void stepAdamForeach()
    {
        Tensors roots;
        for (const std::vector<Slot*>& group : groups()) {
            const Tensors weights = parameters(group);
            const Tensors given = gradients(group);
            const Tensors averages = states(group, "exp_avg");
            const Tensors squares = states(group, "exp_avg_sq");
            if (m_options.kind == OptimizerKind::AdamW)
                at::_foreach_mul_(weights, factor);
            at::_foreach_lerp_(averages, given, factor);
            at::_foreach_mul_(squares, factor);
            at::_foreach_addcmul_(squares, given, given, factor);
            const std::vector<at::Scalar> factors(group.size(), factor);
            roots = at::_foreach_sqrt(squares);
            at::_foreach_div_(roots, factors);
            at::_foreach_add_(roots, factor);
            at::_foreach_addcdiv_(weights, averages, roots, factors);
        }
    }

    void stepAdamFused()
    {
        for (const std::vector<Slot*>& group : groups()) {
            const Tensors weights = parameters(group), given = gradients(group);
            const Tensors averages = states(group, "exp_avg"), squares = states(group, "exp_avg_sq");
            const Tensors steps = states(group, "step");
            at::_foreach_add_(steps, 1);
            if (m_options.kind == OptimizerKind::Adam)
                at::_fused_adam_(weights, given, averages, squares, {}, steps, factor, factor, factor, factor,
                                 factor, /*amsgrad=*/false, /*maximize=*/false);
            else
                at::_fused_adamw_(weights, given, averages, squares, {}, steps, factor, factor, factor,
                                  factor, factor, /*amsgrad=*/false, /*maximize=*/false);
        }
    }

    // ---- Adafactor: the second moment of a matrix as the product of its rows' and its columns'

    static bool isMatrix(const Slot& slot) { return slot.gradient.dim() > 1; }

    void makeAdafactorState()
    {
        for (Slot& slot : m_slots) {
            if (!slot.state.empty())
                continue;
            if (!isMatrix(slot)) {
                slot.state["variance"] = at::zeros_like(slot.gradient);
                continue;
            }
            std::vector<std::int64_t> rows = slot.gradient.sizes().vec(), columns = rows;
            rows[rows.size() - 1] = 1;
            columns[columns.size() - 2] = 1;
            slot.state["row_var"] = slot.gradient.new_zeros(rows);
            slot.state["col_var"] = slot.gradient.new_zeros(columns);
        }
    }

    static Tensor normAlong(const Tensor& tensor, std::int64_t dimension)
    {
        return at::linalg_vector_norm(tensor, 2, dimension, /*keepdim=*/true);
    }
    // Read back to the host at once.
    static void norm(const Tensor& tensor) { (void)at::linalg_vector_norm(tensor, 2); }

    void stepAdafactorSingle()
    {
        makeAdafactorState();
        Tensor rowMean, columnMean, squared, estimate, update;
        for (Slot& slot : m_slots) {
            const Tensor& gradient = slot.gradient;
            norm(slot.parameter);
            if (isMatrix(slot)) {
                rowMean = normAlong(gradient, -1).square_().div_(factor);
                slot.state["row_var"].lerp_(rowMean, factor);
                columnMean = normAlong(gradient, -2).square_().div_(factor);
                slot.state["col_var"].lerp_(columnMean, factor);
                estimate = slot.state["row_var"].matmul(slot.state["col_var"]);
                estimate.div_(slot.state["row_var"].mean(-2, /*keepdim=*/true).clamp_(factor));
            } else {
                squared = gradient * gradient;
                slot.state["variance"].lerp_(squared, factor);
                estimate = slot.state["variance"].clone();
            }
            update = estimate.clamp_(factor).rsqrt_();
            update.mul_(gradient);
            norm(update);
            slot.parameter.add_(update, factor);
        }
    }

    void stepAdafactorForeach()
    {
        makeAdafactorState();
        Tensors estimates, updates;
        // Groups of one type follow each other, in the order in which they first appear.
        for (const std::vector<Slot*>& ofOneType : groups())
            for (const bool matrices : orderOfKinds(ofOneType)) {
                std::vector<Slot*> group;
                std::ranges::copy_if(ofOneType, std::back_inserter(group),
                                     [&](const Slot* slot) { return isMatrix(*slot) == matrices; });
                const Tensors given = gradients(group);
                for (const Slot* slot : group)
                    norm(slot->parameter);
                const std::vector<at::Scalar> factors(group.size(), factor);
                if (matrices)
                    estimates = estimateMatrices(group, given, factors);
                else
                    estimates = estimateVectors(group, given, factors);
                at::_foreach_clamp_min_(estimates, factor);
                at::_foreach_rsqrt_(estimates);
                at::_foreach_mul_(estimates, given);
                updates = estimates;
                for (const Tensor& update : updates)
                    norm(update);
                at::_foreach_mul_(updates, factors);
                at::_foreach_add_(parameters(group), updates);
            }
    }

    static std::vector<bool> orderOfKinds(const std::vector<Slot*>& group)
    {
        std::vector<bool> kinds{isMatrix(*group.front())};
        for (const Slot* slot : group)
            if (kinds.size() == 1 && isMatrix(*slot) != kinds.front())
                kinds.push_back(isMatrix(*slot));
        return kinds;
    }

    static void moveMeans(const Tensors& moments, const Tensors& given, std::int64_t dimension,
                          const std::vector<at::Scalar>& factors)
    {
        Tensors means;
        for (const Tensor& gradient : given)
            means.push_back(normAlong(gradient, dimension));
        at::_foreach_mul_(means, means);
        at::_foreach_div_(means, factors);
        at::_foreach_lerp_(moments, means, factors);
    }

    static Tensors estimateMatrices(const std::vector<Slot*>& group, const Tensors& given,
                                    const std::vector<at::Scalar>& factors)
    {
        const Tensors rows = states(group, "row_var"), columns = states(group, "col_var");
        moveMeans(rows, given, -1, factors);
        moveMeans(columns, given, -2, factors);
        Tensors estimates, rowMeans;
        for (std::size_t i = 0; i < rows.size(); ++i)
            estimates.push_back(rows[i].matmul(columns[i]));
        for (const Tensor& row : rows)
            rowMeans.push_back(row.mean(-2, /*keepdim=*/true));
        at::_foreach_clamp_min_(rowMeans, factor);
        at::_foreach_div_(estimates, rowMeans);
        return estimates;
    }

    static Tensors estimateVectors(const std::vector<Slot*>& group, const Tensors& given,
                                   const std::vector<at::Scalar>& factors)
    {
        const Tensors variances = states(group, "variance");
        at::_foreach_lerp_(variances, at::_foreach_mul(given, given), factors);
        Tensors estimates;
        for (const Tensor& variance : variances)
            estimates.push_back(variance.clone());
        return estimates;
    }

    OptimizerOptions m_options;
    std::vector<Slot> m_slots;
};

// Parameters as the model has them, and their master copies.
class Session
{
public:
    Session(TraceRecorder& recorder, const OptimizerOptions& options)
        : m_recorder(recorder), m_masters(options.masterWeights), m_optimizer(options)
    {
    }

    void addParameter(const OptimizerParameter& parameter)
    {
        const auto options =
            at::TensorOptions(at::kMeta).dtype(at::ScalarType(scalarTypeNumber(parameter.dtype)));
        const Tensor weight = at::empty(parameter.sizes, options);
        const Tensor gradient = at::empty(parameter.sizes, options);
        m_recorder.addGiven(weight, StorageClass::Parameter, parameter.value);
        m_recorder.addGiven(gradient, StorageClass::ParameterGradient, parameter.value);
        m_model.push_back({parameter.value, weight, gradient, {}});
    }

    void step()
    {
        if (m_optimizer.slots().empty())
            for (const Slot& slot : m_model)
                m_optimizer.add(
                    {slot.value, isMastered(slot) ? slot.parameter.to(at::kFloat) : slot.parameter, {}, {}});
        std::vector<Slot>& slots = m_optimizer.slots();
        for (std::size_t i = 0; i < slots.size(); ++i)
            slots[i].gradient =
                isMastered(m_model[i]) ? m_model[i].gradient.to(at::kFloat) : m_model[i].gradient;
        m_optimizer.step();
        for (std::size_t i = 0; i < slots.size(); ++i) {
            slots[i].gradient.reset();
            if (isMastered(m_model[i]))
                m_model[i].parameter.copy_(slots[i].parameter);
        }
    }

    void noteState()
    {
        for (std::size_t i = 0; i < m_model.size(); ++i) {
            const Slot& slot = m_optimizer.slots()[i];
            if (isMastered(m_model[i]))
                m_recorder.noteOptimizerState(slot.parameter, slot.value);
            for (const auto& [name, tensor] : slot.state)
                m_recorder.noteOptimizerState(tensor, slot.value);
        }
    }

private:
    bool isMastered(const Slot& slot) const
    {
        return m_masters == MasterWeights::Float32 && slot.parameter.scalar_type() != at::kFloat &&
               slot.parameter.is_floating_point();
    }

    TraceRecorder& m_recorder;
    MasterWeights m_masters;
    std::vector<Slot> m_model;
    Optimizer m_optimizer;
};

OptimizerTrace traceSteps(TraceRecorder& recorder, std::span<const OptimizerParameter> parameters,
                          const OptimizerOptions& options)
{
    const at::NoGradGuard noGrad;
    OptimizerTrace traced;
    Session session(recorder, options);
    {
        const LedgerScope scope(recorder.ledger());
        for (const OptimizerParameter& parameter : parameters)
            session.addParameter(parameter);
    }
    recorder.beginOptimizer();
    const TraceScope scope(recorder);
    session.step();
    traced.firstStepEnd = recorder.opCount();
    traced.state = recorder.ledger()->live();
    session.noteState();
    session.step();
    traced.trace = recorder.finish();
    return traced;
}

} // namespace

Result<OptimizerTrace> traceOptimizer(std::span<const OptimizerParameter> parameters,
                                      const OptimizerOptions& options, const Progress& progress)
{
    STAGECRAFT_TRY(installTraceHook());
    registerMetaKernels();
    if (parameters.empty() || options.kind == OptimizerKind::None)
        return OptimizerTrace{};
    STAGECRAFT_ASSIGN(graph, GraphBuilder("optimizer").finish());
    try {
        const LoweringTarget plain;
        TraceRecorder recorder(graph, plain, progress);
        return traceSteps(recorder, parameters, options);
    } catch (const std::exception& exception) {
        if (progress.stopRequested())
            return cancelled();
        return Error{ErrorCode::Failed, "the optimizer's step: " + exceptionReason(exception)};
    }
}

} // namespace stagecraft
