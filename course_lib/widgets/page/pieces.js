import { html } from "./kit.js";
import { fromHalves, modelOf } from "./bilm.js";

// What the book keeps beside its pages, loaded when somebody asks for it: by script
// elements, because a page opened from file:// may not fetch. All widgets of a page share
// what is loaded.
const shared = () => (globalThis.courseLoaded ??= new Map());

/** Where the book keeps models, or null: Sphinx says on each page where its root is. */
export function modelsFolder() {
  const root = document.documentElement.dataset.content_root;
  return root === undefined ? null : `${root}../models/`;
}

/** Load the value that the script `name`.js holds. */
export function piece(folder, name) {
  return new Promise((found, lost) => {
    const element = html("script", {
      src: `${folder}${name}.js`,
      onload: () => {
        found(globalThis.coursePieces[name]);
        delete globalThis.coursePieces[name]; // the text is large
        element.remove();
      },
      onerror: () => {
        element.remove();
        lost(new Error(`cannot load ${name}`));
      },
    });
    document.head.append(element);
  });
}

/** Load something once: a second asker waits for the first one's promise, and a load
 *  that failed may be tried again. */
export function once(name, load) {
  if (!shared().has(name)) {
    const coming = load();
    shared().set(name, coming);
    coming.catch(() => shared().delete(name));
  }
  return shared().get(name);
}

/** Load a biLM; `progress` hears the share that is there. */
export const loadModel = (folder, name, progress = () => {}) =>
  once(`${folder}${name}`, async () => {
    const head = await piece(folder, `${name}/model`);
    const size = head.tensors.reduce((sum, [, shape]) =>
      sum + shape.reduce((a, b) => a * b, 1), 0);
    const values = new Float32Array(size);
    let start = 0;
    for (let number = 0; number < head.pieces; number++) {
      const part = fromHalves(await piece(folder, `${name}/${number}`));
      values.set(part, start);
      start += part.length;
      progress((number + 1) / head.pieces);
    }
    return modelOf(head, values);
  });
