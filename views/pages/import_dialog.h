// ImportDialog: what of a person's Python is to be imported, with which inputs and which Python; how far that
// is, and why it failed, with what Python wrote. Starts nothing itself.
#pragma once

#include "core/import/python_import.h"

#include <QDialog>

#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace stagecraft {

class InputsTable;

class ImportDialog : public QDialog
{
    Q_OBJECT

public:
    explicit ImportDialog(QWidget* parent = nullptr);

    // The request as the fields say it.
    ImportRequest request() const;
    void setRequest(const ImportRequest& request);
    // Where files go that no one gave another name.
    void setOutputFolder(const QString& folder);

    // Of the Python that is chosen; while it is asked, which it is, or what is wrong with it.
    void setPythonAsked();
    void setPython(const PythonVersion& version);
    void setPythonProblem(const QString& message);

    // While it runs; it ends with one of the calls below, or the dialog is closed.
    void setProgress(const QString& activity, std::optional<double> fraction);
    void setIdle(); // cancelled
    // `details`: what Python wrote.
    void setFailed(const QString& message, const QString& details);

signals:
    void pythonChanged(const QString& python);
    void importRequested();
    void cancelRequested();

public slots:
    void reject() override; // while it runs: cancels that, and stays open; closing the window goes further

protected:
    void closeEvent(QCloseEvent* event) override; // cancels what runs, and closes all the same

private:
    QFormLayout* buildForm();
    QWidget* withButton(QLineEdit* field, const QString& tip, void (ImportDialog::*choose)());
    void buildResults(QVBoxLayout* layout);
    void chooseFile();
    void choosePython();
    void chooseOutput();
    void showKind();
    void proposeOutput();
    void showState();
    void color();
    QString source() const;

    QComboBox* m_kind;
    QLineEdit* m_name;
    QLabel* m_example;
    InputsTable* m_inputs;
    QLineEdit* m_settings;
    QLineEdit* m_dynamic;
    QComboBox* m_mode;
    QComboBox* m_weights;
    QLineEdit* m_python;
    QLabel* m_version;
    QLineEdit* m_output;
    std::vector<QToolButton*> m_choose; // beside fields
    QLabel* m_replaces;
    QProgressBar* m_bar;
    QLabel* m_message;
    QCheckBox* m_showDetails;
    QPlainTextEdit* m_details;
    QPushButton* m_import;
    QPushButton* m_cancel;
    QString m_outputFolder;
    QString m_proposed; // as long as it is still that, the name follows the source
    bool m_isRunning = false;
    bool m_isPythonWrong = false;
};

} // namespace stagecraft
