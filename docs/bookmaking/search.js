// How the book orders what a search finds, and what it quotes; after Sphinx's own code.
// Lessons come before the sheets, these before other pages, and the library last; the
// lesson that teaches a term stands first. `taught` ([term, lesson]) is the glossary.
(() => {
  if (typeof Search === "undefined") return;
  const plain = (text) => text.toLowerCase().replace(/[-\s]+/g, " ").trim();
  const query = plain(new URLSearchParams(location.search).get("q") ?? "");

  /** The number of the lesson that teaches the term, or one whose name it is part of. */
  function lessonOf(words) {
    if (!words) return undefined;
    const near = taught.filter(([term]) => plain(term).includes(words));
    near.sort(([one], [other]) => one.length - other.length);
    return near[0]?.[1];
  }
  const first = lessonOf(query);

  Scorer.score = ([page, title, , , score]) => {
    const kinds = [["lessons/", 300], ["sheets/", 200], ["api/", 0]];
    const kind = kinds.find(([folder]) => page.startsWith(folder))?.[1] ?? 100;
    if (kind < 300) return kind + score;
    const own = plain(title.split(" > ")[0]).includes(query);
    return kind + score + 40 * own + 400 * page.startsWith(`lessons/${first}_`);
  };

  // What is no text of a page: its code, its buttons, its drawings, links to click.
  const LEAVE_OUT = "script, style, svg, button, nav, form, summary, .headerlink, "
    + ".cell, .taught";

  Search.htmlToText = (page, anchor) => {
    const whole = new DOMParser().parseFromString(page, "text/html");
    const place = anchor && whole.getElementById(decodeURIComponent(anchor.slice(1)));
    const text = place || whole.querySelector("article.bd-article");
    for (const part of text?.querySelectorAll(LEAVE_OUT) ?? []) part.remove();
    return (text?.textContent ?? "").replace(/\s+/g, " ").trim();
  };
})();
