import { button, count, fill, foldable, html, ownKeys, percent, svg } from "./kit.js";

// A translator between two language models. A plugged part is copied from its language
// model; where each tensor starts follows from its name. Measured numbers travel with
// the widget; a setting between two measured rows has none.
const SWITCHES = ["joint", "residual", "both_layers"];
const TRAITS = ["parts", ...SWITCHES, "task"];
const SIDES = { source: "encoder", target: "decoder" };
const KINDS = ["source", "target", "random"];

// The drawing, in its own units: columns, and rows from the top.
const WIDTH = 760, HEIGHT = 404, BOX = 44;
const X = { source_lm: 6, encoder: 166, attention: 326, decoder: 460, target_lm: 628 };
const WIDE = { source_lm: 112, encoder: 138, attention: 104, decoder: 138, target_lm: 126 };
const Y = { softmax: 52, output: 142, top: 198, lstm: 264, embedding: 330 };
const FIXED = [["encoder", "top"], ["attention", "attention"], ["decoder", "output"], ["decoder", "top"]];
const PREFIX = { "encoder.top": "encoder_top.", attention: "query.", "decoder.output": "output.",
  "decoder.top": "decoder_top." };
const PLUS = { x: X.decoder + WIDE.decoder / 2, y: 120 };

const sum = (values) => values.reduce((a, b) => a + b, 0);
const size = ({ shapes }, both) => shapes[+both].reduce((a, b) => a * b, 1);

/** Where a tensor starts: "source", "target" or "random". */
const origin = ({ part }, parts) => (parts.includes(part) ? part.split(".")[0] : "random");

/** Tensors and parameters by origin. */
function tally(tensors, { parts, both_layers }) {
  const of = Object.fromEntries(KINDS.map((kind) => [kind, { n: 0, p: 0 }]));
  for (const tensor of tensors) {
    const own = of[origin(tensor, parts)];
    own.n += 1;
    own.p += size(tensor, both_layers);
  }
  return of;
}

/** Consequences of the drawing that need no measurement. */
function follows({ parts, joint, residual }) {
  const has = (part) => parts.includes(part), found = [];
  const read = has("target.embedding") && has("target.lstm");
  if (read && has("target.softmax") && residual) found.push(["is_lm"]);
  if (has("target.softmax") && !residual) found.push(["over_noise"]);
  if (has("target.lstm") && !has("target.softmax")) found.push(["cannot_read"]);
  if (has("target.softmax") && !has("target.lstm")) found.push(["nothing_to_read"]);
  for (const side of Object.keys(SIDES)) {
    if (has(`${side}.lstm`) && !has(`${side}.embedding`)) found.push(["other_words", side]);
  }
  if (!joint) found.push(["never_used"]);
  if (!parts.length) found.push([joint ? "not_before" : "no_text"]);
  return found;
}

/** In which controls a row of the ablation differs from what was built. */
function differences(row, state) {
  const one = new Set(row.parts), other = new Set(state.parts);
  const parts = [...new Set([...one, ...other])].filter((p) => one.has(p) !== other.has(p));
  return [...parts, ...SWITCHES.filter((name) => row[name] !== state[name])];
}

/** The drawing: boxes to plug, cables, arrows. `toggle` gets a part. */
function drawing({ tensors, text }, toggle) {
  const parts = [...new Set(tensors.map(({ part }) => part).filter(Boolean))];
  const label = (x, y, words, kind = "middle") => svg("text", { x, y, class: kind }, words);
  const frame = (column, row, kind) => svg("rect",
    { class: kind, x: X[column], y: Y[row], width: WIDE[column], height: BOX, rx: 6 });
  const middle = (column) => X[column] + WIDE[column] / 2;
  const arrow = (d, kind = "") => svg("path", { class: `arrow ${kind}`, d });

  const boxes = parts.map((part) => {
    const [side, row] = part.split("."), column = SIDES[side], lm = `${side}_lm`;
    const second = label(middle(column), Y[row] + 35, "", "middle note");
    const place = frame(column, row, "slot");
    const element = svg("g", { role: "checkbox", tabindex: 0, class: `part ${side}`,
      onclick: () => toggle(part) }, place, label(middle(column), Y[row] + 18, text[row]), second);
    element.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault(); // the page does not scroll
      toggle(part);
    });
    const from = svg("g", { class: `lm ${side}`, onclick: () => toggle(part), "aria-hidden": "true" },
      frame(lm, row, "slot"), label(middle(lm), Y[row] + 27, text[row]));
    const y = Y[row] + BOX / 2, left = side === "source";
    const [a, b] = left ? [X[lm] + WIDE[lm], X[column]] : [X[lm], X[column] + WIDE[column]];
    const cable = svg("path", { class: "cable", d: `M${a},${y}H${b}` });
    const plug = svg("circle", { class: "plug", cx: b, cy: y, r: 5 });
    return { part, side, row, element, second, from, cable, plug };
  });
  const fixed = FIXED.map(([column, row]) => {
    const y = row === "attention" ? Y.top : Y[row];
    const height = row === "output" ? 34 : BOX;
    const note = label(middle(column), y + (row === "output" ? 28 : 35), "", "middle note");
    const prefix = PREFIX[`${column}.${row}`] ?? PREFIX[row];
    const title = svg("title");
    const name = label(middle(column), y + (row === "output" ? 14 : 18), text[row]);
    const place = svg("rect", { class: "slot", x: X[column], y, width: WIDE[column], height, rx: 6 });
    return { prefix, note, title, row, element: svg("g", { class: "fixed" }, title, place, name, note) };
  });

  const e = middle("encoder"), d = middle("decoder"), right = X.encoder + WIDE.encoder;
  const far = X.attention + WIDE.attention, edge = X.decoder + WIDE.decoder, to = X.attention;
  const first = arrow(`M${right},${Y.lstm + 22}C${right + 30},${Y.lstm + 22} ${to + 40},${Y.top + 80} ${to + 40},${Y.top + BOX}`);
  const alone = arrow(`M${right},${Y.lstm + 10}C${right + 14},${Y.lstm} ${right + 14},${Y.softmax + 50} ${right},${Y.softmax + 30}`, "dashed");
  const residual = arrow(`M${edge},${Y.lstm + 10}C${edge + 34},${Y.lstm - 10} ${edge + 34},${PLUS.y} ${PLUS.x + 10},${PLUS.y}`, "residual");
  const named = label(edge + 14, 168, text.residual, "residual-name");
  const plus = svg("g", { class: "plus" }, svg("circle", { cx: PLUS.x, cy: PLUS.y, r: 10 }),
    svg("path", { d: `M${PLUS.x - 6},${PLUS.y}h12m-6,-6v12` }));
  const always = [
    ...[e, d].flatMap((x) => [`M${x},${Y.embedding}V${Y.lstm + BOX}`, `M${x},${Y.lstm}V${Y.top + BOX}`]),
    `M${right},${Y.top + 22}H${to}`, `M${far},${Y.top + 8}L${X.decoder},${Y.output + 24}`,
    `M${X.decoder},${Y.top + 30}H${far}`, `M${d},${Y.top}V${Y.output + 34}`, `M${d},${Y.output}V${Y.softmax + BOX}`,
    `M${d},${Y.softmax}V30`,
  ].map((path) => arrow(path));
  const up = arrow(`M${e},${Y.softmax}V30`, "dashed");
  const losses = { source: label(e, 22, "", "middle strong"), target: label(d, 22, "", "middle strong") };
  const heads = ["source_lm", "encoder", "decoder", "target_lm"].map((column) =>
    label(middle(column), HEIGHT - 8, text[column], "middle strong"));
  const tip = `seq2seq-tip-${Math.random().toString(36).slice(2)}`; // each widget's own
  const marker = svg("defs", {}, svg("marker", { id: tip, viewBox: "0 0 8 8", refX: 7, refY: 4,
    markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, svg("path", { class: "tip", d: "M0,0L8,4L0,8Z" })));
  const element = svg("svg", { class: "plan", role: "group", style: `--tip: url(#${tip})`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    "aria-label": text.plan }, marker, ...always, first, alone, up, residual, named, plus,
  ...boxes.map(({ cable }) => cable), ...boxes.map(({ from }) => from),
  ...fixed.map((box) => box.element), ...boxes.map((box) => box.element),
  ...boxes.map(({ plug }) => plug), ...Object.values(losses), ...heads);

  const hide = (part, hidden) => part.classList.toggle("off", hidden);
  function draw(state) {
    const held = (choose) =>
      count(sum(tensors.filter(choose).map((one) => size(one, state.both_layers))));
    for (const { part, side, row, element: box, second, from, cable, plug } of boxes) {
      const on = state.parts.includes(part), n = held((one) => one.part === part);
      const start = on ? text[side] : text.random;
      second.textContent = `${start} · ${n}`;
      box.setAttribute("aria-checked", on);
      box.setAttribute("aria-label", fill(text.box,
        { side: text[SIDES[side]], part: text[row], count: n, origin: on ? text[`${side}_lm`] : text.random }));
      for (const one of [box, from, cable, plug]) one.classList.toggle("on", on);
    }
    for (const { prefix, note, title, row } of fixed) {
      const n = held((one) => one.name.startsWith(prefix));
      note.textContent = `${text.random} · ${n}`;
      title.textContent = fill(text.fixed, { part: text[row], count: n });
    }
    hide(first, !state.both_layers);
    for (const part of [residual, named, plus]) hide(part, !state.residual);
    for (const part of [alone, up]) hide(part, !state.joint);
    losses.source.textContent = state.joint ? text.loss_source : text.loss_none;
    losses.target.textContent = state.joint ? text.loss_target : text.loss_pairs;
  }
  return { element, draw };
}

/** All tensors of both sides, by name. */
function tables({ tensors, text }) {
  const ours = ({ name }) => /^(source|encoder)/.test(name);
  const made = [["encoder_side", ours], ["decoder_side", (one) => !ours(one)]].map(([side, mine]) => {
    const own = tensors.filter(mine).map((tensor) => {
      const cells = [html("code", {}, tensor.name), "", "", ""].map((cell) => html("td", {}, cell));
      return { tensor, cells, row: html("tr", {}, ...cells) };
    });
    const heads = ["tensor", "shape", "count", "from"].map((name) => html("th", { scope: "col" }, text[name]));
    const table = html("table", { "aria-label": text[side] },
      html("thead", {}, html("tr", {}, ...heads)), html("tbody", {}, ...own.map(({ row }) => row)));
    return { table: foldable(text[side], table), own };
  });
  function draw(state) {
    for (const { tensor, cells: [, shape, n, from], row } of made.flatMap(({ own }) => own)) {
      const start = origin(tensor, state.parts);
      row.className = start;
      shape.textContent = tensor.shapes[+state.both_layers].join(" × ");
      n.textContent = count(size(tensor, state.both_layers));
      from.textContent = text[start];
    }
  }
  return { element: html("div", { class: "tensors" }, ...made.map(({ table }) => table)), draw };
}

// -- what was measured ----------------------------------------------------------------

const points = (value) => value.toFixed(1);
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(1)}`;

/** A mean with its interval, if there are seeds for one. */
const spanned = ([mean, low, high], write, text) => ({ value: write(mean),
  interval: low === null ? "" : fill(text.interval, { low: write(low), high: write(high) }) });

/** What one row of the ablation gave, in words. */
function told({ bleu, gap }, text) {
  const n = bleu[3], seeds = fill(n > 1 ? text.seeds : text.seed, { n });
  const behind = gap ? fill(text.gap, spanned(gap, signed, text)) : "";
  return fill(text.value, { ...spanned(bleu, points, text), seeds }) + behind;
}

/** The rows of the ablation: each sets the drawing, and has its numbers if there are. */
function results({ rows, baseline, text }, runs, set) {
  const known = Object.values(runs ?? {});
  const highest = Math.max(1, ...known.map(({ bleu }) => bleu[2] ?? bleu[0]));
  const at = (value) => `${(100 * Math.max(0, Math.min(value, highest))) / highest}%`;
  const line = (key, element) => {
    const run = runs?.[key], track = html("span", { "aria-hidden": "true" });
    if (run) {
      track.className = "track";
      const [mean, low, high] = run.bleu;
      track.append(html("i", { class: "bar", style: `width: ${at(mean)}` }));
      if (low !== null) {
        const wide = `calc(${at(high)} - ${at(low)})`;
        track.append(html("i", { class: "interval", style: `left: ${at(low)}; width: ${wide}` }));
      }
    }
    element.append(html("span", {}, text[key]), track,
      html("span", { class: "value" }, run ? told(run, text) : text.not_yet));
    return element;
  };
  const buttons = Object.keys(rows).map((key) =>
    line(key, button("", () => set(rows[key]), { class: "run" })));
  const last = line(baseline, html("div", { class: "run plain" }));
  const draw = (state) => buttons.forEach((one, i) =>
    one.setAttribute("aria-pressed", !differences(Object.values(rows)[i], state).length));
  return { parts: [...buttons, last], draw };
}

/** The paper's figures; the row that is set up alike is marked. */
function cited({ paper, rows, text }) {
  const lines = paper.map(({ name, bleu }) => {
    const here = html("span", { class: "here" });
    return { here, row: html("tr", {}, html("td", {}, name, here), html("td", {}, bleu)) };
  });
  const head = html("tr", {}, ...["paper_row", "paper_bleu"].map((name) =>
    html("th", { scope: "col" }, text[name])));
  const table = html("table", {}, html("thead", {}, head), html("tbody", {}, ...lines.map(({ row }) => row)));
  function draw(state) {
    lines.forEach(({ here, row }, i) => {
      const like = paper[i].row, same = like && !differences(rows[like], state).length;
      row.classList.toggle("same", Boolean(same));
      here.textContent = same ? ` ← ${text.paper_here}` : "";
    });
  }
  return { element: table, draw };
}

function render({ model, el }) {
  const data = model.get("data"), { text, tasks, rows, language } = data;
  const started = TRAITS.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" }, text.welcome);
  const counted = html("output", { class: "counted" }), answer = html("output", { class: "told" });
  const list = html("ul", { class: "follows" }), slot = html("div");
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const toggle = (part) => {
    const parts = model.get("parts");
    put({ parts: parts.includes(part) ? parts.filter((one) => one !== part) : [...parts, part] });
    live.textContent = counted.textContent;
  };
  const set = (row) => {
    put({ ...row, parts: [...row.parts] });
    live.textContent = counted.textContent;
  };
  const group = (label, ...inside) =>
    html("div", { class: "tabs", role: "group", "aria-label": label }, html("span", {}, label), ...inside);

  const plan = drawing(data, toggle), names = tables(data), papers = cited(data);
  const switches = SWITCHES.map((name) => button(text[name], () => put({ [name]: !model.get(name) })));
  const tabs = tasks.map(([, name], task) => button(name, () => put({ task })));
  const tours = data.tours.map(({ label, say, row }) => button(label, () => {
    set(rows[row]);
    advice.textContent = say;
  }));
  const reset = button(text.reset, () => {
    put(Object.fromEntries(TRAITS.map((name, i) => [name, started[i]])));
    advice.textContent = text.welcome;
  });
  let runs, shown;

  function build() {
    runs = data.runs[tasks[model.get("task")]?.[0]];
    shown = results(data, runs, set);
    slot.replaceChildren(...shown.parts);
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === model.get("task")));
    draw();
  }
  const called = (name) => {
    const [side, row] = name.split(".");
    return row ? fill(text.of, { side: text[SIDES[side]], part: text[row] }) : text[name];
  };
  function say(now) {
    const known = Object.keys(rows).filter((key) => runs?.[key]);
    if (!known.length) return text.nothing;
    const far = known.map((key) => differences(rows[key], now)), least = Math.min(...far.map((d) => d.length));
    const near = known.filter((_, i) => far[i].length === least);
    if (!least) return fill(text.measured, { found: told(runs[near[0]], text) });
    const found = near.map((key) => fill(text.differs, { name: text[key],
      what: differences(rows[key], now).map(called).join(text.list), value: told(runs[key], text) }));
    return fill(text.near, { found: found.join(text.and) });
  }
  function draw() {
    const now = state(), of = tally(data.tensors, now), all = sum(KINDS.map((kind) => of[kind].p));
    plan.draw(now);
    names.draw(now);
    papers.draw(now);
    shown.draw(now);
    switches.forEach((one, i) => one.setAttribute("aria-pressed", now[SWITCHES[i]]));
    counted.textContent = fill(text.counted, { all_n: data.tensors.length,
      ...Object.fromEntries(KINDS.flatMap((kind) => [[`${kind}_n`, of[kind].n],
        [`${kind}_p`, count(of[kind].p)], [`${kind}_share`, percent(of[kind].p / all)]])) });
    list.replaceChildren(...follows(now).map(([key, side]) =>
      html("li", {}, fill(text[key], { side: side && text[`${SIDES[side]}_side`] }))));
    answer.textContent = say(now);
  }

  el.classList.add("course-widget", "seq2seq-builder");
  el.lang = language;
  ownKeys(el);
  const name = (words) => html("p", { class: "name" }, words);
  const small = (words) => html("p", { class: "small" }, words);
  el.append(group(text.try, ...tours, reset), advice,
    html("div", { class: "scroll" }, plan.element), group(text.wiring, ...switches),
    counted, name(text.follows), list, names.element,
    html("div", { class: "results" }, name(text.results), ...(tabs.length ? [group(text.task, ...tabs)] : []),
      answer, foldable(text.all_runs, slot, small(text.notes))),
    html("div", { class: "paper" },
      foldable(text.paper, small(text.paper_about), papers.element, small(text.paper_notes))), live);
  build();
  for (const trait of TRAITS) model.on(`change:${trait}`, trait === "task" ? build : draw);
  return () => {
    for (const trait of TRAITS) model.off(`change:${trait}`, trait === "task" ? build : draw);
  };
}

export default { render };
