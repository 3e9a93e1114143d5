#include "core/script/read_script.h"

#include "core/run/custom_operators.h"
#include "core/run/memory_guard.h"
#include "core/run/torch_types.h"
#include "core/script/fold_guard.h"
#include "core/script/script_inputs.h"
#include "core/script/script_walker.h"
#include "core/trace/kernels/meta_kernels.h"

#include <ATen/core/function_schema.h>
#include <ATen/core/ivalue.h>

namespace stagecraft {

namespace {

Error inputsAreMissing(const std::vector<c10::Argument>& arguments)
{
    return {ErrorCode::BadUsage, "a TorchScript file says no sizes of its inputs; give each without a "
                                 "default, in order or by name, as in "
                                 "--input \"f32[8,3,224,224]\": " +
                                     signatureText(arguments) +
                                     "; what torch.jit.trace() makes keeps those of its example"};
}

std::vector<c10::Argument> withoutSelf(const c10::FunctionSchema& schema)
{
    const std::vector<c10::Argument>& all = schema.arguments();
    return {all.begin() + (all.empty() ? 0 : 1), all.end()};
}

// The first line that says something: those of the compiler begin with an empty one.
std::string reasonOf(const std::exception& exception)
{
    const std::string first = exceptionReason(exception);
    if (first.ends_with("needs data, and the meta device has none"))
        return first +
               "; what comes of it depends on the numbers in a tensor, and a script is followed without "
               "them: export the model in Python (torch.export.export, or stagecraft-cli import), "
               "where such a size has a name";
    if (first.find("1D CPU int64 tensor, but got 1D meta") != first.npos)
        return first +
               "; a script is followed without the numbers in its tensors, and the lengths of a packed "
               "sequence are such: give the recurrent layer the padded tensor, which takes as long as "
               "the longest";
    if (!first.empty())
        return first;
    const std::string_view all = exception.what();
    const std::size_t start = all.find_first_not_of('\n');
    return start == all.npos ? "LibTorch gives no reason"
                             : std::string(all.substr(start, all.find('\n', start) - start));
}

void prepareLibTorch()
{
    registerMetaKernels();
    registerCustomOperators();
    guardMemory();
    guardFolding();
}

// Throws what cannot be followed.
Result<Model> follow(const ScriptArchive& archive, const std::string& name,
                     const std::vector<GivenArgument>& given, const Progress& progress)
{
    ScriptObjects objects(archive);
    ScriptRecorder recorder(name, archive, objects);
    ScriptWalker walker(archive, objects, recorder, progress);
    const std::vector<c10::Argument> arguments = withoutSelf(walker.schema());
    try {
        recorder.addParametersAndBuffers();
        ScriptCall call = givenCall(arguments, given.empty() ? tracedInputs(archive) : given, recorder);
        const c10::IValue result = walker.run(std::move(call.values));
        STAGECRAFT_TRY(progress.step("Following the script", 1, 1));
        Pytree outputs = recorder.addOutputs(result);
        STAGECRAFT_ASSIGN(model, std::move(recorder).finish());
        model.signature.inputTree = std::move(call.tree);
        model.signature.outputTree = std::move(outputs);
        model.signature.forwardArgumentNames = std::move(call.names);
        model.sampleInputs = std::move(call.samples);
        model.provenance.schemaVersion = std::to_string(archive.version);
        model.provenance.dialect = "TorchScript";
        model.provenance.notes = walker.branchNotes();
        return model;
    } catch (const MissingInput&) {
        return inputsAreMissing(arguments);
    }
}

} // namespace

Result<Model> readTorchScript(const ZipArchive& archive, const std::string& name,
                              const std::vector<std::string>& inputs, const Progress& progress)
{
    STAGECRAFT_ASSIGN(read, readScriptArchive(archive));
    std::vector<GivenArgument> given;
    for (const std::string& text : inputs) {
        STAGECRAFT_ASSIGN(input, parseInput(text));
        given.push_back(std::move(input));
    }
    prepareLibTorch();
    try {
        return follow(read, name, given, progress);
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported, reasonOf(exception)};
    }
}

Result<ScriptSignature> readScriptSignature(const ZipArchive& archive, const Progress& progress)
{
    STAGECRAFT_ASSIGN(read, readScriptArchive(archive));
    prepareLibTorch();
    try {
        ScriptObjects objects(read);
        ScriptRecorder recorder("signature", read, objects);
        const ScriptWalker walker(read, objects, recorder, progress);
        return ScriptSignature{scriptArguments(withoutSelf(walker.schema())), !tracedInputs(read).empty()};
    } catch (const std::exception& exception) {
        return Error{ErrorCode::Unsupported, reasonOf(exception)};
    }
}

} // namespace stagecraft
