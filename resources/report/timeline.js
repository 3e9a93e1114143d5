// The schedule of a step: a lane a device, an action a bar; below it what the device holds.
const actionNames = ["Forward", "Backward", "Backward of activations", "Backward of parameters"];
const actionLetters = ["F", "B", "I", "W"]; // as torch writes them

// Reads the numbers of core/report/schedule_json.h.
function readActions(numbers) {
  const actions = [];
  let end = 0;
  for (let i = 0; i < numbers.length; i += 9) {
    const [kind, stage, microbatch, gap, computes, receiveBefore, receives, sendBehind, sends] = numbers.slice(i, i + 9);
    const start = end + gap;
    end = start + computes;
    actions.push({kind: kind % 4, isCritical: kind >= 4, stage, microbatch, start, end,
      receive: [start - receiveBefore, start - receiveBefore + receives], send: [end + sendBehind, end + sendBehind + sends]});
  }
  return actions;
}

class TimelineChart {
  constructor(figure) {
    const {schedule} = data;
    this.devices = schedule.devices.map(device => ({stages: device.stages, actions: readActions(device.actions), memory: device.memory}));
    this.shown = schedule.shown_s * 1e9;
    const peak = Math.max(...plan.devices.map(device => device.peak_bytes));
    const limits = plan.devices.map(device => device.limit_bytes ?? 0);
    this.mostBytes = Math.max(peak, ...limits.filter(limit => limit < 2.5 * peak)); // one scale for all; a far limit is not shown
    this.axis = new ZoomAxis(this.shown, () => this.draw());
    this.place = element("span", {class: "hint", role: "status"});
    this.drawing = element("div", {class: "surface", tabindex: 0, role: "application",
      "aria-label": "Schedule: + and - zoom, A and D or the arrow keys move, 0 shows all"});
    figure.append(element("div", {class: "tools"}, this.place, element("span", {class: "gap"}), ...this.axis.buttons()), this.drawing,
      legend([["key-forward", "forward (in the stage's colour)"], ["key-backward", "backward"], ["key-weight", "backward of parameters alone"],
        ["key-transfer", "receives, sends"], ["key-memory", "memory held, against its limit"], ["key-critical", "on the path that decides the step"]]),
      element("p", {class: "hint", text: "Numbers are microbatches, from 1. Ctrl and the wheel zoom, a drag moves, a double click shows all. Keys: A D W S, + − 0."}));
    this.axis.listen(this.drawing);
    this.drawing.addEventListener("keydown", event => this.key(event));
    tipsFor(this.drawing, target => this.about(target));
    whenSized(this.drawing, width => { this.width = width; this.draw(); });
  }

  key(event) {
    const by = {ArrowLeft: -0.15, ArrowRight: 0.15}[event.key];
    if (this.axis.key(event) || by === undefined)
      return;
    event.preventDefault();
    this.axis.pan(by);
  }

  about(target) {
    const action = this.devices[target.dataset?.device]?.actions[target.dataset.action];
    if (!action)
      return null;
    const rows = [["Device", String(Number(target.dataset.device) + 1)], ["Begins", secondsText(action.start / 1e9)],
      ["Takes", secondsText((action.end - action.start) / 1e9)]];
    if (action.receive[1] > action.receive[0])
      rows.push(["Receives", secondsText((action.receive[1] - action.receive[0]) / 1e9)]);
    if (action.send[1] > action.send[0])
      rows.push(["Sends", secondsText((action.send[1] - action.send[0]) / 1e9)]);
    if (action.isCritical)
      rows.push(["Decides", "the time of the step"]);
    return [`${actionNames[action.kind]}, stage ${action.stage + 1}, microbatch ${action.microbatch + 1}`, rows];
  }

  draw() {
    if (!this.width)
      return;
    const {axis, devices} = this;
    const left = 72, lane = devices.length > 10 ? 18 : 26, below = devices.length > 10 ? 14 : 26, gap = 6;
    axis.place(left, this.width - left - 8);
    const height = devices.length * (lane + below + gap) + 20;
    const svg = drawn("svg", {viewBox: `0 0 ${this.width} ${height}`, role: "img", "aria-label":
      `Schedule: ${data.schedule.title}, a step of ${secondsText(plan.iteration_s)}`});
    this.drawTicks(svg, height - 20);
    devices.forEach((device, index) => this.drawDevice(svg, device, index, index * (lane + below + gap) + 2, lane, below));
    svg.append(drawn("rect", {x: 0, y: 0, width: left, height: 0}));
    this.drawing.replaceChildren(svg);
    this.place.textContent = `${secondsText(axis.from / 1e9)} to ${secondsText(axis.to / 1e9)} of ${secondsText(plan.iteration_s)}`;
  }

  drawTicks(svg, height) {
    const {axis} = this;
    const step = axisSteps(axis.to - axis.from, axis.width / 110);
    for (let time = Math.ceil(axis.from / step) * step; time <= axis.to; time += step) {
      const x = axis.at(time);
      svg.append(drawn("line", {x1: x, x2: x, y1: 0, y2: height, class: "grid"}),
        label(x, height + 14, secondsText(time / 1e9), {class: "quiet", "text-anchor": x > this.width - 40 ? "end" : "middle"}));
    }
  }

  drawDevice(svg, device, index, y, lane, below) {
    const {axis} = this;
    const title = device.stages.length > 1 ? "D" + (index + 1) + ": " + device.stages.map(stage => stage + 1).join(" ") : "Stage " + (device.stages[0] + 1);
    svg.append(label(0, y + lane / 2 + 4, fitted(title, 68)), drawn("rect", {x: axis.left, y, width: axis.width, height: lane, class: "lane"}));
    const clip = x => Math.min(axis.left + axis.width, Math.max(axis.left, x));
    let drawnTo = -9;
    device.actions.forEach((action, i) => {
      for (const [begin, end] of [action.receive, action.send])
        if (end > begin && clip(axis.at(end)) - clip(axis.at(begin)) > 0.5)
          svg.append(drawn("rect", {x: clip(axis.at(begin)), y: y + lane + 1, width: clip(axis.at(end)) - clip(axis.at(begin)), height: 3, class: "transfer"}));
      const from = clip(axis.at(action.start)), to = clip(axis.at(action.end));
      if (to <= from || to - from < 0.7 && to - drawnTo < 0.7)
        return;
      drawnTo = to;
      svg.append(drawn("rect", {x: from.toFixed(2), y, width: Math.max(0.7, to - from).toFixed(2), height: lane, "data-device": index, "data-action": i,
        class: `action k${action.kind} ${stageClass(action.stage)}${action.isCritical && to - from > 4 ? " critical" : ""}`}));
      const text = to - from > 14 ? fitted((to - from > 40 ? actionLetters[action.kind] : "") + (action.microbatch + 1), to - from - 4) : "";
      if (text)
        svg.append(label((from + to) / 2, y + lane / 2 + 4, text, {"text-anchor": "middle",
          class: action.kind === 0 ? "k0 " + stageClass(action.stage) : ""}));
    });
    this.drawMemory(svg, device, index, y + lane + 5, below - 4);
  }

  drawMemory(svg, device, index, y, height) {
    const {axis} = this;
    const at = bytes => y + height - bytes / this.mostBytes * height;
    let path = "", bytes = 0, x = axis.left;
    for (let i = 0; i < device.memory.length; i += 2) {
      const next = Math.min(axis.left + axis.width, axis.at(device.memory[i]));
      if (next >= axis.left) {
        path += (path ? "H" + next.toFixed(1) : `M${x},${at(bytes).toFixed(1)}H${next.toFixed(1)}`) + "V" + at(device.memory[i + 1]).toFixed(1);
        x = next;
      }
      bytes = device.memory[i + 1];
      if (next >= axis.left + axis.width)
        break;
    }
    path = (path || `M${axis.left},${at(bytes).toFixed(1)}`) + "H" + (axis.left + axis.width);
    const area = drawn("path", {d: `${path}V${y + height}H${axis.left}Z`, class: "memory-area"});
    svg.append(area, drawn("path", {d: path, class: "memory-line"}));
    if (plan.devices[index].limit_bytes !== null && plan.devices[index].limit_bytes <= this.mostBytes)
      svg.append(drawn("line", {x1: axis.left, x2: axis.left + axis.width, y1: at(plan.devices[index].limit_bytes), y2: at(plan.devices[index].limit_bytes), class: "limit"}));
    svg.append(label(0, y + height - 1, fitted(bytesText(plan.devices[index].peak_bytes), 68), {class: "quiet"}));
  }
}

function startTimeline() {
  const {schedule} = data;
  const percent = part => (100 * part).toFixed(1) + "%";
  byId("schedule-about").textContent = `${schedule.title}, ${plan.microbatches} ${plan.microbatches === 1 ? "microbatch" : "microbatches"}: ` +
    `${secondsText(plan.iteration_s)}, of which devices compute nothing for ${percent(plan.bubble)}: filling and draining ` +
    `${percent(schedule.bubble.schedule)}, stages that differ ${percent(schedule.bubble.imbalance)}, transfers ${percent(schedule.bubble.communication)}.` +
    (schedule.shown_s < schedule.step_s ? ` Shown are the first ${secondsText(schedule.shown_s)}; a page cannot hold more.` : "");
  new TimelineChart(byId("timeline"));
}
