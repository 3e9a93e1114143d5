// Imported times: how long a model's nodes took somewhere else, read from a file.
//
// CSV     a header, then a row a node: `node,forward,backward`, or with `backward_input,backward_weight` in
//         place of the last. A name may carry a unit, `forward_us`; without one it is seconds. `recomputed`
//         is what of backward was a second run for a checkpoint region.
// JSON    {"nodes": {"linear": {"forward": 1e-4, ...}}}, or {"nodes": [{"name": "linear", ...}]} with the
//         same names; what `profile --json` writes can be read again. "inputs": {"x": [8, 3]} beside it says
//         what they were measured with (measure_model.py): checkMeasuredInputs() refuses other sizes;
//         "device" and "precision" say on what and how: a note says where the plan is for another.
// trace   what torch.profiler exports ({"traceEvents": [...]}), of its last step: a node is found by a
//         record_function() of its name; or else by its operator, the longest common order of the program's
//         operators and the trace's outermost ones; at least half of the nodes must be found that way.
//         Backward times come by autograd's sequence numbers. Where the trace has GPU kernels, theirs count:
//         a kernel belongs to the operator of its "External id", or to the one that made the call of its
//         "correlation".
//
// All of them may be packed by gzip.
#pragma once

#include "core/base/progress.h"
#include "core/graph/graph.h"
#include "core/measure/measured_inputs.h"
#include "core/profile/profile.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

struct ImportedTime
{
    Seconds forward;
    Seconds backward;              // all of it
    std::optional<Seconds> weight; // of it, what gradients of parameters take; none: not told apart
    Seconds recomputed;            // of it, what a second run for a checkpoint region takes
};

struct ImportedTimes
{
    Table<NodeId, std::optional<ImportedTime>> nodes;
    std::vector<MeasuredInput> inputs; // that they were measured with, where the file says
    TimingRun run;                     // that they are from, where it says
    std::vector<std::string> notes;    // what could not be matched, in either direction
};

// Fails, naming the file and the line or field, where it is none of the three or no node was found in it.
// No more is held than such a file can sensibly have: with more, or where it unpacks to much more than it is,
// it fails with code Unsupported.
Result<ImportedTimes> readTimes(const std::filesystem::path& path, const Graph& graph,
                                const Progress& progress = {});
// The same of a text; `name` is for messages.
Result<ImportedTimes> parseTimes(std::string_view text, const std::string& name, const Graph& graph,
                                 const Progress& progress = {});

// Puts them in the place of estimates, in nodes and totals; backward times that are not told apart are shared
// as the estimates are. What checkpoint regions of the profile run again comes on top, by forward times.
// Inference has no backward times. Nodes without a time keep their estimate. Notes go to the profile's.
void applyImportedTimes(const ImportedTimes& times, Profile& profile);

} // namespace stagecraft
