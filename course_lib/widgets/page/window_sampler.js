import {
  arrowKeys, button, chance, count, fill, html, ownKeys, slider, svg,
} from "./kit.js";

// One sentence as word2vec reads it. Nothing is left to the browser's own dice: a draw
// has a number, and the same number, word and place give the same outcome each time.
const KEEP = 1, REACH = 2, NOISE = 3; // what is drawn
const TRAITS = [
  "sentence", "centre", "window", "dynamic", "t", "power", "negatives", "draw",
];

/** A number in [0, 1) that depends on the whole numbers given, and on nothing else. */
function uniform(...numbers) {
  let h = 0x9e3779b9;
  for (const number of numbers) {
    h = Math.imul(h ^ number, 0x85ebca6b); // murmur3's way of mixing bits
    h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
    h ^= h >>> 16;
  }
  return (h >>> 0) / 2 ** 32;
}

const plain = (number) => number.toLocaleString("en", { maximumSignificantDigits: 2 });
const pair = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** The vocabulary: words from frequent to rare, and what follows from their counts. */
function lexicon({ words, runs }) {
  const names = words.split("\n");
  const counts = runs.flatMap(([n, words]) => Array(words).fill(n));
  const total = counts.reduce((sum, n) => sum + n, 0);
  const f = (rank) => counts[rank] / total;
  return {
    names, f, least: counts.at(-1) / total,
    keep: (rank, t) => Math.min(1, Math.sqrt(t / f(rank))),
    /** The noise at a power: P of a word, and the word at a place from 0 to 1. */
    noise(power) {
      const weights = runs.map(([n, words]) => words * n ** power);
      const sum = weights.reduce((a, b) => a + b, 0);
      const at = (place) => {
        let left = place * sum, rank = 0, run = 0;
        for (; run < runs.length - 1 && left >= weights[run]; run += 1) {
          left -= weights[run];
          rank += runs[run][1];
        }
        return rank + Math.min(runs[run][1] - 1, Math.floor(left / runs[run][0] ** power));
      };
      return { p: (rank) => counts[rank] ** power / sum, at };
    },
  };
}

/** What training makes of one sentence in one draw: who stays, and one word's pairs. */
function example(ranks, state, lexicon) {
  const { sentence, centre, window, dynamic, t, power, negatives, draw } = state;
  const stays = ranks.map((rank, i) =>
    rank >= 0 && uniform(draw, KEEP, sentence, i) < lexicon.keep(rank, t));
  const left = ranks.map((_, i) => i).filter((i) => stays[i]);
  const drawn = 1 + Math.floor(window * uniform(draw, REACH, sentence, centre));
  const reach = dynamic ? drawn : window, at = left.indexOf(centre);
  const near = at < 0 ? [] : left.slice(Math.max(0, at - reach), at + reach + 1);
  const noise = lexicon.noise(power);
  const pairs = near.filter((i) => i !== centre).map((context) => ({
    context,
    noise: Array.from({ length: negatives }, (_, k) =>
      noise.at(uniform(draw, NOISE, sentence, centre, context, k))),
  }));
  return { stays, reach, pairs, left };
}

/** The sentence: the centre, its window, and what is dropped. */
function strip(words, ranks, { text, tongue }, lexicon, choose) {
  const chips = words.map((word, i) => {
    const small = html("small"), heard = html("span", { class: "unseen" });
    const parts = [html("span", { lang: tongue }, word), small, heard];
    const press = { role: "option", onclick: () => choose(i) };
    return { small, heard, chip: html("span", press, ...parts) };
  });
  const options = chips.map(({ chip }) => chip);
  const box = { class: "strip", role: "listbox", "aria-label": text.strip };
  const element = html("div", box, ...options);
  element.addEventListener("keydown", (event) =>
    arrowKeys(event, options.indexOf(event.target), words.length, (i) => {
      choose(i);
      options[i].focus();
    }));

  function draw({ centre, t }, { stays, pairs }) {
    chips.forEach(({ chip, small, heard }, i) => {
      const known = ranks[i] >= 0, keep = known ? chance(lexicon.keep(ranks[i], t)) : "";
      const near = pairs.some(({ context }) => context === i) ? "context" : "outside";
      const there = i === centre ? "centre" : near, gone = known ? "dropped" : "unknown";
      const kind = stays[i] ? there : gone;
      chip.className = `chip ${kind}`;
      chip.setAttribute("tabindex", i === centre ? 0 : -1);
      chip.setAttribute("aria-selected", i === centre);
      heard.textContent = text[`is_${kind}`];
      small.textContent = known ? keep : text.unknown;
    });
  }
  return { element, draw };
}

/** The pairs of the centre, each with its words of noise. */
function table(words, ranks, { text, tongue }, lexicon) {
  const caption = html("caption"), rows = html("tbody");
  const note = html("p", { class: "small" });
  const line = (name, ...cells) =>
    html("tr", {}, ...cells.map((cell) => html(name, {}, ...[cell].flat())));
  const head = line("th", text.centre, text.near, text.noise);
  const element = html("table", {}, caption, html("thead", {}, head), rows);
  const word = (name) => html("span", { lang: tongue }, name);
  // The answer itself among the noise would be called right and wrong at once.
  const drawn = (rank, context) => {
    const same = rank === ranks[context], name = word(lexicon.names[rank]);
    return same ? html("s", { title: text.same }, name) : name;
  };

  function draw({ centre }, { stays, reach, pairs }) {
    const lost = ranks[centre] < 0 ? text.none_unknown : text.none_dropped;
    const none = stays[centre] ? text.none_alone : lost;
    const questions = pairs.reduce((sum, { noise }) => sum + 1 + noise.length, 0);
    const values = { centre: words[centre], pairs: pairs.length, questions, reach };
    caption.textContent = fill(pairs.length ? text.pairs : none, values);
    note.textContent = fill(text.pairs_note, values);
    rows.replaceChildren(...pairs.map(({ context, noise }) => {
      const others = noise.flatMap((rank) => [drawn(rank, context), " "]);
      return line("td", word(words[centre]), word(words[context]), others);
    }));
  }
  return { parts: [element, note], draw, said: () => caption.textContent };
}

/** Decades of a logarithmic axis from `low` up to 100%, as many as there is room for. */
function decades(low, x, y) {
  const all = Array.from({ length: 1 - low }, (_, i) => low + i);
  return all.filter((d) => d % 2 === 0).map((d) =>
    svg("text", { x: x(10 ** d), y, class: "middle" }, chance(10 ** d)));
}

// The curve's frame, in the picture's own units.
const CURVE = { width: 440, height: 236, left: 40, right: 24, top: 54, bottom: 36 };

/** Write labels beside their points; one that would cover another goes elsewhere. */
function labels(points) {
  const taken = points.map(({ x, y }) => [x - 5, y - 5, x + 5, y + 5]);
  const free = ([a, b, c, d]) =>
    a > CURVE.left && c < CURVE.width && b > 0 && d < CURVE.height - CURVE.bottom &&
    taken.every(([e, f, g, h]) => c < e || g < a || d < f || h < b);
  return points.map(({ x, y, name }) => {
    const wide = [...name].reduce((sum, sign) => sum + (sign > "\u2e80" ? 12 : 6.8), 0);
    const above = [-15, -29, -43].map((up) => [x - wide / 2, y + up]);
    const beside = [[x + 9, y - 6], [x - wide - 9, y + 8]]; // not on the falling curve
    const places = y > CURVE.top + 1 ? [...beside, ...above] : above;
    const box = ([a, b]) => [a, b - 7, a + wide, b + 7];
    const place = places.find((spot) => free(box(spot))) ?? places[0];
    taken.push(box(place));
    return svg("text", { x: place[0], y: place[1], dy: "0.35em" }, name);
  });
}

/** Which share of a word stays, by its frequency; the sentence's words on the curve. */
function curve(ranks, { text }, lexicon) {
  const { width, height, left, right, top, bottom } = CURVE;
  const low = Math.floor(Math.log10(lexicon.least));
  const x = (f) => left + ((width - left - right) * (Math.log10(f) - low)) / -low;
  const y = (keep) => height - bottom - (height - top - bottom) * keep;
  const share = [0, 0.5, 1].map((keep) =>
    svg("text", { x: left - 6, y: y(keep), dy: "0.35em", class: "end" }, chance(keep)));
  const name = { x: (left + width) / 2, y: height - 4, class: "middle" };
  const frame = svg("path", { d: `M${left},${y(1)}V${y(0)}H${x(1)}`, class: "frame" });
  const path = svg("path", { class: "curve" }), marks = svg("g");
  const element = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" },
    frame, ...decades(low, x, y(0) + 16), ...share, svg("text", name, text.frequency),
    path, marks);
  const note = html("p", { class: "small" });
  const shown = [...new Set(ranks)].filter((rank) => rank >= 0).sort((a, b) => a - b);

  function draw({ t, centre }, { left: stayed }) {
    const stays = (f) => Math.min(1, Math.sqrt(t / f));
    const steps = Array.from({ length: 121 }, (_, i) => 10 ** (low * (1 - i / 120)));
    path.setAttribute("d", `M${steps.map((f) => pair(x(f), y(stays(f)))).join("L")}`);
    const spots = shown.map((rank) => {
      const f = lexicon.f(rank), keep = stays(f);
      return { rank, keep, name: lexicon.names[rank], x: x(f), y: y(keep) };
    });
    marks.replaceChildren(...labels(spots), ...spots.map((spot) => {
      const kind = spot.rank === ranks[centre] ? "word centre" : "word";
      return svg("circle", { cx: spot.x, cy: spot.y, r: 5, class: kind });
    }));
    const said = spots.map(({ name: word, keep }) =>
      fill(text.word_share, { word, share: chance(keep) }));
    const values = { t: plain(t), words: said.join(text.list) };
    element.setAttribute("aria-label", fill(text.curve_alt, values));
    const known = ranks.filter((rank) => rank >= 0).map((rank) => lexicon.keep(rank, t));
    const expected = plain(known.reduce((sum, keep) => sum + keep, 0));
    const numbers = { expected, known: known.length, kept: stayed.length };
    note.textContent = fill(text.curve_note, numbers);
  }
  return { parts: [element, note], draw };
}

/** From share of the text to share of the noise, for a dozen words. */
function bars({ text, bars: ranks }, lexicon) {
  const row = 19, left = 96, wide = 270, bottom = 6 + row * ranks.length;
  const low = Math.floor(Math.log10(lexicon.least));
  const x = (p) => left + (wide * (Math.log10(p) - low)) / -low;
  const lines = ranks.map((rank, i) => {
    const y = 6 + row * (i + 0.5), f = lexicon.f(rank), word = lexicon.names[rank];
    const bar = svg("path", { class: "bar" });
    const end = svg("path", { class: "noise", d: "M0,-5L5,0L0,5L-5,0Z" });
    const times = svg("text", { x: left + wide + 16, y, dy: "0.35em" });
    const group = svg("g", {},
      svg("text", { x: left - 8, y, dy: "0.35em", class: "end" }, word),
      svg("path", { class: "track", d: `M${left},${y}H${left + wide}` }), bar,
      svg("circle", { class: "text", cx: x(f), cy: y, r: 4.5 }), end, times);
    return { rank, word, f, y, bar, end, times, group };
  });
  const groups = lines.map(({ group }) => group);
  const name = { x: left + wide / 2, y: bottom + 32, class: "middle" };
  const element = svg("svg", { viewBox: `0 0 440 ${bottom + 38}`, role: "img" },
    ...groups, ...decades(low, x, bottom + 14), svg("text", name, text.bars_axis));
  const note = html("p", { class: "small" });

  function draw({ power }) {
    const noise = lexicon.noise(power);
    const said = lines.map(({ rank, word, f, y, bar, end, times }) => {
      const p = noise.p(rank);
      bar.setAttribute("d", `M${pair(x(f), y)}L${pair(x(p), y)}`);
      end.setAttribute("transform", `translate(${pair(x(p), y)})`);
      times.textContent = `${plain(p / f)}×`;
      return fill(text.word_change, { word, f: chance(f), p: chance(p) });
    });
    const values = { power, words: said.join(text.list) };
    element.setAttribute("aria-label", fill(text.bars_alt, values));
    const vocabulary = count(lexicon.names.length);
    note.textContent = fill(text.bars_note, { power, vocabulary });
  }
  return { parts: [element, note], draw };
}

/** The sliders, the tick and what they are called in the model. */
function dials(model, text, settled) {
  const dial = (name, min, max, step, write = String, to = (value) => value) =>
    slider(text[name], { min, max, step }, write, (at) => model.set(name, to(at)), settled);
  const tick = html("input", {
    type: "checkbox", onchange: () => { model.set("dynamic", tick.checked); settled(); },
  });
  const parts = {
    window: dial("window", 1, 8, 1), negatives: dial("negatives", 1, 10, 1),
    power: dial("power", 0, 1, 0.05),
    // Logarithmic: from 0.00001 to 1, where every word stays.
    t: dial("t", -5, 0, 0.1, (log) => (log < 0 ? plain(10 ** log) : text.no_t),
      (log) => +(10 ** log).toPrecision(6)),
    dynamic: { element: html("label", {}, tick, " ", text.dynamic) },
  };
  function draw(state) {
    for (const name of ["window", "negatives", "power"]) parts[name].draw(state[name]);
    parts.t.draw(Math.log10(state.t));
    tick.checked = state.dynamic;
  }
  return { parts, draw };
}

function render({ model, el }) {
  const data = model.get("data"), words = lexicon(data);
  const { text, sentences, centres } = data;
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  const started = state();
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" });
  const tours = html("div", { class: "tours" });
  const slots = [html("div"), html("div"), html("div")];
  const noise = bars(data, words);
  let parts, ranks;

  function settled() {
    model.save_changes();
    live.textContent = parts[1].said();
  }
  function go(changes, say = "") {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    settled();
    if (say) advice.textContent = say;
  }
  const controls = dials(model, text, settled);
  const slide = slider(text.centre, { min: 0, max: 1, step: 1 },
    (i) => sentences[model.get("sentence")][i], (i) => model.set("centre", i), settled);
  const again = button(text.again, () => go({ draw: model.get("draw") + 1 }));
  const drawn = html("span");
  const reset = button(text.reset, () => go(started, text.welcome));
  const tabs = sentences.map((sentence, i) => {
    const press = () => go({ sentence: i, centre: centres[i] });
    return button(`${sentence.slice(0, 4).join(" ")} …`, press, { lang: data.tongue });
  });

  function build() {
    const sentence = model.get("sentence"), own = sentences[sentence];
    ranks = data.ranks[sentence];
    parts = [strip(own, ranks, data, words, (centre) => go({ centre })),
      table(own, ranks, data, words), curve(ranks, data, words)];
    slots[0].replaceChildren(parts[0].element);
    for (const i of [1, 2]) slots[i].replaceChildren(...parts[i].parts);
    slide.element.querySelector("input").max = own.length - 1;
    tours.replaceChildren(html("span", {}, text.try), ...data.tours[sentence].map((tour) =>
      button(tour.label, () => go(tour.set, tour.say))));
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", i === sentence));
    draw();
  }
  function draw() {
    const now = state();
    now.centre = Math.min(now.centre, ranks.length - 1); // another may be shorter
    const made = example(ranks, now, words);
    for (const part of [...parts, noise]) part.draw(now, made);
    controls.draw(now);
    slide.draw(now.centre);
    drawn.textContent = fill(text.draw, { draw: now.draw });
  }

  el.classList.add("course-widget", "window-sampler");
  el.lang = data.language;
  ownKeys(el);
  const { window, negatives, dynamic, t, power } = controls.parts;
  const line = (...shown) => html("div", { class: "controls" }, ...shown);
  const titled = (title, ...shown) =>
    html("section", {}, html("p", { class: "name" }, title), ...shown);
  const group = { class: "tabs", role: "group", "aria-label": text.sentences };
  if (tabs.length > 1) el.append(html("div", group, ...tabs));
  el.append(tours, advice, slots[0], html("p", { class: "small" }, text.key),
    line(slide.element, window.element, dynamic.element),
    line(again, drawn, negatives.element, reset),
    html("div", { class: "columns" }, html("section", {}, slots[1]),
      titled(text.curve, line(t.element), slots[2]),
      titled(text.bars, line(power.element), ...noise.parts)), live);
  advice.textContent = text.welcome;
  build();
  const react = (name) => (name === "sentence" ? build : draw);
  const changes = TRAITS.map((name) => [`change:${name}`, react(name)]);
  for (const [event, call] of changes) model.on(event, call);
  return () => {
    for (const [event, call] of changes) model.off(event, call);
  };
}

export default { render };
