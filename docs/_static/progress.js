// Which lessons a reader has done: a box at the end of each, a mark in the list of pages.
// Kept in this browser alone (localStorage); where it refuses, nothing is shown.

const KEY = "course-lessons-done";
const ZH = document.documentElement.lang.startsWith("zh");
const WORDS = ZH
  ? { box: "这一课学完了（只记在这个浏览器里）", mark: "，已学完" }
  : { box: "I have done this lesson (remembered in this browser only)", mark: ", done" };

/** The name of the lesson that an address leads to, or nothing. */
const lesson = (address) => new URL(address).pathname.match(/lessons\/(\d\d_\w+)\.html$/)?.[1];

/** What is done, or null where the browser keeps nothing. */
function done() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return new Set(Array.isArray(found) ? found : []);
  } catch {
    return null;
  }
}

/** Mark the lessons that are done in the list of pages. */
function mark() {
  const found = done();
  for (const link of document.querySelectorAll(".bd-sidebar-primary a[href]")) {
    link.querySelector(".lesson-done")?.remove();
    if (!found.has(lesson(link.href))) continue;
    const sign = document.createElement("span");
    sign.className = "lesson-done";
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", WORDS.mark);
    sign.textContent = " ✓";
    link.append(sign);
  }
}

/** Put the box below a lesson. */
function offer(name) {
  const label = document.createElement("label");
  const box = document.createElement("input");
  box.type = "checkbox";
  box.checked = done().has(name);
  box.style.cssText = "width: 1.5rem; height: 1.5rem; vertical-align: middle; margin: 0 .5rem 0 0";
  box.addEventListener("change", () => {
    const found = done();
    if (box.checked) found.add(name);
    else found.delete(name);
    localStorage.setItem(KEY, JSON.stringify([...found]));
    mark();
  });
  label.className = "lesson-box";
  label.append(box, WORDS.box);
  document.querySelector("article.bd-article, main article")?.append(label);
}

document.addEventListener("DOMContentLoaded", () => {
  if (!done()) return;
  const here = lesson(location.href);
  if (here) offer(here);
  mark();
});
