// SizeFields: the sizes that a model leaves open, such as the batch, and what they are to be.
//
//     input_ids[0]  [ 8    ]
//     input_ids[1]  [ 1024 ]
#pragma once

#include "core/graph/graph.h"

#include <QWidget>

#include <string>
#include <vector>

class QComboBox;
class QFormLayout;
class QSpinBox;

namespace stagecraft {

struct OpenSize
{
    std::string symbol;
    std::string place; // where it stands first by itself: "input_ids[0]", "nonzero"; else "s0, x[0] = 2*s0"
    SymbolRange range;
    bool isDataDependent = false; // the model finds it while it runs
    bool isDerived = false;       // it stands in no input by itself

    friend bool operator==(const OpenSize&, const OpenSize&) = default;
};

// Of the inputs that the user gives, in the order in which they stand there; then those that data decide.
// Where nothing bounds one of these, there is no profile without a value for it.
std::vector<OpenSize> openSizes(const Graph& graph);

class SizeFields : public QWidget
{
    Q_OBJECT

public:
    explicit SizeFields(QWidget* parent = nullptr);

    // Hides itself where there are none.
    void setSizes(const std::vector<OpenSize>& sizes);
    // What is not bound is shown as it was exported, or as not given. Does not emit bindingsChanged().
    void setBindings(const Bindings& bindings, const Bindings& bounds = {});
    // Those that differ from what was exported.
    Bindings bindings() const;
    // Of sizes that data decide: the most that they can be.
    Bindings bounds() const;

signals:
    void bindingsChanged();

private:
    struct Field
    {
        OpenSize size;
        QSpinBox* box;
        QComboBox* meaning; // null: it is as large as that; else also "at most"
    };
    Bindings given(bool asBounds) const;

    QFormLayout* m_form;
    std::vector<Field> m_fields;
};

} // namespace stagecraft
