// Tables that came with the page become sortable and get bars; that of operators shows all of them, filtered.
function showBar(cell, share) {
  cell.classList.add("bar");
  cell.style.setProperty("--share", (100 * share).toFixed(2) + "%");
}

// Makes the heads of a table buttons that call sort(column, isDescending), figures from the largest first.
function sortByHeads(table, sort) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = element("button", {type: "button", text: head.textContent});
    button.addEventListener("click", () => {
      const before = head.getAttribute("aria-sort");
      const isDescending = before ? before === "ascending" : head.classList.contains("figure");
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
      sort(column, isDescending);
    });
    head.replaceChildren(button);
  });
}

function compared(a, b) {
  return typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true});
}

function improveTable(table) {
  const body = table.tBodies[0];
  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return "key" in cell.dataset ? Number(cell.dataset.key) : cell.textContent;
  };
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    if (!("bar" in head.dataset))
      return;
    const most = Math.max(...[...body.rows].map(row => keyOf(row, column)));
    for (const row of body.rows)
      showBar(row.cells[column], most > 0 ? keyOf(row, column) / most : 0);
  });
  sortByHeads(table, (column, isDescending) => {
    const rows = [...body.rows].sort((a, b) => compared(keyOf(a, column), keyOf(b, column)));
    body.append(...(isDescending ? rows.reverse() : rows));
  });
}

// Column by column what the table of operators is sorted by.
const operatorKeys = [
  operatorOf, node => nodes.name[node], node => modulePaths[nodes.module[node]], node => nodes.stage[node],
  node => data.types[nodes.type[node]], node => nodes.forward_s[node],
  node => nodes.backward_input_s[node] + nodes.backward_weight_s[node], node => nodeTime[node],
  node => nodes.flops[node], node => nodes.parameter_bytes[node], node => nodes.saved_bytes[node],
];
const mostTime = nodeTime.reduce((most, time) => Math.max(most, time), 0);

function operatorRow(node) {
  const texts = operatorKeys.map(key => key(node));
  const shown = [...texts.slice(0, 3), null, texts[4], ...texts.slice(5, 8).map(secondsText), flopsText(texts[8]),
    bytesText(texts[9]), bytesText(texts[10])];
  const cells = shown.map((text, column) =>
    element("td", {class: column === 3 || column > 4 ? "figure" : undefined, title: column < 5 ? text : undefined, text: text ?? ""}));
  cells[1].replaceChildren(element("button", {class: "link", type: "button", title: "Show in the map: " + nodes.name[node],
    text: nodes.name[node], onclick: () => showInMap([node])}));
  cells[3].append(element("span", {class: "swatch " + stageClass(nodes.stage[node])}), String(nodes.stage[node] + 1));
  showBar(cells[7], mostTime > 0 ? nodeTime[node] / mostTime : 0);
  return element("tr", {}, ...cells);
}

// Words that must all stand in an operator's texts; "stage:2" must be its stage.
function operatorFilter(text) {
  const words = text.toLowerCase().split(/\s+/).filter(word => word);
  return node => words.every(word => {
    const stage = /^stage:(\d+)$/.exec(word);
    return stage ? nodes.stage[node] + 1 === Number(stage[1])
      : [0, 1, 2, 4].some(column => operatorKeys[column](node).toLowerCase().includes(word));
  });
}

function improveOperators() {
  const table = byId("nodes-table");
  const step = 20;
  let order = {column: 7, isDescending: true};
  let shown = step;
  const input = element("input", {type: "search", placeholder: "Filter: linear, layers.3, stage:2", "aria-label": "Filter operators"});
  const count = element("span", {class: "hint", role: "status"});
  const more = element("button", {type: "button", text: "Show more", onclick: () => { shown += 4 * step; show(); }});
  function show() {
    const key = operatorKeys[order.column];
    const found = nodes.name.map((_, node) => node).filter(operatorFilter(input.value)).sort((a, b) => compared(key(a), key(b)));
    if (order.isDescending)
      found.reverse();
    table.tBodies[0].replaceChildren(...found.slice(0, shown).map(operatorRow));
    more.hidden = found.length <= shown;
    const time = sum(found.map(node => nodeTime[node]));
    count.textContent = `${countText(found.length)} of ${countText(nodeCount)} operators, ${secondsText(time)} a microbatch ` +
      `(${shareText(time, totalTime)} of all)`;
  }
  input.addEventListener("input", () => { shown = step; show(); });
  sortByHeads(table, (column, isDescending) => { order = {column, isDescending}; show(); });
  table.tHead.rows[0].cells[7].setAttribute("aria-sort", "descending");
  table.caption.textContent = "Operators, forward and backward of one microbatch";
  byId("operator-tools").append(input, count);
  byId("operators").append(element("div", {class: "tools"}, more));
  show();
}

// What crosses each boundary, to be unfolded.
function listCrossing() {
  data.crossing.forEach((values, boundary) => {
    const all = plan.boundaries[boundary].values;
    const table = element("table", {}, element("thead", {}, element("tr", {},
      ...["Tensor", "Type", "Forward", "Backward"].map((text, i) => element("th", {scope: "col", class: i > 1 ? "figure" : undefined, text})))),
    element("tbody", {}, ...values.map(([name, type, forward, backward]) => element("tr", {},
      element("td", {text: name}), element("td", {text: type}),
      element("td", {class: "figure", "data-key": forward, text: bytesText(forward)}),
      element("td", {class: "figure", "data-key": backward, text: bytesText(backward)})))));
    improveTable(table);
    const rest = all > values.length ? `; the largest ${values.length} of ${all}` : "";
    byId("crossing").append(element("details", {},
      element("summary", {text: `From stage ${boundary + 1} to ${boundary + 2}: ${countText(all)} ${all === 1 ? "tensor" : "tensors"}${rest}`}),
      element("div", {class: "scroll"}, table)));
  });
}
