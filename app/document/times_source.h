// TimesSource: finds times of nodes that are better than estimates, by running them here or from a file, and
// gives them to the document.
#pragma once

#include "app/document/time_overrides.h"
#include "app/jobs/job.h"

#include <filesystem>

namespace stagecraft {

class Document;

class TimesSource : public QObject
{
    Q_OBJECT

public:
    // The document outlives it.
    explicit TimesSource(Document& document, QObject* parent = nullptr);

    // Runs every node on this machine, which takes seconds to minutes.
    void measure();
    // Reads one of the files of core/measure/imported_times.h.
    void import(const std::filesystem::path& path);

private:
    void take(const QString& text, Result<TimeOverrides> found);

    Document& m_document;
    Job<TimeOverrides> m_job;
};

} // namespace stagecraft
