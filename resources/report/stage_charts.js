// Bars: what a microbatch takes in each stage, and what each device holds at its fullest.
function barChart(figure, title, rows, parts, text, limitOf) {
  const drawing = element("div");
  figure.append(element("figcaption", {text: title}), drawing, legend(parts.map(part => ["p-" + part.key, part.name])));
  const totals = rows.map(row => sum(row.values));
  const limits = rows.map(limitOf ?? (() => null));
  const most = Math.max(...totals, ...limits.filter(limit => limit !== null && limit < 3 * Math.max(...totals)), 1e-12);
  whenSized(drawing, width => {
    const left = 64, right = 74, height = rows.length > 12 ? 16 : 22, bottom = 18;
    const scale = value => left + value / most * (width - left - right);
    const step = axisSteps(most, (width - left - right) / 90, text === bytesText ? 2 ** 10 : 10);
    const svg = drawn("svg", {viewBox: `0 0 ${width} ${rows.length * (height + 5) + bottom}`, role: "img", "aria-label":
      title + ": " + rows.map((row, i) => row.name + " " + text(totals[i])).join(", ")});
    for (let value = 0; value <= most * 1.0001; value += step) {
      svg.append(drawn("line", {x1: scale(value), x2: scale(value), y1: 0, y2: rows.length * (height + 5), class: "grid"}),
        label(scale(value), rows.length * (height + 5) + 13, text(value), {class: "quiet", "text-anchor": value ? "middle" : "start"}));
    }
    rows.forEach((row, i) => {
      const y = i * (height + 5) + 2;
      const line = drawn("g", {});
      line.append(label(0, y + height / 2 + 4, row.name));
      let from = 0;
      row.values.forEach((value, part) => {
        line.append(drawn("rect", {x: scale(from), y, width: Math.max(0, scale(from + value) - scale(from)), height,
          class: "p-" + parts[part].key}));
        from += value;
      });
      const isOver = limits[i] !== null && totals[i] > limits[i];
      line.append(label(scale(from) + 6, y + height / 2 + 4, text(from), isOver ? {class: "past"} : {}));
      if (limits[i] !== null && limits[i] <= most)
        line.append(drawn("line", {x1: scale(limits[i]), x2: scale(limits[i]), y1: y - 3, y2: y + height + 3, class: "limit"}));
      line.append(drawn("rect", {x: 0, y, width, height, fill: "transparent"}));
      tipsFor(line, () => [row.name, [...parts.map((part, k) => [part.name, text(row.values[k])]), ["Together", text(from)],
        ...(limits[i] === null ? [] : [["Limit", text(limits[i])]])]]);
      svg.append(line);
    });
    drawing.replaceChildren(svg);
  });
}

const timeParts = [
  {key: "forward", name: "Forward"}, {key: "backward", name: "Backward of activations"},
  {key: "weight", name: "Backward of parameters"}, {key: "receive", name: "Receive"}, {key: "send", name: "Send"},
];

function showStageTimes() {
  const rows = plan.stages.map(stage => ({name: "Stage " + (stage.index + 1), values:
    [stage.forward_s, stage.backward_input_s, stage.backward_weight_s, stage.receive_s, stage.send_s]}));
  barChart(byId("time-chart"), "Time of a microbatch by stage", rows, timeParts, secondsText);
}

const memoryParts = [
  {key: "parameters", name: "Parameters"}, {key: "state", name: "Gradients, optimizer, buffers"},
  {key: "saved", name: "Saved activations"}, {key: "transient", name: "While an operator runs"},
];

// A device of one stage holds what the stage holds. Where several share one, the simulation says what they hold at once:
// what of it is activations is one part.
function showStageMemory() {
  const isShared = plan.stages_per_device > 1;
  const parts = isShared ? [memoryParts[0], memoryParts[1], {key: "saved", name: "Activations at the fullest moment"}] : memoryParts;
  const rows = plan.devices.map((device, i) => {
    const stages = device.stages.map(stage => plan.stages[stage]);
    const parameters = sum(stages.map(stage => stage.parameter_bytes));
    const state = sum(stages.map(stage => stage.state_bytes));
    const saved = isShared ? device.peak_bytes - state : stages[0].saved_bytes * stages[0].in_flight;
    const values = [parameters, state - parameters, saved];
    return {name: (isShared ? "Device " : "Stage ") + (i + 1), limit: device.limit_bytes,
      values: isShared ? values : [...values, device.peak_bytes - state - saved]};
  });
  barChart(byId("memory-chart"), isShared ? "Peak memory by device" : "Peak memory by stage", rows, parts, bytesText,
    row => row.limit);
}
