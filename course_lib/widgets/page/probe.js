import { fill } from "./kit.js";
import { fromHalves, readSentence } from "./bilm.js";
import { loadModel, modelsFolder, once, piece } from "./pieces.js";
import { isChinese, lexicon, wordsEn, wordsZh } from "./words.js";

// What probe.py does, in a page without a kernel: the book keeps the models and the
// vectors of the marked sentences; the page reads the sentence and measures it.
const LIMIT = 30, VOTERS = 5, BREATH = 40; // the last in milliseconds

function dot(a, b) { // a loop: `reduce` takes five times as long
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
const length = (a) => Math.sqrt(dot(a, a));
const unit = (a) => { const long = length(a) || 1; return a.map((value) => value / long); };
const round = (value) => Math.round(1000 * value) / 1000;

/** What the book keeps for a widget, or null: there is no book, or it has other models or
 *  other sentences of the word. */
export async function keptModels({ word, mark, models }) {
  const folder = modelsFolder();
  if (folder === null) return null;
  const index = await once(`${folder}index`, () => piece(folder, "index")).catch(() => null);
  const same = index?.words[word]?.mark === mark &&
    Object.entries(models).every(([name, one]) => index.models[name] === one);
  return same ? { ...index, folder } : null;
}

/** The marked sentences of a word, with their vectors: (L+1, N, D). */
const loadWord = ({ folder, words }, word) =>
  once(`${folder}word ${word}`, async () => {
    const found = await piece(folder, words[word].file), { shape } = found;
    const [L, N, D] = shape, values = fromHalves(found.vectors);
    const grid = (data, rows, width) =>
      Array.from({ length: rows }, (_, i) => data.subarray(i * width, (i + 1) * width));
    const layers = grid(values, L, N * D).map((layer) => grid(layer, N, D));
    const axes = grid(fromHalves(found.plane.axes), 2, D);
    const centres = grid(fromHalves(found.plane.centres), L, D);
    const directions = layers.map((rows) => rows.map((row) => unit(row)));
    return { ...found, directions, plane: { ...found.plane, axes, centres } };
  });

/** The map of a word as the widget draws it, in the language of its labels. */
const mapOf = (word, language) => ({ ...word.map, senses: word.names[language] });

/** Count the votes of the nearest examples, of `order` the first. */
function vote(word, cosines, order) {
  const sums = word.names.en.map(() => 0);
  for (const i of order) sums[word.map.sense[i]] += 1 + (1 + cosines[i]) / 1000;
  return sums;
}

/** The direction of each sense's mean, without the example `own`. */
function centroids({ map, names, directions }, layer, own) {
  return names.en.map((_, kind) => {
    const sum = new Float64Array(directions[layer][0].length);
    directions[layer].forEach((row, i) => {
      if (map.sense[i] !== kind || i === own) return;
      for (let d = 0; d < row.length; d++) sum[d] += row[d];
    });
    return unit(sum);
  });
}

/** How far a vector moved: 1 - cosine of the whole, its forward and its backward half. */
function moved(vector, whole) {
  const half = vector.length / 2;
  return [[0, 2 * half], [0, half], [half, 2 * half]].map(([from, to]) => {
    const [a, b] = [vector.subarray(from, to), whole.subarray(from, to)];
    return round(Math.abs(1 - dot(a, b) / Math.max(length(a) * length(b), 1e-12)));
  });
}

/** Measure one vector of each layer against the examples and the whole sentence. */
function measure(word, vectors, whole, own, means) {
  const found = { points: [], near: [], cosines: [], ties: [], senses: [], votes: [], said: [], moved: [] };
  vectors.forEach((vector, layer) => {
    const { norms, centres, axes, reach } = word.plane, direction = unit(vector);
    const centred = vector.map((value, d) => value / norms[layer] - centres[layer][d]);
    const cosines = word.directions[layer].map((row, i) =>
      (i === own ? -Infinity : dot(direction, row)));
    const order = cosines.map((_, i) => i).sort((a, b) => cosines[b] - cosines[a] || a - b);
    const near = order.slice(0, VOTERS), top = cosines[near[0]];
    const votes = vote(word, cosines, near.slice(0, cosines.length - 1));
    const values = {
      points: axes.map((axis) => round(dot(centred, axis) / reach)), near,
      cosines: near.map((i) => round(cosines[i])),
      ties: cosines.filter((value) => top - value < 1e-6).length,
      senses: means[layer].map((mean) => round(dot(direction, mean))),
      votes: votes.map(Math.floor), said: votes.indexOf(Math.max(...votes)),
      moved: moved(vector, whole[layer]),
    };
    for (const [name, value] of Object.entries(values)) found[name].push(value);
  });
  return found;
}

/** Find an annotated word in a sentence, and all places where it stands. */
function find({ words }, tokens, prefer) {
  for (const word of new Set([prefer, ...Object.keys(words)])) {
    const forms = words[word]?.forms ?? [];
    const at = tokens.flatMap((token, i) => (forms.includes(token.toLowerCase()) ? [i] : []));
    if (at.length) return [word, at];
  }
  return [prefer, []];
}

/** Say why no annotated word is in a sentence. */
function explain({ words }, text, tokens, prefer, labels) {
  const names = Object.keys(words), cut = tokens.join(" / ");
  for (const hidden of new Set([prefer, ...names])) {
    const inside = tokens.find((token) => token.includes(hidden));
    if (!inside || !(hidden === prefer || isChinese(hidden))) continue;
    const apart = ` ${inside.split(hidden).join(` ${hidden} `).trim()} `;
    const problem = fill(isChinese(hidden) ? labels.joined : labels.glued,
      { word: hidden, inside, cut });
    return { problem, fix: text.replace(inside, apart).trim() };
  }
  return { problem: fill(labels.missing, { word: prefer, cut, words: names.join(labels.list) }) };
}

/** Answers what the widget asks, as Python would: `hear` gets every answer, and of a
 *  sentence first the whole and then what each word does; `progress` the share loaded. */
export function pageReader(kept, { language, text: labels }, progress) {
  const known = () => once(`${kept.folder}jieba`, async () =>
    lexicon(await piece(kept.folder, "jieba")));
  const chineseText = (text) => isChinese(text) && kept.models.zh;
  const cut = async (text) => (chineseText(text) ? wordsZh(text, await known()) : wordsEn(text));

  async function describe(name, words, targets, drops, hear) {
    const tongue = kept.words[name].tongue, word = await loadWord(kept, name);
    const model = await loadModel(kept.folder, kept.models[tongue], progress);
    const layers = word.shape[0], map = mapOf(word, language);
    const own = word.tokens.findIndex((tokens) => tokens.join("\t") === words.join("\t"));
    const means = Array.from({ length: layers }, (_, layer) => centroids(word, layer, own));
    const at = (read, i, gone) =>
      Array.from({ length: layers }, (_, layer) => read.vector(layer, i, gone));
    const without = (read, whole, gone) => targets.map((i, n) =>
      measure(word, at(read, i, gone), whole[n], own, means));
    if (drops) { // several words at once: another sentence
      const kept = words.map((_, i) => i).filter((i) => !drops.includes(i));
      const there = targets.map((i) => kept.indexOf(i));
      const read = await readSentence(model, words, { targets });
      const rest = await readSentence(model, kept.map((i) => words[i]), { targets: there });
      return hear({ variant: targets.map((i) =>
        measure(word, at(rest, kept.indexOf(i), null), at(read, i, null), own, means)) });
    }
    let rested = performance.now();
    const breathe = async () => {
      if (performance.now() - rested < BREATH) return;
      await new Promise((go) => setTimeout(go));
      rested = performance.now();
    };
    const first = await readSentence(model, words, { targets });
    const whole = targets.map((i) => at(first, i, null));
    const variants = { "": without(first, whole, null) };
    const sentence = { word: name, words, targets, variants };
    hear({ sentence: { ...sentence }, map });
    await breathe();
    const read = await readSentence(model, words, { drops: true, breathe });
    const all = { ...variants };
    for (let gone = 0; gone < words.length; gone++) {
      if (!targets.includes(gone)) all[gone] = without(read, whole, gone);
      await breathe();
    }
    return hear({ sentence: { ...sentence, variants: all }, map });
  }

  return async function reply(asked, hear) {
    if ("dropped" in asked) {
      return describe(asked.word, asked.words, asked.targets, asked.dropped, hear);
    }
    if (!("text" in asked)) {
      const { words, targets } = (await loadWord(kept, asked.word)).opening;
      return describe(asked.word, words, targets, null, hear);
    }
    const words = await cut(asked.text), [name, at] = find(kept, words, asked.word);
    const values = { word: asked.word, n: words.length, limit: LIMIT };
    if (!words.length) return hear({ problem: fill(labels.empty, values) });
    if (words.length > LIMIT) return hear({ problem: fill(labels.long, values) });
    if (!at.length) return hear(explain(kept, asked.text, words, asked.word, labels));
    return describe(name, words, at, null, hear);
  };
}
