// What a screen reader is told: once, in the order in which it is understood, and gone from the page when it is over.
(() => {
  "use strict";

  const MOST = 6; // of more than these at once most was there before
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

  // Lines of the log for this person alone, and what others write: what has come since the last look.
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

  // What is marked at a seat is told when it changes (`data-heard`: lives), some of it also when it appears
  // (`data-heard=shown`: ballots); of one's own hand both.
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
    if (isAsked && call) call.prepend(...own.map(paragraph)); // the roll, then the question about it
    else own.forEach(tell);
    isAsked = false;
    for (const text of [changedHand(), changedSeats()]) if (text) tell(text);
    chat().forEach(tell);
  };
  document.addEventListener("htmx:after:ws:message", () => hear(secrets()));

  // A match that had begun when the page was loaded: its secrets are told as those that come later.
  document.addEventListener("htmx:after:ws:connection", () => hear($$("#log-lines .line.private").slice(-MOST / 2).map(words)), { once: true });
})();
