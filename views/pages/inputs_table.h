// InputsTable: example inputs of a model as a person writes them, a row each: its name, or none for the next
// in order, and what it is ("f32[8,3,224,224]"). There is always an empty row to go on in.
#pragma once

#include <QTableWidget>

#include <string>
#include <vector>

namespace stagecraft {

class InputsTable : public QTableWidget
{
    Q_OBJECT

public:
    explicit InputsTable(QWidget* parent = nullptr);

    // "ids=i64[2,16]", "f32[8,3]"; empty rows are left out.
    std::vector<std::string> inputs() const;
    void setInputs(const std::vector<std::string>& inputs);

private:
    void keepEmptyRow();
    QString textAt(int row, int column) const;
};

} // namespace stagecraft
