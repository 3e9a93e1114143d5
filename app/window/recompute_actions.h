// RecomputeActions: what a person decides by hand about running things again in backward: "Recompute this",
// "every module of its class", "never", and how much memory the stages may hold for how much time. Each is
// one step of undo.
#pragma once

#include "app/document/recompute_edits.h"
#include "app/document/recompute_trade.h"

#include <QList>
#include <QObject>

class QAction;
class QMenu;

namespace stagecraft {

class Document;
class Selection;

class RecomputeActions : public QObject
{
    Q_OBJECT

public:
    // All outlive it. The actions come to the end of `menu`, too.
    RecomputeActions(Document& document, const Selection& selection, TradeSlider* slider, QMenu* menu);

    // On what is selected; for menus.
    QList<QAction*> actions() const { return {m_this, m_class, m_never}; }
    QMenu* ofStage() const { return m_ofStage; } // on the stage that is chosen

private:
    enum class Extent { Selected, WholeClass };
    void recompute(Extent extent);
    void recomputeNever();
    void adopt(const RecomputePlan& plan, const QString& text);
    Blocks regions(Extent extent) const;
    // Can anything run again: is there a training step, and something selected?
    bool canChoose() const;
    void show();
    void linkSlider();
    void showTrade();
    // "model.layers.3", "every LlamaDecoderLayer", "3 ops".
    QString nameOf(Extent extent) const;

    Document& m_document;
    const Selection& m_selection;
    RecomputeTrade m_trade;
    TradeSlider* m_slider;
    std::vector<ModuleBlock> m_blocks; // of the model
    QAction* m_this;
    QAction* m_class;
    QAction* m_never;
    QMenu* m_ofStage;
};

} // namespace stagecraft
