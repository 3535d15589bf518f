import { arrowKeys, button, fill, glide, html, mark, named, ownKeys, percent, svg } from "./kit.js";
import { arrowHead, fit, listbox, pair, point, shift, star, starred } from "./map.js";

// One sentence's word among examples of known sense. The sentence as it is and without
// each single word travel with it; only what a reader types, and two words dropped at
// once, need Python: `asked` goes there, `answer` comes back.
const MS_MOVE = 450;

const keyOf = (dropped) => [...dropped].sort((a, b) => a - b).join(",");
const plain = (sentence) => sentence.join("");
const indexOfMost = (values) => values.indexOf(Math.max(...values));

/** The examples, and over them the star with its way from where it was. */
function map(data, variants, choose) {
  const { text, word } = data, all = Object.values(variants).map(({ points }) => points);
  const place = fit([...data.frames, ...all]);
  const links = svg("path", { class: "links" }), path = svg("path", { class: "path" });
  const ghost = svg("circle", { class: "ghost", r: 6 }), head = arrowHead();
  const here = svg("g", {}, star()), ring = svg("circle", { class: "ring", r: 10 });
  const items = data.examples.map((sentence, i) => {
    const label = `${data.senses[data.sense[i]]}: ${plain(sentence)}`;
    return { label, title: plain(sentence), parts: [mark(data.sense[i])] };
  });
  const label = fill(text.map, { word, n: items.length });
  const box = listbox(label, items, choose,
    { under: [links], over: [ring, path, ghost, head, here] });
  box.points.forEach((one) => one.classList.add("examples"));

  /** Draw the star at share `t` of its way from variant `was` to variant `now`. */
  function draw(layer, chosen, was, now, t) {
    const at = (i) => place(data.frames[layer][i]);
    const [start, end] = [was, now].map(({ points }) => place(points[layer]));
    const spot = [0, 1].map((d) => (1 - t) * start[d] + t * end[d]);
    box.draw(chosen, at);
    ring.setAttribute("transform", shift(at(chosen)));
    here.setAttribute("transform", `${shift(spot)} scale(1.5)`);
    ghost.setAttribute("transform", shift(start));
    ghost.setAttribute("visibility", was === now ? "hidden" : "visible");
    path.setAttribute("d", `M${pair(start)}L${pair(spot)}`);
    point(head, start, spot, 13);
    const near = now.ties[layer] > now.near[layer].length ? [] : now.near[layer];
    links.setAttribute("d", near.map((i) => `M${pair(spot)}L${pair(at(i))}`).join(""));
  }
  return { element: box.element, draw };
}

/** How near each sense's mean is, with a mark where it was before. */
function senseBars({ senses, text }) {
  const bars = html("div", { class: "bars" });
  function draw(layer, was, now) {
    bars.replaceChildren(...senses.flatMap((name, kind) => {
      const [old, value] = [was, now].map((one) => one.senses[layer][kind]);
      const wide = (share) => `${Math.max(0, 100 * share)}%`;
      const bar = html("span", { style: `width: ${wide(value)}` });
      const tick = html("i", { style: `left: ${wide(old)}` });
      const track = html("span", { class: "track", "aria-hidden": "true" }, bar, tick);
      return [named(kind, name), track, html("span", { class: "value" }, value.toFixed(3))];
    }));
  }
  const heading = html("p", { class: "heading" }, text.to_senses);
  return { element: html("div", {}, heading, bars), draw };
}

/** The nearest examples, in full dimension. */
function neighbours({ text, examples, sense, senses, tongue }) {
  const caption = html("caption"), rows = html("tbody");
  const line = (name, contents) =>
    html("tr", {}, ...contents.map((content) => html(name, {}, content)));
  const head = html("thead", {}, line("th", [text.cosine, text.sense, text.example]));
  const quote = (i) => {
    const [before, target, after] = examples[i];
    return html("span", { lang: tongue }, before, html("mark", {}, target), after);
  };
  const name = (i) => named(sense[i], senses[sense[i]]);
  function draw(layer, now) {
    caption.textContent = fill(text.near, { layer });
    const tied = now.ties[layer] > now.near[layer].length;
    rows.replaceChildren(...(tied
      ? [html("tr", {}, html("td", { colspan: 3 }, fill(text.tied, { layer, n: now.ties[layer] })))]
      : now.near[layer].map((i, row) =>
        line("td", [now.cosines[layer][row].toFixed(3), name(i), quote(i)]))));
  }
  const table = html("table", {}, caption, head, rows);
  return { element: html("div", { class: "near" }, table), draw, quote, name };
}

/** The words of the sentence: a toolbar of chips, one stop for Tab, then arrow keys. */
function chips({ words, target, variants }, { text, word, tongue }, toggle) {
  const buttons = words.map((one, i) => {
    if (i === target) return html("mark", { class: "target" }, one);
    const bar = html("i", { "aria-hidden": "true" }, html("span"));
    return html("button", {
      type: "button", class: "chip", onclick: () => toggle(i),
      onkeydown: ({ key }) => { if (key === "Delete" || key === "Backspace") toggle(i); },
    }, html("span", {}, one), bar);
  });
  const stops = buttons.filter((_, i) => i !== target);
  const focus = (row) => {
    stops.forEach((stop, i) => stop.setAttribute("tabindex", i === row ? 0 : -1));
    stops[row]?.focus();
  };
  const label = fill(text.chips, { word });
  const row = { class: "chips", role: "toolbar", "aria-label": label, lang: tongue };
  const element = html("div", row, ...buttons);
  element.addEventListener("keydown", (event) =>
    arrowKeys(event, stops.indexOf(event.target), stops.length, focus));
  stops.forEach((stop, i) => {
    stop.setAttribute("tabindex", i ? -1 : 0);
    stop.addEventListener("focus", () => stops.forEach((other) =>
      other.setAttribute("tabindex", other === stop ? 0 : -1)));
  });
  const key = html("p", { class: "small" });

  function draw(layer, dropped) {
    const pull = (i) => variants[i].moved[layer][0];
    const longest = Math.max(...words.map((_, i) => (i === target ? 0 : pull(i))), 0);
    words.forEach((one, i) => {
      if (i === target) return;
      const values = { word: one, target: word, pull: pull(i).toFixed(3) };
      buttons[i].setAttribute("aria-label", fill(text.chip, values));
      buttons[i].setAttribute("title", fill(text.chip, values));
      buttons[i].setAttribute("aria-pressed", dropped.includes(i));
      const share = longest ? (100 * pull(i)) / longest : 0;
      buttons[i].querySelector("i > span").style.width = `${share}%`;
    });
    key.textContent = fill(text.chip_key, { word, layer, longest: longest.toFixed(2) });
  }
  return { element: html("div", {}, element, key), draw };
}

/** All that one sentence shows. */
function view(data, sentence, toggle, choose) {
  const { text, word } = data;
  const picture = map(data, sentence.variants, choose), bars = senseBars(data);
  const near = neighbours(data), words = chips(sentence, data, toggle);
  const said = html("output", { class: "said" }), share = html("p", { class: "small" });
  const chosenLine = html("p", { class: "small chosen" });
  const legend = data.senses.map((name, kind) => named(kind, name));
  const circle = svg("circle", { class: "ghost", r: 5 });
  const hollow = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, circle);
  const before = html("span", { class: "named" }, hollow, text.ghost);
  legend.unshift(starred(fill(text.you, { word })), before);
  const body = html("div", { class: "columns" },
    html("div", {}, html("div", { class: "legend" }, ...legend),
      picture.element, chosenLine, share),
    html("div", {}, said, bars.element, near.element));

  /** Say where the star is, and if words are missing how far it went. */
  function tell(layer, dropped, now) {
    const first = (one) => data.senses[indexOfMost(one.senses[layer])];
    const [pull, forward, backward] = now.moved[layer].map((value) => value.toFixed(3));
    const cosine = Math.max(...now.senses[layer]).toFixed(3);
    const quoted = dropped.map((i) => fill(text.quote, { word: sentence.words[i] }));
    const values = { word, layer, pull, forward, backward, cosine, now: first(now) };
    values.was = first(sentence.variants[""]);
    values.drop = quoted.join(text.list);
    said.textContent = fill(dropped.length ? text.without : text.whole, values);
  }
  function draw({ layer, dropped, chosen, was, now, t }) {
    picture.draw(layer, chosen, was, now, t);
    bars.draw(layer, was, now);
    near.draw(layer, now);
    words.draw(layer, dropped);
    tell(layer, dropped, now);
    chosenLine.replaceChildren(text.chosen, " ", near.name(chosen), " ", near.quote(chosen));
    share.textContent = fill(text.share, {
      share: percent(data.share), dimension: data.dimension, layer,
      score: percent(data.scores[layer]), majority: percent(data.majority),
    });
  }
  return { element: html("div", {}, words.element, body), said, draw };
}

/** The line for the reader's own sentence. Without a kernel nobody could read it. */
function asking(model, { text, word, tongue }, ask) {
  const note = html("p", { class: "note", role: "status" });
  // While Chinese is composed, Enter only chooses characters.
  const enter = (event) => { if (event.key === "Enter" && !event.isComposing) send(); };
  const label = fill(text.own, { word });
  const box = html("input", { type: "text", "aria-label": label, lang: tongue, onkeydown: enter });
  const send = () => ask({ text: box.value });
  const read = button(text.ask, send);
  box.disabled = read.disabled = !model.get("kernel");
  function say(words, problem = false) {
    note.textContent = words;
    note.classList.toggle("problem", problem);
  }
  if (box.disabled) say(text.no_kernel);
  return { line: html("div", { class: "own" }, html("span", {}, label), box, read, note), say };
}

function render({ model, el }) {
  const data = model.get("data"), { text, word, language, tongue, sentences } = data;
  const traits = ["sentence", "dropped", "layer"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" });
  const slot = html("div"), more = new Map(); // variants that Python was asked for
  let shown, reading, chosen = 0, was = [], stop = () => {}, number = 0, waiting = null;
  let setting = false; // this view itself changes the model

  const within = (value, length) => Math.min(Math.max(value, 0), length - 1);
  const all = () => [...sentences, model.get("answer").sentence].filter(Boolean);
  const at = () => within(model.get("sentence"), all().length);
  const nameOf = ({ words }, dropped) => `${words.join(" ")}:${keyOf(dropped)}`;
  const find = (dropped) => {
    const own = all()[at()];
    return own.variants[keyOf(dropped)] ?? more.get(nameOf(own, dropped));
  };
  // Nothing is missing where nobody has measured what it does.
  const gone = () => (find(model.get("dropped")) ? model.get("dropped") : []);
  const put = (values) => {
    setting = true;
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
    setting = false;
  };
  const own = asking(model, data, ask);

  function ask(question) {
    own.say(text.asked);
    number = (model.get("asked").number ?? 0) + 1; // counted by all views together
    put({ asked: { ...question, number } });
  }
  /** What Python said last, to this view or to another one. */
  function remember() {
    const asked = model.get("asked"), { variant, number } = model.get("answer");
    if (variant && asked.number === number) more.set(nameOf(asked, asked.dropped), variant);
  }
  function answered() {
    const { problem, variant, sentence } = model.get("answer"), goal = waiting;
    if (model.get("answer").number !== number) return follow(); // not to this question
    remember();
    own.say(problem ?? "", Boolean(problem));
    waiting = null;
    if (problem) return; // what is shown stays
    if (variant && goal) move(goal);
    else if (sentence && !variant) visit(sentences.length);
  }
  /** Another view or Python has changed the model. */
  function follow() {
    if (setting) return;
    stop();
    was = [];
    remember();
    if (all()[at()].words.join(" ") === reading) draw();
    else build();
  }
  /** Drop these words; the star goes from where it is to where it is without them. */
  function move(dropped, then = {}) {
    if (!find(dropped)) {
      if (!model.get("kernel")) return own.say(text.no_kernel_drop);
      const { words, target } = all()[at()];
      waiting = dropped;
      return ask({ words, target, dropped });
    }
    was = gone();
    waiting = null;
    if (model.get("kernel")) own.say("");
    put({ dropped, ...then });
    stop();
    stop = glide(0, 1, MS_MOVE, draw);
    live.textContent = shown.said.textContent;
  }
  function toggle(i) {
    const dropped = waiting ?? gone();
    move(dropped.includes(i) ? dropped.filter((other) => other !== i) : [...dropped, i]);
  }
  function choose(i) {
    chosen = i;
    draw();
    live.textContent = `${data.senses[data.sense[i]]}: ${plain(data.examples[i])}`;
  }
  function visit(sentence, layer = model.get("layer")) {
    stop();
    was = [];
    waiting = null;
    put({ dropped: [], sentence, layer }); // other views see one after the other
    build();
    advice.textContent = fill(text.welcome, { word });
    live.textContent = shown.said.textContent;
  }
  const tours = data.tours.map(({ label, say, sentence, dropped, layer }) => button(label, () => {
    visit(sentence, layer);
    move(dropped);
    advice.textContent = say;
  }));
  const layers = data.frames.map((_, layer) => button(String(layer), () => {
    put({ layer });
    draw();
    live.textContent = shown.said.textContent;
  }));
  const sort = { class: "tabs", role: "group", "aria-label": text.sentences, lang: tongue };
  const tabs = html("div", sort);
  const reset = button(text.reset, () => {
    chosen = 0;
    visit(started[0], started[2]);
    if (model.get("kernel")) own.say("");
  });

  function build() {
    shown = view(data, all()[at()], toggle, choose);
    reading = all()[at()].words.join(" ");
    slot.replaceChildren(shown.element);
    tabs.replaceChildren(...all().map(({ words }, i) => {
      const name = words.join(tongue === "zh" ? "" : " ");
      const pressed = { title: name, "aria-pressed": i === at() };
      return button(`${i < sentences.length ? "" : "✎ "}${name}`, () => {
        visit(i);
        tabs.children[i].focus(); // in the place of the one that was pressed
      }, pressed);
    }));
    draw();
  }
  function draw(t = 1) {
    const layer = within(model.get("layer"), layers.length), dropped = gone();
    const now = find(dropped);
    shown.draw({ layer, dropped, chosen, was: find(was) ?? now, now, t });
    layers.forEach((one, i) => one.setAttribute("aria-pressed", i === layer));
  }

  el.classList.add("course-widget", "map-widget", "sentence-probe");
  el.lang = language;
  ownKeys(el);
  const group = { class: "layers", role: "group", "aria-label": text.layer };
  el.append(tabs, own.line,
    html("div", { class: "controls" },
      html("div", group, html("span", {}, text.layer), ...layers), reset),
    html("div", { class: "tours" }, html("span", {}, text.try), ...tours), advice, slot, live);
  remember();
  build();
  advice.textContent = fill(text.welcome, { word });
  model.on("change:answer", answered);
  for (const name of traits) model.on(`change:${name}`, follow);
  return () => {
    stop();
    model.off("change:answer", answered);
    for (const name of traits) model.off(`change:${name}`, follow);
  };
}

export default { render };
