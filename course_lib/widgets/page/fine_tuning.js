import { button, chance, fill, foldable, html, ownKeys, slider, svg } from "./kit.js";

// A fine-tuning composed by hand. Above: every layer's learning rate at every step, in
// closed form, as training.schedules and training.fine_tune have it. Below: saved runs,
// only those; a setting between two of them has no number.
const CHOICES = {
  schedule: ["constant", "linear", "cosine", "stlr"],
  policy: ["full", "last", "gradual", "chain-thaw"],
};
const RANGES = {
  cut_frac: { min: 0.05, max: 0.9, step: 0.05 },
  ratio: { min: 2, max: 64, step: 1 },
  factor: { min: 1, max: 5, step: 0.1 },
  epochs: { min: 3, max: 10, step: 1 },
};
const SETTING = ["schedule", "policy", "factor"], SHAPE = ["cut_frac", "ratio"];
const TRAITS = [...SETTING, ...SHAPE, "epochs", "step", "task"];
const GRAIN = 1000; // steps of a training as schedules.slanted sees it

// The picture, in its own units.
const WIDTH = 520, LEFT = 84, RIGHT = 512, HIGH = 26, LOW = 106, ROW = 28, ROWS = 122;
const DECADES = 4; // of the colours: from a ten-thousandth of the highest rate

/** STLR: where between low and high the rate is, and which share of the rate that is. */
function slanted(t, { cut_frac, ratio }) {
  const cut = Math.floor(GRAIN * cut_frac), now = GRAIN * t;
  const p = now < cut ? now / cut : 1 - (now - cut) / (cut * (1 / cut_frac - 1));
  return { p, share: (1 + p * (ratio - 1)) / ratio };
}

const SHARES = {
  constant: () => ({ share: 1 }),
  linear: (t) => ({ share: 1 - t }),
  cosine: (t) => ({ share: (1 + Math.cos(Math.PI * t)) / 2 }),
  stlr: slanted,
};

/** Does a layer learn in an epoch? The lowest of n is 0. */
const LEARNS = {
  full: () => true,
  last: (epoch, depth, n) => depth === n - 1,
  gradual: (epoch, depth, n) => depth >= n - 1 - epoch,
  "chain-thaw": (epoch, depth, n) => epoch >= n || depth === (epoch ? epoch - 1 : n - 1),
};

/** The shares of all steps, and each layer's rates, 0 where it is frozen. */
function compose({ layers, rate, per_epoch }, state) {
  const n = layers.length, steps = per_epoch * state.epochs;
  const shares = Array.from({ length: steps }, (_, step) =>
    SHARES[state.schedule]((step + 1) / (steps + 1), state));
  const rates = layers.map((_, depth) => shares.map(({ share }, step) =>
    (LEARNS[state.policy](Math.floor(step / per_epoch), depth, n)
      ? (rate * share) / state.factor ** (n - 1 - depth) : 0)));
  return { steps, shares, rates };
}

const digits = (number) => number.toLocaleString("en", { maximumSignificantDigits: 3 });
const sum = (values) => values.reduce((a, b) => a + b, 0);
const opacity = (rate, highest) =>
  (rate ? Math.max(0.05, 1 + 0.95 * Math.log10(rate / highest) / DECADES) : 0);

/** The schedule's curve above layers x steps, dark where the rate is high. */
function picture(data, choose) {
  const { layers, text, per_epoch, rate } = data, n = layers.length;
  const y = (depth) => ROWS + ROW * (n - 1 - depth), bottom = ROWS + ROW * n;
  const names = layers.map((name, depth) =>
    svg("text", { x: LEFT - 8, y: y(depth) + 19, class: "end" }, name));
  const title = svg("text", { x: LEFT, y: 14 }, text.curve);
  const ends = [["1", HIGH + 6], ["0", LOW + 4]].map(([value, y]) =>
    svg("text", { x: LEFT - 8, y, class: "end" }, value));
  const epoch = svg("text", { x: LEFT - 8, y: bottom + 20, class: "end" }, text.epoch);
  const axes = svg("path", { class: "axes" }), cells = svg("g", { class: "cells" });
  const frozen = svg("path", { class: "frozen" }), curve = svg("path", { class: "curve" });
  const cursor = svg("path", { class: "cursor" }), dot = svg("circle", { class: "dot", r: 6 });
  const numbers = svg("g");
  const element = svg("svg",
    { class: "plan", role: "img", viewBox: `0 0 ${WIDTH} ${bottom + 28}` },
    cells, axes, frozen, curve, cursor, dot, title, ...names, ...ends, epoch, numbers);
  let steps = 0;
  const x = (step) => LEFT + ((RIGHT - LEFT) * step) / steps;

  function point(event) {
    const { left, width } = element.getBoundingClientRect();
    const there = ((event.clientX - left) / width) * WIDTH;
    const step = Math.floor((steps * (there - LEFT)) / (RIGHT - LEFT));
    choose(Math.min(steps - 1, Math.max(0, step)));
  }
  element.addEventListener("pointerdown", point);
  element.addEventListener("pointermove", (event) => event.buttons && point(event));

  function lay(count) {
    if (steps === count) return;
    steps = count;
    const size = { width: (x(1) - x(0)).toFixed(3), height: ROW - 2 };
    cells.replaceChildren(...layers.flatMap((_, depth) =>
      Array.from({ length: steps }, (_, step) =>
        svg("rect", { x: x(step).toFixed(3), y: y(depth) + 1, ...size }))));
    const epochs = Array.from({ length: steps / per_epoch }, (_, i) => i);
    numbers.replaceChildren(...epochs.map((i) =>
      svg("text", { x: x((i + 0.5) * per_epoch), y: bottom + 20, class: "middle" }, i + 1)));
    const lines = epochs.map((i) => `M${x(i * per_epoch)},${ROWS}V${bottom}`);
    axes.setAttribute("d", `M${LEFT},${HIGH}V${LOW}H${RIGHT}M${LEFT},${ROWS}H${RIGHT}` +
      `V${bottom}H${LEFT}${lines.join("")}`);
  }
  function draw({ steps, shares, rates }, label) {
    lay(steps);
    element.setAttribute("aria-label", label);
    rates.flat().forEach((value, i) =>
      cells.children[i].setAttribute("fill-opacity", opacity(value, rate).toFixed(3)));
    const still = rates.flatMap((row, depth) => row.map((value, step) =>
      (value || step % per_epoch ? "" : `M${x(step)},${y(depth) + ROW / 2}H${x(step + per_epoch)}`)));
    frozen.setAttribute("d", still.join(""));
    const line = shares.map(({ share }, step) =>
      `${x(step + 0.5).toFixed(1)},${(LOW - (LOW - HIGH) * share).toFixed(1)}`);
    curve.setAttribute("d", `M${line.join("L")}`);
  }
  function mark(step, share) {
    cursor.setAttribute("d", `M${x(step + 0.5)},${HIGH}V${bottom}`);
    dot.setAttribute("cx", x(step + 0.5));
    dot.setAttribute("cy", LOW - (LOW - HIGH) * share);
  }
  return { element, draw, mark };
}

/** Each layer's rate at one step, and what it gets in all. */
function table({ layers, text }) {
  const line = (name, ...cells) =>
    html("tr", {}, ...cells.map((cell) => html(name, {}, cell)));
  const lines = layers.map((name) => line("td", name, "", ""));
  const head = line("th", text.layer, text.now, text.whole);
  const body = html("tbody", {}, ...[...lines].reverse()); // the highest layer on top
  function draw({ rates }, step) {
    const top = sum(rates.at(-1));
    lines.forEach(({ children: [, now, all] }, depth) => {
      now.textContent = rates[depth][step] ? digits(rates[depth][step]) : text.frozen;
      all.textContent = chance(sum(rates[depth]) / top);
    });
  }
  const element = html("table", { "aria-label": text.rates }, html("thead", {}, head), body);
  return { element, draw };
}

/** The schedule's formula with the numbers of one step. */
function formula({ text, rate }, state, { shares, steps }, step) {
  const t = ((step + 1) / (steps + 1)).toFixed(3), { p = 0, share } = shares[step];
  const values = { ...state, rate, t, p: p.toFixed(3), share: share.toFixed(3) };
  const own = fill(text.formula_rate, { ...values, factor: digits(state.factor) });
  return [fill(text[`formula_${state.schedule}`], values), html("br"), own];
}

// -- what was measured ----------------------------------------------------------------

const WRITE = {
  accuracy: (value) => `${(100 * value).toFixed(1)}%`,
  perplexity: (value) => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString("en")),
};

/** A run's measurement in words. */
function worded(run, metric, text) {
  const [mean, low, high] = run[metric].map((value, i) =>
    (i < 3 && value !== null ? WRITE[metric](value) : value));
  const before = run.perplexity && WRITE.perplexity(run.before[0]);
  return { before, mean, interval: low === null ? "" : fill(text.interval, { low, high }) };
}

/** All that a run gave, in one line. */
function told(run, text) {
  const n = run.accuracy[3], seeds = fill(n > 1 ? text.seeds : text.seed, { n });
  const metrics = Object.keys(WRITE).filter((metric) => run[metric]);
  const parts = metrics.map((metric) => fill(text[metric], worded(run, metric, text)));
  return [...parts, seeds].join(text.list);
}

/** In which controls a run differs from what was composed. */
function differences(run, state, { shape }) {
  const asked = SETTING.filter((name) => run[name] !== state[name]);
  if (state.schedule !== "stlr" || run.schedule !== "stlr") return asked;
  return [...asked, ...SHAPE.filter((name) => shape[name] !== state[name])];
}

/** The runs whose setting is nearest: fewest differences, then the nearest factor. */
function nearest(runs, state, data) {
  const far = runs.map((run) => differences(run, state, data).length +
    Math.abs(Math.log(run.factor / state.factor)) / 100);
  const first = runs[far.indexOf(Math.min(...far))];
  return runs.filter((run) => SETTING.every((name) => run[name] === first[name]));
}

/** The ends of a metric's axis, and the place of a value on it in percent. */
function axis(runs, metric) {
  const own = runs.flatMap((run) => [
    ...(run[metric] ?? []).slice(0, 3),
    ...(metric === "perplexity" && run[metric] ? [run.before[0]] : []),
  ]).filter((value) => value > 0); // an interval may reach below what can be
  if (!own.length) return null;
  const log = metric === "perplexity" ? Math.log : (value) => value;
  let [low, high] = [Math.min(...own), Math.max(...own)];
  if (metric === "accuracy") {
    [low, high] = [Math.floor(20 * low) / 20, Math.min(1, Math.ceil(20 * high) / 20)];
  } else [low, high] = [low / 1.1, high * 1.1];
  const at = (value) => {
    const share = (log(Math.max(value, low)) - log(low)) / (log(high) - log(low) || 1);
    return 100 * Math.min(1, share);
  };
  return { at, low: WRITE[metric](low), high: WRITE[metric](high) };
}

/** One measurement on its axis: a dot, its interval, and what was before. */
function meter(run, metric, { at }, text) {
  const [mean, low, high, n] = run[metric], track = html("span", { class: "track", "aria-hidden": "true" });
  const put = (kind, left, width) => {
    const part = html("i", { class: kind });
    part.style.left = `${left}%`;
    if (width !== undefined) part.style.width = `${width}%`;
    track.append(part);
  };
  if (metric === "perplexity") put("before", at(run.before[0]));
  if (low !== null) put("interval", at(low), at(high) - at(low));
  put(`mean ${metric}`, at(mean));
  const { before, mean: written, interval } = worded(run, metric, text);
  const value = metric === "perplexity" ? `${before} → ${written}` : written;
  return html("span", { class: "meter" }, track,
    html("span", { class: "value" }, `${value}${interval} n=${n}`));
}

/** All runs of one task, experiment by experiment; each row is a button. */
function results(data, runs, set) {
  const { text, experiments, missing } = data;
  const axes = Object.fromEntries(Object.keys(WRITE).map((metric) => [metric, axis(runs, metric)]));
  const metrics = Object.keys(WRITE).filter((metric) => axes[metric]);
  const heads = metrics.map((metric) => html("span", {}, fill(text[`${metric}_head`], axes[metric])));
  const rows = runs.map((run) => {
    const row = button("", () => set(run), { class: "run" });
    row.append(html("span", {}, run.name), ...metrics.map((metric) =>
      (run[metric] ? meter(run, metric, axes[metric], text) : html("span"))));
    return row;
  });
  const groups = experiments.flatMap((key) => {
    const own = rows.filter((_, i) => runs[i].experiment === key), name = text[key];
    const none = missing.includes(key) ? text.missing : text.missing_task;
    return [html("p", { class: "name" }, own.length ? name : fill(none, { name })), ...own];
  });
  const head = metrics.length ? [html("div", { class: "heads" }, html("span"), ...heads)] : [];
  const draw = (state) => rows.forEach((row, i) =>
    row.setAttribute("aria-pressed", !differences(runs[i], state, data).length));
  return { parts: [...head, ...groups], draw };
}

function render({ model, el }) {
  const data = model.get("data"), { text, titles, tasks, language, per_epoch } = data;
  const started = TRAITS.map((name) => model.get(name));
  const advice = html("p", { class: "advice", role: "status" }, text.welcome);
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const answer = html("div", { class: "told" }), slot = html("div");
  const lines = html("p", { class: "formula" });
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const settled = () => { live.textContent = answer.textContent; };
  const set = (values) => { put(values); settled(); };
  const group = (label, ...parts) =>
    html("div", { class: "tabs", role: "group", "aria-label": label }, html("span", {}, label), ...parts);

  const choices = Object.entries(CHOICES).map(([name, options]) => {
    const buttons = options.map((option) => button(text[option], () => set({ [name]: option })));
    const draw = (now) => options.forEach((option, i) =>
      buttons[i].setAttribute("aria-pressed", option === now[name]));
    return { name, draw, element: group(text[name], ...buttons) };
  });
  const sliders = Object.entries(RANGES).map(([name, range]) => {
    const made = slider(text[name], range, digits, (value) => put({ [name]: value }), settled);
    const input = made.element.querySelector("input");
    if (name === "factor") input.setAttribute("aria-label", text.factor_long);
    const draw = (now) => {
      made.draw(now[name]);
      input.disabled = SHAPE.includes(name) && now.schedule !== "stlr";
    };
    return { name, draw, element: made.element };
  });
  const written = (step, steps = per_epoch * model.get("epochs")) =>
    fill(text.at, { step: step + 1, steps, epoch: Math.floor(step / per_epoch) + 1 });
  const cursor = slider(text.step, { min: 0, step: 1 }, written, (step) => put({ step }));
  cursor.element.classList.add("wide");
  const plan = picture(data, (step) => put({ step })), numbers = table(data);
  const tabs = titles.map((title, task) => button(title, () => set({ task })));
  let own = [], shown;

  const tours = data.tours.map(({ label, say, set: values }) => button(label, () => {
    put(values);
    advice.textContent = say;
  }));
  const reset = button(text.reset, () => {
    put(Object.fromEntries(TRAITS.map((name, i) => [name, started[i]])));
    advice.textContent = text.welcome;
  });

  function build() {
    own = data.runs.filter(({ task }) => task === tasks[model.get("task")]);
    const setting = (run) => set({ ...data.shape,
      ...Object.fromEntries(SETTING.map((name) => [name, run[name]])) });
    shown = results(data, own, setting);
    slot.replaceChildren(...shown.parts);
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === model.get("task")));
    draw();
  }
  const words = ({ policy, schedule, factor }) =>
    ({ policy: text[policy], schedule: text[schedule], factor: digits(factor) });
  function say(now) {
    if (!own.length) return text.nothing;
    const found = nearest(own, now, data), [first] = found;
    const values = [...new Set(found.map((run) => told(run, text)))].join(text.and);
    const what = differences(first, now, data).map((name) => text[name]).join(text.list);
    if (!what) return fill(text.measured, { found: values });
    return fill(text.not_measured, { what, found: values, setting: fill(text.setting, words(first)) });
  }
  function draw() {
    const now = state(), composed = compose(data, now), { steps } = composed;
    const step = Math.min(now.step, steps - 1);
    for (const one of [...choices, ...sliders]) one.draw(now);
    cursor.element.querySelector("input").max = steps - 1;
    cursor.draw(step);
    plan.draw(composed,
      fill(text.picture, { ...words(now), layers: data.layers.length, steps }));
    plan.mark(step, composed.shares[step].share);
    numbers.draw(composed, step);
    lines.replaceChildren(...formula(data, now, composed, step));
    answer.textContent = say(now);
    shown.draw(now);
  }

  const swatch = (value, name) => {
    const look = { width: 14, height: 14, x: -7, y: -7, "fill-opacity": opacity(value, data.rate) };
    const box = svg("g", { class: "cells" }, svg("rect", look));
    return html("span", { class: "named" },
      svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, box), name);
  };
  const dashed = html("span", { class: "named" },
    svg("svg", { viewBox: "0 -8 22 16", "aria-hidden": "true" },
      svg("path", { class: "frozen", d: "M0,0H22" })), text.frozen);
  const scale = [1, 0.1, 0.01, 0.001].map((share) => swatch(data.rate * share, digits(data.rate * share)));
  const [cut, ratio, factor, epochs] = sliders.map(({ element }) => element);

  el.classList.add("course-widget", "fine-tuning");
  el.lang = language;
  ownKeys(el);
  const small = (note) => html("p", { class: "small" }, note);
  el.append(
    html("div", { class: "tours" }, html("span", {}, text.try), ...tours, reset), advice,
    html("div", { class: "columns" },
      html("div", {}, choices[0].element, cut, ratio, choices[1].element, factor, epochs,
        lines, foldable(text.rates, numbers.element, small(text.whole_key))),
      html("div", {}, plan.element, cursor.element,
        html("div", { class: "legend" }, html("span", {}, text.rate), ...scale, dashed),
        small(fill(text.drawn, { per_epoch, rate: data.rate })))),
    html("div", { class: "results" }, html("p", { class: "name" }, text.results), answer,
      ...(tabs.length ? [group(text.task, ...tabs)] : []),
      foldable(text.all_runs, slot, small(text.notes), small(text.rule))), live);
  build();
  for (const name of TRAITS) model.on(`change:${name}`, name === "task" ? build : draw);
  return () => {
    for (const name of TRAITS) model.off(`change:${name}`, name === "task" ? build : draw);
  };
}

export default { render };
