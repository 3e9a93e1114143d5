"""Rules about the house as a whole: how large classes are, what is called alike, what has a header, what READMEs list."""
import re
from collections import Counter, defaultdict
from pathlib import Path

import cpp_source

MAX_CLASS_LINES, MAX_CLASS_FIELDS = 500, 26
# What is larger, and how large it may be: figures that may only fall.
LARGER = {"Document": (953, 20), "StageCutter": (677, 12), "IdealLattice": (568, 26),
          "Actions": (110, 80)}  # a table: every command of the window
EQUAL_NAMES = set()  # may still stand for two classes
# Still called by tests alone, or by nothing.
UNUSED = {"withInseparableNodesTogether"}
# Classes or functions of a header of another name that are cut by idea, not by length: each says in its first line whose
# part it is.
WITHOUT_HEADER = [
    "app/main.cpp", "cli/main.cpp", "cli/command_*.cpp",  # an entry point each
    "core/trace/kernels/*.cpp",                           # a family each, declared in families.h
    "core/forms/family_*.cpp",                            # likewise
    "core/graph/sym_int_parser.cpp",
    "core/layout/portals.cpp", "core/layout/rows_drawing.cpp",
    "core/profile/device/device_json.cpp",
    "core/run/argument_source.cpp", "core/run/functionalized_call.cpp", "core/run/higher_order.cpp",
    "core/run/operator_call.cpp", "core/run/transform_steps.cpp",
    "core/stage/exported_regions.cpp", "core/stage/manifest_check.cpp", "core/stage/manifest_reader.cpp",
    "core/stage/python_call.cpp", "core/stage/stage_assembly.cpp", "core/stage/stage_json.cpp",
    "core/stage/torchscript_call.cpp",
    "core/stage/state_homes.cpp", "core/stage/unsendable_views.cpp", "core/stage/verify_run.cpp",
    "core/trace/recomputation_scope.cpp", "core/trace/self_test.cpp",
    "views/base/theme_style.cpp",
    "app/document/document_*.cpp",
]


# ---------------------------------------------------------------- classes
def check_classes(sources):
    for found, lines in cpp_source.class_lines(sources):
        most_lines, most_fields = LARGER.get(found.name, (MAX_CLASS_LINES, MAX_CLASS_FIELDS))
        if lines > most_lines:
            yield f"{found.path}:{found.line}: {found.name} has {lines} lines with its functions, at most {most_lines}"
        if len(found.fields) > most_fields:
            yield f"{found.path}:{found.line}: {found.name} has {len(found.fields)} fields, at most {most_fields}"


def check_equal_names(sources):
    places = defaultdict(list)
    for source in sources:
        for found in source.classes:
            if not found.is_hidden:
                places[found.name].append(f"{found.path}:{found.line}")
    for name, where in places.items():
        if len(where) > 1 and name not in EQUAL_NAMES:
            yield f"{where[1]}: {name} is another class already, in {where[0]}"


# ---------------------------------------------------------------- names
def check_unused_names(sources, comments):
    """Functions of headers that no product code calls. Earned where the comment above says that they are for tests;
    `comments` gives the lines of a file as they are."""
    used, made = Counter(), Counter()
    for source in sources:
        used += cpp_source.words(source.code)
        made.update(declaration.name for declaration in source.declared)
        made.update(function.name.lstrip("~") for function in source.functions if function.owner)
    for source in sources:
        if not source.path.endswith(".h"):
            continue
        for declaration in source.declared:
            name = declaration.name
            is_earned = name in UNUSED or name.startswith(("operator", "~")) \
                or re.search(r"\boverride\b", declaration.text)
            if used[name] <= made[name] and not is_earned and not is_for_tests(comments(source.path), declaration.line):
                yield f"{source.path}:{declaration.line}: {name} is called by tests at most; delete it or say \"for tests\""


def is_for_tests(lines, line):
    """Does the paragraph say so up to `line`?"""
    for text in reversed(lines[:line]):
        if not text.strip():
            return False
        if re.search(r"//.*\bfor tests\b", text, re.I):
            return True
    return False


# ---------------------------------------------------------------- files
def check_headers(paths):
    """Each .cpp has a header of its own name."""
    there = set(paths)
    earned = [path for pattern in WITHOUT_HEADER for path in there if Path(path).match(pattern)]
    for path in sorted(there):
        if path.endswith(".cpp") and path[:-4] + ".h" not in there and path not in earned:
            yield f"{path}: has no header of its name"


def circles(includes):
    """Sets of files each of which includes all others, over others or not. `includes`: of each file, what it includes."""
    def reach(start):
        seen, todo = set(), [start]
        while todo:
            new = includes.get(todo.pop(), set()) - seen
            seen |= new
            todo += new
        return seen
    reached = {file: reach(file) for file in includes}
    found = {frozenset(other for other in reached[file] if file in reached.get(other, ())) for file in includes}
    return sorted(sorted(circle) for circle in found if circle)


def check_circles(includes):
    """No header includes itself over others; nor does a header with its source, but for two of which one is a part of
    the other. `includes`: of each file, the files that it includes."""
    headers = {path: {other for other in others if other != path} for path, others in includes.items()
               if path.endswith(".h")}
    pairs = {}
    for path, others in includes.items():
        stem = path.rsplit(".", 1)[0]
        pairs.setdefault(stem, set()).update({other.rsplit(".", 1)[0] for other in others} - {stem})
    for circle in circles(headers) + [circle for circle in circles(pairs) if len(circle) > 2]:
        yield f"{circle[0]}: includes itself over {', '.join(circle[1:])}"


ROW = re.compile(r"^\|([^|]*)\|")


def check_readme(readme, text, names):
    """A table of files names what is there, and all of it; so does one of folders. `names`: those of the files, without
    their endings, and of the folders, with a slash, as seen from the folder of the README."""
    rows, kind = {}, None
    for number, line in enumerate(text.splitlines(), 1):
        row = ROW.match(line)
        if not row:
            kind = None
        elif kind is None:
            kind = row[1].strip()
        elif kind in ("file", "folder", "room"):
            rows.update((name.rstrip("/"), (number, kind)) for name in re.findall(r"[\w./]+", row[1]))
    for name, (number, kind) in rows.items():
        if name not in names and name + "/" not in names:
            yield f"{readme}:{number}: there is no {kind} {name}"
    told = set(rows) | set(re.findall(r"[\w/]+", " ".join(re.findall(r"`([^`]*)`", text))))
    kinds = {kind for _, kind in rows.values()}
    wanted = {name for name in names if name.endswith("/")} if kinds & {"folder", "room"} else set()
    wanted |= {name for name in names if "/" not in name} if "file" in kinds else set()
    yield from (f"{readme}: says nothing of {name}" for name in sorted(wanted) if name.rstrip("/") not in told
                and name not in told)


def check_readmes(root, paths):
    for file in sorted(path for part in ("core", "views", "app", "cli") for path in (root / part).rglob("README.md")):
        folder = file.parent.relative_to(root).as_posix()
        inside = [path.removeprefix(folder + "/") for path in paths if path.startswith(folder + "/")]
        names = {path.split(".")[0] for path in inside} | {path.split("/")[0] + "/" for path in inside if "/" in path}
        yield from check_readme(f"{folder}/README.md", file.read_text(encoding="utf-8"), names)
