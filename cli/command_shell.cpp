// What an installation has beside the programs: `completion` and `manual` say what the parser itself knows.
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/manual.h"
#include "cli/terminal.h"

namespace stagecraft::cli {

void addCompletionCommand(CLI::App& app, Command& chosen)
{
    CLI::App* command = app.add_subcommand("completion", "Print what completes command lines in a shell");
    const auto shell = std::make_shared<std::string>();
    command->add_option("shell", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->callback([shell, &app, &chosen] {
        chosen = [shell, &app](const Progress&) -> Result<void> {
            const CommandTable table = commandTable(app);
            std::cout << (*shell == "bash"  ? bashCompletion(table)
                          : *shell == "zsh" ? zshCompletion(table)
                                            : fishCompletion(table));
            return {};
        };
    });
}

void addManualCommand(CLI::App& app, Command& chosen)
{
    app.add_subcommand("manual", "Print the manual page, for man")->callback([&app, &chosen] {
        chosen = [&app](const Progress&) -> Result<void> {
            std::cout << manualPage(commandTable(app), STAGECRAFT_VERSION);
            return {};
        };
    });
}

} // namespace stagecraft::cli
