"""Reads C++ as far as the rules of the house need it: scopes, classes, functions, names; no compiler."""
import re
from collections import Counter
from dataclasses import dataclass, field

TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'', re.S)
PIECE = re.compile(r"[{};]|\n|[^{};\n]+")
PREPROCESSOR = re.compile(r"^[ \t]*#(?:[^\n\\]|\\\n|\\.)*", re.M)
HEAD_OF_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^;()]*$")
CLASS_HEAD = re.compile(r"\b(?:class|struct)\s+(?:alignas\([^)]*\)\s*)?(\w+)\s*(?:final\s*)?(?::[^:].*)?$", re.S)
MEMBER_HEAD = re.compile(r"((?:\w+\s*(?:<[^()]*>)?\s*::\s*)+)(?:~?\w+|operator[^(]*)\s*\(")
FUNCTION_NAME = re.compile(r"(?<![\w~.>:])(?:\w+\s*::\s*)*(~?[A-Za-z_]\w*)\s*\(")
NOT_A_FIELD = re.compile(r"^(using|typedef|friend|static|template|enum|struct|class|union|Q_\w+)\b")
LABEL = re.compile(r"\b(public|protected|private|signals|public slots|private slots)\s*:(?!:)|\bQ_OBJECT\b")
WORD = re.compile(r"[A-Za-z_]\w*")


def without_text(source):
    """The source with comments, strings and characters blanked, line for line."""
    return TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), source)


def without_angles(text):
    """The text without what stands in angle brackets, however deep."""
    text = re.sub(r"->|<=|>=|<<", " ", text)
    while (shorter := re.sub(r"<[^<>]*>", "", text)) != text:
        text = shorter
    return text


@dataclass
class Class:
    """A class or struct, and the lines of its functions that stand outside of it."""
    name: str        # with those of the classes around it
    path: str
    line: int
    last: int = 0
    is_hidden: bool = False  # in an unnamed namespace, or inside a function
    fields: list = field(default_factory=list)


@dataclass
class Function:
    owner: str       # the class that its head names; empty: none
    name: str
    first: int       # line of its head
    body: int        # line of its opening brace
    last: int


@dataclass
class Declaration:
    name: str        # of a function
    line: int
    text: str


@dataclass
class Scope:
    kind: str        # namespace, hidden (one without a name), class, enum, function, block, value
    line: int
    head: str
    head_line: int
    of: Class = None


class Source:
    """The classes, the outermost functions and the declared ones of a file."""

    def __init__(self, path, source):
        self.path = path
        self.code = PREPROCESSOR.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), without_text(source))
        self.classes, self.functions, self.declared = [], [], []
        self._stack, self._head, self._line, self._head_line = [], "", 1, 1
        for piece in PIECE.findall(self.code):
            self._take(piece)

    def _take(self, piece):
        if piece == "{":
            self._open()
        elif piece == "}":
            self._close()
        elif piece == ";":
            self._end_statement()
        else:
            if not self._head.strip():
                self._head, self._head_line = "", self._line
            self._head += piece
            self._line += piece == "\n"

    def _inside_function(self):
        return any(scope.kind == "function" for scope in self._stack)

    def _class_around(self):
        return self._stack[-1].of if self._stack and self._stack[-1].kind == "class" else None

    def _open(self):
        head = LABEL.sub(" ", self._head).strip()
        kind, of = "value", None
        named = CLASS_HEAD.search(without_angles(head)) if "(" not in re.sub(r"alignas\([^)]*\)", "", head) else None
        if re.search(r"\benum\b", head):
            kind = "enum"
        elif head.startswith("namespace") or head.startswith("inline namespace"):
            kind = "hidden" if head == "namespace" else "namespace"
        elif head.startswith("extern"):
            kind = "namespace"
        elif named:
            kind, of = "class", self._begin_class(named[1])
        elif "(" in head and not HEAD_OF_SCOPE.search(head) and not self._inside_function():
            kind = "function"
        elif self._inside_function():
            kind = "block"
        self._stack.append(Scope(kind, self._line, self._head, self._head_line, of))
        self._head = ""

    def _begin_class(self, name):
        around = [scope.of.name for scope in self._stack if scope.of]
        is_hidden = self._inside_function() or any(scope.kind == "hidden" for scope in self._stack)
        made = Class("::".join(around[-1:] + [name]), self.path, self._head_line, is_hidden=is_hidden)
        self.classes.append(made)
        return made

    def _close(self):
        if not self._stack:
            return
        scope = self._stack.pop()
        if scope.kind == "value":  # an initialiser: the statement goes on
            self._head, self._head_line = scope.head + " ", scope.head_line
            return
        if scope.kind == "class":
            scope.of.last = self._line
        if scope.kind == "function":
            self._end_function(scope)
        self._head = ""

    def _end_function(self, scope):
        head = without_angles(LABEL.sub(" ", scope.head))
        owner = MEMBER_HEAD.search(head)
        name = FUNCTION_NAME.search(head)
        self.functions.append(Function(re.sub(r"\s", "", owner[1])[:-2] if owner else "",
                                       name[1] if name else "", scope.head_line, scope.line, self._line))
        if name and not owner:
            self.declared.append(Declaration(name[1], scope.head_line, scope.head))

    def _end_statement(self):
        statement = LABEL.sub(" ", self._head).strip()
        self._head = ""
        if not statement or self._inside_function():
            return
        plain = without_angles(re.sub(r"\balignas\([^)]*\)", "", statement))
        declares = FUNCTION_NAME.search(plain.split("=")[0])
        around = self._class_around()
        if declares and not NOT_A_FIELD.match(plain.replace("static ", "")):
            self.declared.append(Declaration(declares[1], self._head_line, statement))
        elif around and "(" not in plain.split("=")[0] and not NOT_A_FIELD.match(plain):
            declarators = plain.split(",") if "=" not in plain else [plain.split("=")[0]]
            names = [WORD.findall(part) for part in declarators]
            around.fields += [found[-1] for found in names if found]


def words(code):
    """How often each name stands in code without text."""
    return Counter(WORD.findall(code))


def class_lines(sources):
    """(class, lines) of each class: those of its definition and of its functions outside of it, in any file."""
    outside = Counter()
    for source in sources:
        for function in source.functions:
            if function.owner:
                outside[function.owner.removeprefix("stagecraft::")] += function.last - function.first + 1
    for source in sources:
        for found in source.classes:
            yield found, found.last - found.line + 1 + outside[found.name]
