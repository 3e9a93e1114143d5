// ExportDialog: where the stages go, in which formats, what will be written, and whether it computes what the
// model computes. Writes nothing itself.
#pragma once

#include "core/load/loss_output.h"
#include "core/stage/export.h"
#include "core/stage/verify.h"

#include <QDialog>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLayout;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTreeWidget;

namespace stagecraft {

class LossBox;
class NextSteps;

class ExportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ExportDialog(QWidget* parent = nullptr);

    void setModelName(const QString& name, std::size_t stageCount);
    void setFolder(const QString& folder);
    // What of the plan an export does otherwise than asked; empty: nothing.
    void setNote(const QString& note);
    // The outputs that can be the loss, first what lossOutput() took, or a question. Chosen is that, or what
    // was asked for.
    void setLoss(const LossOutput& loss, const std::string& asked = {});
    // What would be written with the present options, from planExport().
    void setFiles(const std::vector<ExportedFile>& files);
    // Instead of the files: why the present options cannot be written.
    void setProblem(const QString& message);
    // The folder already holds an export; it is replaced only after a tick.
    void setFolderOccupied(bool occupied);

    // While a job runs; `fraction` none: unknown. It ends with one of the calls below.
    void setProgress(const QString& activity, std::optional<double> fraction);
    void setIdle(); // cancelled
    void setExported(const ExportReport& report);
    // After setExported(): the command that runs what was written (NextSteps), and the file that explains it.
    void setNextSteps(const QString& command, const QString& guide);
    void setVerified(const VerifyReport& report);
    void setFailed(const QString& message);

    ExportOptions options() const;
    bool verifyAfterwards() const;

signals:
    void optionsChanged();
    void exportRequested();
    void verifyRequested();
    void cancelRequested();
    void openFolderRequested(const QString& folder);
    void openFileRequested(const QString& file);

public slots:
    void reject() override; // while a job runs: cancels it, and stays open; closing the window goes further

protected:
    void closeEvent(QCloseEvent* event) override; // cancels what runs, and closes all the same

private:
    void setUpOptions();
    QLayout* buildOptions();
    QLayout* buildResults();
    QLayout* buildButtons();
    void chooseFolder();
    void showState();
    enum class Tone { Neutral, Good, Bad };
    void showMessage(const QString& text, Tone tone);
    void colorMessage();
    void colorComparisons();

    QLineEdit* m_folder;
    QCheckBox* m_python;
    QCheckBox* m_pt2;
    QCheckBox* m_torchScript;
    QDoubleSpinBox* m_shardSize; // GB
    LossBox* m_loss;
    QComboBox* m_function;
    QCheckBox* m_verify;
    QCheckBox* m_replace;
    QTreeWidget* m_files;
    QLabel* m_note;
    QLabel* m_total;
    QTreeWidget* m_comparisons;
    QStackedWidget* m_pages;
    QLabel* m_message;
    NextSteps* m_next;
    QProgressBar* m_bar;
    QPushButton* m_export;
    QPushButton* m_verifyButton;
    QPushButton* m_openFolder;
    QPushButton* m_cancel;
    QString m_folderWritten;
    Tone m_tone = Tone::Neutral;
    bool m_running = false;
    bool m_occupied = false;
    bool m_hasFiles = false;
};

} // namespace stagecraft
