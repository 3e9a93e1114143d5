// Verifies an export with the program's own interpreter:  verify_stages MODEL FOLDER
#include "core/load/open_model.h"
#include "core/stage/verify.h"

#include <cstdio>

using namespace stagecraft;

int main(int count, char** arguments)
{
    if (count != 3) {
        std::fputs("usage: verify_stages MODEL FOLDER\n", stderr);
        return 2;
    }
    const Result<Model> model = openModel(arguments[1]);
    if (!model.has_value()) {
        std::fprintf(stderr, "%s\n", model.error().message.c_str());
        return 1;
    }
    const Result<VerifyReport> report =
        verifyExport(*model, arguments[2], {.inputs = exportedInputs(*model)});
    if (!report.has_value()) {
        std::fprintf(stderr, "%s\n", report.error().message.c_str());
        return 1;
    }
    std::printf("%s\n", report->summary().c_str());
    return report->passed() ? 0 : 1;
}
