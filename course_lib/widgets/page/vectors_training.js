import { button, count, fill, html, mark, named, ownKeys, percent, svg } from "./kit.js";
import {
  fit, listbox, pair, player, position, shift, star, starred, unpack, WIDTH,
} from "./map.js";

// Words as points that move from snapshot to snapshot of a training run. Positions
// between two snapshots are interpolated; all numbers are those of a measured one.
const MS_PER_SNAPSHOT = 400;
const NEAREST = 5; // words that each row of `near` holds, as in Python
const GAP = 9; // from the middle of a point to its name

/** Read the tables of a run: S snapshots, M words, G groups. */
function opened(run, { kinds, groups }) {
  const S = run.steps.length, M = kinds.length, G = groups.length;
  return {
    ...run,
    frames: unpack(run.frames, [S, M, 2]),
    near: unpack(run.near, [S, M, NEAREST], 1),
    cosines: unpack(run.cosines, [S, M, NEAREST]),
    means: unpack(run.means, [S, M, G]),
  };
}

/** How wide a name is, roughly: Chinese characters are twice as wide as letters. */
const wide = (word) => [...word].reduce((sum, c) => sum + (c > "\u2e80" ? 12.5 : 7), 0);

/** On which side of its point each name is written: 1 right, -1 left, and none where it
 *  would hide a name before it in `order` or, but for the `first` few, a point. */
function sides(order, first, at, words) {
  const taken = [], found = new Map(), points = [...order].map(at);
  for (const i of order) {
    const [x, y] = at(i), size = wide(words[i]);
    const free = (side) => {
      const left = side > 0 ? x + GAP : x - GAP - size, right = left + size;
      const name = ([a, b, c]) => left < c && a < right && Math.abs(y - b) < 12;
      const point = ([a, b]) => left - 5 < a && a < right + 5 && Math.abs(y - b) < 9;
      if (left < 2 || right > WIDTH - 2 || taken.some(name)) return false;
      return first.includes(i) || !points.some(point);
    };
    const side = [1, -1].find(free);
    if (!side) continue;
    taken.push(side > 0 ? [x, y, x + GAP + size] : [x - GAP - size, y, x]);
    found.set(i, side);
  }
  return found;
}

/** The points with their names, and lines from the chosen one to its nearest words. */
function map(run, data, choose) {
  const { words, kinds, text } = data;
  const place = fit(run.frames), M = kinds.length;
  const at = (moment, i) => place(position(run.frames, moment, i));
  const links = svg("path", { class: "links" });
  const ring = svg("circle", { class: "ring", r: 12 });
  const names = words.slice(0, M).map((word) =>
    svg("text", { class: "name", dy: "0.35em", lang: data.tongue }, word));
  const items = kinds.map((kind, i) => {
    const group = data.groups[kind] ?? text.several;
    const parts = [kind < 0 ? star() : mark(kind)];
    return { label: `${words[i]}: ${group}`, title: words[i], parts };
  });
  const label = fill(text.map, { method: run.name, n: M });
  const box = listbox(label, items, choose, { under: [links], over: [...names, ring] });
  const stars = kinds.flatMap((kind, i) => (kind < 0 ? [i] : []));

  function draw(moment, chosen) {
    const here = at(moment, chosen), now = Math.round(moment);
    const near = run.near[now][chosen].filter((i) => i >= 0 && i < M);
    box.draw(chosen, (i) => at(moment, i));
    ring.setAttribute("transform", shift(here));
    links.setAttribute("d",
      near.map((i) => `M${pair(here)}L${pair(at(moment, i))}`).join(""));
    // Sides are chosen at the measured snapshot, so that no name jumps in between.
    const first = [chosen, ...stars, ...near];
    const order = [...new Set([...first, ...kinds.keys()])];
    const side = sides(order, first, (i) => at(now, i), words);
    names.forEach((name, i) => {
      const [x, y] = at(moment, i), left = side.get(i) < 0;
      name.setAttribute("transform", shift([left ? x - GAP : x + GAP, y]));
      name.setAttribute("visibility", side.has(i) ? "visible" : "hidden");
      name.classList.toggle("end", left);
      name.classList.toggle("first", first.includes(i));
    });
  }
  return { element: box.element, draw };
}

/** A line over the words read, with a dot at the present snapshot. */
function curve(run, label, values, write, text, { low, high, chance: floor }) {
  const left = 6, right = 194, top = 8, bottom = 66, reach = run.steps.at(-1);
  const x = (i) => left + ((right - left) * run.steps[i]) / reach;
  const y = (value) => bottom - ((bottom - top) * (value - low)) / (high - low || 1);
  const known = values.flatMap((value, i) => (value === null ? [] : [[x(i), y(value)]]));
  const level = (height, kind) => svg("path", { d: `M${left},${height}H${right}`, class: kind });
  const note = (height, words) => svg("text", { x: right, y: height, class: "end" }, words);
  const dot = svg("circle", { r: 4.5, class: "dot" });
  const read = note(bottom + 14, `${count(Math.round(reach))} ${text.read}`);
  const parts = [level(bottom, "axis"), read];
  const route = known.map((at, n) => (n ? "L" : "M") + pair(at)).join("");
  parts.push(svg("path", { d: route, class: "line" }));
  if (floor !== undefined) parts.push(level(y(floor), "chance"), // its words over the line
    note(y(floor) - 4, fill(text.chance, { chance: write(floor) })));
  parts.push(dot);
  const picture = svg("svg", { viewBox: "0 0 200 84", role: "img" }, ...parts);
  const now = html("strong");
  const said = (value) => (value === null ? text.no_value : write(value));
  const ends = [values.find((value) => value !== null) ?? null, values.at(-1)].map(said);

  function draw(moment) {
    const i = Math.round(moment), value = values[i];
    dot.setAttribute("visibility", value === null ? "hidden" : "visible");
    if (value !== null) dot.setAttribute("transform", shift([x(i), y(value)]));
    now.textContent = said(value);
    picture.setAttribute("aria-label",
      fill(text.curve, { label, first: ends[0], last: ends[1], now: said(value) }));
  }
  const title = html("p", { class: "small" }, label, " ", now);
  return { element: html("div", {}, title, picture), draw };
}

/** Loss and order over the words read. */
function curves(run, data) {
  const { text } = data, losses = run.losses.filter((loss) => loss !== null);
  const range = { low: Math.min(...losses), high: Math.max(...losses) };
  const share = { low: 0, high: 1, chance: data.chance };
  const two = [
    curve(run, text.order, run.order, percent, text, share),
    curve(run, text.loss, run.losses, (loss) => loss.toFixed(2), text, range),
  ];
  const element = html("div", { class: "curves" }, ...two.map((one) => one.element));
  return { element, draw: (moment) => two.forEach((one) => one.draw(moment)) };
}

/** The words as a list, those of several senses first. */
function picker(data, choose) {
  const { words, kinds, groups, text } = data;
  const part = (name, kind) => {
    const own = kinds.flatMap((other, i) => (other === kind ? [i] : []));
    const options = own.map((i) => html("option", { value: i }, words[i]));
    return own.length ? [html("optgroup", { label: name }, ...options)] : [];
  };
  const list = html("select", { lang: data.tongue, onchange: () => choose(+list.value) },
    ...part(text.several, -1), ...groups.flatMap((name, kind) => part(name, kind)));
  const element = html("label", { class: "picker" }, text.word, list);
  return { element, draw: (_, chosen) => { list.value = chosen; } };
}

/** A table whose caption and rows are filled in later. */
function table(kind) {
  const caption = html("caption"), rows = html("tbody");
  const put = (title, lines) => {
    caption.textContent = title;
    rows.replaceChildren(...lines.map((line) =>
      html("tr", {}, ...line.map((content, i) =>
        html(i ? "td" : "th", i ? {} : { scope: "row" }, content)))));
  };
  return { element: html("table", { class: kind }, caption, rows), put };
}

/** How near the chosen word is to each group, and its nearest words. */
function reader(run, data) {
  const { words, kinds, groups, text } = data;
  const means = table("means"), near = table("near");
  const bar = (value) => {
    const width = 100 * Math.max(0, value);
    return svg("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { width: 100, height: 8, class: "track" }),
      svg("rect", { width, height: 8, class: "bar" }));
  };
  const name = (i) => {
    const word = html("span", { lang: data.tongue }, words[i]);
    return i >= kinds.length ? word : kinds[i] < 0 ? starred(word) : named(kinds[i], word);
  };

  function draw(moment, chosen) {
    const now = Math.round(moment), word = words[chosen];
    means.put(fill(text.groups, { word }), groups.map((group, kind) => {
      const value = run.means[now][chosen][kind], line = named(kind, group);
      if (data.senses[chosen].includes(kind)) line.classList.add("own");
      return [line, bar(value), value.toFixed(2)];
    }));
    const rows = run.near[now][chosen].flatMap((i, n) =>
      (i < 0 ? [] : [[name(i), run.cosines[now][chosen][n].toFixed(3)]]));
    if (rows.length < NEAREST) rows.push([text.ties, ""]);
    near.put(fill(text.nearest, { word, vocabulary: count(data.vocabulary) }), rows);
  }
  const element = html("div", { class: "reader" }, means.element, near.element);
  return { element, draw };
}

/** Map, curves and tables of one run. */
function view(run, data, choose) {
  const { text, kinds, groups } = data;
  const parts = [map(run, data, choose), curves(run, data), picker(data, choose),
    reader(run, data)];
  const [picture, lines, list, tables] = parts.map((part) => part.element);
  const legend = groups.map((name, kind) => named(kind, name));
  if (kinds.includes(-1)) legend.push(starred(text.several));
  const share = { share: percent(run.share), dimension: run.dimension };
  return {
    element: html("div", { class: "columns" },
      html("div", {}, html("div", { class: "legend" }, ...legend), picture,
        html("p", { class: "small" }, fill(text.share, share))),
      html("div", {}, lines, list, tables)),
    draw: (moment, chosen) => parts.forEach((part) => part.draw(moment, chosen)),
  };
}

function render({ model, el }) {
  const data = model.get("data"), { text, words } = data;
  const runs = data.runs.map((run) => opened(run, data));
  const last = runs[0].steps.length - 1; // the same in all runs
  const traits = ["method", "moment", "selected"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" });
  const slot = html("div"), tours = html("div", { class: "tours" });
  let run, shown;

  const moment = () => Math.min(Math.max(model.get("moment"), 0), last);
  const read = (number) => count(Math.round(run.steps[number]));
  const where = (value) => {
    const number = Math.round(value), low = Math.floor(value);
    const values = { number, last, read: read(number), low, high: low + 1 };
    return fill(low === value ? text.at : text.between, values);
  };
  const settled = () => {
    const now = Math.round(moment()), loss = run.losses[now];
    live.textContent = fill(text.score, { read: read(now), order: percent(run.order[now]),
      loss: loss === null ? text.no_value : loss.toFixed(2) });
  };
  const options = { ticks: [0, last], pace: MS_PER_SNAPSHOT, where, settled };
  const time = player(model, "moment", last, text, options);

  function choose(i) {
    model.set("selected", i);
    model.save_changes();
    const now = Math.round(moment());
    const near = run.near[now][i].filter((j) => j >= 0).map((j) => words[j]);
    live.textContent =
      fill(text.same, { word: words[i], read: read(now), near: near.join(text.list) });
  }
  function tour({ label, say, moments, selected }) {
    return button(label, () => {
      choose(selected);
      advice.textContent = say;
      const [from, to = from] = moments;
      if (to !== from) model.set("moment", from);
      time.move(to, Math.max(700, MS_PER_SNAPSHOT * Math.abs(to - model.get("moment"))));
    });
  }
  function reset() {
    time.halt();
    traits.forEach((name, i) => model.set(name, started[i]));
    model.save_changes();
    advice.textContent = text.welcome;
  }
  const tabs = runs.map((one, i) => button(one.name, () => {
    model.set("method", i);
    model.save_changes();
  }));

  function build() {
    time.halt();
    run = runs[model.get("method")];
    shown = view(run, data, choose);
    slot.replaceChildren(shown.element);
    tours.replaceChildren(html("span", {}, text.try), ...run.tours.map(tour));
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === model.get("method")));
    advice.textContent = text.welcome;
    draw();
  }
  function draw() {
    time.draw(moment());
    shown.draw(moment(), Math.min(model.get("selected"), data.kinds.length - 1));
  }

  el.classList.add("course-widget", "map-widget", "vectors-training");
  el.lang = data.language;
  ownKeys(el);
  const group = { class: "tabs", role: "group", "aria-label": text.method };
  if (tabs.length > 1) el.append(html("div", group, html("span", {}, text.method), ...tabs));
  const controls = [...time.parts, button(text.reset, reset), time.where];
  el.append(html("div", { class: "controls" }, ...controls), tours, advice, slot, live);
  build();
  const changes = { "change:method": build, "change:moment": draw, "change:selected": draw };
  for (const [event, react] of Object.entries(changes)) model.on(event, react);
  return () => {
    time.halt();
    for (const [event, react] of Object.entries(changes)) model.off(event, react);
  };
}

export default { render };
