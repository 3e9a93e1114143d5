#include "core/profile/profile.h"

#include <QTest>

using namespace stagecraft;

class TestNotes : public QObject
{
    Q_OBJECT

private slots:
    void whatIsTheSameIsSaidOnce()
    {
        Profile profile;
        for (std::size_t i = 0; i < 2880; ++i)
            addNote(profile, "depends on data",
                    "node 'n" + std::to_string(i) + "' depends on data, u" + std::to_string(i) + " = 9",
                    NodeId(i));
        addNote(profile, "unknown", "node 'scan' is unknown", NodeId(7));
        addNote(profile, "unknown", "node 'scan' is unknown", NodeId(7)); // of the same node, again
        addNote(profile, "a pair", "'x' is one of a pair", NodeId(1));
        addNote(profile, "a pair", "'y' is one of a pair", NodeId(2));
        profile.notes = {"measured node by node"};
        QCOMPARE(profile.nodeNotes.size(), std::size_t{3});
        QCOMPARE(profile.nodeNotes[0].nodes.size(), std::size_t{2880});
        QCOMPARE(profile.nodeNotes[1].nodes, std::vector{NodeId(7)});
        QCOMPARE(noteTexts(profile),
                 (std::vector<std::string>{
                     "node 'n0' depends on data, u0 = 9; likewise 2879 more nodes", "node 'scan' is unknown",
                     "'x' is one of a pair; likewise 1 more node", "measured node by node"}));
    }
};

QTEST_GUILESS_MAIN(TestNotes)
#include "tst_notes.moc"
