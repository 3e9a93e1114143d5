// PreferencesDialog: what holds for the program, whatever model is open.
#pragma once

#include "core/profile/device/device.h"

#include <QDialog>
#include <QString>

#include <string>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QSpinBox;

namespace stagecraft {

struct Preferences
{
    QString theme = "system";    // themeModeOf() (views/base/theme.h)
    QString language = "system"; // "de"; of those that there are
    int textSize = 100;          // percent of the desktop's
    // What a plan is made for in a window that is opened.
    std::string device;
    int stages = 4;
    int microbatches = 8;
    double searchTime = 3; // seconds
    bool goesOn = false;   // at a start, with what was worked on last
    QString python;        // that imports models and runs stages; empty: that of the environment

    friend bool operator==(const Preferences&, const Preferences&) = default;
};

class PreferencesDialog : public QDialog
{
    Q_OBJECT

public:
    // `languages`: code and name of each, "system" first. `usual` is what is put back on request.
    PreferencesDialog(const std::vector<std::pair<QString, QString>>& languages,
                      const std::vector<DeviceSpec>& devices, Preferences usual, QWidget* parent = nullptr);

    void setPreferences(const Preferences& preferences);
    Preferences preferences() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildLooks(const std::vector<std::pair<QString, QString>>& languages);
    void buildPlanFields(const std::vector<DeviceSpec>& devices);
    void buildWorkFields();
    void choosePython();
    QFormLayout* buildSection(const QString& title, const QString& note);

    Preferences m_usual;
    QComboBox* m_theme;
    QComboBox* m_language;
    QComboBox* m_textSize;
    QComboBox* m_device;
    QSpinBox* m_stages;
    QSpinBox* m_microbatches;
    QDoubleSpinBox* m_searchTime;
    QCheckBox* m_goesOn;
    QLineEdit* m_python;
};

} // namespace stagecraft
