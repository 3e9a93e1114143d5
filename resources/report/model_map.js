// The map: modules within modules as nested bars, as wide as what they take, in the order of the stages.
const order = nodes.name.map((_, node) => node).sort((a, b) => nodes.stage[a] - nodes.stage[b] || a - b);
const positionOf = [];
order.forEach((node, position) => { positionOf[node] = position; });
const chains = modules.name.map((_, module) => modulesAround(module));

// Bars of one module, or one operator, in one stage: [first, last) in `order`, outermost first.
const frames = [];
(function findFrames() {
  const open = [];
  const close = depth => { while (open.length > depth) open.pop().last = position; };
  let position = 0;
  for (; position < order.length; ++position) {
    const node = order[position];
    const chain = chains[nodes.module[node]];
    let same = 0;
    const isNewStage = position === 0 || nodes.stage[order[position - 1]] !== nodes.stage[node];
    while (!isNewStage && same < chain.length && same < open.length && open[same].module === chain[same])
      ++same;
    close(same);
    for (let depth = same; depth < chain.length; ++depth) {
      open.push({module: chain[depth], depth, stage: nodes.stage[node], first: position});
      frames.push(open.at(-1));
    }
    frames.push({node, depth: chain.length, stage: nodes.stage[node], first: position, last: position + 1});
  }
  close(0);
})();
const depthOfMap = frames.reduce((most, frame) => Math.max(most, frame.depth), 0) + 1;

let showInMap = () => {}; // the map makes it: shows these nodes

function frameTitle(frame) {
  return frame.node === undefined ? moduleTitle(frame.module) : operatorOf(frame.node);
}

// With its place; `title` of what is no single bar.
function nameOfFrame(frame) {
  return frame.title ?? (frame.node === undefined ? modulePaths[frame.module] : nodes.name[frame.node]);
}

function frameAbout(frame) {
  if (frame.node === undefined)
    return [nameOfFrame(frame) + (frame.title === undefined && className(frame.module) ? "  " + className(frame.module) : ""),
      [["Stage", String(frame.stage + 1)], ["Operators", countText(frame.last - frame.first)],
        ...figuresOf(order.slice(frame.first, frame.last))]];
  return [nodes.name[frame.node], [["Operator", operatorOf(frame.node)], ["In", modulePaths[nodes.module[frame.node]]],
    ["Stage", String(frame.stage + 1)], ["Result", data.types[nodes.type[frame.node]]], ...figuresOf([frame.node])]];
}

class ModelMap {
  constructor(figure) {
    this.row = 21;
    this.metric = metrics.find(metric => sum(metric.values) > 0) ?? metrics[0];
    this.here = null; // the frame that the keyboard is on
    this.axis = new ZoomAxis(1, () => this.draw());
    this.place = element("span", {class: "hint", role: "status"});
    this.drawing = element("div", {class: "surface", tabindex: 0, role: "application",
      "aria-label": "Map of the model: arrow keys go from bar to bar, Enter shows one, Escape shows all"});
    const choices = metrics.filter(metric => sum(metric.values) > 0).map(metric => element("button", {type: "button",
      text: metric.name, "aria-pressed": String(metric === this.metric), onclick: event => this.choose(metric, event.target)}));
    this.choices = choices;
    figure.append(element("div", {class: "tools"}, ...choices, element("span", {class: "gap"}), this.place, ...this.axis.buttons()),
      this.drawing, element("p", {class: "hint", text:
        "Click a bar to fill the width with it, double-click for all; Ctrl and the wheel zoom, a drag moves. Keys: arrows, Enter, Escape, + − 0."}));
    this.axis.listen(this.drawing);
    this.listen();
    this.measure();
    whenSized(this.drawing, width => { this.width = width; this.draw(); });
  }

  choose(metric, button) {
    this.metric = metric;
    for (const choice of this.choices)
      choice.setAttribute("aria-pressed", String(choice === button));
    const [first, last] = [this.positionAt(this.axis.from), this.positionAt(this.axis.to)];
    const isAll = this.axis.to - this.axis.from >= this.axis.total * 0.999;
    this.measure();
    if (isAll || this.sums[last] <= this.sums[first])
      this.axis.all();
    else
      this.axis.show(this.sums[first], this.sums[last]);
  }

  // Where each node begins on the axis.
  measure() {
    this.sums = [0];
    for (const node of order)
      this.sums.push(this.sums.at(-1) + this.metric.values[node]);
    this.axis.total = this.sums.at(-1) || 1;
    this.axis.to = Math.min(this.axis.to, this.axis.total);
    if (this.axis.from === 0)
      this.axis.to = this.axis.total;
  }

  positionAt(value) {
    const found = this.sums.findIndex(begin => begin >= value - this.axis.total * 1e-9);
    return found < 0 ? order.length : found;
  }

  showFrame(frame) {
    this.here = frame;
    const [from, to] = [this.sums[frame.first], this.sums[frame.last]];
    if (to > from)
      this.axis.show(from, to);
    else
      this.draw();
  }

  listen() {
    const frameOf = target => frames[target.dataset?.frame] ?? null;
    this.drawing.addEventListener("click", event => {
      const frame = frameOf(event.target);
      const stage = event.target.dataset?.stage;
      if (this.axis.wasDragged)
        return;
      if (frame)
        this.showFrame(frame);
      else if (stage !== undefined)
        this.showStage(Number(stage));
    });
    this.drawing.addEventListener("keydown", event => this.key(event));
    tipsFor(this.drawing, target => {
      const frame = frameOf(target);
      if (frame)
        return frameAbout(frame);
      const stage = target.dataset?.stage;
      return stage === undefined ? null
        : ["Stage " + (Number(stage) + 1), figuresOf(order.filter(node => nodes.stage[node] === Number(stage)))];
    });
  }

  showStage(stage) {
    const first = order.findIndex(node => nodes.stage[node] === stage);
    const count = order.filter(node => nodes.stage[node] === stage).length;
    this.here = null;
    if (this.sums[first + count] > this.sums[first])
      this.axis.show(this.sums[first], this.sums[first + count]);
  }

  key(event) {
    const moves = {ArrowUp: () => this.upwards(), ArrowDown: () => this.downwards(), ArrowLeft: () => this.sideways(-1),
      ArrowRight: () => this.sideways(1), Enter: () => this.here && this.showFrame(this.here),
      Escape: () => { this.here = null; hideTip(); this.axis.all(); }};
    if (this.axis.key(event) || !(event.key in moves) || event.ctrlKey || event.altKey)
      return;
    event.preventDefault();
    moves[event.key]();
    this.draw();
    if (this.here) {
      const [title, rows] = frameAbout(this.here);
      spoken.textContent = title + ": " + rows.map(([name, value]) => name + " " + value).join(", ");
      const box = this.drawing.getBoundingClientRect();
      showTip(box.left + this.axis.at(this.sums[this.here.first]), box.top + (this.here.depth + 2) * this.row, title, rows);
    }
  }

  isSeen(frame) {
    return this.sums[frame.last] > this.sums[frame.first] && this.sums[frame.last] > this.axis.from && this.sums[frame.first] < this.axis.to;
  }

  sideways(step) {
    const row = frames.filter(frame => frame.depth === (this.here?.depth ?? 0) && this.sums[frame.last] > this.sums[frame.first]);
    const at = row.indexOf(this.here);
    this.here = at < 0 ? row.find(frame => this.isSeen(frame)) ?? row[0] : row[Math.min(row.length - 1, Math.max(0, at + step))];
    if (this.here && !this.isSeen(this.here))
      this.axis.show(this.sums[this.here.first] - (this.axis.to - this.axis.from) / 2, this.sums[this.here.first] + (this.axis.to - this.axis.from) / 2);
  }

  upwards() {
    const here = this.here;
    this.here = here && (frames.findLast(frame => frame.depth === here.depth - 1 && frame.first <= here.first && frame.last >= here.last) ?? here);
  }

  downwards() {
    if (!this.here)
      return this.sideways(0);
    const {depth, first, last} = this.here;
    this.here = frames.find(frame => frame.depth === depth + 1 && frame.first >= first && frame.last <= last && this.isSeen(frame)) ?? this.here;
  }

  draw() {
    if (!this.width)
      return;
    const {axis, row} = this;
    axis.place(0, this.width);
    const svg = drawn("svg", {viewBox: `0 0 ${this.width} ${(depthOfMap + 1) * row + 2}`, role: "img",
      "aria-label": "Map of the model by " + this.metric.name.toLowerCase()});
    for (const stage of plan.stages)
      this.drawStage(svg, stage.index);
    const smallest = 0.7; // of a pixel: what is less is drawn as one bar with its neighbours
    const drawnTo = [];
    frames.forEach((frame, index) => {
      if (!this.isSeen(frame))
        return;
      const from = Math.max(0, axis.at(this.sums[frame.first])), to = Math.min(this.width, axis.at(this.sums[frame.last]));
      if (to - from < smallest && to - (drawnTo[frame.depth] ?? -9) < smallest)
        return;
      drawnTo[frame.depth] = to;
      const y = (frame.depth + 1) * row;
      const kind = frame.node !== undefined ? "leaf" : frame.depth < 2 ? "outer" : "";
      svg.append(drawn("rect", {x: from.toFixed(2), y, width: Math.max(smallest, to - from).toFixed(2), height: row,
        class: `frame ${kind} ${stageClass(frame.stage)} ${frame === this.here ? "here" : ""}`, "data-frame": index}));
      const title = frameTitle(frame);
      const text = fitted(title, to - from - 8, title.slice(title.lastIndexOf(".") + 1));
      if (text)
        svg.append(label((from + 4).toFixed(1), y + 14, text));
    });
    this.drawing.replaceChildren(svg);
    const share = (axis.to - axis.from) / axis.total;
    const path = this.here ? nameOfFrame(this.here) : "";
    this.place.textContent = (path ? path + ", " : "") + this.metric.text(axis.to - axis.from) +
      (share > 0.999 ? "" : ` (${(100 * share).toFixed(share < 0.1 ? 2 : 1)}% of all)`);
  }

  drawStage(svg, stage) {
    const first = order.findIndex(node => nodes.stage[node] === stage);
    if (first < 0)
      return;
    let last = first;
    while (last < order.length && nodes.stage[order[last]] === stage)
      ++last;
    const from = Math.max(0, this.axis.at(this.sums[first])), to = Math.min(this.width, this.axis.at(this.sums[last]));
    if (to <= from)
      return;
    svg.append(drawn("rect", {x: from, y: 0, width: to - from, height: this.row, class: "frame head " + stageClass(stage), "data-stage": stage}));
    const text = fitted("Stage " + (stage + 1), to - from - 8);
    if (text)
      svg.append(label(from + 5, 14, text, {class: "head " + stageClass(stage)}));
  }
}

function startMap() {
  const map = new ModelMap(byId("model-map"));
  showInMap = (list, title) => {
    const first = list.reduce((least, node) => Math.min(least, positionOf[node]), Infinity);
    const last = list.reduce((most, node) => Math.max(most, positionOf[node]), 0) + 1;
    map.showFrame(frames.find(frame => frame.first === first && frame.last === last && (list.length > 1 || frame.node !== undefined))
      ?? {first, last, stage: nodes.stage[list[0]], depth: 0, title});
    byId("map").scrollIntoView({block: "nearest"});
    map.drawing.focus({preventScroll: true});
  };
}
