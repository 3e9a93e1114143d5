// Pieces of Python source.
//
// PythonText is text that may stand in a Python file: literals of this program, and what the functions below
// make of a model's names, texts and numbers. Nothing else becomes one. So nothing that a file says can end
// the string, the comment or the line it stands in, and a writer that passes on a text of a file as it is
// does not compile.
#pragma once

#include "core/graph/argument.h"
#include "core/load/pytree.h"
#include "core/stage/stage_program.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stagecraft {

// Source text that stands in this program.
class PythonLiteral
{
public:
    consteval PythonLiteral(const char* text) : m_text(text) {}
    std::string_view text() const { return m_text; }

private:
    std::string_view m_text;
};

class PythonText
{
public:
    PythonText() = default;
    PythonText(PythonLiteral literal) : m_text(literal.text()) {}

    const std::string& text() const { return m_text; }
    bool isEmpty() const { return m_text.empty(); }

    PythonText& operator+=(const PythonText& other) { return append(other.m_text); }
    PythonText& operator+=(PythonLiteral literal) { return append(literal.text()); }
    friend PythonText operator+(PythonText a, const PythonText& b) { return std::move(a += b); }
    friend PythonText operator+(PythonText a, PythonLiteral b) { return std::move(a += b); }
    friend PythonText operator+(PythonLiteral a, const PythonText& b) { return PythonText(a) + b; }
    friend bool operator==(const PythonText&, const PythonText&) = default;

private:
    friend std::optional<PythonText> pythonWord(std::string_view text);
    friend PythonText pythonString(std::string_view text);
    friend PythonText pythonComment(std::string_view text);
    friend PythonText pythonInt(std::int64_t number);
    friend PythonText pythonFloat(double number);

    static PythonText made(std::string text)
    {
        PythonText result;
        result.m_text = std::move(text);
        return result;
    }
    PythonText& append(std::string_view text)
    {
        m_text += text;
        return *this;
    }

    std::string m_text;
};

// ---------------------------------------------------------------- names
// The text itself where Python takes it for a name everywhere: letters of ASCII, digits and underscores, no
// keyword, and none that is another one inside a class, as "__a" is.
std::optional<PythonText> pythonWord(std::string_view text);
bool isPythonWord(std::string_view text);
// A name for a variable: the text where it is a word and none that the written code uses itself ("torch",
// "self"), else one made of it. Different texts may give one name: see pythonNames().
PythonText pythonVariable(std::string_view text);
// The expression that reads a tensor by its dotted name: self.h[0].attn.weight, self['train'].weight. Names
// that torch.nn.Module or the written classes have themselves are given as texts. `module` is what holds it.
PythonText pythonAttribute(std::string_view path, const PythonText& module = PythonText("self"));

// ---------------------------------------------------------------- texts and numbers
// 'it\'s': a quoted string, of ASCII alone. What is no UTF-8 becomes lone surrogates, as in Python's own file
// names.
PythonText pythonString(std::string_view text);
// For comments and docstrings: one line, of what can be printed. Other characters, backslashes and what is no
// UTF-8 become '?', double quotes single ones; a text of more than 500 characters ends in "...".
PythonText pythonComment(std::string_view text);
PythonText pythonInt(std::int64_t number);
// 0.1, 1e-05, inf, nan: the shortest text that reads back as the same number.
PythonText pythonFloat(double number);
PythonText pythonBool(bool truth);
// A key of a dict: 'mask', 2, (1, 'b',); of a member of an enum its name.
PythonText pythonKey(const PytreeKey& key);
PythonText pythonName(DType dtype);         // "torch.float32"
PythonText pythonName(MemoryFormat format); // "torch.channels_last"
PythonText pythonName(TensorLayout layout); // "torch.strided"
// "a, b, c".
PythonText joined(const std::vector<PythonText>& parts);

// ---------------------------------------------------------------- lines
// The lines of a file, and which nodes each runs.
class PythonLines
{
public:
    void add(const PythonText& line, std::vector<NodeId> nodes = {});
    void add(PythonLiteral line) { add(PythonText(line)); }
    // Several, each with its end.
    void addLines(PythonLiteral lines);
    // A line that declares an input or places a weight.
    void addDeclaration(const PythonText& line, ValueId value);
    // A line that runs the nodes and gives these of their results names.
    void addCall(const PythonText& line, std::vector<NodeId> nodes, std::vector<ValueId> returned);
    // What was to be written may not be: see StageCode::refusals. `subject` is what is being written.
    void setSubject(std::string subject) { m_subject = std::move(subject); }
    void refuse(const std::string& reason) { m_code.refusals.push_back(m_subject + ": " + reason); }
    // Comments that say what was refused.
    void noteRefusals();
    void indent() { m_indentation += 4; }
    void outdent() { m_indentation -= 4; }
    StageCode take() && { return std::move(m_code); }

private:
    void addText(std::string_view line, std::vector<NodeId> nodes);

    StageCode m_code;
    std::string m_subject = "the model";
    std::size_t m_indentation = 0;
};

} // namespace stagecraft
