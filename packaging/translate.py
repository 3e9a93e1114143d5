#!/usr/bin/env python3
"""Brings resources/translations up to date with the texts of the window.

A text is known by itself, wherever it stands (app/window/language.h), so all are of one context. New texts come in as
unfinished, those that are nowhere any more go; the English file has only what counts ("%n ops"). --check changes
nothing, lists what a language lacks and what a translation has otherwise than its text (placeholders, markup, lines,
the letter of a menu, forms of numbers), and fails where there is any. Qt Linguist opens the files; texts without a
word need no translation.
"""
import argparse
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources/translations"
QT_TEXTS = ["OK", "Cancel", "Save", "Discard", "Close", "Restore Defaults"]  # of dialogs, asked for by Qt itself
CALL = re.compile(r"\b(tr|translate|QT_TR_NOOP|QT_TRANSLATE_NOOP|\w+Text|make|make\.toggle)\(")
LITERALS = re.compile(r'(?:\s*"((?:[^"\\]|\\.)*)")+', re.S)
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')
KEPT = {"placeholders": r"%n|%\d", "markup": r"</?\w[^>]*>", "lines": r"\n", "tabs": r"\t", "a letter for the menu": r"&(?=\w)"}
FORMS = {"de": 2, "en": 2, "zh": 1}  # of a text with a number
ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


def plain(escape):
    """The character that an escape stands for."""
    return chr(int(escape[1][1:], 16)) if len(escape[1]) == 5 else ESCAPES.get(escape[1], escape[0])


def literal_at(code, at):
    """Neighbouring string literals as one, and where they end; none where there is something else."""
    match = LITERALS.match(code, at)
    if not match:
        return None, at
    text = "".join(LITERAL.findall(match[0]))
    return re.sub(r"\\(u[0-9a-fA-F]{4}|.)", plain, text), match.end()


def texts_of(code):
    """What a file gives to tr() and its kin. The first argument of translate() is a context; make() takes two texts."""
    for call in CALL.finditer(code):
        text, end = literal_at(code, call.end())
        if text is None:
            continue
        comma = re.compile(r"\s*,").match(code, end)
        other = literal_at(code, comma.end())[0] if comma else None
        if call[1] in ("translate", "QT_TRANSLATE_NOOP"):
            text = other
        elif call[1].startswith("make") and other:
            yield other
        if text:
            yield text


def texts_of_folder(folder):
    found = dict.fromkeys(QT_TEXTS if folder == "app" else [])
    for file in sorted((ROOT / folder).rglob("*.cpp")):
        found.update(dict.fromkeys(texts_of(file.read_text(encoding="utf-8"))))
    return [text for text in found if re.search(r"[A-Za-z]{2}", re.sub(r"%\w|<[^>]*>", "", text)) or text in QT_TEXTS]


def read(file):
    """Of each text the element that translates it."""
    return {message.find("source").text: message for message in ET.parse(file).getroot().iter("message")}


def is_finished(message):
    translation = message.find("translation")
    return translation.get("type") != "unfinished" and "".join(translation.itertext()).strip() != ""


def faults(message, language):
    """What a translation has otherwise than its text: each kind of KEPT, and the number of forms."""
    text = message.find("source").text
    forms = [form.text or "" for form in message.iter("numerusform")]
    if "%n" in text and len(forms) != FORMS[language]:
        return [f"{len(forms)} forms, not {FORMS[language]}"]
    return [what for what, pattern in KEPT.items() for form in forms or [message.find("translation").text]
            if sorted(re.findall(pattern, text)) != sorted(re.findall(pattern, form))]


def new_message(text):
    message = ET.Element("message", {"numerus": "yes"} if "%n" in text else {})
    ET.SubElement(message, "source").text = text
    ET.SubElement(message, "translation", {"type": "unfinished"})
    return message


def update(file, texts):
    known = read(file)
    tree = ET.parse(file)
    root = tree.getroot()
    for context in root.findall("context"):
        root.remove(context)
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = "Stagecraft"
    context.extend(known.get(text, None) if text in known else new_message(text) for text in texts)
    ET.indent(tree, " ")
    file.write_text('<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n' + ET.tostring(root, encoding="unicode") + "\n",
                    encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="change nothing, and fail where something is lacking")
    is_check = parser.parse_args().check
    all_of_app = texts_of_folder("app")
    all_texts = all_of_app + [text for text in texts_of_folder("views") if text not in set(all_of_app)]
    wrong = 0
    for file in sorted(FOLDER.glob("stagecraft_*.ts")):
        language = file.stem.split("_")[-1]
        texts = [text for text in all_texts if "%n" in text or language != "en"]
        if not is_check:
            update(file, texts)
        known = read(file)
        lacking = [text for text in texts if text not in known or not is_finished(known[text])]
        found = [f"{text!r}: other {', '.join(faults(known[text], language))}" for text in texts
                 if text not in lacking and faults(known[text], language)]
        print(f"{file.name}: {len(texts) - len(lacking)} of {len(texts)} texts, {len(found)} of them wrong")
        for line in [f"{text!r}: not translated" for text in lacking] + found:
            print("   ", line)
        wrong += len(lacking) + len(found)
    return 1 if wrong and is_check else 0


if __name__ == "__main__":
    sys.exit(main())
