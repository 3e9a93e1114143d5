// The same modules as boxes within boxes, whose area is what they take.

// Rectangles [x, y, width, height] for weights, largest first, as square as may be (Bruls, Huizing, van Wijk: squarified
// treemaps).
function squarified(weights, x, y, width, height) {
  const places = [];
  let rest = sum(weights);
  for (let first = 0; first < weights.length && rest > 0;) {
    const side = Math.min(width, height);
    const scale = width * height / rest; // of a weight's area
    let last = first, inRow = 0, worst = Infinity;
    while (last < weights.length) {
      const together = inRow + weights[last];
      const thick = together * scale / side;
      const next = Math.max(...[weights[first], weights[last]].map(weight => {
        const long = weight * scale / thick;
        return Math.max(long / thick, thick / long);
      }));
      if (next > worst)
        break;
      worst = next;
      inRow = together;
      ++last;
    }
    const thick = inRow * scale / side;
    let at = width >= height ? y : x;
    for (let i = first; i < last; ++i) {
      const long = weights[i] * scale / thick;
      places.push(width >= height ? [x, at, thick, long] : [at, y, long, thick]);
      at += long;
    }
    if (width >= height)
      [x, width] = [x + thick, Math.max(0, width - thick)];
    else
      [y, height] = [y + thick, Math.max(0, height - thick)];
    rest -= inRow;
    first = last;
  }
  return places;
}

class Treemap {
  constructor(figure) {
    this.root = 0;
    this.offered = metrics.filter(metric => sum(metric.values) > 0);
    this.metric = this.offered.find(metric => metric.name === "Parameters") ?? this.offered[0] ?? metrics[0];
    this.choices = this.offered.map(metric => element("button", {type: "button", text: metric.name, onclick: () => this.choose(metric)}));
    this.path = element("span", {class: "path", role: "status"});
    this.drawing = element("div");
    figure.append(element("div", {class: "tools"}, ...this.choices, element("span", {class: "gap"}), this.path), this.drawing,
      element("p", {class: "hint", text: "Areas are what modules take, as near as their headings let them be. Click a box to go into it, and the names above to come back; the table of modules says the same."}));
    this.drawing.addEventListener("click", event => {
      const module = event.target.dataset?.module;
      if (module !== undefined)
        this.enter(this.inside(Number(module)));
    });
    tipsFor(this.drawing, target => {
      const {module, stage} = target.dataset ?? {};
      if (module === undefined)
        return null;
      const list = stage === undefined ? allNodes[module] : ownNodes[module].filter(node => nodes.stage[node] === Number(stage));
      return [(modulePaths[module] || data.model.name) + "  " + className(module),
        [["Stages", stageText(list)], ["Operators", countText(list.length)], ...figuresOf(list)]];
    });
    this.choose(this.metric);
    whenSized(this.drawing, width => { this.width = width; this.draw(); });
  }

  // The outermost module below the one shown that `module` is in; itself where it is shown.
  inside(module) {
    const chain = modulesAround(module);
    return chain[chain.indexOf(this.root) + 1] ?? module;
  }

  choose(metric) {
    this.metric = metric;
    this.totals = allNodes.map(list => sum(list.map(node => metric.values[node])));
    this.choices.forEach((choice, i) => choice.setAttribute("aria-pressed", String(this.offered[i] === metric)));
    if (this.totals[this.root] === 0)
      this.root = 0;
    this.draw();
  }

  enter(module) {
    this.root = module;
    if (this.totals[module] === 0)
      this.root = 0;
    hideTip();
    this.draw();
  }

  // What a module's area is shared by: modules, and what it does itself, stage by stage.
  parts(module) {
    const parts = children[module].map(child => ({module: child, weight: this.totals[child]}));
    for (const stage of new Set(ownNodes[module].map(node => nodes.stage[node]))) {
      const list = ownNodes[module].filter(node => nodes.stage[node] === stage);
      parts.push({module, stage, operators: list, weight: sum(list.map(node => this.metric.values[node]))});
    }
    return parts.filter(part => part.weight > 0).sort((a, b) => b.weight - a.weight);
  }

  draw() {
    if (!this.width)
      return;
    const height = Math.round(Math.min(420, Math.max(240, this.width * 0.3)));
    const svg = drawn("svg", {viewBox: `0 0 ${this.width} ${height}`, role: "img", "aria-label":
      `Boxes by ${this.metric.name.toLowerCase()} in ${modulePaths[this.root] || data.model.name}`});
    this.drawInside(svg, this.root, 0, 0, this.width, height);
    this.drawing.replaceChildren(svg);
    const link = module => element("button", {class: "link", type: "button", text: module === 0 ? data.model.name : moduleTitle(module),
      onclick: () => this.enter(module)});
    const chain = [0, ...modulesAround(this.root)];
    this.path.replaceChildren(...chain.flatMap((module, i) => i > 0 ? [" › ", link(module)] : [link(module)]),
      ": " + this.metric.text(this.totals[this.root]));
  }

  drawInside(svg, module, x, y, width, height) {
    const parts = this.parts(module);
    squarified(parts.map(part => part.weight), x, y, width, height).forEach(([left, top, wide, high], i) => {
      if (wide * high > 6)
        this.drawPart(svg, parts[i], left, top, wide, high);
    });
  }

  drawPart(svg, part, x, y, width, height) {
    const isLeaf = part.stage !== undefined;
    const stages = isLeaf ? [part.stage] : [...new Set(allNodes[part.module].map(node => nodes.stage[node]))];
    svg.append(drawn("rect", {x: x.toFixed(1), y: y.toFixed(1), width: Math.max(0, width).toFixed(1), height: Math.max(0, height).toFixed(1),
      class: stages.length === 1 ? `frame ${isLeaf ? "" : "outer"} ${stageClass(stages[0])}` : "frame many",
      "data-module": part.module, "data-stage": part.stage}));
    const title = isLeaf ? operatorOf(part.operators[0]) + (part.operators.length > 1 ? " and others" : "") : moduleTitle(part.module);
    const head = !isLeaf && height > 30 && width > 30 ? 15 : 0;
    if (head > 0 || isLeaf && height > 13)
      svg.append(label((x + 4).toFixed(1), (y + 11.5).toFixed(1), fitted(title, width - 8, title.slice(title.lastIndexOf(".") + 1)), {}));
    if (!isLeaf && width > 6 && height > 6)
      this.drawInside(svg, part.module, x + 2, y + Math.max(2, head), width - 4, height - Math.max(2, head) - 2);
  }
}
