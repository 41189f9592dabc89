// Shows a reaction briefly at its sender's seat, or in a corner of the stage if they have none.
(() => {
  "use strict";

  const SHOWN_MS = 3000;
  const $ = (selector, from = document) => from.querySelector(selector);

  const seatOf = (name) => {
    const faces = [...document.querySelectorAll(".seat")];
    return faces.find((seat) => $(".name", seat)?.textContent === name);
  };

  const show = (item) => {
    document.dispatchEvent(new CustomEvent("parlour:tell", { detail: item.dataset.said }));
    if (document.hidden) return;
    const bubble = document.createElement("span");
    const seat = seatOf(item.dataset.who);
    bubble.className = "reaction";
    bubble.setAttribute("aria-hidden", "true");
    bubble.append(...item.childNodes);
    if (!seat) bubble.append(item.dataset.who);
    for (const old of (seat ?? $(".stage")).querySelectorAll(":scope > .reaction")) old.remove();
    (seat ?? $(".stage")).append(bubble);
    setTimeout(() => bubble.remove(), SHOWN_MS);
  };

  document.addEventListener("htmx:after:ws:message", () => {
    const list = $("#reacted");
    if (!list?.firstElementChild) return;
    for (const item of [...list.children]) show(item);
    list.replaceChildren();
  });
})();
