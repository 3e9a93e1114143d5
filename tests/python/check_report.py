#!/usr/bin/env python3
"""Opens reports in a real browser and uses them: usage  check_report.py STAGECRAFT_CLI MODEL [MODEL ...]; the first is gpt2-tiny.

What is on the page are the figures of `partition --json`; nothing is loaded, nothing complains; tables sort and filter, charts
zoom, modules fold, the plan in the file makes the same report again; names that would be markup stay names; tables are there
without a script. Exits with 77 where there is no browser.
"""
import json
import re
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from browser import Browser, find_browser

HOSTILE = "</script><script>window.hurt=1</script><img src=x onerror='window.hurt=2'>\"&amp;<!--\u2028\u202e{{data}}"
HOSTILE_CLASS = "</script><img src=x onerror=window.hurt=4>"
MOST_BYTES = 2 << 20


def report(cli, model, path, *options):
    subprocess.run([cli, "report", model, "-o", path, *options], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return path


def rows(page, table):
    return page.run(f"[...document.querySelectorAll('#{table} tbody tr')].map(r => [...r.cells].map(c => c.textContent))")


def keys(page, table, column):
    return page.run(f"[...document.querySelectorAll('#{table} tbody tr')].map(r => Number(r.cells[{column}].dataset.key))")


def check_quiet(page):
    assert page.complaints() == [], page.complaints()
    assert len(page.requests()) == 1, page.requests()


def check_figures(page, plan):
    """Each figure of the page against `partition --json`."""
    stages = plan["stages"]
    assert keys(page, "stages-table", 8) == [stage["load_s"] for stage in stages]
    assert keys(page, "stages-table", 10) == [stage["peak_bytes"] for stage in stages]
    assert keys(page, "stages-table", 3) == [stage["nodes"] for stage in stages]
    assert keys(page, "boundaries-table", 2) == [boundary["forward_bytes"] for boundary in plan["boundaries"]]
    data = "JSON.parse(document.getElementById('report-data').textContent)"
    shown = page.run(data + ".plan")
    assert page.run(data + ".recomputation") == plan.pop("recomputation"), "another recomputation"
    for stage in stages:
        del stage["node_names"]
    for moving in ("solve_s", "cut_short", "notes"):
        shown.pop(moving, None), plan.pop(moving, None)
    assert shown == plan, "the plan in the page is another"
    step = page.run("[...document.querySelectorAll('.card')].find(c => c.textContent.startsWith('Step')).querySelector('b').textContent")
    number, unit = step.split()
    seconds = float(number) * {"s": 1, "ms": 1e-3, "us": 1e-6, "ns": 1e-9}[unit]
    assert abs(seconds / plan["iteration_s"] - 1) < 0.006, (step, plan["iteration_s"])
    # The stacked bars say the same as the table.
    said = page.run("document.querySelector('#time-chart svg').getAttribute('aria-label')")
    assert said.count("Stage") == len(stages), said


def check_tables(page):
    page.click("#stages-table th button", 8)
    falling = keys(page, "stages-table", 8)
    assert falling == sorted(falling, reverse=True)
    page.click("#stages-table th button", 8)
    assert keys(page, "stages-table", 8) == falling[::-1]
    all_rows = len(rows(page, "nodes-table"))
    assert all_rows == 20
    page.click("#operator-tools input")
    page.type("stage:2")
    filtered = rows(page, "nodes-table")
    assert filtered and all(row[3] == "2" for row in filtered)
    said = page.run("document.querySelector('#operator-tools [role=status]').textContent")
    assert re.match(r"[\d,]+ of [\d,]+ operators", said), said
    page.run("(() => { const i = document.querySelector('#operator-tools input'); i.value = 'no such thing'; i.dispatchEvent(new Event('input')); })()")
    assert rows(page, "nodes-table") == []


def axis(page, chart):
    return page.run(f"document.querySelector('#{chart} [role=status]').textContent")


def check_map(page):
    whole = axis(page, "model-map")
    frames = page.run("document.querySelectorAll('#model-map .frame').length")
    page.click("#model-map .frame.leaf", 3)
    assert axis(page, "model-map") != whole and "of all" in axis(page, "model-map"), axis(page, "model-map")
    page.key("Escape")
    assert axis(page, "model-map") == whole
    assert page.run("document.querySelectorAll('#model-map .frame').length") == frames
    page.key("ArrowDown")
    page.key("ArrowDown")
    page.key("Enter")
    assert "of all" in axis(page, "model-map") or frames < 5, "keys do nothing"
    assert page.run("document.querySelector('[aria-live=polite]').textContent") != ""
    page.key("Escape")
    before = page.run("document.querySelector('#model-map svg').outerHTML")
    page.click("#model-map .tools button", 1)  # parameters
    assert page.run("document.querySelector('#model-map svg').outerHTML") != before
    check_boxes(page)
    check_modules(page)


def check_boxes(page):
    """The boxes fill their drawing, a click goes into a module, and its path leads back."""
    path = "document.querySelector('#treemap .path').textContent"
    outermost = page.run(path)
    drawing, boxes = page.run("(() => { const s = document.querySelector('#treemap svg').viewBox.baseVal; return [s.width * s.height, "
                              "[...document.querySelectorAll('#treemap rect')].filter(r => !r.previousElementSibling).map(r => "
                              "r.width.baseVal.value * r.height.baseVal.value)]; })()")
    assert 0 < boxes[0] <= drawing * 1.001, (boxes, drawing)
    page.click("#treemap rect", 2)
    assert page.run(path) != outermost and "›" in page.run(path), page.run(path)
    page.click("#treemap .path button", 0)
    assert page.run(path) == outermost


def check_modules(page):
    count = "document.querySelectorAll('#module-table tbody tr').length"
    folded = page.run(count)
    page.click("#module-table .tools button", 1)
    unfolded = page.run(count)
    assert unfolded > folded, (folded, unfolded)
    page.click("#module-table .fold[aria-expanded=true]")
    assert page.run(count) < unfolded
    page.key("ArrowRight")
    assert page.run(count) == unfolded, "the arrow does not unfold"
    page.click("#module-table .tools button", 0)
    assert page.run(count) == folded


def check_timeline(page):
    whole = axis(page, "timeline")
    page.click("#timeline .tools button", 1)
    zoomed = axis(page, "timeline")
    assert zoomed != whole
    box = page.run("(() => { const b = document.querySelector('#timeline svg').getBoundingClientRect(); return [b.x + b.width / 2, b.y + 12]; })()")
    page.mouse("mouseMoved", *box)
    page.mouse("mousePressed", *box, button="left", buttons=1, clickCount=1)
    page.mouse("mouseMoved", box[0] - 60, box[1], button="left", buttons=1)
    page.mouse("mouseReleased", box[0] - 60, box[1], button="left", clickCount=1)
    assert axis(page, "timeline") != zoomed, "a drag does not move"
    page.mouse("mouseWheel", *box, deltaX=0, deltaY=-200, modifiers=2)
    page.click("#timeline .tools button", 2)
    assert axis(page, "timeline") == whole
    target = page.run("(() => { const b = document.querySelector('#timeline .action').getBoundingClientRect(); return [b.x + b.width / 2, b.y + 5]; })()")
    page.mouse("mouseMoved", *target)
    assert page.run("!document.getElementById('tip').hidden && document.getElementById('tip').textContent").startswith("Forward, stage 1, microbatch 1")


def save_plan(browser, page, folder):
    browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    page.click("#save-plan")
    name = page.run("JSON.parse(document.getElementById('report-data').textContent).plan_name")
    for _ in range(100):
        if (folder / name).exists():
            return folder / name
        time.sleep(0.05)
    raise AssertionError("the plan was not saved")


def check_again(browser, page, cli, model, folder):
    """The plan in the page and the command in it make the same stages again."""
    plan = save_plan(browser, page, folder)
    words = page.run("document.getElementById('command').textContent").split()
    assert words[:2] == ["stagecraft-cli", "report"], words
    again = folder / "again.html"
    options = words[5:-2]  # behind the model and the plan
    report(cli, model, again, "--plan", str(plan), *options)
    other = browser.page()
    other.open(again)
    stages = "JSON.parse(document.getElementById('report-data').textContent).plan.stages"
    assert other.run(stages) == page.run(stages)


def check_model(browser, cli, model, folder):
    given = folder / "given.stagecraft"  # a search may end elsewhere the next time
    subprocess.run([cli, "partition", model, "--stages", "3", "-o", given, "--time-limit", "3"], check=True, capture_output=True)
    options = ["--plan", str(given), "--precision", "bf16"]
    path = report(cli, model, folder / "report.html", *options)
    assert path.stat().st_size < MOST_BYTES, path.stat().st_size
    plan = json.loads(subprocess.run([cli, "partition", model, *options, "--json"], check=True, capture_output=True).stdout)
    page = browser.page()
    page.open(path)
    check_figures(page, plan)
    check_tables(page)
    check_map(page)
    check_timeline(page)
    check_quiet(page)
    check_again(browser, page, cli, model, folder)
    check_without_script(browser, path, len(plan["stages"]))
    print(f"{Path(model).name}: {path.stat().st_size} bytes, {len(plan['stages'])} stages: right")


def check_without_script(browser, path, stages):
    page = browser.page(script=False)
    page.open(path)
    seen = page.call("DOM.getDocument", depth=-1)
    text = json.dumps(seen)
    assert text.count('"TR"') > 40 + stages, "tables need the script"
    check_quiet(page)


def check_kinds(browser, cli, model, folder):
    """Plans of all kinds make pages without a complaint, whose charts show something."""
    for options in (["--stages", "1"], ["--mode", "infer", "--stages", "2"], ["--devices", "2", "--schedule", "zbv"],
                    ["--devices", "2", "--schedule", "interleaved", "--microbatches", "4000"], ["--device", "cpu", "--send", "direct"],
                    ["--stages", "12", "--memory-limit", "1TiB", "--optimizer", "none"]):
        page = browser.page(dark=True)
        page.open(report(cli, model, folder / "kind.html", *options))
        check_quiet(page)
        for chart in ("time-chart", "memory-chart", "model-map", "treemap", "timeline"):
            count = page.run(f"document.querySelectorAll('#{chart} svg rect').length")
            assert count > 1, (options, chart)
        assert "NaN" not in page.run("document.body.innerText"), options
        assert "undefined" not in page.run("document.body.innerText"), options
        assert page.run("document.documentElement.scrollWidth <= innerWidth"), (options, "the page is too wide")
        assert page.run("document.body.outerHTML.includes('NaN')") is False, options
        (folder / "kind.html").unlink()
    print("plans of other kinds: right")


def with_hostile_names(model, path):
    """A copy of the model some of whose operators, classes and itself are called like markup."""
    with zipfile.ZipFile(model) as source, zipfile.ZipFile(path, "w") as target:
        for entry in source.infolist():
            content = source.read(entry)
            if entry.filename.endswith("models/model.json"):
                text = content.decode()
                bad = json.dumps(HOSTILE)[1:-1]
                assert '"addmm"' in text and "GPT2Block" in text
                text = text.replace('"addmm"', f'"{bad}"').replace("GPT2Block", HOSTILE_CLASS)
                content = text.encode()
            target.writestr(entry.filename, content)


def check_hostile(browser, cli, model, folder):
    path = folder / "<img src=x onerror='window.hurt=3'>;$(touch hurt) &amp;.pt2"
    with_hostile_names(model, path)
    page = browser.page()
    page.open(report(cli, path, folder / "hostile.html", "--stages", "2"))
    check_quiet(page)
    assert page.run("window.hurt === undefined && document.images.length === 0 && document.scripts.length === 2")
    names = page.run("JSON.parse(document.getElementById('report-data').textContent).nodes.name")
    shown = HOSTILE.replace("\u2028", "\\u2028").replace("\u202e", "\\u202e")
    assert shown in names, "the operator's name is another"
    page.run("(() => { const i = document.querySelector('#operator-tools input'); i.value = 'window.hurt'; i.dispatchEvent(new Event('input')); })()")
    assert [row[1] for row in rows(page, "nodes-table")] == [shown], rows(page, "nodes-table")
    page.click("#nodes-table .link")
    page.click("#module-table .tools button", 1)
    command = page.run("document.getElementById('command').textContent")
    assert page.run("window.hurt === undefined && document.images.length === 0")
    said = subprocess.run(["sh", "-c", command.replace("stagecraft-cli", "printf '%s|'", 1)], cwd=folder, check=True,
                          capture_output=True, text=True).stdout.split("|")
    assert said[1] == path.name and not (folder / "hurt").exists(), said
    check_quiet(page)
    print("names like markup: are names")


def main():
    cli, *models = sys.argv[1:]
    if not find_browser():
        print("skipped: there is no Chromium here (Debian's package chromium-headless-shell)")
        return 77
    with tempfile.TemporaryDirectory(prefix="stagecraft-report-") as name, Browser() as browser:
        folder = Path(name)
        for model in models:
            check_model(browser, cli, model, folder)
        check_kinds(browser, cli, models[0], folder)
        check_hostile(browser, cli, models[0], folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
