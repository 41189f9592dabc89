// A tap lands on the question it was meant for. One that comes just after a question appeared was aimed at what stood
// there before: it is refused, and the page says so. Keys are aimed by focus, so they always count.
(() => {
  "use strict";

  const FRESH_MS = 350;
  const SHAKES_MS = 400;
  const GUARDED = "#actions form, #actions details, #setup .fill"; // what may take the place of another
  const shownAt = new WeakMap();

  const note = () => {
    for (const one of document.querySelectorAll(GUARDED)) if (!shownAt.has(one)) shownAt.set(one, Date.now());
  };
  document.addEventListener("htmx:after:ws:connection", note);
  document.addEventListener("htmx:after:ws:message", note);

  const refuse = (tapped) => {
    tapped.classList.add("too-soon");
    setTimeout(() => tapped.classList.remove("too-soon"), SHAKES_MS);
    document.dispatchEvent(new CustomEvent("parlour:notice", { detail: document.body.dataset.early }));
  };
  document.addEventListener("click", (event) => {
    const isByKey = event.detail === 0; // also a click that a screen reader makes
    const meant = event.target.closest?.(GUARDED);
    if (isByKey || !meant || Date.now() - (shownAt.get(meant) ?? 0) >= FRESH_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse(event.target.closest("button, summary, label") ?? meant);
  }, true);
})();
