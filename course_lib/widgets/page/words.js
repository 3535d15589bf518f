// Text into words, as text/tokenise.py cuts it: English by the same pattern, Chinese as
// jieba's exact mode does, with jieba's own dictionary and its model of unknown words.
const NO_WIDTH = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]|\p{Cs}/gu;
const STRAIGHT = { "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'" };
const TITLES = "Mr Mrs Ms Dr Prof Rev Gen Col Capt Lt Sgt Sen Gov Rep Hon St Jr Sr Mt";
const SHORT = "vs Inc Ltd Corp Co Bros etc Jan Feb Aug Sept Oct Nov Dec";
const ABBREVIATIONS = `${TITLES} ${SHORT}`.split(" ").sort().join("|");
// Python's \w, \d and \s, which know more letters, digits and spaces than JavaScript's.
const L = "\\p{L}\\p{N}", SPACE = "\\t-\\r\\x1c-\\x20\\x85\\p{Z}", END = `(?![${L}])`;
const ACCENT = "[\u0300-\u036f]";
const CLITIC = new RegExp(
  `(?<=[${L}_])(?:n't|'(?:s|m|d|re|ll|ve))${END}|(?<=can)(?<![${L}]can)not${END}`, "giu");
const TOKEN_EN = new RegExp([
  `[Nn]'[Tt]${END}|'(?:[SsMmDd]|[Rr][Ee]|[Ll][Ll]|[Vv][Ee])${END}`, // n't, 's, 're
  "(?:[A-Za-z]\\.){2,}", // U.S., e.g.
  `[A-HJ-Z]\\.(?=[${SPACE}]+[A-Z])`, // an initial: J. Smith
  `(?:${ABBREVIATIONS})\\.`, // Mr., Inc.
  `\\p{Nd}+(?:[.,:]\\p{Nd}+)+${END}`, // 1,000.5 and 10:30
  `[${L}]+(?:(?:${ACCENT}+[-'&]?|[-'&])[${L}]+)*${ACCENT}*`, // well-known, AT&T
  `\\.{2,}|-{2,}|_+|[^${L}_${SPACE}]`, // ..., --, one mark at a time
].join("|"), "gu");

const composed = (text) => text.replace(NO_WIDTH, "").normalize("NFC");

/** Does a text hold a Chinese character? */
export const isChinese = (text) => /[\u4e00-\u9fff]/.test(text);

/** Cut English text into Penn-style tokens. */
export function wordsEn(text) {
  const straight = composed(text).replace(/[“”„‘’]/g, (quote) => STRAIGHT[quote])
    .replaceAll("``", '"').replaceAll("''", '"');
  return straight.replace(CLITIC, " $&").match(TOKEN_EN) ?? [];
}

/** Read jieba's dictionary, as `dictionary` of in_page.py writes it. */
export function lexicon({ total, words, start, moves, emissions }) {
  const frequency = new Map();
  let longest = 1;
  for (const line of words.split("\n")) {
    const [often, ...alike] = line.split(" ");
    for (const word of alike) {
      frequency.set(word, +often);
      longest = Math.max(longest, word.length);
    }
  }
  const chances = emissions.map(([characters, values]) =>
    new Map([...characters].map((character, i) => [character, -values[i] / 1e5])));
  return { frequency, longest, total: Math.log(total), start, moves, chances };
}

/** Cut Chinese text into words; white space is dropped. */
export function wordsZh(text, known) {
  const blocks = composed(text).split(/([\u4e00-\u9fd5a-zA-Z0-9+#&._%-]+)/u);
  const cut = (block, i) => (i % 2 ? likeliest(block, known) : [...block]);
  return blocks.flatMap(cut).filter((word) => !/^[\t-\r\x1c-\x20\x85\p{Z}]+$/u.test(word));
}

/** The most probable way to cut a block into words of the dictionary; what it leaves as
 *  single characters in a row is given to `unknown`. */
function likeliest(block, known) {
  const { frequency, longest, total } = known, best = [];
  best[block.length] = { sum: 0 };
  for (let i = block.length - 1; i >= 0; i--) {
    for (let end = i + 1; end <= Math.min(i + longest, block.length); end++) {
      const often = frequency.get(block.slice(i, end));
      if (!often && end > i + 1) continue;
      const sum = Math.log(often || 1) - total + best[end].sum;
      if (!best[i] || sum >= best[i].sum) best[i] = { sum, end };
    }
  }
  const found = [];
  let single = "";
  const flush = () => {
    if (single.length === 1 || frequency.get(single)) found.push(...single);
    else if (single) found.push(...unknown(single, known));
    single = "";
  };
  for (let i = 0; i < block.length; i = best[i].end) {
    const word = block.slice(i, best[i].end);
    if (word.length === 1) single += word;
    else { flush(); found.push(word); }
  }
  flush();
  return found;
}

const BEGIN = 0, MIDDLE = 1, WORD_END = 2, SINGLE = 3; // of a character in its word
const BEFORE = [[WORD_END, SINGLE], [MIDDLE, BEGIN], [BEGIN, MIDDLE], [SINGLE, WORD_END]];
const NEVER = -3.14e100;

/** Cut characters that the dictionary does not join: Chinese by jieba's hidden Markov
 *  model (Viterbi's algorithm), letters and digits as they stand. */
function unknown(text, { start, moves, chances }) {
  return text.split(/([\u4e00-\u9fd5]+)/).flatMap((block, i) => {
    if (i % 2 === 0) return block.split(/([a-zA-Z0-9]+(?:\.\d+)?%?)/).filter(Boolean);
    const chance = (state, character) => chances[state].get(character) ?? NEVER;
    let rows = BEFORE.map((_, state) =>
      ({ sum: start[state] + chance(state, block[0]), path: [state] }));
    for (const character of block.slice(1)) {
      rows = BEFORE.map((before, state) => {
        const sums = before.map((last) =>
          rows[last].sum + moves[last][state] + chance(state, character));
        const last = before[sums[1] > sums[0] ? 1 : 0];
        return { sum: Math.max(...sums), path: [...rows[last].path, state] };
      });
    }
    const { path } = rows[SINGLE].sum >= rows[WORD_END].sum ? rows[SINGLE] : rows[WORD_END];
    const found = [];
    path.forEach((state, at) => {
      if (state === BEGIN || state === SINGLE || !found.length) found.push("");
      found[found.length - 1] += block[at];
    });
    return found;
  });
}
