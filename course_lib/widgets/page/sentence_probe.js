import { arrowKeys, button, fill, foldable, glide, html, mark, named, ownKeys, percent, renew, svg } from "./kit.js";
import { arrowHead, fit, listbox, pair, point, shift, star, starred } from "./map.js";
import { keptModels, pageReader } from "./probe.js";

// One sentence's word among examples of known sense. The sentence as it is and without
// each single word travel with it; what a reader types, and two words dropped at once, is
// read by Python or, where there is none, by the page itself (probe.js) with the models
// that the book keeps: `asked` goes to either, `answer` comes back.
const MS_MOVE = 450, STRONGEST = 6;

const keyOf = (dropped) => [...dropped].sort((a, b) => a - b).join(",");
const plain = (sentence) => sentence.join("");
const signed = (value) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
/** With several places of the word, each has a number. */
const numbered = (word, place, { length }) =>
  (length > 1 ? `${word}${"¹²³⁴⁵⁶⁷⁸⁹"[place] ?? ""}` : word);

/** The examples, and over them a star for each place of the word, with its way. */
function map(data, { variants, targets }, choose) {
  const { text, word } = data, all = Object.values(variants).flat().map(({ points }) => points);
  const place = fit([...data.frames, ...all]);
  const links = svg("path", { class: "links" }), ring = svg("circle", { class: "ring", r: 10 });
  const stars = targets.map((_, n) => {
    const number = svg("text", { x: 10, y: -6 }, numbered("", n, targets));
    const here = svg("g", {}, star()), label = svg("g", { class: "number" }, number);
    return { path: svg("path", { class: "path" }), head: arrowHead(), here, label,
      ghost: svg("circle", { class: "ghost", r: 6 }) };
  });
  const items = data.examples.map((sentence, i) => {
    const label = `${data.senses[data.sense[i]]}: ${plain(sentence)}`;
    return { label, title: plain(sentence), parts: [mark(data.sense[i])] };
  });
  const label = fill(text.map, { word, n: items.length });
  const over = stars.flatMap(({ path, ghost, head, label, here }) => [path, ghost, head, label, here]);
  const box = listbox(label, items, choose, { under: [links], over: [ring, ...over] });
  box.points.forEach((one) => one.classList.add("examples"));

  /** Draw the stars at share `t` of their ways from `was` to `now`. */
  function draw(layer, chosen, was, now, t, focus) {
    const at = (i) => place(data.frames[layer][i]);
    box.draw(chosen, at);
    ring.setAttribute("transform", shift(at(chosen)));
    stars.forEach(({ path, ghost, head, here, label }, n) => {
      const [start, end] = [was, now].map((one) => place(one[n].points[layer]));
      const spot = [0, 1].map((d) => (1 - t) * start[d] + t * end[d]);
      here.setAttribute("transform", `${shift(spot)} scale(${n === focus ? 1.5 : 1.1})`);
      label.setAttribute("transform", shift(spot));
      ghost.setAttribute("transform", shift(start));
      ghost.setAttribute("visibility", was === now ? "hidden" : "visible");
      path.setAttribute("d", `M${pair(start)}L${pair(spot)}`);
      point(head, start, spot, 13);
      if (n !== focus) return;
      const tied = now[n].ties[layer] > now[n].near[layer].length;
      links.setAttribute("d", (tied ? [] : now[n].near[layer])
        .map((i) => `M${pair(spot)}L${pair(at(i))}`).join(""));
    });
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

/** The words that pull most, the strongest first. */
function strongest({ words, variants, targets }, { text, tongue }) {
  const heading = html("p", { class: "heading" }, text.strongest);
  const bars = html("div", { class: "bars pulls", lang: tongue });
  function draw(layer, focus) {
    const pulls = words.map((word, i) => [word, variants[i]?.[focus].moved[layer][0], i])
      .filter(([, pull, i]) => pull !== undefined && !targets.includes(i))
      .sort((a, b) => b[1] - a[1]).slice(0, STRONGEST);
    bars.replaceChildren(...pulls.flatMap(([word, pull]) => {
      const bar = html("span", { style: `width: ${(100 * pull) / (pulls[0][1] || 1)}%` });
      return [html("span", {}, word),
        html("span", { class: "track", "aria-hidden": "true" }, bar),
        html("span", { class: "value" }, pull.toFixed(3))];
    }));
  }
  return { element: html("div", {}, heading, bars), draw };
}

/** The nearest examples, in full dimension. */
function neighbours({ text, examples, sense, senses, tongue }) {
  const title = html("span"), rows = html("tbody");
  const line = (name, contents) =>
    html("tr", {}, ...contents.map((content) => html(name, {}, content)));
  const head = html("thead", {}, line("th", [text.cosine, text.sense, text.example]));
  const quote = (i) => {
    const [before, target, after] = examples[i];
    return html("span", { lang: tongue }, before, html("mark", {}, target), after);
  };
  const name = (i) => named(sense[i], senses[sense[i]]);
  function draw(layer, now) {
    title.textContent = fill(text.near, { layer });
    table.setAttribute("aria-label", title.textContent);
    const tied = now.ties[layer] > now.near[layer].length;
    rows.replaceChildren(...(tied
      ? [html("tr", {}, html("td", { colspan: 3 }, fill(text.tied, { layer, n: now.ties[layer] })))]
      : now.near[layer].map((i, row) =>
        line("td", [now.cosines[layer][row].toFixed(3), name(i), quote(i)]))));
  }
  const table = html("table", {}, head, rows);
  return { element: html("div", { class: "near" }, foldable(title, table)), draw, quote, name };
}

/** The words of the sentence: a toolbar of chips, one stop for Tab, then arrow keys. */
function chips({ words, targets, variants }, { text, word, tongue }, toggle, look) {
  const buttons = words.map((one, i) => {
    const place = targets.indexOf(i), name = numbered(one, place, targets);
    if (place >= 0 && targets.length === 1) return html("mark", { class: "target" }, one);
    if (place >= 0) {
      return html("button", { type: "button", class: "target", onclick: () => look(place) }, name);
    }
    const bar = html("i", { "aria-hidden": "true" }, html("span"));
    return html("button", {
      type: "button", class: "chip", onclick: () => toggle(i),
      onkeydown: ({ key }) => { if (key === "Delete" || key === "Backspace") toggle(i); },
    }, html("span", {}, one), bar);
  });
  const stops = buttons.filter(({ tagName }) => tagName === "BUTTON");
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

  function draw(layer, dropped, place) {
    const pull = (i) => variants[i]?.[place].moved[layer][0]; // not measured yet: undefined
    const longest = Math.max(...words.map((_, i) => (targets.includes(i) ? 0 : pull(i) ?? 0)), 0);
    words.forEach((one, i) => {
      if (targets.includes(i)) {
        if (targets.length > 1) buttons[i].setAttribute("aria-pressed", targets[place] === i);
        return;
      }
      const values = { word: one, target: word, pull: pull(i)?.toFixed(3) ?? "…" };
      buttons[i].setAttribute("aria-label", fill(text.chip, values));
      buttons[i].setAttribute("title", fill(text.chip, values));
      buttons[i].setAttribute("aria-pressed", dropped.includes(i));
      const share = longest ? (100 * (pull(i) ?? 0)) / longest : 0;
      buttons[i].querySelector("i > span").style.width = `${share}%`;
    });
    key.textContent = fill(text.chip_key, { word, layer, longest: longest.toFixed(2) });
  }
  return { element: html("div", {}, element, key), draw };
}

/** All that one sentence shows. */
function view(data, sentence, toggle, choose, look) {
  const { text, word } = data, { targets } = sentence;
  const picture = map(data, sentence, choose), bars = senseBars(data);
  const near = neighbours(data), words = chips(sentence, data, toggle, look);
  const pulls = strongest(sentence, data);
  const said = html("output", { class: "said" }), share = html("p", { class: "small" });
  const chosenLine = html("p", { class: "small chosen" }), worth = html("p", { class: "small" });
  const legend = data.senses.map((name, kind) => named(kind, name));
  const circle = svg("circle", { class: "ghost", r: 5 });
  const hollow = svg("svg", { viewBox: "-8 -8 16 16", "aria-hidden": "true" }, circle);
  const before = html("span", { class: "named" }, hollow, text.ghost);
  legend.unshift(starred(fill(text.you, { word })), before);
  const body = html("div", { class: "columns" },
    html("div", {}, html("div", { class: "legend" }, ...legend),
      picture.element, chosenLine, share),
    html("div", {}, said, worth, bars.element, pulls.element, near.element));

  /** What the nearest examples say of one place, and how far the word went. */
  function verdict(layer, dropped, was, now, n) {
    const kind = now.said[layer], senses = now.senses[layer];
    const others = senses.map((_, k) => k).filter((k) => k !== kind);
    const other = others.reduce((top, k) => (senses[k] > senses[top] ? k : top));
    const [pull, forward, backward] = now.moved[layer].map((value) => value.toFixed(3));
    const quoted = dropped.map((i) => fill(text.quote, { word: sentence.words[i] }));
    const values = {
      word: numbered(word, n, targets), layer, pull, forward, backward,
      drop: quoted.join(text.list), now: data.senses[kind], other: data.senses[other],
      was: data.senses[was.said[layer]], votes: now.votes[layer][kind],
      voters: now.votes[layer].reduce((a, b) => a + b, 0),
      difference: signed(senses[kind] - senses[other]),
    };
    const parts = [dropped.length ? text.without : text.whole];
    parts.push(layer === 0 ? text.no_vote : text.vote);
    if (dropped.length && layer > 0 && values.was !== values.now) parts.push(text.before);
    return parts.map((part) => fill(part, values)).join(text.gap);
  }
  function draw({ layer, dropped, chosen, was, now, t, focus }) {
    picture.draw(layer, chosen, was, now, t, focus);
    bars.draw(layer, was[focus], now[focus]);
    near.draw(layer, now[focus]);
    pulls.draw(layer, focus);
    words.draw(layer, dropped, focus);
    const first = sentence.variants[""];
    said.replaceChildren(...targets.map((_, n) =>
      html("p", {}, verdict(layer, dropped, first[n], now[n], n))));
    const shares = { worth: percent(data.worth[layer] ?? 0), majority: percent(data.majority) };
    worth.textContent = layer === 0 ? "" :
      fill(text.worth, { layer, n: data.examples.length, word, ...shares });
    chosenLine.replaceChildren(text.chosen, " ", near.name(chosen), " ", near.quote(chosen));
    share.textContent = fill(text.share,
      { share: percent(data.share), dimension: data.dimension });
  }
  const heard = () => [...said.children].map((one) => one.textContent).join(" ");
  return { element: html("div", {}, words.element, body), heard, draw };
}

/** The line for the reader's own sentence, and the words that it may hold. */
function asking(model, { text, word, tongue, words }, ask) {
  const note = html("p", { class: "note", role: "status" });
  const bar = html("progress", { max: 1, value: 0, hidden: "", "aria-label": text.loading });
  // While Chinese is composed, Enter only chooses characters.
  const enter = (event) => { if (event.key === "Enter" && !event.isComposing) send(); };
  const label = fill(text.own, { word });
  const box = html("input", { type: "text", maxlength: 10000, "aria-label": label, lang: tongue, onkeydown: enter });
  const send = () => ask({ text: box.value });
  const read = button(text.ask, send);
  const choice = html("select", { "aria-label": text.word, onchange: () => ask({ word: choice.value }) },
    ...words.map(([name, lang]) => html("option", { value: name, lang }, name)));
  choice.value = word;
  const parts = [box, read, choice];
  const open = (yes) => parts.forEach((part) => { part.disabled = !yes; });
  function say(said, problem = false, fix = "") {
    note.replaceChildren(said);
    note.classList.toggle("problem", problem);
    if (!fix) return;
    note.append(" ", button(fill(text.fix, { fix }), () => { box.value = fix; send(); }));
  }
  open(model.get("kernel"));
  if (!model.get("kernel")) say(text.no_kernel);
  const some = words.length > 1 ? [html("label", {}, text.word, " ", choice)] : [];
  return {
    line: html("div", { class: "own" }, html("span", {}, label), box, read, ...some, bar, note),
    say, open, choose: (name) => { choice.value = name; },
    progress: (share) => { bar.value = share; bar.toggleAttribute("hidden", share >= 1); },
  };
}

function render({ model, el }) {
  const data = model.get("data"), { text, language, tongue, sentences } = data;
  const maps = new Map([[data.word, data]]); // of each word that has been asked for
  let reader = null, focus = 0; // which place of the word
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
  const mapOf = ({ word }) => ({ ...data, ...maps.get(word) });
  const word = () => all()[at()].word;
  const able = () => model.get("kernel") || reader;
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
    own.say(model.get("kernel") ? text.asked : text.reading);
    number = (model.get("asked").number ?? 0) + 1; // counted by all views together
    const asked = { word: word(), ...question, number };
    put({ asked });
    if (!model.get("kernel")) answerInPage(asked);
  }
  /** Without Python: the same answers, first of the whole sentence, then of its words. */
  async function answerInPage(asked) {
    const hear = (said) => {
      if (asked.number !== number) return; // another question came meanwhile
      const { sentence, map } = model.get("answer");
      model.set("answer", { sentence, map, ...said, number });
    };
    const failed = (error) => { hear({ problem: text.not_loaded }); console.warn(error); };
    await reader(asked, hear).catch(failed);
  }
  /** What Python said last, to this view or to another one. */
  function remember() {
    const asked = model.get("asked"), { variant, number } = model.get("answer");
    if (variant && asked.number === number) more.set(nameOf(asked, asked.dropped), variant);
  }
  function answered() {
    const { problem, fix, variant, sentence, map } = model.get("answer"), goal = waiting;
    if (map) maps.set(sentence.word, map);
    if (model.get("answer").number !== number) return follow(); // not to this question
    remember();
    own.say(problem ?? "", Boolean(problem), fix);
    if (!problem && sentence && !variant && isShown(sentence)) return build(); // more of it
    waiting = null;
    if (problem) return; // what is shown stays
    if (variant && goal) move(goal);
    else if (sentence && !variant) visit(sentences.length);
  }
  const isShown = ({ words }) => at() === sentences.length && words.join(" ") === reading;
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
      if (!able()) return own.say(text.no_kernel_drop);
      const { words, targets } = all()[at()];
      waiting = dropped;
      return ask({ words, targets, dropped });
    }
    was = gone();
    waiting = null;
    if (able()) own.say("");
    put({ dropped, ...then });
    stop();
    stop = glide(0, 1, MS_MOVE, draw);
    live.textContent = shown.heard();
  }
  function toggle(i) {
    const dropped = waiting ?? gone();
    move(dropped.includes(i) ? dropped.filter((other) => other !== i) : [...dropped, i]);
  }
  function choose(i) {
    chosen = i;
    draw();
    const { senses, sense, examples } = mapOf(all()[at()]);
    live.textContent = `${senses[sense[i]]}: ${plain(examples[i])}`;
  }
  function look(place) {
    focus = place;
    draw();
    live.textContent = shown.heard();
  }
  function visit(sentence, layer = model.get("layer")) {
    stop();
    was = [];
    waiting = null;
    chosen = focus = 0;
    put({ dropped: [], sentence, layer }); // other views see one after the other
    build();
    advice.textContent = fill(text.welcome, { word: word() });
    live.textContent = shown.heard();
  }
  const tours = data.tours.map(({ label, say, sentence, dropped, layer }) => button(label, () => {
    visit(sentence, layer);
    move(dropped);
    advice.textContent = say;
  }));
  const layers = data.frames.map((_, layer) => button(String(layer), () => {
    put({ layer });
    draw();
    live.textContent = shown.heard();
  }));
  const sort = { class: "tabs", role: "group", "aria-label": text.sentences, lang: tongue };
  const tabs = html("div", sort);
  const reset = button(text.reset, () => {
    visit(started[0], started[2]);
    if (able()) own.say("");
  });

  function build() {
    const sentence = all()[at()];
    shown = view(mapOf(sentence), sentence, toggle, choose, look);
    own.choose(sentence.word);
    reading = sentence.words.join(" ");
    renew(slot, shown.element);
    tabs.replaceChildren(...all().map((one, i) => {
      const name = one.words.join(mapOf(one).tongue === "zh" ? "" : " ");
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
    shown.draw({ layer, dropped, chosen, was: find(was) ?? now, now, t, focus });
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
  const { sentence, map: typed } = model.get("answer");
  if (typed) maps.set(sentence.word, typed);
  remember();
  build();
  advice.textContent = fill(text.welcome, { word: word() });
  if (!model.get("kernel")) {
    keptModels(data).then((kept) => {
      if (!kept) return;
      reader = pageReader(kept, data, own.progress);
      own.open(true);
      own.say(text.in_page);
    });
  }
  model.on("change:answer", answered);
  for (const name of traits) model.on(`change:${name}`, follow);
  return () => {
    stop();
    model.off("change:answer", answered);
    for (const name of traits) model.off(`change:${name}`, follow);
  };
}

export default { render };
