// Search, filters and pages of the claims. What is chosen stands in the address, so
// that it can be sent to somebody. Without this script all cards are shown.
(() => {
  const root = document.currentScript.parentElement;
  const form = root.querySelector("form"), nav = root.querySelector("nav");
  const fields = [...form.querySelectorAll("input, select")];
  const cards = [...root.querySelectorAll("article")];
  const count = form.querySelector("output"), buttons = nav.querySelector("span");
  const PAGE = 20; // cards on screen at a time
  const plain = (text) => text.normalize("NFKC").toLowerCase();
  const texts = cards.map((card) => plain(`${card.id} ${card.textContent}`));
  let page = 1;

  /** Does a card have all words that are looked for, and what each menu asks? */
  function fits(card, i) {
    return fields.every(({ name, value }) => !value || (name === "q"
      ? plain(value).split(/\s+/).every((word) => texts[i].includes(word))
      : card.dataset[name].split("|").includes(value)));
  }

  function draw() {
    const found = cards.filter(fits);
    const last = Math.max(1, Math.ceil(found.length / PAGE));
    page = Math.min(Math.max(page, 1), last);
    const shown = new Set(found.slice((page - 1) * PAGE, page * PAGE));
    for (const card of cards) card.hidden = !shown.has(card);
    const first = (page - 1) * PAGE + 1;
    const numbers = { first, last: first + shown.size - 1, found: found.length };
    const words = found.length ? count.dataset.some : count.dataset.none;
    count.textContent = words.replace(/\{(\w+)\}/g, (_, name) => numbers[name]);
    nav.hidden = last === 1;
    buttons.replaceChildren(...Array.from({ length: last }, (_, i) => pageButton(i + 1)));
    const [before, after] = nav.querySelectorAll("[data-step]");
    before.disabled = page === 1;
    after.disabled = page === last;
  }

  function pageButton(number) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = number;
    button.setAttribute("aria-label", nav.dataset.page.replace("{n}", number));
    if (number === page) button.setAttribute("aria-current", "page");
    button.onclick = () => turn(number);
    return button;
  }

  function write() {
    const query = new URLSearchParams();
    for (const { name, value } of fields) if (value) query.set(name, value);
    if (page > 1) query.set("page", page);
    history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
  }

  function turn(to) {
    page = to;
    draw();
    write();
    form.scrollIntoView();
    buttons.children[page - 1]?.focus({ preventScroll: true });
  }

  /** Show the card that the address names, whatever the filters hide. */
  function reach() {
    const card = cards.find(({ id }) => id === decodeURIComponent(location.hash.slice(1)));
    if (!card) return;
    if (!fits(card, cards.indexOf(card))) for (const field of fields) field.value = "";
    page = 1 + Math.floor(cards.filter(fits).indexOf(card) / PAGE);
    draw();
    card.querySelector("details").open = true;
    card.scrollIntoView();
  }

  function change() {
    page = 1;
    draw();
    write();
  }
  const query = new URLSearchParams(location.search);
  for (const field of fields) {
    field.value = query.get(field.name) ?? "";
    if (!field.value) field.value = ""; // a menu that lacks it stays at "all"
    field.addEventListener("input", change);
  }
  page = +query.get("page") || 1;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(change));
  nav.addEventListener("click", ({ target }) => {
    if (target.dataset.step) turn(page + +target.dataset.step);
  });
  form.hidden = false;
  draw();
  reach();
  addEventListener("hashchange", reach);
  // A second click on the same permalink changes no address.
  root.addEventListener("click", ({ target }) => {
    if (target.closest('a[href^="#"]')?.hash === location.hash) reach();
  });
})();
