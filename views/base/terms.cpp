#include "views/base/terms.h"

#include "views/base/form_terms.h"
#include "views/base/plain_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace stagecraft {

namespace {

// categoryName(), phaseName(), requestFields() and their choices; names of dtypes, schedules and optimizers
// are the same in every language. tst_terms holds them against the engine's.
constexpr std::array engineTerms{
    QT_TRANSLATE_NOOP("Terms", "parameters"),
    QT_TRANSLATE_NOOP("Terms", "buffers"),
    QT_TRANSLATE_NOOP("Terms", "inputs"),
    QT_TRANSLATE_NOOP("Terms", "optimizer state"),
    QT_TRANSLATE_NOOP("Terms", "gradients"),
    QT_TRANSLATE_NOOP("Terms", "saved activations"),
    QT_TRANSLATE_NOOP("Terms", "outputs"),
    QT_TRANSLATE_NOOP("Terms", "gradients in flight"),
    QT_TRANSLATE_NOOP("Terms", "temporaries"),
    QT_TRANSLATE_NOOP("Terms", "workspaces"),
    QT_TRANSLATE_NOOP("Terms", "forward"),
    QT_TRANSLATE_NOOP("Terms", "backward"),
    QT_TRANSLATE_NOOP("Terms", "optimizer"),
    QT_TRANSLATE_NOOP("Terms", "Mode"),
    QT_TRANSLATE_NOOP("Terms", "What a step is"),
    QT_TRANSLATE_NOOP("Terms", "Training"),
    QT_TRANSLATE_NOOP("Terms", "Inference"),
    QT_TRANSLATE_NOOP("Terms", "Lowering"),
    QT_TRANSLATE_NOOP("Terms",
                      "Which kernels an operator becomes: the device's own, an attention route, or (rough) "
                      "those that torch.compile fuses"),
    QT_TRANSLATE_NOOP("Terms", "The device's own"),
    QT_TRANSLATE_NOOP("Terms", "Math"),
    QT_TRANSLATE_NOOP("Terms", "Memory-efficient"),
    QT_TRANSLATE_NOOP("Terms", "The CPU's"),
    QT_TRANSLATE_NOOP("Terms", "Compiled (rough)"),
    QT_TRANSLATE_NOOP("Terms", "Optimizer"),
    QT_TRANSLATE_NOOP("Terms", "What updates the parameters"),
    QT_TRANSLATE_NOOP("Terms", "None"),
    QT_TRANSLATE_NOOP("Terms", "SGD with momentum"),
    QT_TRANSLATE_NOOP("Terms", "Optimizer variant"),
    QT_TRANSLATE_NOOP("Terms", "How it goes about it; default: what torch.optim takes on the device"),
    QT_TRANSLATE_NOOP("Terms", "As torch.optim takes it"),
    QT_TRANSLATE_NOOP("Terms", "One parameter after the other"),
    QT_TRANSLATE_NOOP("Terms", "All parameters at once"),
    QT_TRANSLATE_NOOP("Terms", "Fused"),
    QT_TRANSLATE_NOOP("Terms", "Precision"),
    QT_TRANSLATE_NOOP("Terms", "The type in which the step computes"),
    QT_TRANSLATE_NOOP("Terms", "As exported"),
    QT_TRANSLATE_NOOP("Terms", "Gradients"),
    QT_TRANSLATE_NOOP("Terms", "Those of the step before: dropped (set_to_none), or kept and added to"),
    QT_TRANSLATE_NOOP("Terms", "Dropped"),
    QT_TRANSLATE_NOOP("Terms", "Kept"),
    QT_TRANSLATE_NOOP("Terms", "Microbatches"),
    QT_TRANSLATE_NOOP("Terms", "How many microbatches a step has"),
    QT_TRANSLATE_NOOP("Terms", "Schedule"),
    QT_TRANSLATE_NOOP("Terms", "In which order devices run the microbatches"),
    QT_TRANSLATE_NOOP("Terms", "Looped breadth-first"),
    QT_TRANSLATE_NOOP("Terms", "Sending"),
    QT_TRANSLATE_NOOP("Terms", "From stage to stage (relay) or straight to each reader"),
    QT_TRANSLATE_NOOP("Terms", "From stage to stage"),
    QT_TRANSLATE_NOOP("Terms", "Straight to each reader"),
    QT_TRANSLATE_NOOP("Terms", "Segments"),
    QT_TRANSLATE_NOOP(
        "Terms", "How PyTorch takes memory from the device: in pieces that stay as they are (fixed), or in "
                 "one that grows (expandable, PYTORCH_ALLOC_CONF=expandable_segments:True)"),
    QT_TRANSLATE_NOOP("Terms", "Of fixed sizes"),
    QT_TRANSLATE_NOOP("Terms", "Expandable"),
    QT_TRANSLATE_NOOP("Terms", "Run-time"),
    QT_TRANSLATE_NOOP(
        "Terms",
        "Whose buffers count as memory of the stages: nobody's (ideal), or those of "
        "torch.distributed.pipelining: one for each microbatch and way (torch-2.14: up to that version), or "
        "what crosses until its backward (torch-2.15), or those of exports, which make them in time for "
        "gpipe and 1f1b (exported)"),
    QT_TRANSLATE_NOOP("Terms", "PyTorch up to 2.14"),
    QT_TRANSLATE_NOOP("Terms", "PyTorch from 2.15"),
    QT_TRANSLATE_NOOP("Terms", "Objective"),
    QT_TRANSLATE_NOOP(
        "Terms",
        "What to make short: the slowest device by its computing and transfers (sum), its computing "
        "(compute) or the longest of them (overlap), or the simulated step (iteration). Without it sum, "
        "or iteration where stages share devices"),
    QT_TRANSLATE_NOOP("Terms", "Slowest device, with transfers"),
    QT_TRANSLATE_NOOP("Terms", "Slowest device, computing alone"),
    QT_TRANSLATE_NOOP("Terms", "Slowest device, transfers beside"),
    QT_TRANSLATE_NOOP("Terms", "Time of a step"),
    QT_TRANSLATE_NOOP("Terms", "Recompute"),
    QT_TRANSLATE_NOOP(
        "Terms",
        "What backward runs again instead of having it kept (torch.utils.checkpoint): what the file says, "
        "nothing, every block ('every N': each N-th), blocks but for matrix products, convolutions and "
        "attention "
        "('ops LIST': but for these), or as little as the memory limit demands"),
    QT_TRANSLATE_NOOP("Terms", "As the model says"),
    QT_TRANSLATE_NOOP("Terms", "Nothing"),
    QT_TRANSLATE_NOOP("Terms", "Every block"),
    QT_TRANSLATE_NOOP("Terms", "Every second block"),
    QT_TRANSLATE_NOOP("Terms", "Blocks, but matrix products"),
    QT_TRANSLATE_NOOP("Terms", "As little as memory demands"),
    QT_TRANSLATE_NOOP("Terms", "Seed"),
    QT_TRANSLATE_NOOP("Terms", "Seed of the search's random orders"),
};

} // namespace

QString termText(std::string_view term)
{
    for (const std::span<const char* const> terms :
         {std::span<const char* const>(engineTerms), formTerms()}) {
        const auto known =
            std::ranges::find(terms, term, [](const char* text) { return std::string_view(text); });
        if (known != terms.end())
            return QCoreApplication::translate("Terms", *known);
    }
    return shownText(term);
}

QString stagesTerm(const std::vector<StageId>& stages)
{
    QStringList numbers;
    for (const StageId stage : stages)
        numbers << QString::number(stage.index() + 1);
    if (numbers.size() < 2)
        return QObject::tr("stage %1").arg(numbers.join(QString()));
    const QString last = numbers.takeLast();
    return QObject::tr("stages %1 and %2").arg(numbers.join(QStringLiteral(", ")), last);
}

QString boundaryTerm(BoundaryId boundary)
{
    return QObject::tr("boundary %1|%2").arg(boundary.index() + 1).arg(boundary.index() + 2);
}

QString slowestTerm(const PlanCost& cost)
{
    if (!cost.sharesDevices())
        return stagesTerm({cost.bottleneck});
    return QObject::tr("device %1 (%2)")
        .arg(cost.slowestDevice + 1)
        .arg(stagesTerm(cost.devices[cost.slowestDevice].stages));
}

} // namespace stagecraft
