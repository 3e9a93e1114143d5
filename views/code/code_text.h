// What CodeView shows beside the text, and which lines changed: plain functions.
#pragma once

#include "core/stage/stage_program.h"
#include "views/base/plan_view.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace stagecraft {

// A stage's program and its Python text. Either may be null: shown as "no code yet".
struct StagePage
{
    std::shared_ptr<const StageProgram> program;
    std::shared_ptr<const StageCode> code;
};

// A run of lines of the new text that stands in place of a run of the old: [oldFirst, oldEnd) becomes
// [newFirst, newEnd). Either may be empty.
struct LineChange
{
    int oldFirst = 0;
    int oldEnd = 0;
    int newFirst = 0;
    int newEnd = 0;

    friend bool operator==(const LineChange&, const LineChange&) = default;
};

// Runs of lines that differ, in order. Looks for the longest common part within what is left after the equal
// head and tail; texts that differ in more than some thousand lines are one change.
std::vector<LineChange> changedLines(const QStringList& before, const QStringList& after);

// Lines and how they differ from those that they are to replace.
struct NewLines
{
    QStringList all;
    std::vector<LineChange> changes;
};

// A line of two texts laid over each other. Numbers count from 0; -1: not in that text.
struct DiffLine
{
    enum class Kind { Same, Removed, Added, Skipped };
    Kind kind = Kind::Same;
    QString text = {};
    int oldNumber = -1;
    int newNumber = -1;
    int skipped = 0; // lines that are alike and stand for one of kind Skipped

    friend bool operator==(const DiffLine&, const DiffLine&) = default;
};
// The lines that differ, removed ones first, with up to `around` of those that do not before and behind each;
// the others are Skipped. Empty where the texts are equal.
std::vector<DiffLine> diffLines(const QStringList& before, const QStringList& after, int around);

// Lines of a text as an editor counts them: a final line feed ends the last line.
QStringList linesOf(const std::string& text);

// "12.3 us  3.00 MiB": time and made bytes of a line's ops together, the latter in a column of eight. Empty
// if both are zero.
QString lineCost(const Profile& profile, const std::vector<NodeId>& nodes);
// What is asked to stand beside the lines of the code.
enum class CodeBeside { Cost, Statistics };
// What is shown of a stage: its code, how that differs from before, or the model's own source.
enum class CodeShows { Code, Differences, Source };
// What stands beside each: its cost; or, where it is asked for and known, the spread of what it makes:
// "(-> 0.578, <- 0.0204)", "(-> NaN) +2" of three results. As many as lines.
QStringList textsBeside(const PlanView& plan, const StageCode& code, CodeBeside beside);
// Does it tell of a NaN or an infinity?
bool isAlarming(const QString& textBeside);
// What the figures beside a line are, in words, for a tooltip. `nodes` are what it runs, one or more.
QString lineHelp(const PlanView& plan, const std::vector<NodeId>& nodes);
// "Receives 2 tensors, 24.0 MiB" and a line for each: name, shape, bytes; "Takes" for the first stage.
QString receivedText(const PlanView& plan, const StageProgram& program);
QString sentText(const PlanView& plan, const StageProgram& program);
// The same text in lines of at most so many letters, broken at blanks where that can be; what goes on stands
// two letters further in than its line.
QString brokenText(const QString& text, int columns);

} // namespace stagecraft
