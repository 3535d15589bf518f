// What the theme leaves out for those who use the keyboard or a screen reader.

/** Name the arrows of the sidebar after the page whose parts they show. */
function nameArrows() {
  for (const arrow of document.querySelectorAll(".bd-sidebar-primary summary")) {
    const page = arrow.parentElement.parentElement.querySelector("a");
    if (page) arrow.setAttribute("aria-label", page.textContent.trim());
  }
}

/** Let a button that can be read be called what it says. */
function nameSearch() {
  for (const button of document.querySelectorAll(".search-button-field")) {
    button.removeAttribute("aria-label");
  }
}

/** Let formulas that are too wide for the page be moved by arrow keys. */
function reachFormulas() {
  for (const formula of document.querySelectorAll("mjx-container[display]")) {
    if (formula.scrollWidth > formula.clientWidth) formula.setAttribute("tabindex", "0");
    else formula.removeAttribute("tabindex");
  }
}

/** On paper nobody can unfold what is folded; after printing it is as it was. */
function unfold() {
  for (const part of document.querySelectorAll(".bd-article details:not([open])")) {
    part.open = true;
    part.dataset.forPaper = "";
  }
}

function foldAgain() {
  for (const part of document.querySelectorAll("details[data-for-paper]")) {
    part.open = false;
    delete part.dataset.forPaper;
  }
}
addEventListener("beforeprint", unfold);
addEventListener("afterprint", foldAgain);

document.addEventListener("DOMContentLoaded", async () => {
  nameArrows();
  nameSearch();
  await window.MathJax?.startup?.promise;
  reachFormulas();
  addEventListener("resize", reachFormulas);
});
