import { button, fill, glide, html, mark, named, ownKeys, percent, slider, svg } from "./kit.js";
import { fit, listbox, shift, star, starred } from "./map.js";

// Weights s_0 … s_L and gamma by hand. A triangle holds the mixes that were measured, one
// layer alone in each corner; the score shown is that of the nearest one. On the map a
// word's sentences mix as their vectors do: place and mix are both linear.
const CORNERS = [[70, 386], [450, 386], [260, 57]];
const S = { min: -6, max: 6, step: 0.1 }, GAMMA = { min: 0.1, max: 1.25, step: 0.05 };
const MS_MIX = 700, BELOW = "₀₁₂";

const plain = (sentence) => sentence.join("");
const sum = (values) => values.reduce((a, b) => a + b, 0);
const blend = (weights, points) =>
  [0, 1].map((d) => sum(weights.map((weight, layer) => weight * points[layer][d])));

function softmax(s) {
  const powers = s.map((value) => Math.exp(value - Math.max(...s)));
  return powers.map((power) => power / sum(powers));
}

/** An s whose softmax is these weights, as nearly as the sliders allow. */
function logits(weights) {
  const logs = weights.map((weight) => Math.log(Math.max(weight, 1e-5)));
  const middle = sum(logs) / logs.length;
  return logs.map((value) => Math.min(S.max, Math.max(S.min, value - middle)));
}

/** The measured mixes as a listbox in a triangle, coloured by score. */
function triangle({ grid, steps, corners, learned, text }, choose) {
  const spots = grid.map((mix) => blend(mix.map((k) => k / steps), CORNERS));
  const names = CORNERS.map(([x, y], layer) =>
    svg("text", { x, y: y + (layer === 2 ? -26 : 38) }, fill(text.corner, { layer })));
  const outline = svg("path", { class: "outline", d: `M${CORNERS.join("L")}Z` });
  const ring = svg("circle", { class: "ring", r: 17 });
  const best = svg("path", { class: "best", d: "M0,-11L11,0L0,11L-11,0Z" });
  const here = svg("circle", { class: "here", r: 7 });
  const task = learned ? [svg("g", { transform: shift(blend(learned, CORNERS)) }, star())] : [];
  const circles = spots.map(() => svg("circle", { r: 15, fill: "#0072b2" }));
  const items = circles.map((circle) => ({ label: "", title: "", parts: [circle] }));
  const label = fill(text.triangle, { mixes: grid.length });
  const box = listbox(label, items, choose,
    { under: [outline, ...names], over: [best, ...task, ring, here] });
  box.element.classList.add("triangle");
  const scale = html("p", { class: "small" });

  function colour(scores, top) {
    // Layer 0 alone knows no context: it would take the whole scale for itself.
    const low = Math.min(...scores.filter((_, i) => i !== corners[0]));
    const high = Math.max(...scores);
    circles.forEach((circle, i) => {
      const share = high > low ? Math.max(0, (scores[i] - low) / (high - low)) : 1;
      circle.setAttribute("fill-opacity", (0.06 + 0.94 * share).toFixed(3));
      const mix = grid[i].map((k) => (k / steps).toFixed(2)).join(" / ");
      const said = fill(text.mix, { mix, score: percent(scores[i]) });
      box.points[i].setAttribute("aria-label", said);
      box.points[i].querySelector("title").textContent = said;
    });
    best.setAttribute("transform", shift(spots[top]));
    scale.textContent = fill(text.scale, { low: percent(low), high: percent(high) });
  }
  function draw(weights, near) {
    box.draw(near, (i) => spots[i]);
    ring.setAttribute("transform", shift(spots[near]));
    here.setAttribute("transform", shift(blend(weights, CORNERS)));
  }
  const said = (i) => box.points[i].getAttribute("aria-label");
  return { parts: [box.element, scale], colour, draw, said };
}

/** Scores of single layers and some mixes, each a button; the reader's own comes last. */
function scoreRows(data, set) {
  const { text, grid, steps, corners, middle, learned } = data;
  const shares = (i) => grid[i].map((k) => k / steps);
  const presets = corners.map((at, layer) => ({ name: fill(text.only, { layer }), at: () => at }));
  presets.push({ name: text.all_equal, weights: [1 / 3, 1 / 3, 1 / 3], at: () => middle });
  presets.push({ name: text.best, at: (top) => top });
  const taught = learned && nearest(data, learned);
  if (learned) presets.push({ name: text.learned, weights: learned, at: () => taught });
  let top = 0;
  const bars = [...presets, { name: text.yours }].map(({ name }) => {
    const bar = html("span"), line = html("i"), value = html("span", { class: "value" });
    const track = html("span", { class: "track", "aria-hidden": "true" }, bar, line);
    return { bar, line, value, parts: [html("span", {}, name), track, value] };
  });
  const rows = bars.map(({ parts }, i) => {
    if (i === presets.length) return html("div", { class: "mine" }, ...parts);
    const row = button("", () => set(presets[i].weights ?? shares(presets[i].at(top))));
    row.append(...parts);
    return row;
  });
  function draw(scores, majority, near, best) {
    top = best;
    bars.forEach(({ bar, line, value }, i) => {
      const score = scores[i < presets.length ? presets[i].at(top) : near];
      bar.style.width = `${100 * score}%`;
      line.style.left = `${100 * majority}%`;
      value.textContent = percent(score);
    });
  }
  return { element: html("div", { class: "rows" }, ...rows), draw };
}

/** The measured mix that is nearest to these weights. */
function nearest({ grid, steps }, weights) {
  const far = grid.map((mix) => sum(mix.map((k, layer) => (k / steps - weights[layer]) ** 2)));
  return far.indexOf(Math.min(...far));
}

/** One word's sentences: their places in the layers, mixed. */
function map(word, text, choose) {
  const place = fit(word.frames.map((frame) =>
    frame.map((spot) => spot.map((value) => value * GAMMA.max)))); // γ drives none out
  const ring = svg("circle", { class: "ring", r: 11 });
  const items = word.sentences.map((sentence, i) => {
    const label = `${word.senses[word.sense[i]]}: ${plain(sentence)}`;
    return { label, title: plain(sentence), parts: [mark(word.sense[i])] };
  });
  const label = fill(text.map, { word: word.word, n: items.length });
  const box = listbox(label, items, choose, { over: [ring] });
  function draw(weights, gamma, chosen) {
    const scaled = weights.map((weight) => gamma * weight);
    const at = (i) => place(blend(scaled, word.frames.map((frame) => frame[i])));
    box.draw(chosen, at);
    ring.setAttribute("transform", shift(at(chosen)));
  }
  const legend = word.senses.map((name, kind) => named(kind, name));
  const read = html("p", { class: "chosen" });
  function quote(i) {
    const [before, target, after] = word.sentences[i];
    const words = html("span", { lang: word.language }, before, html("mark", {}, target), after);
    read.replaceChildren(named(word.sense[i], word.senses[word.sense[i]]), " ", words);
  }
  const share = { share: percent(word.share), word: word.word };
  const element = html("div", {}, html("div", { class: "legend" }, ...legend), box.element);
  const notes = [read, html("p", { class: "small" }, fill(text.share, share))];
  return { element, notes, draw, quote };
}

function render({ model, el }) {
  const data = model.get("data"), { words, text, language, learned } = data;
  const traits = ["word", "s", "gamma", "every"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" }, text.welcome);
  const told = html("output", { class: "told" }), slot = html("div"), notes = html("div");
  let picture, chosen = 0, stop = () => {};

  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  /** The scores in question: of all words, or of the one on the map. */
  function scored() {
    const from = model.get("every") ? data : words[model.get("word")];
    return { ...from, top: from.scores.indexOf(Math.max(...from.scores)) };
  }
  const settled = () => { model.save_changes(); live.textContent = told.textContent; };
  /** Let s and gamma glide to these values. */
  function go(s, gamma, done = settled) {
    const from = [...model.get("s"), model.get("gamma")];
    const step = (t) => {
      const now = [...s, gamma].map((goal, i) => (1 - t) * from[i] + t * goal);
      model.set("gamma", now.at(-1));
      model.set("s", now.slice(0, -1));
    };
    stop();
    stop = glide(0, 1, MS_MIX, step, done);
  }
  const set = (weights) => go(logits(weights), model.get("gamma"));
  const peaks = triangle(data, (i) => {
    stop();
    put({ s: logits(data.grid[i].map((k) => k / data.steps)) });
    live.textContent = peaks.said(i);
  });
  const rows = scoreRows(data, set);
  const own = started[1].map((_, layer) => slider(`w${BELOW[layer]}`, S,
    (value) => (Math.round(10 * value) / 10 + 0).toFixed(1), // never -0.0
    (value) => {
      stop();
      put({ s: model.get("s").map((old, i) => (i === layer ? value : old)) });
    }, settled));
  own.forEach(({ element }, layer) => {
    element.querySelector("input").setAttribute("aria-label", fill(text.s_long, { layer }));
  });
  const size = slider("γ", GAMMA, (value) => value.toFixed(2),
    (gamma) => { stop(); put({ gamma }); }, settled);
  size.element.querySelector("input").setAttribute("aria-label", text.gamma_long);
  const shares = started[1].map((_, layer) => html("span", {}));
  shares.forEach((share, layer) => {
    share.style.background = ["#56b4e9", "#e69f00", "#009e73"][layer];
  });
  const stack = html("div", { class: "weights", role: "img" }, ...shares);
  const formula = html("p", { class: "formula" });

  const goals = [
    () => go(logits([0, 0, 1]), 1), () => go([0, 0, 0], 1), () => go([0, 0, 0], 0.5),
  ];
  const tours = data.tours.map(({ label, say }, i) => button(label, () => {
    put({ every: true, ...(i === 2 ? { s: [0, 0, 0], gamma: 1 } : {}) });
    goals[i]();
    advice.textContent = say;
  }));
  const tabs = words.map((word, w) =>
    button(word.word, () => put({ word: w }), { lang: word.language }));
  const every = button(fill(text.every, data), () => put({ every: true }));
  const single = button("", () => put({ every: false }));
  const reset = button(text.reset, () => {
    stop();
    put(Object.fromEntries(traits.map((name, i) => [name, started[i]])));
    advice.textContent = text.welcome;
    live.textContent = told.textContent;
  });

  function build() {
    const word = words[model.get("word")];
    chosen = 0;
    picture = map(word, text, (i) => {
      chosen = i;
      draw();
      live.textContent = `${word.senses[word.sense[i]]}: ${plain(word.sentences[i])}`;
    });
    slot.replaceChildren(picture.element);
    notes.replaceChildren(...picture.notes);
    tabs.forEach((tab, w) => tab.setAttribute("aria-pressed", w === model.get("word")));
    single.textContent = fill(text.single, word);
    score();
  }
  function score() {
    const { scores, top } = scored();
    peaks.colour(scores, top);
    every.setAttribute("aria-pressed", model.get("every"));
    single.setAttribute("aria-pressed", !model.get("every"));
    draw();
  }
  function draw() {
    const s = model.get("s"), gamma = model.get("gamma"), weights = softmax(s);
    const { scores, majority, top } = scored(), near = nearest(data, weights);
    own.forEach((one, layer) => one.draw(s[layer]));
    size.draw(gamma);
    const written = weights.map((weight) => weight.toFixed(2));
    shares.forEach((share, layer) => {
      share.style.width = `${100 * weights[layer]}%`;
      share.textContent = weights[layer] > 0.12 ? `${layer}: ${written[layer]}` : "";
    });
    const list = written.map((weight, layer) => fill(text.weight, { layer, weight }));
    stack.setAttribute("aria-label", fill(text.weights, { weights: list.join(text.list) }));
    const terms = written.map((weight, layer) => `${weight} h${BELOW[layer]}`).join(" + ");
    formula.textContent = fill(text.formula, { terms }).replace("γ", gamma.toFixed(2));
    const mix = data.grid[near].map((k) => (k / data.steps).toFixed(2)).join(" / ");
    const shown = { mix, score: percent(scores[near]), majority: percent(majority) };
    told.textContent = fill(text.score, shown);
    peaks.draw(weights, near);
    rows.draw(scores, majority, near, top);
    picture.draw(weights, gamma, chosen);
    picture.quote(chosen);
  }

  const diamond = svg("svg", { viewBox: "-13 -13 26 26", "aria-hidden": "true", class: "triangle" },
    svg("path", { class: "best", d: "M0,-9L9,0L0,9L-9,0Z" }));
  const dot = svg("svg", { viewBox: "-10 -10 20 20", "aria-hidden": "true", class: "triangle" },
    svg("circle", { class: "here", r: 7 }));
  const key = [html("span", { class: "named" }, dot, text.you),
    html("span", { class: "named" }, diamond, text.best_mark)];
  if (learned) key.push(starred(text.learned_mark));
  const lengths = data.lengths.map((length, layer) => fill(text.length, { layer, length }));
  const group = (label, ...parts) =>
    html("div", { class: "tabs", role: "group", "aria-label": label },
      html("span", {}, label), ...parts);

  el.classList.add("course-widget", "map-widget", "scalar-mix");
  el.lang = language;
  ownKeys(el);
  el.append(html("div", { class: "tours" }, html("span", {}, text.try), ...tours, reset), advice,
    html("div", { class: "mixing" },
      html("div", {}, group(text.scored, every, single),
        html("div", { class: "legend" }, ...key), ...peaks.parts),
      html("div", {},
        html("div", { class: "sliders" }, ...[...own, size].map(({ element }) => element)),
        stack, formula, told, rows.element,
        html("p", { class: "small" }, fill(text.rows_key, data)))),
    html("div", { class: "columns" },
      html("div", {}, group(text.word, ...tabs), slot),
      html("div", {}, notes, html("p", { class: "small" }, text.shift),
        html("p", { class: "small" }, fill(text.lengths, { lengths: lengths.join(text.list) })))),
    live);
  build();
  const changes = {
    "change:word": build, "change:every": score, "change:s": draw, "change:gamma": draw,
  };
  for (const [event, react] of Object.entries(changes)) model.on(event, react);
  return () => {
    stop();
    for (const [event, react] of Object.entries(changes)) model.off(event, react);
  };
}

export default { render };
