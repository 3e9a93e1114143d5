#include "views/pages/preset_search.h"

#include "core/forms/form.h"
#include "views/base/every_word.h"
#include "views/base/plain_text.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>

namespace stagecraft {

namespace {

QStandardItemModel* presetsOf(std::span<const FormFamily> families, QObject* parent)
{
    auto* model = new QStandardItemModel(parent);
    for (const FormFamily& family : families)
        for (const FormPreset& preset : family.presets) {
            auto* item = new QStandardItem(shownText(preset.title));
            item->setData(dataText(preset.name), Qt::UserRole);
            model->appendRow(item);
        }
    return model;
}

} // namespace

PresetSearch::PresetSearch(QWidget* parent)
    : QLineEdit(parent), m_found(new QSortFilterProxyModel(this)), m_completer(new QCompleter(this))
{
    setPlaceholderText(tr("Find a published model"));
    setAccessibleName(tr("Find a published model"));
    setClearButtonEnabled(true);
    m_found->setSourceModel(presetsOf(formFamilies(), this));
    m_completer->setModel(m_found);
    m_completer->setCompletionMode(QCompleter::UnfilteredPopupCompletion);
    m_completer->setWidget(this); // not setCompleter(): it would write the title over the words
    connect(this, &QLineEdit::textEdited, this, &PresetSearch::find);
    connect(m_completer, qOverload<const QModelIndex&>(&QCompleter::activated), this,
            [this](const QModelIndex& index) {
                setText(index.data().toString());
                emit chosen(index.data(Qt::UserRole).toString());
            });
}

void PresetSearch::find(const QString& words)
{
    m_found->setFilterRegularExpression(everyWordOf(words));
    if (words.trimmed().isEmpty() || m_found->rowCount() == 0)
        return m_completer->popup()->hide();
    m_completer->complete();
    m_completer->popup()->setCurrentIndex(m_completer->completionModel()->index(0, 0)); // Enter takes it
}

} // namespace stagecraft
