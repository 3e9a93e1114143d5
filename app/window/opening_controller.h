// OpeningController: opens a file in the document, and asks the person before what the file leaves open: the
// inputs of a script, which of several programs. Answers are kept; each file asks once, and again
// where it did not open with what was said.
#pragma once

#include "app/document/kept_answers.h"
#include "app/jobs/job.h"
#include "core/script/open_choices.h"

#include <QObject>
#include <QPointer>

#include <filesystem>

class QAction;
class QDialog;
class QMenu;
class QWidget;

namespace stagecraft {

class Document;

class OpeningController : public QObject
{
    Q_OBJECT

public:
    // Both outlive it; dialogs are of `window`. Without a folder nothing is asked: what a file leaves open
    // keeps it from opening.
    OpeningController(QWidget* window, Document& document, const std::filesystem::path& dataFolder);

    // Returns at once, wherever the file is: a job reads what has to be read of it. The document tells of all
    // that goes wrong. Where the person does not answer, what is open stays.
    void open(const std::filesystem::path& path);
    // The command that asks anew, of the model that is open.
    void showIn(QMenu* menu, QAction* before);
    // Is a file looked at that the document is to have? What is open stays meanwhile.
    bool isLooking() const { return m_looking.isRunning(); }
    JobQueue& jobs() { return m_queue; }

signals:
    // A question was left without an answer.
    void givenUp();

private:
    enum class Ask { WhatIsMissing, Everything };
    struct Found
    {
        std::filesystem::path model; // that is opened, or that the plan is of
        OpenChoices choices;
        OpenRequest kept;
    };
    static Found look(const std::filesystem::path& path, const std::filesystem::path& otherModel,
                      const KeptAnswers& answers, const Progress& progress);
    void start(const std::filesystem::path& path, Ask ask);
    void ask(const std::filesystem::path& path, const Found& found);
    void askForProgram(const std::filesystem::path& path, const Found& found);
    void askForInputs(const std::filesystem::path& path, const Found& found);
    void show(QDialog* dialog);
    void take(const std::filesystem::path& path, const Found& found, const OpenRequest& request);
    void openAnswered(const std::filesystem::path& path);
    void showWhetherAskable();

    QWidget* m_window;
    Document& m_document;
    KeptAnswers m_answers;
    QAction* m_action;
    QPointer<QDialog> m_dialog;    // the one that is open
    std::filesystem::path m_tried; // opened with what was said, and did not come so far; empty: none
    JobQueue m_queue;              // of its own: the document ends all of its when a model comes
    Job<Found> m_looking;
};

} // namespace stagecraft
