// StatisticsDialog: asks what a real step of the model is to run on.
#pragma once

#include <QDialog>

#include <cstdint>
#include <filesystem>

class QLineEdit;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace stagecraft {

struct StepInputs
{
    enum class Kind {
        Random,
        Exported, // what the model was exported with
        File,     // a .safetensors file of tensors by the names of the inputs
    };
    Kind kind = Kind::Random;
    std::uint64_t seed = 0; // of all that is random, dropout too
    std::filesystem::path file;
};

class StatisticsDialog : public QDialog
{
    Q_OBJECT

public:
    explicit StatisticsDialog(QWidget* parent = nullptr);

    // Does the model's file have the inputs that it was exported with?
    enum class Exported { No, Yes };
    void setExported(Exported exported);
    StepInputs inputs() const;

private:
    void chooseFile();
    void showChoice();

    QRadioButton* m_random;
    QRadioButton* m_exported;
    QRadioButton* m_fromFile;
    QSpinBox* m_seed;
    QLineEdit* m_file;
    QPushButton* m_choose;
    QPushButton* m_run;
};

} // namespace stagecraft
