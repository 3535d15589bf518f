import {
  COLOURS, button, chance, count, fill, forBrowser, html, mark, named, ownKeys, percent, slider, svg,
} from "./kit.js";

// The counts that GloVe is fitted to: a heat map, the ratios of two of its rows, and
// the weight of each pair. All numbers are worked out here from the counts that came.
const CELL = 13, GAP = 4, LABEL = 78; // of the heat map, in its own units
const STRONG = 50; // times chance, where colour is full
const WIDTH = 430, HEIGHT = 184, LEFT = 34, TOP = 26, BOTTOM = 34; // of the curve
const VIEWS = ["count", "log", "beyond"];

/** Read a symmetric table from two bytes a cell of its upper half. */
function decode(text, n, step) {
  const raw = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const table = Array.from({ length: n }, () => new Float64Array(n));
  let at = 0;
  for (let i = 0; i < n; i++) {
    for (let k = i; k < n; k++, at += 2) {
      const code = raw[at] + 256 * raw[at + 1];
      table[i][k] = table[k][i] = code ? Math.exp((code - 1) * step) / 1000 : 0;
    }
  }
  return table;
}

// Made once: toLocaleString would make one for each of a thousand cells.
const WRITERS = [2, 3].map((digits) =>
  new Intl.NumberFormat("en", { maximumSignificantDigits: digits }));
const amount = (x, digits = 3) => WRITERS[digits - 2].format(x);
const factor = (ratio) =>
  Number.isNaN(ratio) ? "–" : ratio === Infinity ? "∞" : amount(ratio, 2);
const weight = (x, { x_max, alpha }) => (x ? Math.min(1, (x / x_max) ** alpha) : 0);

/** The heat map: where each cell stands, and what colour its view gives it. */
function heat(data, choose) {
  const { text, words } = data, n = data.shown.at(-1);
  const group = (i) => data.shown.filter((end) => end <= i).length;
  const place = (i) => LABEL + CELL * i + GAP * group(i);
  const size = place(n - 1) + CELL + 1;
  const cells = [], rows = [], sides = [], tops = [];
  for (let i = 0; i < n; i++) {
    const y = place(i) + CELL / 2, end = { class: "end", dy: "0.35em" };
    sides.push(svg("text", { ...end, x: LABEL - 5, y }, words[i]));
    const over = `translate(${place(i) + CELL / 2},${LABEL - 5})`;
    tops.push(data.tongue === "zh" // characters stand upright, letters lie down
      ? svg("text", { class: "upright", transform: over }, words[i])
      : svg("text", { dy: "0.35em", transform: `${over} rotate(-90)` }, words[i]));
    cells.push(words.slice(0, n).map((_, k) => svg("rect", {
      role: "gridcell", x: place(k), y: place(i), width: CELL - 1, height: CELL - 1,
      tabindex: -1, onclick: () => choose(i, k),
    })));
    rows.push(svg("g", { role: "row" }, ...cells[i]));
  }
  const ring = svg("rect", { class: "ring", width: CELL + 1, height: CELL + 1 });
  const marks = [0, 1].map((kind) => svg("g", {}, mark(kind)));
  const label = fill(text.map, { n });
  const box = { viewBox: `0 0 ${size} ${size}`, class: "map" };
  const hidden = (...parts) => svg("g", { "aria-hidden": "true" }, ...parts);
  const element = svg("svg", { ...box, role: "grid", "aria-label": label },
    hidden(...sides, ...tops), ...rows, hidden(...marks, ring));

  let painted = [], low, high;
  /** Colour and name all cells; they depend on the window and the view alone. */
  function paint({ window, table, expected }, view) {
    if (window === painted[0] && view === painted[1]) return;
    painted = [window, view];
    const seen = table.slice(0, n).flatMap((row) => [...row.slice(0, n)]).filter(Boolean);
    [low, high] = [Math.min(...seen), Math.max(...seen)];
    const strength = { // of the colour, 0 to 1; below 0 the other colour
      count: (x) => x / high,
      log: (x) => 0.05 + 0.95 * (Math.log(x / low) / (Math.log(high / low) || 1)),
      beyond: (x, i, k) => Math.log(x / expected(i, k)) / Math.log(STRONG),
    }[view];
    cells.forEach((row, i) => row.forEach((one, k) => {
      const x = table[i][k], s = x ? Math.max(-1, Math.min(1, strength(x, i, k))) : 0;
      one.setAttribute("class", x ? "" : "never");
      one.style.fill = x ? COLOURS[s < 0 ? 1 : 0] : "";
      one.style.fillOpacity = x ? Math.abs(s).toFixed(3) : "";
      const value = x ? fill(text.times, { x: amount(x) }) : text.never;
      const names = { row: words[i], column: words[k], value };
      one.setAttribute("aria-label", fill(text.cell, names));
    }));
  }
  let stop = cells[0][0]; // of Tab: the one cell that is chosen
  function draw(now, state) {
    const { view, cell } = state;
    paint(now, view);
    stop.setAttribute("tabindex", -1);
    stop = cells[cell[0]][cell[1]];
    stop.setAttribute("tabindex", 0);
    ring.setAttribute("x", place(cell[1]) - 1);
    ring.setAttribute("y", place(cell[0]) - 1);
    [state.i, state.j].forEach((word, kind) => {
      marks[kind].setAttribute("visibility", word < n ? "visible" : "hidden");
      if (word >= n) return;
      marks[kind].setAttribute("transform", `translate(6,${place(word) + CELL / 2})`);
    });
    sides.forEach((side, i) => side.classList.toggle("here", i === cell[0]));
    tops.forEach((top, k) => top.classList.toggle("here", k === cell[1]));
    return fill(text[`key_${view}`], { low: amount(low), high: amount(high) });
  }
  return { element, cells, draw };
}

/** A bar around 1, a factor of 100 at most to each side. */
function bar(ratio, few) {
  const lean = Math.log10(ratio), wide = 42 * Math.max(-1, Math.min(1, lean / 2));
  const shape = { y: 3, height: 10, x: 45 + Math.min(wide, 0), width: Math.abs(wide) };
  const colour = COLOURS[lean > 0 ? 0 : 1];
  const look = { fill: few ? "none" : colour, stroke: colour };
  const line = svg("path", { d: "M45,0V16", class: "one" });
  const parts = Number.isNaN(lean) ? [line] : [svg("rect", { ...shape, ...look }), line];
  return svg("svg", { viewBox: "0 0 90 16", class: "bar", "aria-hidden": "true" }, ...parts);
}

/** The ratio table: one row for each probe word, the last one the reader's. */
function ratioTable(data, pick) {
  const { text, words } = data, { compare } = new Intl.Collator(data.tongue);
  const order = words.map((_, i) => i).sort((a, b) => compare(words[a], words[b]));
  const menu = (name) => {
    const options = order.map((i) => html("option", { value: i }, words[i]));
    const react = { onchange: (event) => pick(name, +event.target.value) };
    const about = { "aria-label": text[name], lang: data.tongue };
    return html("select", { ...about, ...react }, ...options);
  };
  const menus = { i: menu("i"), j: menu("j"), k: menu("k") };
  const caption = html("caption"), head = html("thead"), body = html("tbody");
  const note = html("p", { class: "small" });
  const table = html("table", { class: "ratios" }, caption, head, body);
  const choice = html("div", { class: "choice" },
    named(0, html("label", {}, "i ", menus.i)), named(1, html("label", {}, "j ", menus.j)));
  const sub = (pair) => html("span", {}, "X", html("sub", {}, pair));
  const line = (name, parts) =>
    html("tr", {}, ...parts.map((part) => html(name, {}, part)));

  function draw(now, state) {
    const { i, j } = state, names = { i: words[i], j: words[j], few: data.few };
    for (const name of ["i", "j", "k"]) menus[name].value = state[name];
    caption.textContent = fill(text.ratios, names);
    note.textContent = fill(text.ratio_key, names);
    const heads = [text.probe, sub("ik"), sub("jk"), "P(k|i)", "P(k|j)", text.ratio];
    head.replaceChildren(line("th", heads));
    head.firstElementChild.lastElementChild.setAttribute("colspan", 2); // and its bar
    const held = document.activeElement === menus.k; // it moves to another row
    body.replaceChildren(...now.probes.map((probe) => {
      const { x, p, ratio } = now.ratio(probe), few = x[0] + x[1] < data.few;
      return line("td", [
        html("span", { lang: data.tongue }, words[probe]), ...x.map((one) => amount(one)),
        ...p.map(chance), factor(ratio), bar(ratio, few)]);
    }));
    body.lastElementChild.firstElementChild.replaceChildren(menus.k); // the reader's
    if (held) menus.k.focus();
  }
  return { element: html("div", {}, choice, table, note), menus, draw };
}

/** The weights: a histogram of all counts, the curve, the pairs of the table on it. */
function curve(data) {
  const { text, words } = data;
  const bars = svg("g", { class: "bars" }), line = svg("path", { class: "curve" });
  const points = svg("g"), limit = svg("path", { class: "limit" });
  const axes = svg("g", { class: "axes" });
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" };
  const picture = svg("svg", box, bars, axes, limit, line, points);
  const legend = html("div", { class: "legend" });
  const said = html("output", { class: "weights" }), key = html("p", { class: "small" });

  function draw(now, state) {
    const { low, bars: held, means } = now.window, last = low + held.length;
    const x = (value) => {
      const part = (12 * Math.log10(value) - low + 1) / (last - low + 1);
      return LEFT + part * (WIDTH - LEFT - 12);
    };
    const y = (value) => HEIGHT - BOTTOM - value * (HEIGHT - BOTTOM - TOP);
    const most = Math.max(...held), at = (bin) => 10 ** ((low + bin) / 12);
    bars.replaceChildren(...held.map((many, bin) => svg("rect", {
      x: x(at(bin - 1)), width: Math.max(0.5, x(at(bin)) - x(at(bin - 1)) - 0.5),
      y: y(many / most), height: HEIGHT - BOTTOM - y(many / most),
    })));
    const route = Array.from({ length: 121 }, (_, t) => 10 ** ((low + (t / 120) * held.length) / 12));
    line.setAttribute("d", `M${route.map((v) => `${x(v)},${y(weight(v, state))}`).join("L")}`);
    limit.setAttribute("d", `M${x(state.x_max)},${y(0)}V${y(1)}`);
    drawAxes(x, y, Math.ceil((low - 1) / 12), Math.floor(last / 12));
    const marked = [state.i, state.j].flatMap((word, kind) => now.probes.map((k) =>
      ({ kind, word, k, value: now.table[word][k] })));
    const [row, column] = state.cell;
    marked.push({ kind: 3, word: row, k: column, value: now.table[row][column] });
    const seen = marked.filter(({ value }) => value > 0);
    const name = ({ word, k, value }) => fill(text.point,
      { word: words[word], k: words[k], f: amount(weight(value, state), 2) });
    points.replaceChildren(...seen.map((one) => svg("g", {
      transform: `translate(${x(one.value)},${y(weight(one.value, state))})`,
    }, mark(one.kind), svg("title", {}, name(one)))));
    picture.setAttribute("aria-label", fill(text.curve, {
      x_max: amount(state.x_max), alpha: state.alpha, points: seen.map(name).join("; ") }));
    legend.replaceChildren(named(0, `(${words[state.i]}, k)`),
      named(1, `(${words[state.j]}, k)`), named(3, text.chosen));
    tell(held, means, now.window, state);
  }
  function drawAxes(x, y, from, to) {
    const ticks = [];
    for (let e = from; e <= to; e++) {
      const middle = { class: "middle", x: x(10 ** e), y: y(0) + 14 };
      if (middle.x > WIDTH - 24) break; // no room for the number
      ticks.push(svg("text", middle, (10 ** e).toLocaleString("en")));
    }
    const end = { class: "end", x: LEFT - 5, dy: "0.35em" };
    axes.replaceChildren(svg("path", { d: `M${LEFT},${y(1)}V${y(0)}H${WIDTH - 8}` }),
      svg("text", { ...end, y: y(0) }, "0"), svg("text", { ...end, y: y(1) }, "1"),
      svg("text", { class: "middle", x: WIDTH / 2, y: HEIGHT - 4 }, text.axis_x),
      svg("text", { x: 2, y: 11 }, text.axis_f), ...ticks);
  }
  function tell(held, means, { seen, low }, state) {
    const shares = held.map((many, bin) => many * weight(means[bin], state));
    const sum = (values) => values.reduce((a, b) => a + b, 0);
    const rare = Math.max(0, 1 - low); // bars up to a count of one
    const full = sum(held.filter((_, bin) => weight(means[bin], state) === 1));
    said.textContent = fill(text.weights, {
      pairs: count(seen), full: chance(full / seen),
      rare: percent(sum(held.slice(0, rare)) / seen),
      held: percent(sum(shares.slice(0, rare)) / sum(shares)),
    });
    key.textContent = fill(text.curve_key, { highest: percent(Math.max(...held) / seen) });
  }
  return { element: html("div", { class: "weighing" }, legend, picture, said, key), draw };
}

function render({ model, el }) {
  const data = model.get("data"), { text, words, tours } = data;
  const traits = ["window", "view", "pair", "i", "j", "k", "cell", "x_max", "alpha"];
  const started = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
  const tables = data.windows.map(({ counts }) => decode(counts, words.length, data.step));
  const advice = html("p", { class: "advice", role: "status" });
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const detail = html("p", { class: "detail" }), key = html("p", { class: "small" });

  let setting = false; // several values: they are drawn once, when all are set
  const put = (values) => {
    setting = true;
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    setting = false;
    draw();
    model.save_changes();
  };
  const choose = (row, column) => {
    put({ cell: [row, column], k: column });
    live.textContent = map.cells[row][column].getAttribute("aria-label");
    map.cells[row][column].focus();
  };
  const map = heat(data, choose);
  const table = ratioTable(data, (name, word) => put({ [name]: word }));
  const weights = curve(data);
  const settled = () => model.save_changes();
  const sliders = [
    // the ceiling's slider moves by factors
    slider(text.x_max, { min: 0, max: 3, step: 0.1 }, (e) => amount(10 ** e),
      (e) => model.set("x_max", +(10 ** e).toPrecision(3)), settled),
    slider(text.alpha, { min: 0, max: 1, step: 0.05 }, (value) => value.toFixed(2),
      (value) => model.set("alpha", value), settled),
  ];
  const choices = (name, labels, values) => labels.map((label, n) =>
    button(label, () => put({ [name]: values[n] })));
  const windows = choices("window", data.windows.map((w) => String(w.window)),
    data.windows.map((_, n) => n));
  const views = choices("view", VIEWS.map((view) => text[view]), VIEWS);
  const pairs = data.pairs.map(({ i, j }, n) => button(
    `${words[i]} / ${words[j]}`, () => put({ pair: n, i, j }),
    { lang: data.tongue }));
  const reset = button(text.reset, () => { put(started); advice.textContent = text.welcome; });
  const tried = tours.map(({ label, say, set }) => button(label, () => {
    put({ ...started, ...set });
    advice.textContent = say;
  }));

  /** What follows from the counts of the window that is shown. */
  function measure(state) {
    const window = data.windows[state.window], counts = tables[state.window];
    return {
      window, table: counts, probes: [...data.pairs[state.pair].probes, state.k],
      expected: (i, k) => (window.totals[i] * window.totals[k]) / window.total,
      ratio: (k) => {
        const x = [state.i, state.j].map((word) => counts[word][k]);
        const p = x.map((one, n) => one / window.totals[[state.i, state.j][n]]);
        return { x, p, ratio: p[0] / p[1] };
      },
    };
  }
  function draw() {
    if (setting) return;
    const state = Object.fromEntries(traits.map((name) => [name, model.get(name)]));
    const now = measure(state), [row, column] = state.cell;
    key.textContent = map.draw(now, state);
    table.draw(now, state);
    weights.draw(now, state);
    const x = now.table[row][column], names = { row: words[row], column: words[column] };
    const value = fill(x ? text.detail : text.detail_never, {
      x: amount(x), log: x ? Math.log(x).toFixed(2) : "", f: amount(weight(x, state), 2),
      chance: amount(now.expected(row, column), 2) });
    detail.textContent = fill(text.cell, { ...names, value });
    sliders[0].draw(Math.log10(state.x_max));
    sliders[1].draw(state.alpha);
    const pressed = (buttons, chosen) => buttons.forEach((one, n) =>
      one.setAttribute("aria-pressed", n === chosen));
    pressed(windows, state.window);
    pressed(views, VIEWS.indexOf(state.view));
    const { i, j } = data.pairs[state.pair];
    pressed(pairs, i === state.i && j === state.j ? state.pair : -1);
  }
  map.element.addEventListener("keydown", (event) => {
    if (forBrowser(event)) return;
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const n = data.shown.at(-1), [row, column] = model.get("cell");
    if (event.key in step) {
      const [down, right] = step[event.key];
      choose((row + down + n) % n, (column + right + n) % n);
    } else if (event.key === "Home") choose(row, 0);
    else if (event.key === "End") choose(row, n - 1);
    else return;
    event.preventDefault(); // the page does not scroll
  });

  el.classList.add("course-widget", "cooccurrence");
  el.lang = data.language;
  ownKeys(el);
  const group = (label, ...parts) =>
    html("div", { class: "tabs", role: "group", "aria-label": label }, ...parts);
  const above = [group(text.views, html("span", {}, text.views), ...views)];
  if (windows.length > 1) {
    above.push(group(text.window, html("span", {}, text.window), ...windows));
  }
  el.append(
    html("div", { class: "controls" }, ...above, reset),
    html("div", { class: "tours" }, html("span", {}, text.try), ...tried), advice,
    html("div", { class: "columns" },
      html("div", { lang: data.tongue }, map.element, detail, key),
      html("div", {}, group(text.pair, ...pairs), table.element,
        html("div", { class: "controls" }, ...sliders.map((one) => one.element)),
        weights.element)), live);
  advice.textContent = text.welcome;
  draw();
  for (const name of traits) model.on(`change:${name}`, draw);
  return () => { for (const name of traits) model.off(`change:${name}`, draw); };
}

export default { render };
