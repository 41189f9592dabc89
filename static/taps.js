// Refuses taps just after a question has appeared, because they were meant for what was there before.
// A notice explains this. Key presses are never refused, because they follow the focus.
(() => {
  "use strict";

  const FRESH_MS = 350;
  const SHAKES_MS = 400;
  const GUARDED = "#actions form, #actions details, #setup .fill"; // may replace each other in place
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
    const isByKey = event.detail === 0; // true for clicks by screen readers, too
    const meant = event.target.closest?.(GUARDED);
    if (isByKey || !meant || Date.now() - (shownAt.get(meant) ?? 0) >= FRESH_MS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refuse(event.target.closest("button, summary, label") ?? meant);
  }, true);
})();
