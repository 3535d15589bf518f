import { button, fill, foldable, html, mark, named, ownKeys, percent, renew, still, svg } from "./kit.js";
import { arrowHead, fit, listbox, pair, player, point, position, shift } from "./map.js";

// A word's sentences as points that move from layer to layer, a word of each language
// side by side. Positions between two layers are interpolated; scores and neighbours are
// shown only as they were measured.
const MS_PER_LAYER = 1500, VIEWS = ["pca", "axes"];

const plain = (sentence) => sentence.join("");

/** Where one sense's mean stops being the nearest: between each two neighbours. */
function bordersOf({ axes: { anchors, exact } }, place) {
  if (!exact) return "";
  if (anchors.length === 2) return `M${pair(place([0, 2]))}L${pair(place([0, -2]))}`;
  return anchors.map(([x, y]) => `M${pair(place([0, 0]))}L${pair(place([-2 * x, -2 * y]))}`).join("");
}

/** The points; over them the chosen one's trail, arrow and lines to its neighbours. */
function map(word, text, view, choose, peek) {
  const frames = view === "axes" ? word.axes.frames : word.frames, place = fit(frames);
  const at = (layer, i) => place(position(frames, layer, i));
  const names = word.senses.map((name) => svg("text", { class: "cluster" }, name));
  const borders = svg("path", { class: "borders", d: view === "axes" ? bordersOf(word, place) : "" });
  const links = svg("path", { class: "links" });
  const trail = svg("path", { class: "trail" });
  const origin = svg("circle", { class: "origin", r: 3.5 });
  const arrow = arrowHead();
  const ring = svg("circle", { class: "ring" });
  const piles = svg("g", { class: "piles" });
  const points = word.sentences.map((sentence, i) => {
    const label = `${word.senses[word.sense[i]]}: ${plain(sentence)}`;
    return { label, title: plain(sentence), parts: [mark(word.sense[i])] };
  });
  const label = fill(text.map, { word: word.word, n: points.length });
  const box = listbox(label, points, choose,
    { under: [borders, links, trail, origin], over: [...names, piles, ring, arrow] });
  box.points.forEach((one, i) => {
    const ways = { pointerenter: i, pointerleave: null, focus: i, blur: null };
    for (const [event, which] of Object.entries(ways)) one.addEventListener(event, () => peek(which));
  });

  function draw(layer, chosen) {
    box.draw(chosen, (i) => at(layer, i));
    drawPath(layer, chosen);
    // Equal vectors lie on one spot: say how many, for only one of them can be seen.
    const equal = Number.isInteger(layer) ? word.piles[layer] : [];
    piles.replaceChildren(...equal.map((pile) =>
      svg("g", { transform: shift(at(layer, pile[0])) },
        svg("circle", { r: 15 }), svg("text", { dy: "0.35em" }, `×${pile.length}`))));
    ring.setAttribute("transform", shift(at(layer, chosen)));
    ring.setAttribute("r", equal.some((pile) => pile.includes(chosen)) ? 19 : 11);
    nameClusters(layer);
  }
  /** Write each sense's name where its points are, unless another sense lies there, too. */
  function nameClusters(layer) {
    const middles = word.senses.map((_, kind) => {
      const own = word.sense.flatMap((k, i) => (k === kind ? [at(layer, i)] : []));
      return [0, 1].map((d) => own.reduce((sum, xy) => sum + xy[d], 0) / own.length);
    });
    const near = ([x, y], [u, v]) => Math.abs(x - u) < 90 && Math.abs(y - v) < 20;
    names.forEach((name, kind) => {
      const close = middles.some((other, k) => k !== kind && near(middles[kind], other));
      name.setAttribute("transform", shift(middles[kind]));
      name.setAttribute("visibility", close ? "hidden" : "visible");
    });
  }
  function drawPath(layer, chosen) {
    const here = at(layer, chosen);
    const past = word.frames.map((_, l) => l).filter((l) => l < layer);
    const stops = [...past.map((l) => at(l, chosen)), here];
    trail.setAttribute("d", "M" + stops.map(pair).join("L"));
    origin.setAttribute("transform", shift(stops[0]));
    point(arrow, stops.at(-2) ?? here, here, 11);
    const near = word.neighbours[Math.round(layer)][chosen];
    const lines = near.map(([i]) => `M${pair(here)}L${pair(at(layer, i))}`);
    links.setAttribute("d", lines.join(""));
  }
  return { element: box.element, draw };
}

/** One row a layer. Bar: nearest neighbour; diamond: nearest centroid; line: majority. */
function gauge(word, text) {
  const row = Math.min(30, 180 / word.frames.length), left = 62, wide = 236, top = 22;
  const bottom = top + row * word.frames.length;
  const x = (share) => left + wide * share;
  const block = (share, y, kind) =>
    svg("rect", { x: left, y, width: wide * share, height: row * 0.7, class: kind });
  const bars = word.scores.map(({ nearest, centroid, low, high }, layer) => {
    const y = top + row * (layer + 0.15), middle = y + row * 0.35;
    const line = { y: middle, dy: "0.35em" };
    const there = `translate(${x(centroid)},${middle})`;
    return svg("g", {}, block(1, y, "track"), block(nearest, y, "bar"),
      svg("text", { ...line, x: left - 8, class: "end" }, fill(text.at, { layer })),
      svg("path", { d: `M${x(low)},${middle}H${x(high)}`, class: "interval" }),
      svg("path", { d: "M0,-5L5,0L0,5L-5,0Z", class: "centroid", transform: there }),
      svg("text", { ...line, x: x(1) + 12 }, percent(nearest)));
  });
  const majority = x(word.majority);
  const said = html("output");
  const box = { viewBox: `0 0 352 ${bottom + 4}`, role: "img", "aria-label": word.alt };
  const picture = svg("svg", box, ...bars,
    svg("path", { d: `M${majority},${top - 4}V${bottom}`, class: "majority" }),
    svg("text", { x: majority, y: 12, class: "middle" },
      fill(text.majority, { majority: percent(word.majority) })));
  const key = html("p", { class: "small" }, fill(text.gauge_key, { n: word.sense.length }));

  function draw(layer) {
    const near = Math.round(layer), { nearest, centroid } = word.scores[near];
    bars.forEach((bar, l) => bar.setAttribute("class", l === near ? "here" : ""));
    const values = { nearest: percent(nearest), centroid: percent(centroid) };
    said.textContent = fill(text.score, { layer: near, ...values });
  }
  return { element: html("div", { class: "gauge" }, said, picture, key), said, draw };
}

/** The chosen sentence and its neighbours at the nearest measured layer. */
function reader(word, text) {
  const chosenLine = html("p", { class: "chosen" });
  const name = html("span"), rows = html("tbody");
  const line = (name, contents) =>
    html("tr", {}, ...contents.map((content) => html(name, {}, content)));
  const head = line("th", [text.cosine, text.sense, text.sentence]);
  const table = html("table", {}, html("thead", {}, head), rows);
  const sense = (i) => named(word.sense[i], word.senses[word.sense[i]]);
  const quote = (i) => {
    const [before, target, after] = word.sentences[i];
    return html("span", { lang: word.language }, before, html("mark", {}, target), after);
  };

  function draw(layer, chosen) {
    const near = Math.round(layer), ties = word.ties[near][chosen];
    chosenLine.replaceChildren(sense(chosen), quote(chosen));
    const values = { layer: near, dimension: word.dimension };
    name.textContent = fill(text.neighbours, values);
    table.setAttribute("aria-label", name.textContent);
    rows.replaceChildren(...word.neighbours[near][chosen].map(([i, cosine]) =>
      line("td", [cosine.toFixed(3), sense(i), quote(i)])));
    if (!ties) return;
    rows.append(html("tr", {}, html("td", { colspan: 3 }, fill(text.ties, { ties }))));
  }
  return { element: html("div", { class: "reader" }, chosenLine, foldable(name, table)), draw };
}

/** One word: what to see, map, gauge and sentences. */
function panel(word, text, view, choose) {
  const peeked = html("p", { class: "small peek", lang: word.language });
  const peek = (i) => {
    peeked.replaceChildren(...(i === null ? [text.peek] : [
      named(word.sense[i], word.senses[word.sense[i]]), " ", plain(word.sentences[i])]));
    peeked.lang = i === null ? "" : word.language;
  };
  const parts = [map(word, text, view, choose, peek), gauge(word, text), reader(word, text)];
  const [picture, scores, sentences] = parts;
  const legend = word.senses.map((name, kind) => named(kind, name));
  const advice = html("p", { class: "advice", role: "status" },
    fill(text.welcome, { word: word.word }));
  const share = html("p", { class: "small" });
  const body = html("div", { class: "columns" },
    html("div", {}, html("div", { class: "legend" }, ...legend), picture.element, peeked),
    html("div", {}, scores.element, share, sentences.element));
  /** Say how the picture and the score hang together. */
  function explain(layer) {
    const near = Math.round(layer), [left, right] = word.senses;
    const values = { share: percent(word.share), dimension: word.dimension, left, right,
      layer: near, centroid: percent(word.scores[near].centroid) };
    const kinds = word.senses.length === 2 ? "axes_two" : "axes_three";
    const said = view === "pca" ? "share" : word.axes.exact ? kinds : "axes_more";
    share.textContent = fill(text[said], values);
  }
  peek(null);
  return {
    element: html("section", { "aria-label": word.word }, advice, body), advice,
    score: () => scores.said.textContent,
    draw: (layer, chosen) => {
      parts.forEach((part) => part.draw(layer, chosen));
      explain(layer);
    },
  };
}

/** Do something when half of an element has come into view; returns a way to forget it.
 *  The reader who moves the slider first is not interrupted. */
function whenSeen(element, act) {
  const watch = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting) return;
    forget();
    act();
  }, { threshold: 0.5 });
  const forget = () => watch.disconnect();
  watch.observe(element);
  element.closest(".course-widget")?.addEventListener("input", forget);
  return forget;
}

function render({ model, el }) {
  const { words, text, language } = model.get("data");
  const traits = ["shown", "layer", "selected", "view"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const slot = html("div", { class: "panels" }), tours = html("div", { class: "tours" });
  const last = words[0].frames.length - 1;
  const settled = () => {
    live.textContent = panels.map(({ score }, p) =>
      (panels.length > 1 ? `${shown()[p].word}: ` : "") + score()).join("; ");
  };
  const where = (layer) => {
    const low = Math.floor(layer), near = Math.round(layer);
    return fill(low === layer ? text.at : text.between, { layer, low, high: low + 1, near });
  };
  const ticks = words[0].frames.map((_, layer) => layer);
  const layers = player(model, "layer", last, text,
    { ticks, pace: MS_PER_LAYER, where, settled });
  let panels = [];

  const shown = () => model.get("shown").map((w) => words[w]);
  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const changed = (name, place, value) =>
    ({ [name]: model.get(name).map((old, i) => (i === place ? value : old)) });
  function choose(w, i) {
    put(changed("selected", w, i));
    live.textContent = `${words[w].senses[words[w].sense[i]]}: ${plain(words[w].sentences[i])}`;
  }
  /** Take the place of the word of the same language. */
  function show(w) {
    const same = (v) => words[v].language === words[w].language;
    put({ ...changed("shown", model.get("shown").findIndex(same), w),
      ...changed("selected", w, words[w].example) });
  }
  /** Of the layers that read the sentence, the best one for the words shown together. */
  function best() {
    const sum = (layer) => shown().reduce((all, { scores }) => all + scores[layer].nearest, 0);
    return ticks.slice(1).reduce((top, layer) => (sum(layer) > sum(top) ? layer : top));
  }
  function tour(number) {
    const stops = shown().map((word) => word.tours[best() - 1][number]);
    const label = stops.every((stop) => stop.label === stops[0].label) ? stops[0].label : text.hard;
    return button(label, () => {
      const selected = model.get("selected").slice();
      model.get("shown").forEach((w, p) => { selected[w] = stops[p].selected; });
      put({ selected });
      panels.forEach(({ advice }, p) => { advice.textContent = stops[p].say; });
      layers.move(stops[0].layer, 700);
    });
  }
  function reset() {
    layers.halt();
    put(Object.fromEntries(traits.map((name, i) => [name, started[i]])));
    build();
  }
  const tabs = words.map((word, w) =>
    button(word.word, () => show(w), { lang: word.language }));

  const views = VIEWS.map((view) => button(text[view], () => put({ view })));

  function build() {
    layers.halt();
    const view = model.get("view");
    panels = model.get("shown").map((w) => panel(words[w], text, view, (i) => choose(w, i)));
    views.forEach((one, n) => one.setAttribute("aria-pressed", VIEWS[n] === view));
    renew(slot, ...panels.map(({ element }) => element));
    tours.replaceChildren(html("span", {}, text.try), ...[0, 1, 2].map(tour));
    tabs.forEach((tab, w) => tab.setAttribute("aria-pressed", model.get("shown").includes(w)));
    draw();
  }
  function draw() {
    const layer = Math.min(Math.max(model.get("layer"), 0), last);
    layers.draw(layer);
    panels.forEach((one, p) => one.draw(layer, model.get("selected")[model.get("shown")[p]]));
  }

  el.classList.add("course-widget", "map-widget", "sense-map");
  el.lang = language;
  ownKeys(el);
  const group = { class: "tabs", role: "group", "aria-label": text.word };
  if (tabs.length > started[0].length) el.append(html("div", group, ...tabs));
  const ways = html("div", { class: "views", role: "group", "aria-label": text.view }, ...views);
  const controls = [...layers.parts, button(text.reset, reset), ways, layers.where];
  el.append(html("div", { class: "controls" }, ...controls), tours, slot, live);
  build();
  const changes = { "change:shown": build, "change:view": build, "change:layer": draw, "change:selected": draw };
  for (const [event, react] of Object.entries(changes)) model.on(event, react);
  // The first map: with its tables the whole may be higher than two screens.
  const picture = slot.querySelector(".map");
  const once = model.get("opening") && !still() ? whenSeen(picture, layers.play) : () => {};
  return () => {
    once();
    layers.halt();
    for (const [event, react] of Object.entries(changes)) model.off(event, react);
  };
}

export default { render };
