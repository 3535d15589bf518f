import { arrowKeys, button, fill, forBrowser, glide, html, still, svg } from "./kit.js";

// Shared by the maps: where points stand, a listbox of points, and the player that
// moves them through a row of measured pictures, the frames.
export const WIDTH = 520, HEIGHT = 430; // of a map, in its own units
const MARGIN = 26;

export const pair = (xy) => xy.map((value) => value.toFixed(1)).join(",");
export const shift = (xy) => `translate(${pair(xy)})`;

/** Position of point i at a moment that may lie between two measured ones. */
export function position(frames, moment, i) {
  const low = Math.floor(moment), high = Math.ceil(moment), t = moment - low;
  return [0, 1].map((d) => (1 - t) * frames[low][i][d] + t * frames[high][i][d]);
}

/** From frame units to the picture's: one scale for both axes and for all frames. */
export function fit(frames) {
  const middle = [], half = [];
  for (const d of [0, 1]) {
    const values = frames.flat().map((point) => point[d]);
    const low = Math.min(...values), high = Math.max(...values);
    middle[d] = (low + high) / 2;
    half[d] = (high - low) / 2 || 1;
  }
  const scale = Math.min((WIDTH / 2 - MARGIN) / half[0], (HEIGHT / 2 - MARGIN) / half[1]);
  const [x0, y0] = middle;
  return ([x, y]) => [WIDTH / 2 + scale * (x - x0), HEIGHT / 2 - scale * (y - y0)];
}

/** The head of an arrow from one spot to another; none if they all but touch. */
export const arrowHead = () => svg("path", { class: "arrow", d: "M0,0L-11,-5L-11,5Z" });
export function point(head, from, to, gap = 0) {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const turn = (Math.atan2(y, x) * 180) / Math.PI;
  head.setAttribute("transform", `${shift(to)} rotate(${turn}) translate(${-gap})`);
  head.setAttribute("visibility", Math.hypot(x, y) > gap + 3 ? "visible" : "hidden");
}

/** The map itself: a listbox of points { label, title, parts }, one stop for Tab, with
 *  drawings `under` and `over` them that no screen reader reads. */
export function listbox(label, items, choose, { under = [], over = [] } = {}) {
  let current = 0;
  const points = items.map(({ label, title, parts }, i) =>
    svg("g", { role: "option", "aria-label": label, onclick: () => choose(i) },
      ...parts, svg("title", {}, title)));
  const keys = (event) => arrowKeys(event, current, points.length, (i) => {
    choose(i);
    points[i].focus();
  });
  /** A fingertip need not hit a point: the nearest within 24 pixels is meant. */
  const nearest = ({ target, clientX, clientY }) => {
    if (target.closest("[role=option]")) return;
    const far = points.map((point) => {
      const { x, y, width, height } = point.getBoundingClientRect();
      return Math.hypot(clientX - x - width / 2, clientY - y - height / 2);
    });
    const least = Math.min(...far);
    if (least <= 24) choose(far.indexOf(least));
  };
  const box = { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, onkeydown: keys, onclick: nearest };
  const element = svg("svg", { ...box, role: "listbox", "aria-label": label },
    svg("g", { "aria-hidden": "true" }, ...under), ...points,
    svg("g", { "aria-hidden": "true", class: "front" }, ...over));

  function draw(chosen, at) {
    current = chosen;
    points.forEach((point, i) => {
      point.setAttribute("transform", shift(at(i)));
      point.setAttribute("tabindex", i === chosen ? 0 : -1);
      point.setAttribute("aria-selected", i === chosen);
    });
  }
  return { element, points, draw };
}

/** The slider and the play button of the trait `trait`, from 0 to `last`; `where` says
 *  what a value means, `settled` is called when it comes to rest. */
export function player(model, trait, last, text, { ticks, pace, where, settled }) {
  let stop = () => {}, moving = false;
  const slider = html("input", {
    type: "range", min: 0, max: last, step: 0.05, "aria-label": text[trait],
    oninput: () => { halt(); model.set(trait, +slider.value); },
    onchange: () => { model.save_changes(); settled(); }, onkeydown: step,
  });
  const said = html("span", { class: "where" });
  const numbers = ticks.map((tick) => html("span", {}, String(tick)));
  const scale = html("div", { class: "ticks", "aria-hidden": "true" }, ...numbers);
  const start = button("", () => (moving ? halt() : play()));

  /** A drag stops anywhere, an arrow key where there are measurements. */
  function step(event) {
    const up = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: 0, ArrowDown: 0 }[event.key];
    if (up === undefined || forBrowser(event)) return;
    event.preventDefault();
    const now = model.get(trait), next = up ? Math.floor(now) + 1 : Math.ceil(now) - 1;
    halt();
    model.set(trait, Math.min(last, Math.max(0, next)));
    model.save_changes();
    settled();
  }
  function halt() {
    stop();
    moving = false;
    start.textContent = still() ? text.next : text.play;
  }
  function move(to, ms) {
    halt();
    const arrived = () => { halt(); model.save_changes(); settled(); };
    moving = true;
    start.textContent = text.pause;
    stop = glide(model.get(trait), to, ms, (value) => model.set(trait, value), arrived);
  }
  function play() {
    const value = model.get(trait) >= last ? 0 : model.get(trait);
    const next = value < model.get(trait) ? 0 : Math.floor(value) + 1;
    if (still()) return move(next, 0); // no movement: from one to the next
    model.set(trait, value);
    move(last, pace * (last - value));
  }
  function draw(value) {
    said.textContent = where(value);
    slider.value = value;
    slider.setAttribute("aria-valuetext", said.textContent);
  }
  halt();
  const rail = html("div", { class: "rail" }, slider, scale);
  const parts = [html("span", {}, text[trait]), rail, start];
  return { parts, where: said, draw, halt, move, play };
}

/** A black star, for what belongs to no one group. */
export const star = () => svg("path", { class: "star",
  d: "M0,-9L2.1,-2.9L8.6,-2.8L3.4,1.1L5.3,7.3L0,3.6L-5.3,7.3L-3.4,1.1L-8.6,-2.8L-2.1,-2.9Z" });

/** The star with its name, as `named` of the kit does for groups. */
export const starred = (name) =>
  html("span", { class: "named" },
    svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true" }, star()), name);

/** Read what `pack` of maps.py wrote: base64 of 16-bit numbers, as a nested list. */
export function unpack(text, shape, scale = 1000) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  let next = 0;
  const nest = ([size, ...rest]) =>
    Array.from({ length: size }, () =>
      rest.length ? nest(rest) : view.getInt16(2 * next++, true) / scale);
  return nest(shape);
}
