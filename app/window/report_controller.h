// ReportController: the plan and its figures as one HTML file, made and written in the background.
#pragma once

#include "app/jobs/job.h"
#include "core/base/quantities.h"

#include <QString>

#include <filesystem>
#include <memory>

namespace stagecraft {

class Document;
struct Overlay;

class ReportController : public QObject
{
    Q_OBJECT

public:
    explicit ReportController(Document& document, QObject* parent = nullptr); // which outlives it

    // Of the plan as it is now, whatever becomes of it meanwhile, with figures of the person's own, unless
    // `overlay` is null. An older file is replaced whole or stays.
    void write(const std::filesystem::path& path, std::shared_ptr<const Overlay> overlay);
    JobQueue& jobs() { return m_queue; }

signals:
    void written(const QString& path);

private:
    Document& m_document;
    JobQueue m_queue;
    Job<Bytes> m_job;
};

} // namespace stagecraft
