// Announces updates to screen readers once, in logical order, and removes them afterwards.
(() => {
  "use strict";

  const MOST = 6; // a batch this large is mostly history
  const STALE_MS = 15000;
  const $ = (selector, from = document) => from.querySelector(selector);
  const $$ = (selector, from = document) => [...from.querySelectorAll(selector)];

  const paragraph = (text) => Object.assign(document.createElement("p"), { textContent: text });
  const tell = (text) => {
    const box = $("#told");
    if (!box) return;
    const line = paragraph(text);
    box.append(line);
    while (box.childElementCount > MOST) box.firstElementChild.remove();
    setTimeout(() => line.remove(), STALE_MS);
  };
  document.addEventListener("parlour:tell", (event) => tell(event.detail));

  const words = (line) => {
    const said = line.cloneNode(true);
    for (const tools of $$(".report", said)) tools.remove();
    return said.textContent.trim().replace(/\s+/g, " ");
  };

  // Follow private log lines and chat: each call returns the texts added since the last one.
  const follow = (list, heard) => {
    const fresh = [];
    const take = (changes) => fresh.push(...changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.matches?.(heard)));
    const observer = new MutationObserver(take);
    if (list) observer.observe(list, { childList: true });
    return () => {
      take(observer.takeRecords());
      const lines = fresh.splice(0);
      return lines.length < MOST ? lines.map(words) : [];
    };
  };
  const secrets = follow($("#log-lines"), ".line.private");
  const chat = follow($("#chat-lines"), ".line");

  // Announce changes of marks at a seat (`data-heard`, such as lives). Marks in the viewer's hand
  // and those with `data-heard=shown` (ballots) are also announced when they appear.
  const marked = new Map();
  const changedSeats = () => {
    const told = [];
    for (const seat of $$(".seats > .seat[id]")) {
      const name = ($(".one-person", seat)?.getAttribute("aria-label") || $(".name", seat)?.textContent)?.trim();
      const now = $$("[data-heard]", seat).map((one) => one.getAttribute("aria-label") || ($(".unseen", one) ?? one).textContent.trim()).join(", ");
      const [whose, before] = marked.get(seat.id) ?? [];
      if (now && whose === name && before !== now && (before || $("[data-heard=shown]", seat))) told.push(`${name}: ${now}`);
      marked.set(seat.id, [name, now]);
    }
    return told.join("; ");
  };

  let held = "";
  const changedHand = () => {
    const [before, hand] = [held, $("#hand")];
    const now = $("[data-heard]", hand ?? document.createElement("i"))?.textContent.trim().replace(/\s+/g, " ") ?? "";
    held = now;
    return now && now !== before ? `${hand.getAttribute("aria-label")}: ${now}` : "";
  };

  let isAsked = false;
  document.addEventListener("parlour:asked", () => { isAsked = true; });

  const hear = (own) => {
    const call = $("#turn-call");
    if (isAsked && call) call.prepend(...own.map(paragraph)); // the roll precedes the question about it
    else own.forEach(tell);
    isAsked = false;
    for (const text of [changedHand(), changedSeats()]) if (text) tell(text);
    chat().forEach(tell);
  };
  document.addEventListener("htmx:after:ws:message", () => hear(secrets()));

  // If the page loads during a match, announce the secrets that the viewer already knows, too.
  document.addEventListener("htmx:after:ws:connection", () => hear($$("#log-lines .line.private").slice(-MOST / 2).map(words)), { once: true });
})();
