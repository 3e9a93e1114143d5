// A horizontal axis that zooms: by buttons, keys, Ctrl and the wheel, a pinch or a drag.
class ZoomAxis {
  // [0, total] is all there is; changed() is called when another part is to be shown.
  constructor(total, changed) {
    this.total = total;
    this.from = 0;
    this.to = total;
    this.left = 0;
    this.width = 1;
    this.changed = changed;
  }

  // Where the axis lies in the drawing.
  place(left, width) {
    this.left = left;
    this.width = Math.max(1, width);
  }

  at(value) {
    return this.left + (value - this.from) / (this.to - this.from) * this.width;
  }

  show(from, to) {
    const size = Math.min(this.total, Math.max(to - from, this.total * 1e-6));
    this.from = Math.min(Math.max(0, from), this.total - size);
    this.to = this.from + size;
    this.changed();
  }

  all() {
    this.show(0, this.total);
  }

  // `share`, 0 .. 1: what point of the axis stays where it is.
  zoom(factor, share = 0.5) {
    const size = (this.to - this.from) / factor;
    const fixed = this.from + share * (this.to - this.from);
    this.show(fixed - share * size, fixed + (1 - share) * size);
  }

  pan(share) {
    const by = share * (this.to - this.from);
    this.show(this.from + by, this.to + by);
  }

  buttons() {
    const button = (text, name, act) =>
      element("button", {type: "button", text, title: name, "aria-label": name, onclick: act});
    return [button("−", "Zoom out", () => this.zoom(1 / 1.6)), button("+", "Zoom in", () => this.zoom(1.6)),
      button("All", "Show all", () => this.all())];
  }

  // True: the key was one of the axis.
  key(event) {
    const acts = {"+": () => this.zoom(1.6), "=": () => this.zoom(1.6), "-": () => this.zoom(1 / 1.6), "0": () => this.all(),
      "a": () => this.pan(-0.2), "d": () => this.pan(0.2), "w": () => this.zoom(1.6), "s": () => this.zoom(1 / 1.6)};
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in acts))
      return false;
    acts[event.key]();
    event.preventDefault();
    return true;
  }

  // Listens on `node`, which fills the width that the drawing has.
  listen(node) {
    const shareAt = event => {
      const box = node.getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left - this.left) / this.width));
    };
    node.addEventListener("wheel", event => {
      if (event.ctrlKey || event.metaKey)
        this.zoom(Math.exp(-event.deltaY * 0.004), shareAt(event));
      else if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        this.pan(event.deltaX / this.width);
      else
        return;
      event.preventDefault();
    }, {passive: false});
    let last = null;
    node.addEventListener("pointerdown", event => { last = event.button === 0 ? event.clientX : null; this.wasDragged = false; });
    node.addEventListener("pointermove", event => {
      if (last === null || event.buttons === 0)
        return;
      if (!this.wasDragged && Math.abs(event.clientX - last) < 4)
        return;
      if (!this.wasDragged)
        node.setPointerCapture(event.pointerId);
      this.wasDragged = true;
      this.pan((last - event.clientX) / this.width);
      last = event.clientX;
    });
    for (const end of ["pointerup", "pointercancel"])
      node.addEventListener(end, () => { last = null; });
    node.addEventListener("dblclick", () => this.all());
  }
}
