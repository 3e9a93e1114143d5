// Elements of the page. Texts become text nodes, never markup.
function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text")
      node.textContent = value;
    else if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.filter(child => child !== null && child !== undefined));
  return node;
}

function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function drawn(tag, attributes = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function byId(id) {
  return document.getElementById(id);
}

function stageClass(stage) {
  return "s" + stage % 8;
}

// As much of `text` as fits into `width` pixels of a drawing, or all of `short`; empty where nothing does.
const ruler = document.createElement("canvas").getContext("2d");
const rulerFont = "11px system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif";
function fitted(text, width, short = text) {
  ruler.font = rulerFont;
  const fits = what => ruler.measureText(what).width <= width;
  if (width > 6 && fits(text))
    return text;
  if (width > 6 && short !== text && fits(short) && width < 40)
    return short;
  let end = width < 16 ? 0 : Math.min(text.length - 1, Math.floor(width / 4));
  while (end > 1 && !fits(text.slice(0, end) + "…"))
    --end;
  return end > 1 ? text.slice(0, end) + "…" : "";
}

function label(x, y, text, attributes = {}) {
  return drawn("text", {x, y, text, ...attributes});
}

// entries: [class of the swatch, text].
function legend(entries) {
  return element("div", {class: "legend"}, ...entries.map(([style, text]) =>
    element("span", {}, element("span", {class: "swatch " + style}), text)));
}

const tip = element("div", {id: "tip", role: "tooltip", hidden: true});
const spoken = element("div", {"aria-live": "polite", class: "skip"}); // what the keyboard came to
function showTip(x, y, title, rows) {
  tip.replaceChildren(element("b", {text: title}), element("dl", {}, ...rows.flatMap(([name, value]) =>
    [element("dt", {text: name}), element("dd", {text: value})])));
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = x + 14 + box.width > innerWidth ? x - box.width - 10 : x + 14;
  const top = y + 16 + box.height > innerHeight ? y - box.height - 10 : y + 16;
  tip.style.left = Math.max(4, left) + "px";
  tip.style.top = Math.max(4, top) + "px";
}

function hideTip() {
  tip.hidden = true;
}

// Shows what `about(target)` says of what the pointer is on: [title, rows], or null.
function tipsFor(node, about) {
  node.addEventListener("pointermove", event => {
    const said = event.buttons === 0 ? about(event.target, event) : null;
    if (said)
      showTip(event.clientX, event.clientY, ...said);
    else
      hideTip();
  });
  node.addEventListener("pointerleave", hideTip);
}

// Calls draw(width) now and whenever the width of `node` is another.
function whenSized(node, draw) {
  let width = 0;
  const sized = () => {
    if (node.clientWidth > 0 && node.clientWidth !== width) {
      width = node.clientWidth;
      draw(width);
    }
  };
  new ResizeObserver(sized).observe(node);
  sized();
}
