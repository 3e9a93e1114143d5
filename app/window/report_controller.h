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

    // Of the plan as it is now, whatever becomes of it meanwhile. An older file is replaced whole or stays.
    void write(const std::filesystem::path& path);
    // Figures of the person's own that reports have from now on; null: none.
    void setOverlay(std::shared_ptr<const Overlay> overlay) { m_overlay = std::move(overlay); }

signals:
    void written(const QString& path);

private:
    Document& m_document;
    std::shared_ptr<const Overlay> m_overlay;
    JobQueue m_queue;
    Job<Bytes> m_job;
};

} // namespace stagecraft
