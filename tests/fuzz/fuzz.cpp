// fuzz: damages files of every format and takes each the whole way: open, profile, plan, cut, code, export,
// verify. Nothing may crash, hang, fill the memory or trip a sanitizer.
//
//     fuzz --seconds 3600 [--seed 1] [--format pt2] [--keep FOLDER]   what fails is kept; the status is 1
//     fuzz --case 4711 --seed 1                                       one case again, in this process
//
// Cases are numbered; a case is made from the seed and its number alone. They run in child processes, a few
// hundred each, so that a crash costs one case and a hang can be ended.
#include "fuzz/formats.h"

#include <QCommandLineParser>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace stagecraft::test;
namespace fs = std::filesystem;

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t casesOfAChild = 300;
constexpr double secondsOfACase = 30; // under sanitizers, on a busy machine

// What the child has reached, readable by its parent after it died.
struct Reached
{
    std::size_t number = 0;
    double since = 0; // seconds of the steady clock
    char step[64] = "";
};

double now()
{
    return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

struct Settings
{
    std::uint64_t seed = 1;
    double seconds = 60;
    QString format;
    fs::path kept;
    std::size_t cases = SIZE_MAX;
};

class Fuzzer
{
public:
    Fuzzer(std::vector<FuzzFormat> formats, Settings settings)
        : m_formats(std::move(formats)),
          m_settings(std::move(settings)),
          m_reached(static_cast<Reached*>(
              mmap(nullptr, sizeof(Reached), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)))
    {
        std::erase_if(m_formats, [this](const FuzzFormat& format) {
            return !m_settings.format.isEmpty() && QString::fromStdString(format.name) != m_settings.format;
        });
    }

    // Models are most of what people open, and have the longest way.
    const FuzzFormat& formatOf(std::size_t number) const
    {
        return number % 2 == 0 ? m_formats.front() : m_formats[number / 2 % m_formats.size()];
    }

    void runCase(std::size_t number)
    {
        const FuzzFormat& format = formatOf(number);
        Mutator mutator(m_settings.seed * 1000003 + number);
        const QByteArray& good = format.good[mutator.below(static_cast<qsizetype>(format.good.size()))];
        const QByteArray damaged = (mutator.*format.damage)(good);
        const fs::path folder = m_folder.path().toStdString();
        for (const fs::directory_entry& entry : fs::directory_iterator(folder))
            fs::remove_all(entry.path());
        const fs::path path = folder / ("case" + format.suffix.toStdString());
        QFile file(QString::fromStdString(path.string()));
        if (!file.open(QIODevice::WriteOnly) || file.write(damaged) != damaged.size())
            throw std::logic_error("the case cannot be written");
        file.close();
        m_reached->number = number;
        m_reached->since = now();
        format.use(path, {folder, [this](const char* step) { std::strncpy(m_reached->step, step, 63); }});
    }

    // 0: nothing failed.
    int run()
    {
        const double end = now() + m_settings.seconds;
        std::size_t next = 0;
        while (now() < end && next < m_settings.cases) {
            const std::size_t failed = m_failures;
            runChild(next, end);
            next = m_failures > failed ? m_reached->number + 1
                                       : std::min(next + casesOfAChild, m_settings.cases);
        }
        std::printf("fuzz: %zu cases of %zu formats with seed %llu in %.0f s: %zu failed\n", next,
                    m_formats.size(), static_cast<unsigned long long>(m_settings.seed), m_settings.seconds,
                    m_failures);
        for (const auto& [what, count] : m_kinds)
            std::printf("fuzz:   %zu x %s\n", count, what.c_str());
        return m_failures == 0 ? 0 : 1;
    }

private:
    void runChild(std::size_t first, double end)
    {
        m_reached->since = now();
        std::fflush(nullptr);
        const pid_t child = fork();
        if (child == 0) {
            const std::size_t behind = std::min(first + casesOfAChild, m_settings.cases);
            for (std::size_t number = first; number < behind && now() < end; ++number)
                try {
                    runCase(number);
                } catch (const std::exception& error) {
                    std::fprintf(stderr, "case %zu: %s\n", number, error.what());
                    _exit(3);
                }
            _exit(0);
        }
        int status = 0;
        bool hangs = false;
        while (waitpid(child, &status, WNOHANG) == 0) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            hangs = now() - m_reached->since > secondsOfACase;
            if (hangs) {
                kill(child, SIGKILL);
                waitpid(child, &status, 0);
                break;
            }
        }
        if (hangs)
            keepFailure("hangs");
        else if (WIFSIGNALED(status))
            keepFailure(std::string("dies of ") + strsignal(WTERMSIG(status)));
        else if (WEXITSTATUS(status) != 0)
            keepFailure("fails with status " + std::to_string(WEXITSTATUS(status)));
    }

    void keepFailure(const std::string& what)
    {
        ++m_failures;
        const FuzzFormat& format = formatOf(m_reached->number);
        const std::string kind = format.name + ": " + m_reached->step + ' ' + what;
        ++m_kinds[kind];
        std::printf("fuzz: case %zu: %s\n", m_reached->number, kind.c_str());
        std::error_code ignored;
        fs::create_directories(m_settings.kept, ignored);
        fs::copy_file(fs::path(m_folder.path().toStdString()) / ("case" + format.suffix.toStdString()),
                      m_settings.kept / (std::to_string(m_reached->number) + format.suffix.toStdString()),
                      fs::copy_options::overwrite_existing, ignored);
    }

    std::vector<FuzzFormat> m_formats;
    Settings m_settings;
    QTemporaryDir m_folder;
    Reached* m_reached;
    std::size_t m_failures = 0;
    std::map<std::string, std::size_t> m_kinds;
};

} // namespace

int main(int argc, char** argv)
{
    QCoreApplication app(argc, argv);
    QCommandLineParser parser;
    parser.addHelpOption();
    parser.addOptions({{"seconds", "How long to try.", "N", "60"},
                       {"seed", "Of the damage.", "N", "1"},
                       {"format", "Only this format.", "NAME"},
                       {"keep", "Where files that fail are kept.", "FOLDER", "fuzz-failures"},
                       {"cases", "No more than so many.", "N", "1000000000"},
                       {"case", "Runs this case alone.", "N"}});
    parser.process(app);
    const Settings settings{.seed = parser.value("seed").toULongLong(),
                            .seconds = parser.value("seconds").toDouble(),
                            .format = parser.value("format"),
                            .kept = parser.value("keep").toStdString(),
                            .cases = parser.value("cases").toULongLong()};
    const QTemporaryDir made;
    Fuzzer fuzzer(fuzzFormats(STAGECRAFT_TEST_DATA, STAGECRAFT_RESOURCES, made.path().toStdString()),
                  settings);
    if (!parser.isSet("case"))
        return fuzzer.run();
    fuzzer.runCase(parser.value("case").toULongLong());
    return 0;
}
