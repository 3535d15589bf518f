// Shared by all widgets: elements, shapes, movement. No library and no network, so
// that a widget works wherever a browser does. A widget's own module follows below.

// Okabe and Ito's colours, told apart with any colour vision, each with its own shape.
const COLOURS = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#D55E00", "#56B4E9"];
const SHAPES = [
  "M-5.5,0a5.5,5.5 0 1,0 11,0a5.5,5.5 0 1,0 -11,0", // circle
  "M-5,-5H5V5H-5Z", // square
  "M0,-6.5L6,5H-6Z", // triangle
  "M0,-7L6.5,0L0,7L-6.5,0Z", // diamond
  "M0,6.5L6,-5H-6Z", // triangle, point down
  "M-2,-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z", // plus
];

const SVG = "http://www.w3.org/2000/svg"; // a name, not an address to load

const create = (element, attributes, children) => {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};

/** Make an HTML element; an attribute such as `onclick` takes a function. */
export const html = (name, attributes = {}, ...children) =>
  create(document.createElement(name), attributes, children);

/** Make an SVG element in the same way. */
export const svg = (name, attributes = {}, ...children) =>
  create(document.createElementNS(SVG, name), attributes, children);

/** Put values into a label: fill("layer {n}", { n: 2 }) is "layer 2". */
export const fill = (label, values) =>
  label.replace(/\{(\w+)\}/g, (_, name) => values[name]);

export const percent = (share) => `${Math.round(100 * share)}%`;

/** A probability, also a small one: three digits from 10% on, below that two. */
export function chance(p) {
  const maximumSignificantDigits = p >= 0.1 ? 3 : 2;
  return p ? `${(100 * p).toLocaleString("en", { maximumSignificantDigits })}%` : "0";
}

export const count = (number) => number.toLocaleString("en"); // 12345 is "12,345"

/** The mark of group `kind`: colour and shape say the same. */
export const mark = (kind) => svg("path", { d: SHAPES[kind], fill: COLOURS[kind] });

/** The mark of group `kind` with its name, for legends and tables. */
export const named = (kind, name) =>
  html("span", { class: "named" },
    svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, mark(kind)), name);

export const button = (label, press, attributes = {}) =>
  html("button", { type: "button", ...attributes, onclick: press }, label);

/** A slider (`range`: min, max, step) with its name before and its value after it, as
 *  `write` puts it. `move` gets each value; `settled` is called when it is let go. */
export function slider(label, range, write, move, settled = () => {}) {
  const said = html("span", { class: "value" });
  const input = html("input", {
    type: "range", ...range, "aria-label": label,
    oninput: () => move(+input.value), onchange: settled,
  });
  function draw(value) {
    input.value = value;
    said.textContent = write(value);
    input.setAttribute("aria-valuetext", said.textContent);
  }
  return { element: html("label", { class: "slider" }, label, input, said), draw };
}

/** A table or the like below its name: folded where the screen is low. */
export const foldable = (name, ...parts) =>
  html("details", matchMedia("(max-height: 850px)").matches ? {} : { open: "" },
    html("summary", {}, name), ...parts);

/** Put new parts in the place of old ones; what the reader has unfolded stays so. */
export function renew(slot, ...parts) {
  const open = [...slot.querySelectorAll("details")].map((one) => one.open);
  slot.replaceChildren(...parts);
  slot.querySelectorAll("details").forEach((one, i) => { one.open = open[i] ?? one.open; });
}

/** Does the reader's system ask for no movement? */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/** Call `step` with values from `from` to `to` for `ms` milliseconds, slow at both
 *  ends, then `done`; at once if the reader wants no movement. Returns a stop. */
export function glide(from, to, ms, step, done = () => {}) {
  let frame = 0;
  const begin = performance.now();
  const tick = (now) => {
    const t = still() ? 1 : Math.min(1, Math.max(0, (now - begin) / ms));
    step(t < 1 ? from + (to - from) * t * t * (3 - 2 * t) : to);
    if (t < 1) frame = requestAnimationFrame(tick);
    else done();
  };
  if (still() || from === to) tick(begin + ms);
  else frame = requestAnimationFrame(tick);
  return () => cancelAnimationFrame(frame);
}

/** A key that is not for the widget: Alt and an arrow go back to the page before. */
export const forBrowser = (event) => event.altKey || event.ctrlKey || event.metaKey;

/** Arrow keys, Home and End choose among `count` things; `choose` gets the index. */
export function arrowKeys(event, current, count, choose) {
  if (forBrowser(event)) return;
  const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
  const ends = { Home: 0, End: count - 1 };
  if (event.key in moves) choose((current + moves[event.key] + count) % count);
  else if (event.key in ends) choose(ends[event.key]);
  else return;
  event.preventDefault(); // the page does not scroll
}

/** Leave the arrow keys to whatever has the focus within `el`: in its command mode
 *  JupyterLab would take them, unless the focused element itself says no. */
export const ownKeys = (el) => el.addEventListener("focusin", ({ target }) =>
  target.setAttribute("data-lm-suppress-shortcuts", "true"));

/** Stands in for a kernel's model where there is no kernel. */
export function pageModel(state) {
  const listeners = {};
  return {
    get: (key) => state[key],
    set: (key, value) => {
      if (state[key] === value) return;
      state[key] = value;
      for (const listen of listeners[`change:${key}`] ?? []) listen();
    },
    on: (event, listen) => (listeners[event] ??= []).push(listen),
    off: (event, listen) => {
      listeners[event] = (listeners[event] ?? []).filter((other) => other !== listen);
    },
    save_changes: () => {},
  };
}

