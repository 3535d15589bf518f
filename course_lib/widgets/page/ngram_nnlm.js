import { arrowKeys, button, chance, count, fill, html, ownKeys } from "./kit.js";

// Three rankings of the next word. All contexts but the reader's own travel with the
// widget; only to that one Python must answer: `typed` goes there, `answer` comes back.
const MODELS = ["ml", "kn", "network"];

const join = (words) => words.join(" "); // Chinese too: a window counts words

/** The three rankings of one context and order, ready to be drawn. */
function rankings(context, order, { text, vocabulary }) {
  const { ml, kn, seen, back } = context.orders[order];
  const parts = { ml, kn, network: context.network };
  const first = MODELS.flatMap((name) => parts[name].top.map((i) => parts[name].p[i]));
  const values = {
    seen: count(seen), vocabulary: count(vocabulary),
    back: join(context.words.slice(-back)),
  };
  const shorter = back ? text.kn_back : text.kn_none;
  const how = {
    ml: seen ? text.ml_how : text.ml_zero, kn: seen ? text.kn_how : shorter,
    network: text.network_how,
  };
  return MODELS.map((name) => ({
    name, part: parts[name], widest: Math.max(...first), how: fill(how[name], values),
    // After a context that was never seen every word has 0: show it for the network's.
    rows: (parts[name].top.length ? parts[name] : parts.network).top,
  }));
}

/** One ranking as a list of words with bars; below it all rarer words together. */
function panel({ name, part, widest, how, rows }, shown, { text, tongue }, choose) {
  const line = (i, attributes, word, ...bar) => {
    const value = html("span", { class: "p" }, chance(part.p[i]));
    return html("div", attributes, html("span", { class: "word" }, word), ...bar, value);
  };
  const options = rows.map((i) => {
    const bar = html("span", { style: `width: ${(100 * part.p[i]) / widest}%` });
    const track = html("span", { class: "track", "aria-hidden": "true" }, bar);
    const pressed = { class: "guess", role: "option", onclick: () => choose(i) };
    return line(i, pressed, html("span", { lang: tongue }, shown[i]), track);
  });
  const label = { role: "listbox", "aria-label": `${text[name]}: ${how}` };
  const list = html("div", label, ...options);
  list.addEventListener("keydown", (event) =>
    arrowKeys(event, options.indexOf(event.target), rows.length, (row) => {
      choose(rows[row]);
      options[row].focus();
    }));

  function mark(chosen) {
    const at = Math.max(rows.indexOf(chosen), 0); // one stop for Tab, then arrow keys
    options.forEach((option, row) => {
      option.setAttribute("tabindex", row === at ? 0 : -1);
      option.setAttribute("aria-selected", rows[row] === chosen);
    });
  }
  const element = html("div", { class: `ranking ${name}` },
    html("p", { class: "name" }, text[name]), html("p", { class: "small how" }, how),
    list, line(0, { class: "guess rare small" }, text.rare));
  return { element, mark };
}

/** The context's words; lines under them show who looks at which. */
function strip({ words, known }, order, { text, reads, tongue, vocabulary }) {
  const m = order - 1;
  const chips = words.map((word, i) => {
    const back = words.length - i; // 1 for the nearest word
    const inner = html("span", { class: back <= m ? "counted" : "" }, word);
    const chip = html("span", { class: back <= reads ? "token read" : "token" }, inner);
    const why = fill(text.unknown, { vocabulary: count(vocabulary) });
    if (!known[i]) chip.append(html("small", { title: why }, " <unk>"));
    return chip;
  });
  const values = {
    context: join(words), h: join(words.slice(-m)), read: join(words.slice(-reads)),
  };
  const line = { class: "line", role: "img", "aria-label": fill(text.strip, values) };
  const key = (name, label) => html("span", {}, html("i", { class: name }), label);
  return html("div", { class: "strip" },
    html("div", { ...line, lang: tongue }, ...chips, html("span", { class: "token" }, "?")),
    html("p", { class: "small key" }, key("counted", fill(text.counts_see, { m })),
      key("read", fill(text.network_sees, { reads }))));
}

/** The contexts that were seen and lie one word away. */
function lenders(near, { text, tongue }) {
  const items = near.map(({ words, place, seen, cosine }) => {
    const before = join([...words.slice(0, place), ""]);
    const after = join(["", ...words.slice(place + 1)]);
    const parts = [before, html("mark", {}, words[place]), after];
    const rest = fill(text.near_one, { seen: count(seen), cosine: cosine.toFixed(2) });
    return html("li", {}, html("span", { lang: tongue }, ...parts), rest);
  });
  const none = html("li", {}, text.near_none);
  const list = html("ul", {}, ...(items.length ? items : [none]));
  return html("div", { class: "near small" }, html("p", {}, text.near), list);
}

/** Strip, rankings and lenders of one context and order. */
function view(context, order, data, choose) {
  const { text } = data, parts = rankings(context, order, data);
  const panels = parts.map((part) => panel(part, context.shown, data, choose));
  const said = html("output", { class: "marked" });
  const first = ({ rows: [i], part }) =>
    (part.p[i] ? `“${context.shown[i]}” ${chance(part.p[i])}` : "0");
  function mark(word) {
    const i = Math.max(context.shown.indexOf(word), 0), values = { word: context.shown[i] };
    panels.forEach((one) => one.mark(i));
    for (const { name, part } of parts) {
      values[name] = chance(part.p[i]);
      values[`${name}_rank`] = count(part.rank[i]);
    }
    said.textContent = fill(text.marked, values);
  }
  const element = html("div", {}, strip(context, order, data),
    html("div", { class: "rankings" }, ...panels.map((one) => one.element)),
    said, lenders(context.orders[order].near, data));
  const answers = parts.map((part) => `${text[part.name]}: ${first(part)}`);
  return { element, mark, said, summary: [parts[0].how, ...answers].join("; ") };
}

/** The line for the reader's own words. Without a kernel nobody could answer. */
function asking(model, text, tongue, show, live) {
  const kernel = model.get("kernel"), note = html("span", { class: "small" });
  // No form: JupyterLab never sends its submit event. While Chinese is composed, Enter
  // only chooses characters.
  const enter = (event) => { if (event.key === "Enter" && !event.isComposing) send(); };
  const named = { "aria-label": text.own, lang: tongue, onkeydown: enter };
  const box = html("input", { type: "text", size: 34, maxlength: 10000, ...named });
  const ask = button(text.ask, () => send());
  box.disabled = ask.disabled = !kernel;
  if (!kernel) note.textContent = text.no_kernel;
  function send() {
    const typed = box.value.trim();
    if (!typed) return;
    if (typed === model.get("answer").typed) return show();
    note.textContent = live.textContent = text.asked;
    model.set("typed", typed);
    model.save_changes();
  }
  const answered = () => { note.textContent = ""; show(); };
  const line = html("div", { class: "own" }, html("span", {}, text.own), box, ask, note);
  return { line, answered };
}

function render({ model, el }) {
  const data = model.get("data"), { contexts, text, orders, tongue } = data;
  const traits = ["context", "order", "word"];
  const started = traits.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" });
  const slot = html("div");
  let shown;

  /** The contexts that there are: those of the lesson and, once asked, the reader's. */
  const all = () => [...contexts, model.get("answer")].filter((one) => one.words);
  const number = () => Math.min(model.get("context"), all().length - 1);

  function go(context, order, word, say = text.welcome) {
    const there = all()[context];
    const values = { context, order, word: word ?? there.shown[there.network.top[0]] };
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
    draw();
    live.textContent = shown.summary;
    advice.textContent = say; // about what is shown now, never about what was
  }
  function choose(i) {
    model.set("word", all()[number()].shown[i]);
    model.save_changes();
    live.textContent = shown.said.textContent;
  }
  const visit = (i) => go(i, model.get("order"));
  const own = asking(model, text, tongue, () => visit(contexts.length), live);
  const tabs = [...contexts, null].map((_, i) => button("", () => visit(i), { lang: tongue }));
  const steps = orders.map((n) => {
    const seen = html("small");
    const step = button("", () => go(number(), n, model.get("word")));
    step.append(`n = ${n}`, seen);
    return { n, step, seen };
  });

  function draw() {
    const context = all()[number()], order = model.get("order");
    tabs.forEach((tab, i) => {
      const one = all()[i], mine = i === contexts.length;
      tab.hidden = !one;
      if (one) tab.textContent = `${mine ? "✎ " : ""}${join(one.words)} …`;
      tab.setAttribute("aria-pressed", i === number());
    });
    for (const { n, step, seen } of steps) {
      const times = context.orders[n].seen;
      seen.textContent = fill(times ? text.seen : text.unseen, { seen: count(times) });
      step.setAttribute("aria-pressed", n === order);
    }
    shown = view(context, order, data, choose);
    slot.replaceChildren(shown.element);
    mark();
  }
  const mark = () => shown.mark(model.get("word"));
  const opening = data.tours.find((tour) =>
    traits.every((name, i) => tour[name] === started[i]));
  const story = `${text.welcome} ${opening?.say ?? ""}`;
  const tours = data.tours.map(({ label, say, context, order, word }) =>
    button(label, () => go(context, order, word, say)));
  const reset = button(text.reset, () => go(...started, story));
  const values = { tokens: count(data.tokens), vocabulary: count(data.vocabulary) };
  const group = (name, label, ...parts) =>
    html("div", { class: name, role: "group", "aria-label": label }, ...parts);

  el.classList.add("course-widget", "ngram-nnlm");
  el.lang = data.language;
  ownKeys(el);
  const buttons = steps.map(({ step }) => step);
  const counts = group("orders", text.order, html("span", {}, text.order), ...buttons);
  el.append(group("tabs", text.context, ...tabs), own.line,
    html("div", { class: "controls" }, counts, reset),
    html("div", { class: "tours" }, html("span", {}, text.try), ...tours), advice, slot,
    html("p", { class: "small" }, fill(text.note, values)), live);
  advice.textContent = story;
  draw();
  const changes = {
    "change:context": draw, "change:order": draw, "change:word": mark,
    "change:answer": own.answered,
  };
  for (const [event, react] of Object.entries(changes)) model.on(event, react);
  return () => {
    for (const [event, react] of Object.entries(changes)) model.off(event, react);
  };
}

export default { render };
