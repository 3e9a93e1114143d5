// DefaultDevice: the device that plans of new windows are made for, kept in the settings: the one that was
// chosen last and not undone since.
#pragma once

#include <QObject>
#include <QVariant>

#include <string>
#include <vector>

class QSettings;

namespace stagecraft {

class Document;
class PlanOptionsPanel;

class DefaultDevice : public QObject
{
    Q_OBJECT

public:
    // All outlive it. It hears of choices from `options` and of undo and redo from the document.
    DefaultDevice(Document& document, const PlanOptionsPanel* options, QSettings* settings);

private:
    struct Choice
    {
        std::string before; // the plan's device
        std::string chosen;
        QVariant keptBefore; // what the settings said
        bool isUndone = false;
    };
    void choose(const std::string& before, const std::string& chosen);
    void undo(const std::string& from);
    void redo(const std::string& from);
    void keep(const QVariant& device);
    bool isKept(const std::string& device) const;

    Document& m_document;
    QSettings* m_settings;
    std::vector<Choice> m_choices;
};

} // namespace stagecraft
