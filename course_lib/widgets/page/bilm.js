// A biLM that runs in the page: words in, the vectors of all layers out, as
// models/bilm.py computes them. Sizes are those of the model's own config.
//
// Plain typed arrays, not onnxruntime-web: that brings 14 MB of WebAssembly, which a page
// opened from file:// may not fetch, to run 15 MB of weights; and each of the sentences
// without one word would be read from its beginning. Here such a sentence goes on from
// where the whole one stood, and sixty lines of arithmetic can be read.

const COLUMNS = 50, BYTES = 48; // as in text/characters.py
const BOS = "<S>", EOS = "</S>", FIRST = 259, LAST = 260, PAD = 261;
const MARKS = new Map([[BOS, 257], [EOS, 258]]);

/** Write the 65,536 numbers of half precision in single precision. */
function halves() {
  const single = new Float32Array(65536);
  for (let bits = 0; bits < 65536; bits++) {
    const exponent = (bits >> 10) & 31, fraction = (bits & 1023) / 1024;
    const size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    single[bits] = bits >> 15 ? -size : size;
  }
  return single;
}

/** Read base64 of numbers in half precision, low byte first. */
export function fromHalves(text, table = halves()) {
  const bytes = atob(text), values = new Float32Array(bytes.length / 2);
  for (let i = 0; i < values.length; i++) {
    values[i] = table[bytes.charCodeAt(2 * i) | (bytes.charCodeAt(2 * i + 1) << 8)];
  }
  return values;
}

/** Name the parts of a model: its tensors stand in `values` one after the other. */
export function modelOf({ config, tensors }, values) {
  const found = {};
  let start = 0;
  for (const [name, shape] of tensors) {
    const size = shape.reduce((a, b) => a * b, 1);
    found[name] = { values: values.subarray(start, start + size), shape };
    start += size;
  }
  const layer = (name) => ({
    weight: found[`${name}.weight`].values, N: found[`${name}.weight`].shape[0],
    K: found[`${name}.weight`].shape[1], bias: found[`${name}.bias`]?.values,
  });
  const lstm = (name) => ({
    fromInput: layer(`${name}.from_input`), fromPast: layer(`${name}.from_past`),
    project: layer(`${name}.project`), clip: config.clip,
  });
  const many = (count, make) => Array.from({ length: count }, (_, i) => make(i));
  const stack = (side) => many(config.layers, (i) => lstm(`${side}_stack.${i}`));
  return {
    config, words: new Map(), // the vectors of words that were spelled before
    embedding: found["token_layer.embedding.weight"].values,
    convolutions: many(config.filters.length, (i) => layer(`token_layer.convolutions.${i}`)),
    highways: many(config.n_highway, (i) => ({
      transform: layer(`token_layer.highways.${i}.transform`),
      gate: layer(`token_layer.highways.${i}.gate`),
    })),
    projection: layer("token_layer.projection"),
    stacks: [stack("forward"), stack("backward")],
  };
}

/** W x + b of M rows x, the next one `stride` numbers after the last: (M, K) to (M, N).
 *  Two rows by four of W at a time, so that a number is loaded less often than used; where
 *  the rows of W run out, the last one is computed again. */
export function linear(x, M, { weight, bias, N, K }, stride = K) {
  const y = new Float32Array(M * N);
  for (let n = 0; n < N; n += 4) {
    const [n1, n2, n3] = [1, 2, 3].map((more) => Math.min(n + more, N - 1));
    const p0 = n * K, p1 = n1 * K, p2 = n2 * K, p3 = n3 * K;
    for (let m = 0; m < M; m += 2) {
      const two = m + 1 < M, q0 = m * stride, q1 = q0 + stride;
      let a0 = 0, a1 = 0, a2 = 0, a3 = 0, b0 = 0, b1 = 0, b2 = 0, b3 = 0;
      for (let k = 0; two && k < K; k++) {
        const a = x[q0 + k], b = x[q1 + k];
        const w0 = weight[p0 + k], w1 = weight[p1 + k];
        const w2 = weight[p2 + k], w3 = weight[p3 + k];
        a0 += w0 * a; a1 += w1 * a; a2 += w2 * a; a3 += w3 * a;
        b0 += w0 * b; b1 += w1 * b; b2 += w2 * b; b3 += w3 * b;
      }
      for (let k = 0; !two && k < K; k++) {
        const a = x[q0 + k];
        a0 += weight[p0 + k] * a; a1 += weight[p1 + k] * a;
        a2 += weight[p2 + k] * a; a3 += weight[p3 + k] * a;
      }
      const to = m * N;
      y[to + n] = a0; y[to + n1] = a1; y[to + n2] = a2; y[to + n3] = a3;
      if (!two) continue;
      const next = to + N;
      y[next + n] = b0; y[next + n1] = b1; y[next + n2] = b2; y[next + n3] = b3;
    }
  }
  if (bias) for (let i = 0; i < y.length; i++) y[i] += bias[i % N];
  return y;
}

/** A word as character ids: its UTF-8 bytes between two marks, and as much padding as
 *  the widest filter needs (models/charcnn.py). */
export function spell(word, widest) {
  const whole = word.replace(/\p{Cs}/gu, ""); // what UTF-8 cannot express
  const bytes = new TextEncoder().encode(whole).subarray(0, BYTES);
  const inside = MARKS.has(word) ? [MARKS.get(word)] : [...bytes].map((byte) => byte + 1);
  const ids = [FIRST, ...inside, LAST];
  while (ids.length < COLUMNS && widest-- > 0) ids.push(PAD);
  return ids;
}

const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const clipped = (value, clip) => Math.min(clip, Math.max(-clip, value));

/** The vectors of words from their characters, (P) each; each word is spelled once. */
function wordVectors(model, words) {
  const fresh = [...new Set(words)].filter((word) => !model.words.has(word));
  const { projection, highways } = model, U = fresh.length, P = projection.N;
  let x = new Float32Array(U * projection.K); // (U, F)
  fresh.forEach((word, u) => x.set(patterns(model, word), u * projection.K));
  for (const { transform, gate } of highways) {
    const t = linear(x, U, transform), g = linear(x, U, gate);
    x = x.map((old, i) => old + sigmoid(g[i]) * (Math.max(0, t[i]) - old));
  }
  const vectors = linear(x, U, projection); // (U, P)
  fresh.forEach((word, u) => model.words.set(word, vectors.slice(u * P, (u + 1) * P)));
  return words.map((word) => model.words.get(word));
}

/** How strongly each filter finds its pattern in a word: (F). */
function patterns({ config, embedding, convolutions, projection }, word) {
  const E = config.char_size, widths = config.filters.map(([width]) => width);
  const ids = spell(word, Math.max(...widths)), x = new Float32Array(ids.length * E);
  ids.forEach((id, c) => x.set(embedding.subarray(id * E, (id + 1) * E), c * E));
  const features = new Float32Array(projection.K);
  let next = 0;
  convolutions.forEach((filters, i) => {
    // A window is a row of width * E numbers that begins E after the one before.
    const windows = ids.length - widths[i] + 1, y = linear(x, windows, filters, E);
    for (let n = 0; n < filters.N; n++) {
      let most = 0; // the strongest match, or 0: a ReLU after the maximum
      for (let w = 0; w < windows; w++) most = Math.max(most, y[w * filters.N + n]);
      features[next++] = most;
    }
  });
  return features;
}

/** One step of an LSTM for M rows, in place: z (M, 4D) from the inputs; h (M, P) and
 *  c (M, D) are what it remembers. */
function step({ fromPast, project, clip }, M, z, h, c) {
  const D = project.K, past = linear(h, M, fromPast), out = new Float32Array(M * D);
  for (let m = 0; m < M; m++) {
    for (let d = 0; d < D; d++) {
      const at = 4 * m * D + d, cell = m * D + d;
      const gate = (number) => z[at + number * D] + past[at + number * D];
      const kept = sigmoid(gate(1)) * c[cell] + sigmoid(gate(0)) * Math.tanh(gate(2));
      c[cell] = clipped(kept, clip);
      out[cell] = sigmoid(gate(3)) * Math.tanh(c[cell]);
    }
  }
  linear(out, M, project).forEach((value, i) => { h[i] = clipped(value, clip); });
}

/** Read T vectors x (T, P) by one direction's stack, and with `drops` also without each
 *  of them. Row 0 is the whole; row r leaves out x_r, so that it begins at step r + 1
 *  from where the whole stood before x_r. Returns [layer][t], (rows, P) each, of the
 *  first `steps`. `breathe` is awaited after each step: the page stays alive. */
async function read(stack, x, T, steps, drops, breathe) {
  const { N, K: P } = stack[0].fromInput, D = N / 4;
  const first = linear(x, steps, stack[0].fromInput); // it does not wait for the past
  const outputs = stack.map(() => []);
  const states = stack.map(() => ({
    h: new Float32Array(T * P), c: new Float32Array(T * D), // of each row
    before: { h: new Float32Array(P), c: new Float32Array(D) }, // the whole's, a step ago
  }));
  for (let t = 0; t < steps; t++) {
    const M = drops ? Math.max(1, t) : 1;
    let input = null;
    stack.forEach((lstm, depth) => {
      const { h, c, before } = states[depth];
      if (M > 1) [[h, before.h], [c, before.c]].forEach(([all, one]) => all.set(one, (M - 1) * one.length));
      Object.assign(before, { h: h.slice(0, P), c: c.slice(0, D) });
      let z = input && linear(input, M, lstm.fromInput);
      if (!z) { // all rows read the same word
        z = new Float32Array(M * N);
        for (let m = 0; m < M; m++) z.set(first.subarray(t * N, (t + 1) * N), m * N);
      }
      step(lstm, M, z, h, c);
      const out = h.slice(0, M * P);
      if (input) input.forEach((value, i) => { out[i] += value; }); // residual path
      outputs[depth].push(out);
      input = out;
    });
    await breathe();
  }
  return outputs;
}

/** Read a sentence. Returns { vector(layer, i, without) }: the vector (2P) of word i in
 *  the whole sentence, or without its word `without` if the model was asked for `drops`.
 *  If only the words `targets` are asked for, no direction reads on beyond them. */
export async function readSentence(
  model, words, { targets = null, drops = false, breathe = () => {} } = {},
) {
  const P = model.config.projection, marked = [BOS, ...words, EOS], T = marked.length;
  const tokens = wordVectors(model, marked); // each (P)
  const [ahead, back] = [tokens, [...tokens].reverse()].map((row) => {
    const x = new Float32Array(T * P);
    row.forEach((vector, t) => x.set(vector, t * P));
    return x;
  });
  const upTo = targets ? Math.max(...targets) + 2 : T; // with the mark of the beginning
  const downTo = targets ? T - 1 - Math.min(...targets) : T;
  const forward = await read(model.stacks[0], ahead, T, upTo, drops, breathe);
  const backward = await read(model.stacks[1], back, T, downTo, drops, breathe);
  // A half knows nothing of a word that it has not met yet: then its row is the whole's.
  const half = (outputs, layer, t, gone) => {
    const row = gone < t ? gone : 0;
    return outputs[layer - 1][t].subarray(row * P, (row + 1) * P);
  };
  function vector(layer, i, without = null) {
    const joined = new Float32Array(2 * P), t = i + 1, gone = without ?? T;
    const halves = layer === 0
      ? [tokens[t], tokens[t]]
      : [half(forward, layer, t, without === null ? T : gone + 1),
        half(backward, layer, T - 1 - t, without === null ? T : T - 2 - gone)];
    halves.forEach((values, side) => joined.set(values, side * P));
    return joined;
  }
  return { vector };
}
