// The log and the chat follow what arrives, unless somebody is reading further up: then a button says that there is more.
(() => {
  "use strict";

  const NEAR = 24; // pixels: as good as at the end
  const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
  const buttonOf = (list) => document.querySelector(`[data-newest="${list.id}"]`);

  const goToEnd = (list) => {
    list.dataset.up = "no";
    list.scrollTop = list.scrollHeight;
    buttonOf(list).hidden = true;
  };

  for (const list of document.querySelectorAll(".panel > .lines")) {
    // Measured when somebody scrolls, and not at every message.
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
      requestAnimationFrame(() => { // the page is laid out anyway then
        if (isReading && !isAtEnd(list)) buttonOf(list).hidden = false;
        else if (!isReading) goToEnd(list);
      });
    }).observe(list, { childList: true });
  }

  // People want to see what they say themselves, and a panel that is opened begins with what is newest.
  document.addEventListener("htmx:after:ws:request", (event) => {
    if (event.target.closest?.("#say, .quick")) goToEnd(document.getElementById("chat-lines"));
  });
  document.addEventListener("parlour:opened", (event) => {
    const list = document.getElementById(event.detail)?.querySelector(".lines");
    if (list) goToEnd(list);
  });
})();
