// Scrolls log and chat with new lines. If the reader has scrolled up, a button announces
// them instead.
(() => {
  "use strict";

  const NEAR = 24; // pixels that still count as the end
  const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  const buttonOf = (list) => document.querySelector(`[data-newest="${list.id}"]`);

  const goToEnd = (list) => {
    list.dataset.up = "no";
    list.scrollTop = list.scrollHeight;
    buttonOf(list).hidden = true;
  };

  for (const list of document.querySelectorAll(".panel > .lines")) {
    // Measure on scroll, not on every message.
    list.addEventListener("scroll", () => {
      const up = !isAtEnd(list);
      list.dataset.up = up ? "yes" : "no";
      if (!up) buttonOf(list).hidden = true;
    }, { passive: true });
    buttonOf(list).addEventListener("click", () => {
      goToEnd(list);
      list.focus({ preventScroll: true });
    });
    new MutationObserver((changes) => {
      if (!changes.some((change) => change.addedNodes.length)) return;
      const isReading = list.dataset.up === "yes" || list.querySelector("details[open]");
      requestAnimationFrame(() => { // layout is computed then anyway
        if (isReading && !isAtEnd(list)) buttonOf(list).hidden = false;
        else if (!isReading) goToEnd(list);
      });
    }).observe(list, { childList: true });
  }

  // Scroll to the end after sending a message and on opening a panel.
  document.addEventListener("htmx:after:ws:request", (event) => {
    if (event.target.closest?.("#say, .quick")) goToEnd(document.getElementById("chat-lines"));
  });
  document.addEventListener("parlour:opened", (event) => {
    const list = document.getElementById(event.detail)?.querySelector(".lines");
    if (list) goToEnd(list);
  });
})();
