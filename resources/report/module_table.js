// Modules as a table that folds; neighbours that are equal are one line.
// Equal numbers: the same class, the same operators and the same modules inside.
const shapes = [];
(function findShapes() {
  const known = new Map();
  for (let module = modules.name.length - 1; module >= 0; --module) {
    const text = JSON.stringify([className(module), ownNodes[module].map(node => nodes.op[node]),
      children[module].map(child => [/^\d+$/.test(modules.name[child]) ? "" : modules.name[child], shapes[child]])]);
    if (!known.has(text))
      known.set(text, known.size);
    shapes[module] = known.get(text);
  }
})();

// What stands below a module: modules, and equal ones that follow each other as one entry.
function entriesBelow(module) {
  const entries = [];
  for (const child of children[module]) {
    if (allNodes[child].length === 0)
      continue;
    const last = entries.at(-1);
    const isNumber = /^\d+$/.test(modules.name[child]);
    if (last && isNumber && last.isNumber && last.shape === shapes[child])
      last.modules.push(child);
    else
      entries.push({modules: [child], shape: shapes[child], isNumber});
  }
  return entries;
}

const moduleColumns = [
  {title: "Operators", of: list => list.length, text: countText},
  {title: "Time", of: list => sum(list.map(node => nodeTime[node])), text: secondsText, hasBar: true},
  {title: "Share", of: list => sum(list.map(node => nodeTime[node])), text: value => shareText(value, totalTime)},
  {title: "Parameters", of: list => sum(list.map(node => nodes.parameter_bytes[node])), text: bytesText, hasBar: true},
  {title: "Saved", of: list => sum(list.map(node => nodes.saved_bytes[node])), text: bytesText, hasBar: true},
  {title: "FLOPs", of: list => sum(list.map(node => nodes.flops[node])), text: flopsText},
];
const moduleTotals = moduleColumns.map(column => column.of(nodes.name.map((_, node) => node)));

function stageStrip(list) {
  const byStage = new Map();
  for (const node of list)
    byStage.set(nodes.stage[node], (byStage.get(nodes.stage[node]) ?? 0) + nodeTime[node] + totalTime * 1e-9);
  const stages = [...byStage.keys()].sort((a, b) => a - b);
  const strip = element("span", {class: "strip", "aria-hidden": "true"}, ...stages.map(stage => {
    const part = element("i", {class: stageClass(stage)});
    part.style.flexGrow = byStage.get(stage) / sum([...byStage.values()]) * 1000;
    return part;
  }));
  return element("td", {"data-key": stages[0]}, strip, " " + stageText(list));
}

class ModuleTable {
  constructor(parent) {
    this.open = new Set();
    this.sorting = null; // the model's own order
    const heads = ["Module", "Stages", ...moduleColumns.map(column => column.title)];
    this.body = element("tbody");
    this.table = element("table", {role: "treegrid", "aria-label": "Modules"}, element("thead", {}, element("tr", {},
      ...heads.map((text, i) => element("th", {scope: "col", class: i > 1 ? "figure" : undefined, text})))), this.body);
    sortByHeads(this.table, (column, isDescending) => {
      this.sorting = {column, isDescending};
      this.show();
    });
    const button = (text, act) => element("button", {type: "button", text, onclick: act});
    parent.append(element("div", {class: "tools"}, button("Fold all", () => this.fold()), button("Unfold layers", () => this.unfold())),
      element("div", {class: "scroll"}, this.table));
    this.body.addEventListener("keydown", event => this.key(event));
    this.fold();
  }

  // Open is what most of the time is in, down to the layers.
  fold() {
    this.open.clear();
    const openLarge = entries => {
      for (const entry of entries) {
        const isLarge = sum(this.nodesOf(entry).map(node => nodeTime[node])) > 0.2 * totalTime;
        if (entry.modules.length > 1 || entry.isNumber || !isLarge)
          continue;
        this.open.add(this.nameOf(entry));
        openLarge(this.below(entry));
      }
    };
    openLarge(entriesBelow(0));
    this.show();
  }

  unfold() {
    const openAll = (entries, depth) => {
      for (const entry of entries) {
        if (depth > 5)
          return;
        this.open.add(this.nameOf(entry));
        openAll(this.below(entry), depth + 1);
      }
    };
    openAll(entriesBelow(0), 0);
    this.show();
  }

  nameOf(entry) {
    return entry.modules.join(" ") + (entry.isAlone ? " alone" : "");
  }

  below(entry) {
    return entry.modules.length > 1 ? entry.modules.map(module => ({modules: [module], shape: entry.shape, isNumber: true, isAlone: true}))
      : entriesBelow(entry.modules[0]);
  }

  show() {
    const rows = [];
    const add = (entries, depth) => {
      for (const entry of this.sorted(entries)) {
        rows.push(this.row(entry, depth));
        if (this.open.has(this.nameOf(entry)))
          add(this.below(entry), depth + 1);
      }
    };
    add(entriesBelow(0), 1);
    if (ownNodes[0].length > 0)
      rows.push(this.figures({text: "(the model itself)"}, ownNodes[0], 1));
    this.body.replaceChildren(...rows);
  }

  sorted(entries) {
    if (!this.sorting)
      return entries;
    const {column, isDescending} = this.sorting;
    const key = entry => {
      const list = this.nodesOf(entry);
      return column === 0 ? this.title(entry) : column === 1 ? nodes.stage[list[0]] : moduleColumns[column - 2].of(list);
    };
    const result = [...entries].sort((a, b) => compared(key(a), key(b)));
    return isDescending ? result.reverse() : result;
  }

  nodesOf(entry) {
    return entry.modules.flatMap(module => allNodes[module]);
  }

  title(entry) {
    const first = moduleTitle(entry.modules[0]);
    return entry.modules.length > 1 ? `${first}–${modules.name[entry.modules.at(-1)]}` : first;
  }

  path(entry) {
    const first = modulePaths[entry.modules[0]];
    return entry.modules.length > 1 ? `${first}–${modules.name[entry.modules.at(-1)]}` : first;
  }

  row(entry, depth) {
    const hasBelow = this.below(entry).length > 0;
    const isOpen = this.open.has(this.nameOf(entry));
    const fold = hasBelow ? element("button", {class: "fold", type: "button", text: isOpen ? "▾" : "▸", "aria-expanded": String(isOpen),
      "aria-label": (isOpen ? "Fold " : "Unfold ") + this.title(entry), "data-entry": this.nameOf(entry), onclick: () => this.toggle(entry)})
      : element("span", {class: "fold"});
    const list = this.nodesOf(entry);
    const name = element("button", {class: "link", type: "button", title: "Show in the map: " + modulePaths[entry.modules[0]],
      text: this.title(entry), onclick: () => showInMap(list, this.path(entry))});
    const times = entry.modules.length > 1 ? element("b", {text: "  × " + entry.modules.length}) : null;
    const row = this.figures({parts: [fold, name, times, element("span", {class: "class", text: className(entry.modules[0])})]}, list, depth);
    if (hasBelow)
      row.setAttribute("aria-expanded", String(isOpen));
    return row;
  }

  figures({text, parts}, list, depth) {
    const first = element("td", {text}, ...(parts ?? []));
    first.style.paddingLeft = 10 + (depth - 1) * 18 + (text ? 18 : 0) + "px";
    return element("tr", {"aria-level": depth}, first, stageStrip(list), ...moduleColumns.map((column, i) => {
      const value = column.of(list);
      const cell = element("td", {class: "figure", text: column.text(value)});
      if (column.hasBar)
        showBar(cell, moduleTotals[i] > 0 ? value / moduleTotals[i] : 0);
      return cell;
    }));
  }

  toggle(entry) {
    const name = this.nameOf(entry);
    if (!this.open.delete(name))
      this.open.add(name);
    this.show();
    this.body.querySelector(`[data-entry="${name}"]`)?.focus();
  }

  key(event) {
    const fold = event.target.closest("tr")?.querySelector("button.fold");
    const isOpen = fold?.getAttribute("aria-expanded") === "true";
    if (event.key === "ArrowRight" && fold && !isOpen || event.key === "ArrowLeft" && isOpen)
      fold.click();
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const rows = [...this.body.rows];
      const next = rows[rows.indexOf(event.target.closest("tr")) + (event.key === "ArrowDown" ? 1 : -1)];
      next?.querySelector("button")?.focus();
    } else
      return;
    event.preventDefault();
  }
}
