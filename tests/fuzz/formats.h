// The formats that Stagecraft reads, each with good files to damage and the whole way that a file goes.
#pragma once

#include "fuzz/mutator.h"

#include <QByteArray>
#include <QString>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace stagecraft::test {

// Where a case may write, and how it says what it is about to do: the last word names what died or hung.
struct FuzzPlace
{
    std::filesystem::path folder; // empty at the start of each case
    std::function<void(const char* step)> reached;
};

struct FuzzFormat
{
    std::string name;             // "pt2"
    QString suffix;               // ".pt2"
    std::vector<QByteArray> good; // what is damaged
    QByteArray (Mutator::*damage)(const QByteArray&);
    // Does everything with a file of this format. May refuse it in one line at any step; anything else that
    // is wrong (a refusal without a reason, a result that contradicts itself) is thrown as std::logic_error.
    std::function<void(const std::filesystem::path&, const FuzzPlace&)> use;
};

// Reads the good files from the test data, and makes in `folder` what only the program itself makes.
std::vector<FuzzFormat> fuzzFormats(const QString& testData, const QString& resources,
                                    const std::filesystem::path& folder);

} // namespace stagecraft::test
