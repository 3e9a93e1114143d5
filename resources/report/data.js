// What the report is of, and the sums that several parts show.
const data = JSON.parse(byId("report-data").textContent);
const {plan, nodes, modules} = data;
const nodeCount = nodes.name.length;
const nodeTime = nodes.forward_s.map((time, i) => time + nodes.backward_input_s[i] + nodes.backward_weight_s[i]);
const totalTime = sum(nodeTime);

function sum(values) {
  return values.reduce((total, value) => total + value, 0);
}

// What a map or a table can show of nodes.
const metrics = [
  {name: "Time", values: nodeTime, text: secondsText},
  {name: "Parameters", values: nodes.parameter_bytes, text: bytesText},
  {name: "Saved for backward", values: nodes.saved_bytes, text: bytesText},
  {name: "FLOPs", values: nodes.flops, text: flopsText},
];

const modulePaths = [];
for (let i = 0; i < modules.name.length; ++i) {
  const above = modules.parent[i] >= 0 ? modulePaths[modules.parent[i]] : "";
  modulePaths.push(above ? above + "." + modules.name[i] : modules.name[i]);
}

function className(module) {
  return data.classes[modules.class[module]];
}

// "layers.0": a number says nothing alone.
function moduleTitle(module) {
  if (modules.parent[module] < 0)
    return className(module) || data.model.name;
  const above = modules.parent[module];
  const isNumber = /^\d+$/.test(modules.name[module]);
  return isNumber && modules.parent[above] >= 0 ? modules.name[above] + "." + modules.name[module] : modules.name[module];
}

// From the outermost below the model itself to the innermost.
function modulesAround(module) {
  const path = [];
  for (let at = module; modules.parent[at] >= 0; at = modules.parent[at])
    path.unshift(at);
  return path;
}

// Below each module, what it runs itself, and all that runs in it.
const children = modules.name.map(() => []);
modules.parent.forEach((above, module) => { if (above >= 0) children[above].push(module); });
const ownNodes = modules.name.map(() => []);
nodes.module.forEach((module, node) => ownNodes[module].push(node));
const allNodes = modules.name.map(() => null);
for (let module = modules.name.length - 1; module >= 0; --module) // parents come first
  allNodes[module] = [...ownNodes[module], ...children[module].flatMap(child => allNodes[child])].sort((a, b) => a - b);

// "2", "1–4".
function stageText(list) {
  const [first, last] = list.reduce(([least, most], node) => [Math.min(least, nodes.stage[node]), Math.max(most, nodes.stage[node])],
    [Infinity, -1]);
  return first === last ? String(first + 1) : `${first + 1}–${last + 1}`;
}

function operatorOf(node) {
  return data.ops[nodes.op[node]];
}

// Rows of a tooltip for some nodes together.
function figuresOf(list) {
  const of = values => list.reduce((total, node) => total + values[node], 0);
  return [
    ["Time", secondsText(of(nodeTime)) + "  (" + shareText(of(nodeTime), totalTime) + ")"],
    ["Forward", secondsText(of(nodes.forward_s))],
    ["Backward", secondsText(of(nodes.backward_input_s) + of(nodes.backward_weight_s))],
    ["FLOPs", flopsText(of(nodes.flops))],
    ["Parameters", bytesText(of(nodes.parameter_bytes))],
    ["Saved for backward", bytesText(of(nodes.saved_bytes))],
  ];
}
