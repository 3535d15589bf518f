import { button, fill, foldable, glide, html, mark, named, ownKeys, renew, svg } from "./kit.js";
import { fit, listbox, position, shift, star, starred, WIDTH } from "./map.js";

// The sentences of a word, placed by their contexts, and the one star that they share.
// Two maps side by side, one a language; `pull` lets all sentences fall on their star.
const MS_PULL = 900;
const UNKNOWN = "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0"; // a sentence of hidden sense

const plain = (sentence) => sentence.join("");

/** The sentences as points, and the star. */
function map(word, text, choose, read) {
  const count = word.sense.length;
  const frames = [word.points, word.points.map(() => word.star)];
  const place = fit([[...word.points, word.star]]);
  const ring = svg("circle", { class: "ring", r: 11 });
  const [x, y] = place(word.star), beside = x < WIDTH - 60 ? x + 41 : x - 41;
  const big = svg("g", { transform: `${shift([x, y])} scale(1.7)` }, star());
  const pile = svg("g", { class: "piles", transform: shift([beside, y]) },
    svg("circle", { r: 20 }), svg("text", { dy: "0.35em" }, `×${count}`));
  const items = word.sentences.map((sentence, i) => {
    const known = svg("g", { class: "known" }, mark(word.sense[i]));
    const unknown = svg("path", { class: "unknown", d: UNKNOWN });
    return { label: "", title: plain(sentence), parts: [known, unknown] };
  });
  const label = fill(text.map, { word: word.word, n: count });
  const box = listbox(label, items, choose, { over: [big, ring, pile] });
  box.points.forEach((point, i) => point.addEventListener("pointerenter", () => read(i)));

  function draw({ chosen, senses, pull }) {
    const at = (i) => place(position(frames, pull, i));
    box.draw(chosen, at);
    ring.setAttribute("transform", shift(at(chosen)));
    ring.setAttribute("r", 11 + 7 * pull);
    pile.setAttribute("visibility", pull === 1 ? "visible" : "hidden");
    box.points.forEach((point, i) =>
      point.setAttribute("aria-label", spoken(word, i, senses)));
  }
  return { element: box.element, draw };
}

/** A sentence as a screen reader says it, with its sense unless that is hidden. */
const spoken = (word, i, senses) =>
  (senses ? `${word.senses[word.sense[i]]}: ` : "") + plain(word.sentences[i]);

/** The sentence in question. */
function reader(word, text) {
  const element = html("p", { class: "chosen" });
  function draw({ chosen, senses }) {
    const [before, target, after] = word.sentences[chosen], kind = word.sense[chosen];
    const words = [before, html("mark", {}, target), after];
    const sentence = html("span", { lang: word.language }, ...words);
    element.replaceChildren(...(senses ? [named(kind, word.senses[kind])] : []), sentence);
  }
  return { element, draw };
}

/** The words nearest to the star, and which sense each is closest to. */
function neighbours(word, text) {
  const line = (name, contents) =>
    html("tr", {}, ...contents.map((content) => html(name, {}, content)));
  const columns = [text.neighbour, text.cosine, text.closest, text.lead];
  const rows = html("tbody");
  const head = html("thead", {}, line("th", columns));
  const table = html("table", { "aria-label": text.neighbours }, head, rows);
  const tally = html("p", { class: "small" });
  function draw({ senses }) {
    rows.replaceChildren(...word.neighbours.map(({ word: name, cosine, sense, lead }) => {
      const own = senses ? [named(sense, word.senses[sense]), `+${lead.toFixed(2)}`] : ["", ""];
      return line("td", [html("span", { lang: word.language }, name), cosine.toFixed(2), ...own]);
    }));
    tally.textContent = senses ? fill(text.tally, { tally: word.tally }) : text.hidden;
  }
  return { element: html("div", { class: "near" },
    foldable(text.neighbours, table, tally)), draw };
}

/** One word: map, facts, the chosen sentence, the star's neighbours. */
function panel(word, text, choose, read) {
  const parts = [map(word, text, choose, read), reader(word, text), neighbours(word, text)];
  const [picture, sentence, near] = parts.map((part) => part.element);
  const values = { ...word.values, dimension: word.dimension };
  values.share = `${Math.round(100 * word.share)}%`;
  const advice = html("p", { class: "advice", role: "status" }, fill(text.welcome, values));
  const legend = html("div", { class: "legend" }, starred(fill(text.star, values)),
    ...word.senses.map((name, kind) => {
      const one = named(kind, name);
      one.classList.add("known");
      return one;
    }));
  const note = (label, kind) => html("p", { class: kind }, fill(text[label], values));
  const element = html("section", { "aria-label": word.word },
    advice, legend, picture, sentence, note("fact", "fact"), note("context", ""), near,
    note("share", "small"));
  return { element, advice, draw: (state) => parts.forEach((part) => part.draw(state)) };
}

function render({ model, el }) {
  const { words, text, language } = model.get("data");
  const traits = ["shown", "selected", "senses", "pull"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const slot = html("div", { class: "panels" });
  let panels = [], stop = () => {};

  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const changed = (name, place, value) =>
    ({ [name]: model.get(name).map((old, i) => (i === place ? value : old)) });
  const select = (w, i) => put(changed("selected", w, i));
  function pullTo(goal) {
    stop();
    stop = glide(model.get("pull"), goal, MS_PULL, (value) => model.set("pull", value),
      () => model.save_changes());
  }
  function show(w) {
    const same = (v) => words[v].language === words[w].language;
    put(changed("shown", model.get("shown").findIndex(same), w));
  }
  function tour(number, values, goal) {
    put(values);
    pullTo(goal);
    panels.forEach(({ advice }, p) => {
      advice.textContent = words[model.get("shown")[p]].say[number];
    });
  }
  const second = () => {
    const selected = model.get("selected").slice();
    for (const w of model.get("shown")) selected[w] = words[w].other;
    return selected;
  };
  const tours = [
    button(text.one_star, () => tour(0, { senses: true }, 1)),
    button(text.lost, () => tour(1, { senses: true, selected: second() }, 0)),
    button(text.blind, () => tour(2, { senses: false }, 0)),
  ];
  const tabs = words.map((word, w) =>
    button(word.word, () => show(w), { lang: word.language }));
  const senses = button(text.senses, () => put({ senses: !model.get("senses") }));
  const fall = button("", () => pullTo(model.get("pull") < 0.5 ? 1 : 0));
  const reset = button(text.reset, () => {
    stop();
    put(Object.fromEntries(traits.map((name, i) => [name, started[i]])));
    build();
  });

  function build() {
    panels = model.get("shown").map((w) => panel(words[w], text,
      (i) => {
        select(w, i);
        live.textContent = spoken(words[w], i, model.get("senses"));
      },
      (i) => select(w, i)));
    renew(slot, ...panels.map(({ element }) => element));
    tabs.forEach((tab, w) => tab.setAttribute("aria-pressed", model.get("shown").includes(w)));
    draw();
  }
  function draw() {
    const state = { senses: model.get("senses"), pull: model.get("pull") };
    panels.forEach((one, p) =>
      one.draw({ ...state, chosen: model.get("selected")[model.get("shown")[p]] }));
    el.classList.toggle("blind", !state.senses);
    senses.setAttribute("aria-pressed", state.senses);
    fall.textContent = state.pull < 0.5 ? text.pull : text.push;
  }

  el.classList.add("course-widget", "map-widget", "one-vector");
  el.lang = language;
  ownKeys(el);
  const group = { class: "tabs", role: "group", "aria-label": text.word };
  el.append(html("div", group, html("span", {}, text.word), ...tabs),
    html("div", { class: "controls" }, senses, fall, reset),
    html("div", { class: "tours" }, html("span", {}, text.try), ...tours), slot, live);
  build();
  const changes = { "change:shown": build };
  for (const name of traits.slice(1)) changes[`change:${name}`] = draw;
  for (const [event, react] of Object.entries(changes)) model.on(event, react);
  return () => {
    stop();
    for (const [event, react] of Object.entries(changes)) model.off(event, react);
  };
}

export default { render };
