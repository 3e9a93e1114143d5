#include "core/import/python_import.h"

#include "core/base/child_process.h"
#include "core/base/output_file.h"
#include "core/base/overloaded.h"
#include "core/base/python_program.h"
#include "core/base/resources.h"
#include "core/base/temporary_name.h"
#include "core/base/writing.h"
#include "core/import/child_end.h"

#include <algorithm>
#include <utility>

namespace stagecraft {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t fractionSteps = 1000;

// A folder beside the file to be written, which disappears with what is in it.
class FolderBeside
{
public:
    explicit FolderBeside(const fs::path& target) : m_path(temporaryBeside(target, temporaryEnding))
    {
        std::error_code failure;
        if (!fs::create_directory(m_path, failure))
            m_problem = failure ? failure.message() : "it is there already";
    }
    ~FolderBeside()
    {
        std::error_code ignored;
        if (m_problem.empty())
            fs::remove_all(m_path, ignored);
    }
    FolderBeside(const FolderBeside&) = delete;
    FolderBeside& operator=(const FolderBeside&) = delete;

    const fs::path& path() const { return m_path; }
    const std::string& problem() const { return m_problem; } // empty: none

private:
    fs::path m_path;
    std::string m_problem;
};

std::vector<std::string> exporterArguments(const ImportRequest& request, const fs::path& written)
{
    std::vector<std::string> arguments{"-o", written.string()};
    const auto addEach = [&](const char* option, const std::vector<std::string>& values) {
        for (const std::string& value : values)
            arguments.push_back(std::string(option) + "=" + value);
    };
    addEach("--input", request.inputs);
    addEach("--set", request.settings);
    addEach("--dynamic", request.dynamicSizes);
    if (!request.folder.empty())
        arguments.push_back("--folder=" + request.folder.string());
    arguments.emplace_back(request.mode == ImportRequest::Mode::Training ? "--mode=train" : "--mode=eval");
    if (request.weights != ImportRequest::Weights::AsUsual)
        arguments.emplace_back(request.weights == ImportRequest::Weights::None ? "--meta" : "--real");
    arguments.insert(arguments.end(), {"--", request.source});
    return arguments;
}

// What the child has said so far.
struct Heard
{
    std::optional<PythonVersion> python;
    std::optional<ImportedModel> model;
    std::optional<ImportFailure> failure;
    std::string wrong; // a line that is no message
};

void hear(std::string_view line, Heard& heard, const Progress& progress)
{
    Result<ImportMessage> message = readImportMessage(line);
    if (!message.has_value()) {
        heard.wrong = message.error().message;
        return;
    }
    // Who stops is heard where the child is waited for.
    const auto report = [&](const ImportProgress& step) {
        const double fraction = std::clamp(step.fraction, 0.0, 1.0);
        static_cast<void>(
            progress.step(step.text, static_cast<std::size_t>(fraction * fractionSteps), fractionSteps));
    };
    std::visit(Overloaded{[&](PythonVersion& version) { heard.python = std::move(version); }, report,
                          [&](ImportedModel& model) { heard.model = std::move(model); },
                          [&](ImportFailure& failure) { heard.failure = std::move(failure); }},
               *message);
}

struct Conversation
{
    Heard heard;
    ChildResult child;
};

// -B: nothing is written beside this program's files. faulthandler: endText() reads it.
Result<Conversation> runExporter(const std::string& python, std::vector<std::string> arguments,
                                 const Progress& progress)
{
    const fs::path script = resourceFolder() / "python" / "export_model.py";
    std::error_code failure;
    if (!fs::exists(script, failure))
        return Error{ErrorCode::NotFound, script.string() + " is missing; install the program again"};
    arguments.insert(arguments.begin(), {"-B", "-X", "faulthandler", script.string()});
    Conversation conversation;
    Result<ChildResult> child = runTalkingChild(
        python, arguments, [&](std::string_view line) { hear(line, conversation.heard, progress); },
        progress);
    if (!child.has_value() && child.error().code == ErrorCode::NotFound)
        return Error{ErrorCode::NotFound,
                     child.error().message +
                         "; name a Python that has PyTorch (--python, or STAGECRAFT_PYTHON)"};
    if (!child.has_value())
        return child.error();
    conversation.child = std::move(*child);
    return conversation;
}

// Of a child that ended without an answer.
Error noAnswer(const std::string& python, const Conversation& conversation)
{
    const std::string& wrong = conversation.heard.wrong;
    return {ErrorCode::Failed,
            python + " " + endText(conversation.child) + (wrong.empty() ? "" : "; it said: " + wrong)};
}

Result<fs::path> checkedOutput(const ImportRequest& request)
{
    if (request.output.extension() != ".pt2")
        return Error{ErrorCode::BadUsage, request.output.string() + ": the file to write is to end in .pt2"};
    std::error_code failure;
    const fs::path output = fs::absolute(request.output, failure);
    if (failure || !fs::is_directory(output.parent_path(), failure))
        return Error{ErrorCode::NotFound, output.parent_path().string() + ": there is no such folder"};
    return output;
}

Result<void> takeOver(const fs::path& written, const fs::path& output)
{
    std::error_code failure;
    fs::rename(written, output, failure);
    if (failure)
        return Error{ErrorCode::Unreadable, output.string() + ": cannot be written: " + failure.message()};
    return {};
}

Result<Conversation> converse(const ImportRequest& request, const fs::path& output, const Progress& progress)
{
    const Writing writing; // a cancel is heard at once, and what is half written goes
    const FolderBeside folder(output);
    if (!folder.problem().empty())
        return Error{ErrorCode::Unreadable,
                     output.parent_path().string() + ": nothing can be written there: " + folder.problem()};
    const fs::path written = folder.path() / output.filename();
    const std::string python = request.python.empty() ? defaultPython() : request.python;
    STAGECRAFT_ASSIGN(conversation, runExporter(python, exporterArguments(request, written), progress));
    if (conversation.heard.model)
        STAGECRAFT_TRY(takeOver(written, output));
    return conversation;
}

} // namespace

ImportOutcome importModel(const ImportRequest& request, const Progress& progress)
{
    const Result<fs::path> output = checkedOutput(request);
    if (!output.has_value())
        return {output.error(), {}, {}, {}};
    Result<Conversation> conversation = converse(request, *output, progress);
    if (!conversation.has_value())
        return {conversation.error(), {}, {}, {}};
    Heard& heard = conversation->heard;
    const std::string python = request.python.empty() ? defaultPython() : request.python;
    ImportOutcome outcome{noAnswer(python, *conversation), std::move(heard.failure), std::move(heard.python),
                          std::move(conversation->child.errors)};
    if (outcome.failure)
        outcome.model = Error{ErrorCode::Failed, failureText(*outcome.failure)};
    else if (heard.model)
        outcome.model = std::move(*heard.model);
    return outcome;
}

Result<PythonVersion> checkPython(const std::string& python, const Progress& progress)
{
    const std::string program = python.empty() ? defaultPython() : python;
    STAGECRAFT_ASSIGN(conversation, runExporter(program, {"--check"}, progress));
    if (conversation.heard.failure)
        return Error{ErrorCode::Failed, failureText(*conversation.heard.failure)};
    if (!conversation.heard.python)
        return noAnswer(program, conversation);
    return *conversation.heard.python;
}

} // namespace stagecraft
