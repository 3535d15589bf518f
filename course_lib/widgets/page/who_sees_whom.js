import { arrowKeys, button, chance, count, fill, html, ownKeys, svg } from "./kit.js";

// Squares of vectors by words: a filled cell says that the vector has read the word. It
// follows from how the stacks are built, so the page computes it. The models' guesses
// travel with the widget.
const CELL = 22, LABELS = 84;
const TRAITS = ["sentence", "slot", "way"];

/** Has the vector at i read the word at j? The answer is not there if it is masked. */
function reads(side, i, j, answer) {
  if (side === "left") return j <= i;
  if (side === "right") return j >= i;
  return side === "open" || j !== answer;
}

/** Which squares a way has, and which vector of each predicts (left end: 0). */
const SQUARES = {
  left: (slot) => [["left", "left", slot]],
  halves: (slot) => [["left", "forward", slot], ["right", "backward", slot + 2]],
  open: (slot) => [["open", "one", slot]],
  masked: (slot) => [["masked", "one", slot + 1]],
};
const GUESSES = {
  left: ["forward"], halves: ["forward", "backward", "product"], open: [], masked: ["masked"],
};

/** One square, as a picture with its facts in words. */
function square([side, title, row], words, answer, text) {
  const size = words.length, height = LABELS + CELL * size + 4;
  const width = height + 20; // the last word leans out to the right
  const read = words.filter((_, j) => reads(side, row, j, answer) && j !== row);
  const values = { title: text[title], size, row: words[row],
    read: read.join(text.list) || text.nothing };
  if (reads(side, row, row, answer)) values.read = words.filter((_, j) =>
    reads(side, row, j, answer)).join(text.list);
  const at = (n) => LABELS + CELL * n;
  const cells = words.flatMap((_, i) => words.map((_, j) => {
    const seen = reads(side, i, j, answer), leak = seen && i === row && j === answer;
    const kind = `cell${seen ? " seen" : ""}${i === row ? " used" : ""}${leak ? " leak" : ""}`;
    return svg("rect", { class: kind, x: at(j) + 1, y: at(i) + 1, width: CELL - 2, height: CELL - 2 });
  }));
  const across = words.map((word, j) => svg("text", {
    class: j === answer ? "answer" : "", transform: `translate(${at(j) + 15},${LABELS - 6}) rotate(-60)`,
  }, word));
  const down = words.map((word, i) => svg("text", {
    class: `end${i === row ? " answer" : ""}`, x: LABELS - 6, y: at(i) + 15,
  }, word));
  const frame = svg("rect", { class: "frame", x: at(0), y: at(row), width: CELL * size, height: CELL });
  const middle = CELL / 2;
  const cross = svg("path", { class: "cross",
    d: `M${at(answer) + middle - 5},${at(row) + middle - 5}l10,10m0,-10l-10,10` });
  const picture = svg("svg", { class: "square", role: "img", viewBox: `0 0 ${width} ${height}`,
    "aria-label": fill(text.grid, values), style: `max-width: ${width}px` },
  ...cells, ...across, ...down, frame, cross);
  return html("figure", {}, html("figcaption", {}, text[title]), picture);
}

/** What one model says in the gap. */
function ranking(kind, found, word, text, tongue) {
  const name = html("p", { class: "name" }, text[`by_${kind}`]);
  if (!found) return html("div", { class: "ranking" }, name, html("p", { class: "small" }, text.absent));
  const widest = found.words[0][1];
  const rows = found.words.map(([guess, p]) => {
    const bar = html("span", { style: `width: ${(100 * p) / widest}%` });
    return html("li", { class: guess === word ? "guess own" : "guess" },
      html("span", { class: "word", lang: tongue }, guess),
      html("span", { class: "track", "aria-hidden": "true" }, bar),
      html("span", { class: "p" }, chance(p)));
  });
  const { p, rank } = found, label = p === null ? "p_none" : rank === null ? "p_only" : "p";
  const values = { word, p: p === null ? "" : chance(p), rank: rank === null ? "" : count(rank) };
  return html("div", { class: "ranking" }, name, html("ol", {}, ...rows),
    html("p", { class: "small" }, fill(text[label], values)));
}

/** The words of a sentence, one of which is chosen: a click or the arrow keys. */
function line({ words, language }, text, choose) {
  const options = words.map((word, i) =>
    html("span", { role: "option", lang: language, onclick: () => choose(i) }, word));
  const element = html("div", { class: "line", role: "listbox", "aria-label": text.slot,
    "aria-orientation": "horizontal" }, ...options);
  element.addEventListener("keydown", (event) =>
    arrowKeys(event, options.indexOf(event.target), options.length, (i) => {
      choose(i);
      options[i].focus();
    }));
  const draw = (slot, masked) => options.forEach((option, i) => {
    option.setAttribute("tabindex", i === slot ? 0 : -1);
    option.setAttribute("aria-selected", i === slot);
    option.classList.toggle("hidden", masked && i === slot);
  });
  return { element, draw };
}

function render({ model, el }) {
  const data = model.get("data"), { sentences, text, language, ways, bounds } = data;
  const started = TRAITS.map((name) => model.get(name));
  const live = html("p", { class: "unseen", role: "status" }); // heard, not seen
  const advice = html("p", { class: "advice", role: "status" }, text.welcome);
  const said = html("output", { class: "said" });
  const heading = html("p", { class: "name" });
  const squares = html("div", { class: "squares" });
  const rankings = html("div", { class: "rankings" }), words = html("div");
  let strip = null, shown = null;

  const put = (values) => {
    for (const [name, value] of Object.entries(values)) model.set(name, value);
    model.save_changes();
  };
  const choose = (slot) => {
    put({ slot });
    live.textContent = said.textContent;
  };
  const plain = (own) => own.words.join(own.language === "zh" ? "" : " ");
  const tabs = sentences.map((own, i) => button(plain(own), () =>
    put({ sentence: i, slot: own.first }), { lang: own.language }));
  const kinds = ways.map((way) => button(text[way], () => {
    put({ way });
    live.textContent = said.textContent;
  }));
  const tours = data.tours.map(({ label, say, way }) => button(label, () => {
    put({ way });
    advice.textContent = say;
  }));
  const reset = button(text.reset, () => {
    put(Object.fromEntries(TRAITS.map((name, i) => [name, started[i]])));
    advice.textContent = text.welcome;
  });
  const key = (kind, label) => html("span", {}, html("i", { class: kind }), label);

  function draw() {
    const own = sentences[model.get("sentence")], way = model.get("way");
    const slot = Math.min(model.get("slot"), own.words.length - 1), word = own.words[slot];
    if (shown !== own) {
      shown = own;
      strip = line(own, text, choose);
      words.replaceChildren(strip.element);
    }
    strip.draw(slot, way === "masked");
    tabs.forEach((tab, i) => tab.setAttribute("aria-pressed", sentences[i] === own));
    kinds.forEach((kind, i) => kind.setAttribute("aria-pressed", ways[i] === way));
    const all = [bounds[0], ...own.words, bounds[1]], answer = slot + 1;
    if (way === "masked") all[answer] = "[MASK]";
    const parts = SQUARES[way](slot);
    squares.replaceChildren(...parts.map((part) => square(part, all, answer, text)));
    squares.lang = own.language;
    const others = own.words.length - 1;
    said.textContent = fill(text[`${way}_say`],
      { word, others, before: slot, after: others - slot, row: all[parts[0][2]] });
    heading.textContent = fill(text.guesses, { word });
    const lists = GUESSES[way].map((kind) =>
      ranking(kind, own.guesses[kind]?.[slot], word, text, own.language));
    if (!lists.length) lists.push(html("p", { class: "small" }, text.copy));
    rankings.replaceChildren(...lists);
  }

  el.classList.add("course-widget", "who-sees-whom");
  el.lang = language;
  ownKeys(el);
  const group = (label, ...parts) =>
    html("div", { class: "tabs", role: "group", "aria-label": label }, html("span", {}, label), ...parts);
  el.append(advice, group(text.try, ...tours, reset), group(text.sentence, ...tabs),
    group(text.way, ...kinds), html("p", { class: "name" }, text.slot), words, said,
    html("div", { class: "both" },
      html("div", {}, squares, html("p", { class: "small key" }, key("seen", text.key_seen),
        key("used", text.key_used), key("crossed", text.key_answer),
        html("span", {}, `↓ ${text.rows} → ${text.columns}`))),
      html("div", {}, heading, rankings)),
    html("p", { class: "small" }, text.notes), live);
  draw();
  for (const name of TRAITS) model.on(`change:${name}`, draw);
  return () => TRAITS.forEach((name) => model.off(`change:${name}`, draw));
}

export default { render };
